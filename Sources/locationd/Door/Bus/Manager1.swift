import Console
import DBus
import LocationCore
import LocationModel
import Platform

/// `org.locationd.Manager1`, at `/org/locationd`: where client objects come from.
enum Manager1 {
  static let path = "/org/locationd"

  private static let methods: [BusMethod] =
    [
      BusMethod("CreateClient", in: [.init("options", "a{sv}")], out: [.init("client", "o")]) {
        (door: BusDoor, call) throws(BusError) in
        let introduction = try Request.Introduction(options: call.arguments[0])
        door.welcome(call.sender) { (answer) in
          do throws(BusError) {
            call.answer([.path(try door.makeClient(of: answer.get(), introduction))])
          } catch {
            call.refuse(error)
          }
        }
        return nil
      },
      BusMethod("DeleteClient", in: [.init("client", "o")]) {
        (door: BusDoor, call) throws(BusError) in
        let path = call.arguments[0].asString ?? ""
        guard let client = door.client(at: path, of: call.sender) else {
          throw BusError(Refusal(.invalidParameters, "\(path) is no client of yours."))
        }
        door.remove(client)
        return []
      },
      BusMethod("Status", out: [.init("status", "a{sv}")]) {
        (door: BusDoor, call) throws(BusError) in
        door.ask(.status, for: call) { reply in
          guard case .status(let status) = reply else { return nil }
          return status.busValue.map { [$0] }
        }
        return nil
      },
      BusMethod("SetServicesEnabled", in: [.init("enabled", "b")]) {
        (door: BusDoor, call) throws(BusError) in
        door.ask(.servicesSet(enabled: call.arguments[0].asBool == true), for: call) { _ in [] }
        return nil
      },
      BusMethod("SetHere", in: [.init("place", "a{sv}")]) {
        (door: BusDoor, call) throws(BusError) in
        let place: Request
        do throws(Refusal) {
          place = try Request(method: "here.set", parameters: Parameters(JSON(call.arguments[0])))
        } catch {
          throw BusError(error)
        }
        door.ask(place, for: call) { _ in [] }
        return nil
      },
      BusMethod("ForgetHere") { (door: BusDoor, call) throws(BusError) in
        door.ask(.hereForget, for: call) { _ in [] }
        return nil
      },
      BusMethod("Forget") { (door: BusDoor, call) throws(BusError) in
        door.ask(.forget, for: call) { _ in [] }
        return nil
      },
    ]

  static let interface = BusInterface(
    "org.locationd.Manager1", methods: methods + knowing,
    properties: [
      BusProperty("Version", "s", .constant) { (_: BusDoor) in .string(version) },
      BusProperty("ServicesEnabled", "b") { (door: BusDoor, call, answer) in
        door.welcome(call.sender) {
          switch $0 {
          case .success(let caller): answer(.bool(door.isEnabled(caller.caller)))
          case .failure(let error): call.refuse(error)
          }
        }
      },
      BusProperty("Services", "a{sb}", .constant) { (_: BusDoor) in
        LocationService.services.busValue
      },
    ])
}

extension Request.Introduction {
  /// A client's introduction; unknown options are left alone.
  fileprivate init(options: BusValue) throws(BusError) {
    let options = options.asDictionary ?? [:]
    func text(_ key: String) throws(BusError) -> String? {
      guard let value = options[key] else { return nil }
      guard case .string(let text) = value, text.utf8.count <= 1024 else {
        throw BusError(
          Refusal(.invalidParameters, "\(key) must be a string of at most 1024 bytes."))
      }
      return text
    }
    self.init(name: try text("name"), purpose: try text("purpose"))
  }
}
