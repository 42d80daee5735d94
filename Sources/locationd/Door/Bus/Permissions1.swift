import DBus
import LocationModel
import Platform

/// `org.locationd.Permissions1`, at `/org/locationd`: what apps may do, for administrators.
enum Permissions1 {
  /// Stands for no user in particular: the one who asks, or all of them.
  static let nobody = UInt32.max

  static let interface = BusInterface(
    "org.locationd.Permissions1",
    methods: [
      BusMethod("List", out: [.init("permissions", "aa{sv}")]) {
        (door: BusDoor, call) throws(BusError) in
        door.listPermissions(for: call)
        return nil
      },
      BusMethod(
        "Set", in: [.init("app", "s"), .init("uid", "u"), .init("permission", "a{sv}")]
      ) { (door: BusDoor, call) throws(BusError) in
        door.ask(try request("permissions.set", call, call.arguments[2]), for: call) { _ in [] }
        return nil
      },
      BusMethod("Reset", in: [.init("app", "s"), .init("uid", "u")]) {
        (door: BusDoor, call) throws(BusError) in
        door.ask(try request("permissions.reset", call), for: call) { _ in [] }
        return nil
      },
    ],
    signals: [.init("Changed", [.init("app", "s"), .init("uid", "u")])])

  private static func request(
    _ method: String, _ call: BusInvocation, _ rest: BusValue = .dictionary([:])
  ) throws(BusError) -> Request {
    var members = JSON(rest).members ?? []
    members.removeAll { $0.key == "app" || $0.key == "uid" }
    if let app = call.arguments[0].asString, !app.isEmpty {
      guard app.utf8.count <= 1024 else {
        throw BusError(Refusal(.invalidParameters, "No app has so long a name."))
      }
      members.append(.init(key: "app", value: .string(app)))
    }
    if let uid = call.arguments[1].asUInt32, uid != nobody {
      members.append(.init(key: "uid", value: .integer(Int64(uid))))
    }
    return try Request(method, .object(members))
  }
}
