import LocationModel

extension LocationService {
  mutating func answer(
    _ call: Call, of client: ClientID, at now: Instant, into outputs: inout [Output]
  ) {
    // What a request sets off is told after its answer.
    let place = outputs.count
    do throws(Refusal) {
      guard let reply = try reply(to: call, of: client, at: now, into: &outputs), let id = call.id
      else { return }
      outputs.insert(.answer(client, id: id, reply), at: place)
    } catch {
      guard let id = call.id else { return }
      outputs.append(.refuse(client, id: id, error))
    }
  }

  /// Nil where the answer comes later.
  mutating func reply(
    to call: Call, of client: ClientID, at now: Instant, into outputs: inout [Output]
  ) throws(Refusal) -> Reply? {
    guard let caller = clients[client]?.caller else { return nil }
    switch call.request {
    case .hello(let introduction):
      clients[client]?.name = introduction.name
      return .hello(
        Greeting(
          version: settings.version, app: caller.app, authorization: authorization(of: caller),
          accuracy: .full, services: Self.services))
    case .status: return .status(status(for: client, caller, at: now))
    case .startUpdatingLocation(let request):
      try authorize(caller)
      try start(
        StandardSession(Recipient(client: client, manager: call.manager), request), of: caller,
        at: now, into: &outputs)
      return .done
    case .stopUpdatingLocation:
      sessions.removeAll { $0.recipient == Recipient(client: client, manager: call.manager) }
      return .done
    case .requestLocation(let request):
      try authorize(caller)
      return try wait(
        OneShot(client: client, id: call.id, request, at: now), of: caller, at: now)
    case .location:
      try authorize(caller)
      return .location(newest?.location)
    default:
      try authorize(caller)
      return try monitoring(call.request, of: caller, at: now, into: &outputs)
    }
  }

  mutating func start(
    _ session: StandardSession, of caller: Caller, at now: Instant, into outputs: inout [Output]
  ) throws(Refusal) {
    // Starting twice is one service: the wishes change, and what was told still counts.
    if let i = sessions.firstIndex(where: { $0.recipient == session.recipient }) {
      sessions[i].request = session.request
      return
    }
    guard
      count(of: caller, in: sessions.lazy.map(\.recipient.client))
        < settings.limits.managersPerUser
    else {
      throw Refusal(
        .limitExceeded,
        "Your programs already update \(settings.limits.managersPerUser) managers; stop some.")
    }
    sessions.append(session)
    if let fresh = fresh(within: Self.freshToStart, at: now),
      sessions[sessions.count - 1].takes(fresh)
    {
      tell([session.recipient], .didUpdateLocations(fresh, .standard), into: &outputs)
    } else if sources.haveAllFailed {
      tell([session.recipient], Self.noSource, into: &outputs)
    }
  }

  private mutating func wait(
    _ oneShot: OneShot, of caller: Caller, at now: Instant
  ) throws(Refusal) -> Reply? {
    guard count(of: caller, in: oneShots.lazy.map(\.client)) < settings.limits.waitingPerUser
    else {
      throw Refusal(
        .limitExceeded,
        "\(settings.limits.waitingPerUser) requests of your programs already wait for a location.")
    }
    var oneShot = oneShot
    if let fresh = fresh(within: Self.freshAtOnce, at: now), oneShot.isMet(by: fresh) {
      return .location(fresh)
    }
    oneShots.append(oneShot)
    return nil
  }

  func answer(_ oneShot: OneShot, _ location: Location?, into outputs: inout [Output]) {
    defer { hangUpIfDone(oneShot.client, into: &outputs) }
    guard let id = oneShot.id else { return }
    if let location {
      outputs.append(.answer(oneShot.client, id: id, .location(location)))
    } else {
      outputs.append(
        .refuse(
          oneShot.client, id: id,
          Refusal(
            .locationUnknown, "No location came in time. 'locationctl status' shows the sources.")))
    }
  }

  func fresh(within age: Int64, at now: Instant) -> Location? {
    newest.flatMap { now.boottime - $0.arrival <= age ? $0.location : nil }
  }

  /// How old a location may be to begin with, and to be the answer to someone who asks for one.
  private static let freshToStart: Int64 = 10_000_000_000
  private static let freshAtOnce: Int64 = 2_000_000_000
}
