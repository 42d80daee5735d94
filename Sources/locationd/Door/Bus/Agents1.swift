import DBus
import LocationModel
import Platform

/// `org.locationd.Agents1`, at `/org/locationd`: where the agents of users come in.
enum Agents1 {
  static let interface = BusInterface(
    "org.locationd.Agents1",
    methods: [
      BusMethod("Register", in: [.init("agent", "o")]) { (door: BusDoor, call) throws(BusError) in
        door.register(call)
        return nil
      },
      BusMethod("Unregister", in: [.init("agent", "o")]) {
        (door: BusDoor, call) throws(BusError) in
        let path = call.arguments[0].asString ?? ""
        guard door.agents.remove(path, of: call.sender) else {
          throw BusError(Refusal(.invalidParameters, "\(path) is no agent of yours."))
        }
        return []
      },
    ])
}

/// `org.locationd.Agent1`, which agents have.
extension AgentRequest {
  static let interface = "org.locationd.Agent1"

  /// `Decide` of `agent.decide`.
  var member: String {
    let name = method.split(separator: ".").last ?? ""
    return name.prefix(1).uppercased() + name.dropFirst()
  }

  var arguments: [BusValue] {
    switch self {
    case .decide(let question): [question.busValue]
    case .cancel(let number): [.uint64(UInt64(clamping: number))]
    case .identify(let pid, _): [.uint32(UInt32(clamping: pid))]
    case .holding(let apps): [.dictionary(["apps": .strings(apps)])]
    case .uses(let apps, _, _): [.array(of: "a{sv}", apps.compactMap(\.json.busValue))]
    case .owner, .launch: [json(id: nil)["params"]?.busValue ?? .dictionary([:])]
    }
  }
}

extension AgentQuestion {
  fileprivate var busValue: BusValue {
    var entries: [String: BusValue] = [
      "question": .uint64(UInt64(clamping: number)), "app": .string(app), "uid": .uint32(uid),
      "pid": .uint32(UInt32(clamping: pid)), "level": .string(level.rawValue),
      "current": .string(current.rawValue),
    ]
    if let name { entries["name"] = .string(name) }
    if isOnceOnly { entries["onceOnly"] = .bool(true) }
    if isForAll { entries["forAll"] = .bool(true) }
    if let purpose { entries["purpose"] = .string(purpose) }
    return .dictionary(entries)
  }
}
