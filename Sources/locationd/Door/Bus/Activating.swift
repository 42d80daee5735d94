import DBus
import LocationModel
import Platform

/// The row by which an app says what is to be started when an event is for it and it is gone.
extension Client1 {
  static let activation = BusMethod("SetActivation", in: [.init("activation", "a{sv}")]) {
    (client: ClientObject, call) throws(BusError) in
    let json = JSON(call.arguments[0])
    do throws(Refusal) {
      // As it would come over the socket, so that the same is checked.
      client.ask(
        try Request(method: "setActivation", parameters: Parameters(json)), for: call)
    } catch {
      throw BusError(error)
    }
    return nil
  }
}
