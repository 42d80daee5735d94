import Console
import HTTPClient
import LocationModel
import PlaceCore
import Platform

/// Engines that find ways, asked one after the other until one does: the servers in their order, then the roads on
/// this disk.
final class RouterLink {
  typealias Outcome = Result<[Route], Refusal>

  private struct Engine {
    let server: RoutingServer
    var record: ServerRecord
  }

  /// A question under way.
  private final class Inquiry {
    let request: DirectionsRequest
    let user: UInt32
    let deadline: Boottime
    let completion: (Outcome) -> Void
    /// The servers that are still to be asked, by their numbers; nil is the disk.
    var left: ArraySlice<Int?>
    /// What the first said that found none.
    var refusal: Refusal?
    var timer: EventLoop.Timer?

    init(
      _ request: DirectionsRequest, of user: UInt32, until deadline: Boottime, _ left: [Int?],
      _ completion: @escaping (Outcome) -> Void
    ) {
      self.request = request
      self.user = user
      self.deadline = deadline
      self.left = left[...]
      self.completion = completion
    }
  }

  static let noRoads = Refusal(
    .directionsNotFound,
    "No roads are on this disk, and no server is asked: apt install routino and import an extract"
      + " ('locationctl places import'), or see Router= in locationd-places.conf(5).")

  private var engines: [Engine]
  private let disk: RoadRouter
  private let timeout: Duration
  private let authority: String?
  private let client: HTTPClient
  private let loop: EventLoop
  private let log: Log
  private var budget: Budget
  private var inquiries: [Inquiry] = []

  /// All engines together have so long.
  private static let patience: Duration = .milliseconds(4500)
  /// Those of one user who wait, and those of all.
  private static let mostWaiting = (user: 16, all: 64)
  private static let longestAnswer = 8 << 20
  /// Bytes of an answer to a client, which may not hold more.
  private static let longestRoutes = 800_000

  init(
    _ configuration: Configuration, _ disk: RoadRouter, on loop: EventLoop, _ log: Log
  ) throws(SystemError) {
    self.disk = disk
    engines = configuration.routers.map {
      Engine(server: $0, record: ServerRecord(isPublic: $0.address.isPublic))
    }
    self.loop = loop
    self.log = log
    timeout = configuration.timeout
    authority = configuration.authority
    budget = Budget(perMinute: configuration.budget)
    let contact = configuration.contact.map { "; \($0)" } ?? ""
    client = try HTTPClient(
      on: loop, agent: "locationd-places/\(version) (Core Location for Linux\(contact))")
  }

  func ask(
    _ request: DirectionsRequest, for asker: Asker, _ completion: @escaping (Outcome) -> Void
  ) {
    let servers =
      request.offline ? [] : engines.indices.filter { engines[$0].server.takes(request) }
    let usable = servers.map(Optional.some) + (disk.hasRoads ? [nil] : [])
    guard !usable.isEmpty else { return completion(.failure(Self.noRoads)) }
    let now = Clock.boottime
    let others = inquiries.count { $0.user == asker.uid }
    guard others < Self.mostWaiting.user, inquiries.count < Self.mostWaiting.all,
      servers.isEmpty || budget.spend(asker, at: now)
    else {
      return completion(
        .failure(Refusal(.network, "Too many requests: ask again in a minute.")))
    }
    let inquiry = Inquiry(
      request, of: asker.uid, until: now + Self.patience, usable, completion)
    inquiries.append(inquiry)
    advance(inquiry)
  }

  /// Asks the next engine. Those after it keep their share of the time.
  private func advance(_ inquiry: Inquiry) {
    let now = Clock.boottime
    while let engine = inquiry.left.first {
      let share = (inquiry.deadline - now) / inquiry.left.count
      inquiry.left.removeFirst()
      guard let engine else {
        return disk.find(inquiry.request, for: inquiry.user, until: inquiry.deadline) {
          [unowned self] in conclude(inquiry, $0)
        }
      }
      let limit = now + min(share, timeout)
      guard let turn = engines[engine].record.reserveSlot(at: now, before: limit) else { continue }
      guard turn > now else { return put(inquiry, to: engine, until: limit) }
      inquiry.timer = try? EventLoop.Timer(slack: .milliseconds(1), on: loop) {
        [unowned self, unowned inquiry] in put(inquiry, to: engine, until: limit)
      }
      inquiry.timer?.set(turn)
      return
    }
    end(
      inquiry,
      .failure(inquiry.refusal ?? Refusal(.network, "No server of directions answers in time.")))
  }

  private func put(_ inquiry: Inquiry, to engine: Int, until limit: Boottime) {
    let left = limit - Clock.boottime
    guard left > .zero else { return advance(inquiry) }
    let question = engines[engine].server.question(inquiry.request)
    var request = HTTPRequest(question.url)
    request.timeout = left
    request.longestAnswer = Self.longestAnswer
    request.redirections = 3
    request.authority = authority
    request.headers = [("Accept", "application/json")]
    if let body = question.body {
      request.headers.append(("Content-Type", "application/json"))
      request.body = Array(body.text.utf8)
    }
    client.send(request) { [unowned self] in conclude(inquiry, engine, $0) }
  }

  private func conclude(_ inquiry: Inquiry, _ engine: Int, _ outcome: HTTPOutcome) {
    let now = Clock.boottime
    switch outcome {
    case .failed(let reason): fail(engine) { $0.fail(reason, at: now) }
    case .answered(let status, let wait, let body) where [200, 400].contains(status):
      let answer = engines[engine].server.answer(body, to: inquiry.request)
      if case .failed(let reason) = answer {
        fail(engine) { $0.fail(reason, wait: wait, at: now) }
        break
      }
      if engines[engine].record.trouble != nil { log.notice("\(name(engine)) answers again") }
      engines[engine].record.succeed()
      if case .ways(let ways) = answer { return end(inquiry, ways) }
      inquiry.refusal = inquiry.refusal ?? answer.refusal(inquiry.request)
    case .answered(let status, let wait, _):
      let reason = "the server answers \(status)"
      fail(engine) {
        if [403, 429].contains(status) {
          $0.refuse(reason, wait: wait, at: now)
        } else {
          $0.fail(reason, wait: wait, at: now)
        }
      }
    }
    advance(inquiry)
  }

  private func conclude(_ inquiry: Inquiry, _ outcome: RoadRouter.Outcome) {
    switch outcome {
    case .success(let ways): end(inquiry, ways)
    case .failure(let refusal): end(inquiry, .failure(inquiry.refusal ?? refusal))
    }
  }

  private func end(_ inquiry: Inquiry, _ ways: [Way]) {
    let language = inquiry.request.locale.flatMap { Language($0) }
    var wanted = inquiry.request.alternates ? ways[...] : ways.prefix(1)
    while wanted.count > 1, wanted.map(\.size).reduce(0, +) > Self.longestRoutes {
      wanted.removeLast()
    }
    end(inquiry, .success(wanted.map { $0.route(inquiry.request.transport, in: language) }))
  }

  private func fail(_ engine: Int, _ body: (inout ServerRecord) -> Void) {
    let before = engines[engine].record.trouble
    body(&engines[engine].record)
    if before != engines[engine].record.trouble, let trouble = engines[engine].record.trouble {
      log.notice("\(name(engine)) does not answer: \(trouble)")
    }
  }

  private func name(_ engine: Int) -> String {
    "the \(engines[engine].server.words.rawValue) server for directions"
  }

  private func end(_ inquiry: Inquiry, _ outcome: Outcome) {
    inquiries.removeAll { $0 === inquiry }
    inquiry.completion(outcome)
  }

  var status: [JSON] {
    engines.map {
      let names: JSON = [
        "role": "router", "kind": .string($0.server.words.rawValue),
        "transport": $0.server.transport.map { .string($0.rawValue) },
        "url": .string($0.server.address.url), "public": .bool($0.server.address.isPublic),
      ]
      return .object((names.members ?? []) + ($0.record.json.members ?? []))
    }
  }
}
