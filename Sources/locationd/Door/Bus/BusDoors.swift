import DBus
import LocationCore
import Platform

/// The daemon's place on a bus, and its doors there.
final class BusDoors {
  private let log: Log
  private(set) var connection: BusConnection?
  private let quota: BusQuota
  private(set) var own: BusDoor?
  private(set) var geoclue: GeoClueDoor?
  /// That it is off the bus has been said.
  private var hasSaidDown = false

  init(
    at place: BusPlace, _ identifier: Identifier, _ configuration: Configuration,
    on loop: EventLoop, _ log: Log, isEnabled: @escaping (Caller) -> Bool,
    post: @escaping (Input) -> Void
  ) throws(SystemError) {
    self.log = log
    quota = BusQuota(clientsPerUser: configuration.door.connectionsPerUser)
    let connection = try BusConnection(to: place, on: loop) { [unowned self] in handle($0) }
    let callers = BusCallers<BusCaller>(on: connection) {
      [quota] (name, completion) throws(BusError) in
      try identifier.identify(name, on: connection) {
        completion($0.map { BusCaller(name, $0, within: quota) })
      }
    }
    let agents = try BusAgents(on: connection, post: post)
    self.connection = connection
    do throws(BusError) {
      own = try BusDoor(to: callers, agents, log, isEnabled: isEnabled, post: post)
      if configuration.geoclue {
        geoclue = try GeoClueDoor(to: callers, log, post: post)
      }
    } catch {
      log.error("cannot serve on the bus: \(error)")
    }
  }

  func use(_ configuration: Configuration) {
    quota.clientsPerUser = configuration.door.connectionsPerUser
  }

  /// Programs may hope for a place within so many metres; for none without.
  func offer(_ accuracy: Double?) { geoclue?.availableLevel = AccuracyLevel(accuracy: accuracy) }

  private func handle(_ event: BusConnection.Event) {
    switch event {
    case .up(let name):
      hasSaidDown = false
      log.info("on the bus as \(name)")
    case .down(let why):
      if !hasSaidDown { log.notice("not on the bus, which is tried again and again: \(why)") }
      hasSaidDown = true
    }
  }
}
