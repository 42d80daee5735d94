import LocationModel

@testable import LocationCore

/// An app that wants to be started, at a monitor harness.
extension MonitoringHarness {
  static let tracker = ClientID(20)
  static let agent = ClientID(30)
  static let trackerApp = App(uid: 0, name: "unit:tracker.service")

  /// A system's service.
  mutating func connectTracker(_ id: ClientID = tracker, greeting: Bool = false) {
    var caller = Caller(uid: 0, pid: 20, app: "unit:tracker.service")
    caller.unit = .system("tracker.service")
    handle(.connected(id, caller))
    if greeting { call(.hello(.init()), from: id) }
  }

  /// A service of a user's manager, which has been allowed Always.
  mutating func connectMap(_ id: ClientID = tracker) {
    call(
      .permissionsSet(
        PermissionChange(app: "userunit:map", uid: 1000, authorization: .authorizedAlways)))
    var caller = Caller(uid: 1000, pid: 21, app: "userunit:map")
    caller.unit = .user("map.service")
    handle(.connected(id, caller))
  }

  @discardableResult
  mutating func connectAgent(_ id: ClientID = agent, uid: UInt32 = 1000) -> [Output] {
    let came = handle(.connected(id, .agent(uid: uid, pid: 30)))
    return came + call(.agentRegister, from: id)
  }

  /// A region around the start, which every walk of 500 m and back crosses.
  static let home = Region(
    identifier: "home", .circle(place(north: 0), radius: 100))

  /// It says what to start, watches the start, and goes.
  mutating func registerAndGo(_ unit: String = "tracker.service") {
    call(.setActivation(.unit(unit)), from: Self.tracker)
    call(.startMonitoring([Self.home]), from: Self.tracker)
    walk(for: 30)
    handle(.gone(Self.tracker))
  }

  mutating func leaveHome() -> [Output] { walk(north: 500, for: 100) }
  mutating func comeHome() -> [Output] { walk(north: 0, for: 100) }

  /// Time goes by while nobody moves, from one alarm that was asked for to the next.
  mutating func pass(_ seconds: Double) -> [Output] {
    let end = now + seconds
    var all: [Output] = []
    while now < end {
      let alarm = service.wakeAsked.map { $0.seconds(since: .start).rounded(.up) } ?? end
      now = min(max(now + 1, alarm), end)
      all += handle(.timer)
    }
    return all
  }
}

extension [Output] {
  /// The services that the daemon itself is to start.
  var launches: [(number: Int64, activation: Activation)] {
    compactMap {
      if case .launch(let number, let activation) = $0 { (number, activation) } else { nil }
    }
  }

  /// The services that agents are asked to start, and by which call.
  var agentLaunches: [(agent: ClientID, app: String, activation: Activation, call: AgentCall)] {
    compactMap {
      guard case .ask(let agent, .launch(let app, let activation), let call) = $0 else {
        return nil
      }
      return (agent, app, activation, call)
    }
  }

  var ownerSearches: [(number: Int64, name: String)] {
    compactMap { if case .findOwner(let number, let name, _) = $0 { (number, name) } else { nil } }
  }

}
