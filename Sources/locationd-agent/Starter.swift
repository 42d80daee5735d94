import DBus
import LocationModel
import Platform

/// Starts the person's programs, and finds who has a name, on the session's bus.
final class Starter {
  private let bus: BusConnection
  private let log: Log
  private var calls: [Int: BusCall] = [:]
  private var lookup: [Int: BusProcess] = [:]
  private var last = 0

  /// At a time; more are refused.
  private static let most = 64

  init(on bus: BusConnection, _ log: Log) {
    self.bus = bus
    self.log = log
  }

  /// Tells once, later or at once, whether it is being started.
  func start(_ app: String, _ activation: Activation, completion: @escaping (Bool) -> Void) {
    guard activation.isOf(app), calls.count < Self.most else {
      log.warning("\(activation.name) is not started: it is not \(app)'s")
      return completion(false)
    }
    last += 1
    let number = last
    let ended: (BusError?) -> Void = { [unowned self] error in
      calls[number] = nil
      if let error {
        log.warning("\(activation.name) could not be started: \(error)")
      } else {
        log.info("started \(activation.name), since an event waits for \(app)")
      }
      completion(error == nil)
    }
    switch activation {
    case .busName(let name): calls[number] = bus.startService(name, completion: ended)
    case .unit(let name): calls[number] = bus.startUnit(name, completion: ended)
    }
  }

  /// Tells once, later or at once.
  func findOwner(of name: String, completion: @escaping (AgentOwner?) -> Void) {
    guard calls.count < Self.most, lookup.count < Self.most else { return completion(nil) }
    last += 1
    let number = last
    calls[number] = bus.findOwner(of: name) { [unowned self] owner in
      calls[number] = nil
      guard let owner else { return completion(nil) }
      lookup[number] = try? bus.process(of: owner) { [unowned self] credentials, _ in
        lookup[number] = nil
        let pid = (try? credentials.get())?.pid.flatMap(Int32.init(exactly:))
        completion(pid.map { AgentOwner(pid: $0) })
      }
      if lookup[number] == nil { completion(nil) }
    }
  }
}

extension Activation {
  /// The daemon has seen that it is the app's own; this much can be seen without having been there.
  func isOf(_ app: String) -> Bool {
    let parts = app.split(separator: ":", maxSplits: 1)
    guard parts.count == 2, case .unit(let unit) = self else { return parts.count == 2 }
    switch parts[0] {
    case "userunit": return unit == "\(parts[1]).service"
    case "app": return unit.hasPrefix("app-")
    case "snap": return unit.hasPrefix("snap.\(parts[1]).")
    default: return false
    }
  }
}
