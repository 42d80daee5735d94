import DBus
import LocationCore
import LocationModel
import Platform

/// Starts the system's services when an event waits for them, and finds out where a name on a bus is
/// somebody's own.
final class Launcher {
  /// Asks an agent of the caller's user which process has a name on that user's bus. False where there is none;
  /// else it answers once, nil if nobody has it.
  typealias Agents = (
    _ caller: Caller, _ busName: String, _ answer: @escaping (AgentOwner?) -> Void
  ) -> Bool

  var agents: Agents?
  private let bus: BusConnection?
  private let identifier: Identifier
  private var calls: [Int64: BusCall] = [:]
  private var searches: [Int64: Search] = [:]

  /// Nil where there is no system's bus.
  init(on bus: BusConnection?, _ identifier: Identifier) {
    self.bus = bus
    self.identifier = identifier
  }

  /// Tells once why it could not be started, or nil.
  func start(_ number: Int64, _ activation: Activation, completion: @escaping (String?) -> Void) {
    guard let bus else { return completion("locationd is on no bus to have it started by") }
    let ended: (BusError?) -> Void = { [unowned self] error in
      calls[number] = nil
      completion(error.map { Self.reason($0, activation) })
    }
    calls[number] =
      switch activation {
      case .busName(let name): bus.startService(name, completion: ended)
      case .unit(let name): bus.startUnit(name, completion: ended)
      }
  }
}

extension Launcher {
  /// The reason, and what an administrator can do about it.
  private static func reason(_ error: BusError, _ activation: Activation) -> String {
    let isForbidden = ["AccessDenied", "InteractiveAuthorizationRequired"]
      .contains { error.name.hasSuffix($0) }
    guard isForbidden, case .unit(let unit) = activation else { return error.description }
    return "\(error); polkit lets locationd start only units that say After=locationd.service, and"
      + " \(unit) does not, or polkit is not there"
  }
}

// MARK: - Whose a name is

extension Launcher {
  private final class Search {
    let busName: String
    let caller: Caller
    let completion: (Launch.Place?) -> Void
    var question: BusCall?
    var identification: BusIdentification?

    init(_ busName: String, _ caller: Caller, completion: @escaping (Launch.Place?) -> Void) {
      self.busName = busName
      self.caller = caller
      self.completion = completion
    }
  }

  /// Tells once on which bus the name is the caller's; nil for none. The system's can be asked for all,
  /// a user's only by that user's agent: it may say what it likes of that user's own programs.
  func findOwner(
    _ number: Int64, of busName: String, for caller: Caller,
    completion: @escaping (Launch.Place?) -> Void
  ) {
    searches[number] = Search(busName, caller, completion: completion)
    guard let bus else { return askAgent(number) }
    searches[number]?.question = bus.findOwner(of: busName) { [unowned self] owner in
      guard let search = searches[number], let owner else { return askAgent(number) }
      search.question = nil
      search.identification = try? identifier.identify(owner, on: bus) { [unowned self] in
        compare(number, try? $0.get(), at: .system)
      }
      if search.identification == nil { askAgent(number) }
    }
  }

  private func askAgent(_ number: Int64) {
    guard let search = searches[number] else { return }
    let isAsked = agents?(search.caller, search.busName) { [weak self] owner in
      guard let self else { return }
      guard let owner else { return end(number, nil) }
      let process = ProcessHandle.of(owner.pid, uid: search.caller.uid)
      let facts = ProcessFacts(uid: search.caller.uid, pid: owner.pid, label: nil, process)
      identifier.identify(facts, process) { [weak self] in self?.compare(number, $0, at: .user) }
    }
    if isAsked != true { end(number, nil) }
  }

  private func compare(_ number: Int64, _ owner: Caller?, at place: Launch.Place) {
    guard let search = searches[number] else { return }
    if let owner, search.caller.isSameProgram(as: owner) { return end(number, place) }
    if place == .system { askAgent(number) } else { end(number, nil) }
  }

  private func end(_ number: Int64, _ place: Launch.Place?) {
    searches.removeValue(forKey: number)?.completion(place)
  }
}
