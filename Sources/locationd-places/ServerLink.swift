import Console
import HTTPClient
import LocationModel
import PlaceCore
import Platform

/// Asks the servers of one kind that the administrator named, as `ServerAsk` says.
final class ServerLink<Server: AskedServer> {
  typealias Outcome = ServerAsk<Server>.Outcome

  private var servers: ServerAsk<Server>
  /// Nil without a server.
  private let http: HTTPClient?
  private let authority: String?
  private let log: Log
  /// The cache between two runs; nil: it is forgotten.
  private let file: String?
  private var timer: EventLoop.Timer?
  private var waiters: [Int: (client: PlaceService.Client, completion: (Outcome) -> Void)] = [:]
  private var lastWaiter = 0

  init(
    _ servers: [Server], _ configuration: Configuration, cache file: String? = nil,
    on loop: EventLoop, _ log: Log
  ) throws(SystemError) {
    self.servers = ServerAsk(
      servers, timeout: configuration.timeout, budget: configuration.budget)
    (self.file, self.log) = (servers.isEmpty ? nil : file, log)
    authority = configuration.authority
    let contact = configuration.contact.map { "; \($0)" } ?? ""
    let agent = "locationd-places/\(version) (Core Location for Linux\(contact))"
    http = servers.isEmpty ? nil : try HTTPClient(on: loop, agent: agent)
    timer = try EventLoop.Timer(slack: .milliseconds(1), on: loop) { [unowned self] in
      handle(.timer)
    }
    restore()
  }

  /// Calls the completion once, perhaps at once. `reserve`: so many that are asked afterwards keep their share of the
  /// time.
  func ask(
    _ question: Server.Question, for client: PlaceService.Client, reserve: Int = 0,
    _ completion: @escaping (Outcome) -> Void
  ) {
    // Most machines have no server.
    guard http != nil else { return completion(.unasked) }
    lastWaiter += 1
    waiters[lastWaiter] = (client, completion)
    handle(.asked(question, by: client.asker, waiter: lastWaiter, reserve: reserve))
  }

  /// Concludes what a client that has gone waits for.
  func cancel(of client: PlaceService.Client) {
    handle(.cancelled(waiters: Set(waiters.filter { $0.value.client === client }.keys)))
  }

  var status: [JSON] { servers.status }

  private func handle(_ input: ServerAsk<Server>.Input) {
    var steps: [ServerAsk<Server>.Step] = []
    servers.handle(input, at: Clock.boottime, into: &steps)
    timer?.set(servers.nextTurn)
    for step in steps {
      switch step {
      case .send(let number, let call, let time): send(call, within: time, number)
      case .conclude(let numbers, let outcome):
        for number in numbers { waiters.removeValue(forKey: number)?.completion(outcome) }
      case .report(let text): log.notice(text)
      }
    }
  }

  private func send(_ call: ServerCall, within time: Duration, _ number: Int) {
    var request = HTTPRequest(call.url)
    request.timeout = time
    request.longestAnswer = Server.longestAnswer
    request.redirections = 3
    request.authority = authority
    request.headers = [("Accept", "application/json")]
    if let body = call.body {
      request.headers.append(("Content-Type", "application/json"))
      request.body = Array(body.text.utf8)
    }
    http?.send(request) { [unowned self] in
      switch $0 {
      case .answered(let status, let wait, let body):
        handle(.answered(number, status: status, wait: wait, body: body))
      case .failed(let reason): handle(.failed(number, reason: reason))
      }
    }
  }
}

// MARK: - Between two runs

extension ServerLink {
  private static var longestFile: Int { 16 << 20 }

  private func restore() {
    guard let file, let bytes = try? File.bytes(of: file, atMost: Self.longestFile),
      let json = try? bytes.withUnsafeBytes({ (buffer) throws(JSONError) in
        try JSON(parsing: buffer)
      })
    else { return }
    servers.cache.restore(json, at: Clock.boottime, Clock.utc)
  }

  /// Before the service leaves: it comes back with the next question.
  func keep() {
    guard let file else { return }
    do throws(SystemError) {
      let bytes = Array(servers.cache.json(at: Clock.boottime, Clock.utc).text.utf8)
      try File.write(bytes, to: file + ".new")
      try File.rename(file + ".new", to: file)
    } catch {
      log.notice("what servers said is forgotten: \(error)")
    }
  }
}
