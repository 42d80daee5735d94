import Console
import HTTPClient
import LocationModel
import Platform
import TrackCore

/// Entries to a web server, a request at a time: OwnTracks', Traccar's, or our own batches.
final class HTTPTransport: Transport {
  private let plan: UplinkPlan
  private let device: String
  private let track: String
  private let password: String?
  private let token: String?
  private let client: HTTPClient
  private let body: (UplinkMachine.Input) -> Void

  init(
    _ plan: UplinkPlan, track: String, on loop: EventLoop,
    _ body: @escaping (UplinkMachine.Input) -> Void
  ) throws(SystemError) {
    self.plan = plan
    self.body = body
    device = plan.device ?? Process.hostName
    self.track = track
    password = try plan.secret(plan.password)
    token = try plan.secret(plan.token)
    client = try HTTPClient(on: loop, agent: "locationd-tracker/\(version)")
  }

  func send(_ message: UplinkQueue.Message) -> Dispatch {
    guard let request = request(message.entries) else { return .notNow }
    client.send(request) { [unowned self] in conclude(message.number, $0) }
    return .sent(receipt: message.number, bytes: Self.bytes(request))
  }

  /// With what curl says of itself, the answer's head, and the headers of TLS, TCP and IP.
  private static func bytes(_ request: HTTPRequest) -> Int {
    request.headers.reduce(500) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
      + request.url.utf8.count + (request.body?.count ?? 0)
  }

  /// Nothing hangs on it: the next one tells as much.
  func sendHeartbeat(_ entry: TrackEntry) -> (receipt: Int?, bytes: Int) {
    guard var request = request([entry]) else { return (nil, 0) }
    switch plan.address.words {
    case .ownTracksHTTP:
      let words = OwnTracks(device: device).heartbeat(entry, from: origin)
      request.body = Array(words.json.text.utf8)
    case .batches:
      let heartbeat = Batch.heartbeat(entry, device: device, track: track)
      request.body = Array(heartbeat.text.utf8)
      request.headers.removeAll { $0.name == "Idempotency-Key" }
    case .overland:
      let heartbeat = Overland.heartbeat(entry, device: device, track: track, at: Clock.utc)
      request.body = Array(heartbeat.text.utf8)
    case .osmAnd, .osmAndJSON, .ownTracksMQTT, .batchesMQTT: break
    }
    client.send(request) { _ in }
    return (nil, Self.bytes(request))
  }

  func clearPlace() -> Int { 0 }

  /// A web server asks for nothing.
  func say(_ saying: Saying) -> Int { 0 }

  private var url: String {
    let path = plan.address.path
    return plan.address.origin
      + (token.map { path.replacingText("%t", by: $0.percentEncoded) } ?? path)
  }

  /// The token stands in a header, unless the address has a place for it.
  private var authorization: [(name: String, value: String)] {
    guard let token, !plan.address.path.hasText("%t") else { return [] }
    return [("Authorization", "Bearer \(token)")]
  }

  /// A request that says nothing of the track.
  var question: HTTPRequest {
    var request = bare
    request.headers = authorization
    return request
  }

  private var bare: HTTPRequest {
    var request = HTTPRequest(url, of: plan)
    (request.user, request.password) = (plan.address.user, password)
    return request
  }

  private var user: String { plan.address.user ?? device }
  private var origin: OwnTracks.Origin {
    .init(topic: "owntracks/\(user)/\(device)", track: track, date: Clock.utc)
  }

  private func request(_ entries: [TrackEntry]) -> HTTPRequest? {
    guard let first = entries.first else { return nil }
    var request = bare
    switch plan.address.words {
    case .ownTracksMQTT, .batchesMQTT: return nil
    case .ownTracksHTTP:
      request.body = Array(
        OwnTracks(device: device).message(first, from: origin).json.text.utf8)
      request.headers = [
        ("X-Limit-U", user.percentEncoded),
        ("X-Limit-D", device.percentEncoded),
      ]
    case .osmAnd:
      request.url += (request.url.contains("?") ? "&" : "?") + OsmAnd.query(first, device: device)
    case .osmAndJSON: request.body = Array(OsmAnd.json(first, device: device).text.utf8)
    case .batches:
      let batch = Batch(entries, device: device, track: track)
      request.body = Array(batch.json.text.utf8)
      request.headers = [("Idempotency-Key", batch.key)]
    case .overland:
      request.body = Array(Overland.batch(entries, device: device, track: track).text.utf8)
    }
    request.headers += authorization
    if request.body != nil { request.headers.append(("Content-Type", "application/json")) }
    return request
  }

  private func conclude(_ message: Int, _ outcome: HTTPOutcome) {
    switch outcome {
    case .failed(let reason):
      let words = ConnectionFault.words(
        reason, host: plan.address.host, port: plan.address.port)
      body(.failed(message, reason: words, wait: nil))
    case .answered(let status, let wait, _):
      switch Verdict(status: status) {
      case .confirmed: body(.confirmed(message))
      case .refused: body(.refused(message, ServerRefusal(status: status)))
      case .failed: body(.failed(message, reason: Verdict.words(status), wait: wait))
      }
    }
  }
}

extension HTTPRequest {
  /// With the certificates of an uplink.
  fileprivate init(_ url: String, of plan: UplinkPlan) {
    self.init(url)
    (authority, certificate, key) = (plan.authority, plan.certificate, plan.key)
  }

  /// Only connects.
  init(probing plan: UplinkPlan) {
    self.init(plan.address.origin + "/", of: plan)
    (onlyConnects, timeout) = (true, .seconds(15))
  }
}

extension UplinkPlan {
  /// The first line of the file that a secret stands in.
  func secret(_ file: String?) throws(SystemError) -> String? {
    guard let file else { return nil }
    let bytes = try File.bytes(of: file, atMost: 4096)
    return String(decoding: bytes.prefix { $0 != 0x0A && $0 != 0x0D }, as: UTF8.self)
  }
}
