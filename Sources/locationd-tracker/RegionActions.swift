import DBus
import LocationModel
import Platform
import TrackCore

/// Starts what the configuration names when a region is entered or left: `NAME@EVENT.service`, with the
/// event in a file, since systemd hands nothing over. The entry is on the disk before: it is started at most
/// once, also where this program is killed meanwhile.
final class RegionActions {
  /// The templates that one region starts.
  struct Plan: Equatable {
    var onEnter: String?
    var onExit: String?
  }

  /// By the names of the configuration's regions.
  var plans: [String: Plan]
  private let folder: String
  private let bus: BusConnection?
  private let log: Log
  private var calls: [Int64: BusCall] = [:]

  /// So many files of events are left.
  private static let mostFiles = 100

  init(_ plans: [String: Plan], folder: String, on bus: BusConnection?, _ log: Log) {
    self.plans = plans
    self.folder = folder
    self.bus = bus
    self.log = log
  }

  /// An entry of the track, under its number. A waypoint that a server has set starts nothing.
  func act(_ entry: TrackEntry, of waypoint: Waypoint) {
    guard waypoint.owner == nil, let plan = plans[waypoint.name],
      let name = entry.kind == .enter ? plan.onEnter : plan.onExit
    else { return }
    let unit = "\(name)@\(entry.number).service"
    guard let bus else { return log.error("\(unit) is not started: there is no bus") }
    do throws(SystemError) {
      try File.write(Array((entry.json.text + "\n").utf8), to: "\(folder)/\(entry.number)")
    } catch {
      return log.error("\(unit) is not started: \(error)")
    }
    forget(before: entry.number - Int64(Self.mostFiles))
    bus.whenKnown { [weak self] in self?.start(unit, entry.number, on: bus) }
  }

  private func start(_ unit: String, _ number: Int64, on bus: BusConnection) {
    calls[number] = bus.startUnit(unit) { [unowned self] error in
      calls[number] = nil
      if let error { log.error("\(unit) is not started: \(error)") }
    }
  }

  private func forget(before number: Int64) {
    for name in (try? File.names(in: folder)) ?? [] {
      if let old = Int64(name), old <= number { File.remove("\(folder)/\(name)") }
    }
  }
}
