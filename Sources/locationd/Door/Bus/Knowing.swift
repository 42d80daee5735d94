import DBus
import LocationModel

// `org.locationd.Manager1`: who is told a place, and a person's pause.
extension Manager1 {
  static let knowing: [BusMethod] = [
    BusMethod("History", in: [.init("query", "a{sv}")], out: [.init("entries", "aa{sv}")]) {
      (door: BusDoor, call) throws(BusError) in
      door.ask(try Request("history", JSON(call.arguments[0])), for: call) { reply in
        guard case .history(let entries, let more) = reply else { return nil }
        var rows = entries.compactMap(\.json.busValue)
        if more, var oldest = rows.popLast()?.asDictionary {
          oldest["more"] = .bool(true)
          rows.append(.dictionary(oldest))
        }
        return [.array(of: "a{sv}", rows)]
      }
      return nil
    },
    BusMethod("ForgetHistory", in: [.init("app", "s")]) {
      (door: BusDoor, call) throws(BusError) in
      let app = call.arguments[0].asString.flatMap { $0.isEmpty ? nil : JSON.string($0) }
      door.ask(try Request("history.forget", ["app": app]), for: call) { _ in [] }
      return nil
    },
    BusMethod("Pause", in: [.init("seconds", "u")], out: [.init("pause", "a{sv}")]) {
      (door: BusDoor, call) throws(BusError) in
      let seconds = call.arguments[0].asUInt32.flatMap { $0 == 0 ? nil : JSON.integer(Int64($0)) }
      door.ask(try Request("pause", ["seconds": seconds]), for: call) { reply in
        reply.pause?.json.busValue.map { [$0] }
      }
      return nil
    },
    BusMethod("Resume") { (door: BusDoor, call) throws(BusError) in
      door.ask(try Request("resume", [:]), for: call) { _ in [] }
      return nil
    },
    BusMethod("May", in: [.init("query", "a{sv}")], out: [.init("answer", "a{sv}")]) {
      (door: BusDoor, call) throws(BusError) in
      door.ask(try Request("may", JSON(call.arguments[0])), for: call) { reply in
        reply.may?.json.busValue.map { [$0] }
      }
      return nil
    },
  ]
}
