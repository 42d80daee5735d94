import DBus
import LocationModel
import Platform

/// The rows of asking a person, and of staying in use.
extension Client1 {
  static let useMethods: [BusMethod] = [
    authorization("RequestWhenInUseAuthorization", .authorizedWhenInUse),
    authorization("RequestAlwaysAuthorization", .authorizedAlways),
    BusMethod("RequestTemporaryFullAccuracy", in: [.init("purpose", "s")]) {
      (client: ClientObject, call) throws(BusError) in
      let request = try Request(
        "requestTemporaryFullAccuracy", ["purpose": .string(call.arguments[0].asString ?? "")])
      client.askPerson(request, for: call)
      return nil
    },
    plain("BeginUse", .beginUse),
    plain("EndUse", .endUse),
  ]

  private static func authorization(_ name: String, _ level: Authorization) -> BusMethod {
    BusMethod(name) { (client: ClientObject, call) throws(BusError) in
      client.askPerson(.requestAuthorization(level), for: call)
      return nil
    }
  }
}

extension Request {
  /// As it would come over the socket, so that the same is checked.
  init(_ method: String, _ members: JSON) throws(BusError) {
    do throws(Refusal) {
      self = try Request(method: method, parameters: Parameters(members))
    } catch {
      throw BusError(error)
    }
  }
}
