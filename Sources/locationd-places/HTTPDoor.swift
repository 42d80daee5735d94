import HTTPServer
import LocationModel
import PlaceCore
import Platform

/// HTTP, for programs that speak as Nominatim's, Photon's and OSRM's clients do. Nothing of it is logged.
final class HTTPDoor {
  private let service: PlaceService
  private let gate: WebGate
  private let asksServers: Bool
  private var server: HTTPServer?

  /// Connections of all, and of a user or an address elsewhere.
  private static let most = (all: 512, one: 64)
  /// A request has so long to arrive, and so has its reader.
  private static let patience: Duration = .seconds(30)

  /// `changed`: a client came or went.
  init(
    _ listeners: [any ConnectionListener], _ service: PlaceService, _ configuration: Configuration,
    on loop: EventLoop, changed: @escaping () -> Void
  ) throws(SystemError) {
    self.service = service
    gate = WebGate(hosts: Set(configuration.httpHosts))
    asksServers = configuration.httpServers
    var limits = HTTPServer.Limits()
    (limits.connections, limits.connectionsOfOne) = Self.most
    limits.patience = Self.patience
    (limits.head, limits.body) = (16 << 10, 4 << 10)
    let server = try HTTPServer(listeners, limits: limits, on: loop) { _ in
      true
    } answer: { [unowned self] in
      answer($0)
    }
    server.changed = changed
    self.server = server
  }

  var isEmpty: Bool { server?.isEmpty != false }

  private func answer(_ exchange: HTTPExchange) {
    let request = exchange.request
    let dialect = WebDialect(request.path)
    do throws(WebRefusal) {
      if let refusal = gate.refusal(of: request) { throw refusal }
      let accepted = request.values(of: "Accept-Language").joined(separator: ",")
      let question = try WebAddress.question(
        request.path, request.parameters, acceptLanguage: accepted.isEmpty ? nil : accepted)
      guard let asker = Asker(exchange.peer) else { return exchange.answer(.status(403)) }
      let client = PlaceService.Client(asker)
      exchange.gone = { [service] in service.forget(client) }
      ask(question, for: client) { exchange.answer(HTTPAnswer($0)) }
    } catch {
      exchange.answer(HTTPAnswer(dialect.answer(error)))
    }
  }

  /// Puts its requests one after the other.
  private func ask(
    _ question: any WebQuestion, for client: PlaceService.Client,
    _ findings: [PlaceService.Finding] = [], _ completion: @escaping (WebAnswer) -> Void
  ) {
    let isAnswered = !question.wantsAll && (try? findings.last?.get().isFound) == true
    guard !isAnswered, findings.count < question.requests.count else {
      return completion(question.answer(findings, service.dataSets))
    }
    var request = question.requests[findings.count]
    if !asksServers { request.options.offline = true }
    service.find(request, for: client) { [weak self] in
      self?.ask(question, for: client, findings + [$0], completion)
    }
  }
}

extension Asker {
  /// Nil where the kernel knows nobody any more.
  fileprivate init?(_ peer: ConnectionPeer) {
    switch peer {
    case .here(let owner): self.init(uid: owner.uid, group: owner.group.map { "\($0)" } ?? "")
    case .elsewhere(let address): self.init(address: address)
    case .closed, .unix: return nil
    }
  }
}

extension HTTPAnswer {
  fileprivate init(_ answer: WebAnswer) {
    self.init(UInt32(answer.status), body: Array(answer.body.utf8))
    headers = [
      ("Content-Type", answer.type), ("Cache-Control", "no-store"),
      ("X-Content-Type-Options", "nosniff"), ("Cross-Origin-Resource-Policy", "same-origin"),
      ("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"),
    ]
    if answer.status == 405 { headers.append(("Allow", "GET, HEAD")) }
  }
}
