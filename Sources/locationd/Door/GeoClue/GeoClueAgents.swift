import DBus
import Platform

/// Agents of desktops: how exact places may be at the most that a user's programs get. What an agent
/// allows is no permission.
final class GeoClueAgents {
  private final class Agent {
    let uid: UInt32
    var level = AccuracyLevel.exact
    var end: BusPeer?
    var question: BusCall?
    var changes: BusSubscription?

    init(of uid: UInt32) {
      self.uid = uid
    }
  }

  private let bus: BusConnection
  private var agents: [String: Agent] = [:]
  /// Told of each user for whom something else is allowed.
  private let changed: (UInt32) -> Void

  private static let path = GeoClue.root + "/Agent"
  private static let interface = GeoClue.name + ".Agent"
  private static let properties = "org.freedesktop.DBus.Properties"
  private static let level = "MaxAccuracyLevel"
  /// An agent that does not say what it allows keeps nobody waiting.
  private static let patience: Int32 = 3000
  /// The system bus lets a program wait for 128 answers all told, and counts those it has given up.
  private static let mostPerUser = 8

  init(on bus: BusConnection, changed: @escaping (UInt32) -> Void) {
    self.bus = bus
    self.changed = changed
  }

  /// The strictest of several agents; exact where there is none.
  func ceiling(of uid: UInt32) -> AccuracyLevel {
    agents.values.lazy.filter { $0.uid == uid }.map(\.level).min() ?? .exact
  }

  /// `added` is told once it is known what the agent allows.
  func add(_ name: String, of uid: UInt32, added: @escaping () -> Void) throws(BusError) {
    guard agents[name] == nil else { return added() }
    guard agents.values.count(where: { $0.uid == uid }) < Self.mostPerUser else {
      throw .limitsExceeded("your desktops already have \(Self.mostPerUser) agents")
    }
    let agent = Agent(of: uid)
    agents[name] = agent
    agent.end = try? bus.awaitEnd(of: name) { [unowned self] in
      agents[name] = nil
      changed(uid)
    }
    agent.changes = try? bus.listen(to: name, .properties(at: Self.path)) {
      [unowned self, unowned agent] in
      if case .signal(let signal) = $0 {
        set(signal.changedProperties(of: Self.interface)?[Self.level], of: agent)
      }
    }
    agent.question = bus.call(
      name, Self.path, Self.properties, "Get", [.string(Self.interface), .string(Self.level)],
      patience: Self.patience
    ) { [unowned self, unowned agent] answer in
      if case .variant(let level) = (try? answer.get())?.first { set(level, of: agent) }
      added()
      agent.question = nil
    }
  }

  private func set(_ level: BusValue?, of agent: Agent) {
    guard let number = level?.asUInt32 else { return }
    agent.level = AccuracyLevel(rounding: number)
    changed(agent.uid)
  }
}
