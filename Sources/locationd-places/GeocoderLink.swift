import Console
import HTTPClient
import LocationModel
import PlaceCore
import Platform

/// The server that the administrator named, its cache and its budgets.
final class GeocoderLink {
  enum Outcome {
    /// In good time; empty where the server knows nothing.
    case places([Placemark])
    /// The disk answers instead.
    case nothing
    case overBudget
  }

  /// A question under way, and all who wait for its answer.
  private final class Inquiry {
    let request: PlaceRequest
    let user: UInt32
    let deadline: Boottime
    var waiting: [(Outcome) -> Void]
    var timer: EventLoop.Timer?

    init(
      _ request: PlaceRequest, of user: UInt32, until deadline: Boottime,
      _ completion: @escaping (Outcome) -> Void
    ) {
      self.request = request
      self.user = user
      self.deadline = deadline
      waiting = [completion]
    }
  }

  private var server: GeocodingServer
  private let timeout: Duration
  private let authority: String?
  private let client: HTTPClient
  private let loop: EventLoop
  private let log: Log
  private var record: ServerRecord
  private var budget: Budget
  private var cache = AnswerCache<GeocodingServer>()
  /// Where the cache lies between two runs; nil for nowhere.
  private let cacheFile: String?
  private var inquiries: [Inquiry] = []

  /// Those of one user who wait; one more is answered from the disk.
  private static let mostWaiting = 64
  private static let longestAnswer = 1 << 20
  private static let longestCache = 16 << 20

  init(
    _ server: GeocodingServer, _ configuration: Configuration, on loop: EventLoop, _ log: Log
  ) throws(SystemError) {
    self.server = server
    self.loop = loop
    self.log = log
    timeout = configuration.timeout
    cacheFile = configuration.cache.map { $0 + "/answers.json" }
    authority = configuration.authority
    record = ServerRecord(isPublic: server.address.isPublic)
    budget = Budget(perMinute: configuration.budget)
    let contact = configuration.contact.map { "; \($0)" } ?? ""
    client = try HTTPClient(
      on: loop, agent: "locationd-places/\(version) (Core Location for Linux\(contact))")
    restore()
  }

  private func restore() {
    guard let cacheFile, let bytes = try? File.bytes(of: cacheFile, atMost: Self.longestCache),
      let json = try? bytes.withUnsafeBytes({ (buffer) throws(JSONError) in
        try JSON(parsing: buffer)
      })
    else { return }
    cache.restore(json, at: Clock.boottime, Clock.utc)
  }

  /// Before the service leaves: it comes back with the next question.
  func keep() {
    guard let cacheFile else { return }
    do throws(SystemError) {
      let bytes = Array(cache.json(at: Clock.boottime, Clock.utc).text.utf8)
      try File.write(bytes, to: cacheFile + ".new")
      try File.rename(cacheFile + ".new", to: cacheFile)
    } catch {
      log.notice("what servers said is forgotten: \(error)")
    }
  }

  var isIdle: Bool { inquiries.isEmpty }

  /// Nil where the server is not for such questions; else the completion is called, perhaps at once.
  func ask(
    _ request: PlaceRequest, for asker: Asker, _ completion: @escaping (Outcome) -> Void
  ) -> Bool {
    guard server.call(for: request) != nil else { return false }
    let now = Clock.boottime
    if let places = cache.answer(to: request, of: asker.uid, at: now) {
      record.reused += 1
      completion(.places(places))
      return true
    }
    let others = inquiries.filter { $0.user == asker.uid }
    let waiting = others.reduce(0) { $0 + $1.waiting.count }
    guard waiting < Self.mostWaiting else {
      record.replaced += 1
      completion(.nothing)
      return true
    }
    if let same = others.first(where: {
      GeocodingServer.holds($0.request, for: request, after: .zero)
    }) {
      record.reused += 1
      same.waiting.append(completion)
      return true
    }
    guard budget.spend(asker, at: now) else {
      // A search field goes on with what the disk has.
      if case .complete = request { completion(.nothing) } else { completion(.overBudget) }
      return true
    }
    let inquiry = Inquiry(request, of: asker.uid, until: now + timeout, completion)
    inquiries.append(inquiry)
    send(inquiry)
    return true
  }

  private func send(_ inquiry: Inquiry) {
    let now = Clock.boottime
    guard let turn = record.reserveSlot(at: now, before: inquiry.deadline) else {
      return end(inquiry, .nothing)
    }
    guard turn > now else { return put(inquiry) }
    inquiry.timer = try? EventLoop.Timer(slack: .milliseconds(1), on: loop) {
      [unowned self, unowned inquiry] in put(inquiry)
    }
    inquiry.timer?.set(turn)
  }

  private func put(_ inquiry: Inquiry) {
    let left = inquiry.deadline - Clock.boottime
    guard let call = server.call(for: inquiry.request), left > .zero else {
      return end(inquiry, .nothing)
    }
    var request = HTTPRequest(call.url)
    request.timeout = left
    request.longestAnswer = Self.longestAnswer
    request.redirections = 3
    request.authority = authority
    request.headers = [("Accept", "application/json")]
    client.send(request) { [unowned self] in conclude(inquiry, $0) }
  }

  private func conclude(_ inquiry: Inquiry, _ outcome: HTTPOutcome) {
    let now = Clock.boottime
    switch outcome {
    case .failed(let reason): fail(inquiry) { $0.fail(reason, at: now) }
    case .answered(let status, let wait, let body):
      switch server.meaning(of: body, status: status, to: inquiry.request) {
      case .answer(let places):
        if record.trouble != nil { log.notice("the geocoder answers again") }
        record.succeed()
        cache.add(places, to: inquiry.request, of: inquiry.user, at: now)
        end(inquiry, .places(places))
      case .again: send(inquiry)
      case .failed(let reason): fail(inquiry) { $0.fail(reason, at: now) }
      case .nothing, nil:
        let reason = "the server answers \(status)"
        fail(inquiry) {
          if [403, 429].contains(status) {
            $0.refuse(reason, wait: wait, at: now)
          } else {
            $0.fail(reason, wait: wait, at: now)
          }
        }
      }
    }
  }

  private func fail(_ inquiry: Inquiry, _ body: (inout ServerRecord) -> Void) {
    let before = record.trouble
    body(&record)
    if before != record.trouble, let trouble = record.trouble {
      log.notice("the geocoder does not answer: \(trouble); the disk does instead")
    }
    end(inquiry, .nothing)
  }

  private func end(_ inquiry: Inquiry, _ outcome: Outcome) {
    if case .nothing = outcome { record.replaced += Int64(inquiry.waiting.count) }
    inquiries.removeAll { $0 === inquiry }
    for completion in inquiry.waiting { completion(outcome) }
  }

  var status: JSON {
    let names: JSON = [
      "url": .string(server.address.url), "public": .bool(server.address.isPublic),
    ]
    return .object(
      (server.about.members ?? []) + (names.members ?? []) + (record.json.members ?? []))
  }
}
