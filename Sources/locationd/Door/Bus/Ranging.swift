import DBus
import LocationModel
import Platform

/// The rows of beacons.
extension Client1 {
  static let rangingMethods: [BusMethod] = [
    ranging("StartRangingBeacons") { .startRangingBeacons($0) },
    ranging("StopRangingBeacons") { .stopRangingBeacons($0) },
  ]

  static let rangingSignals: [BusSignalDescription] = [
    .init("DidRangeBeacons", [.init("constraint", "a{sv}"), .init("beacons", "aa{sv}")]),
    .init(
      "RangingDidFail",
      [.init("constraint", "a{sv}"), .init("code", "i"), .init("message", "s")]),
  ]

  private static func ranging(
    _ name: String, _ request: @escaping @Sendable (BeaconConstraint) -> Request
  ) -> BusMethod {
    BusMethod(name, in: [.init("constraint", "a{sv}")]) {
      (client: ClientObject, call) throws(BusError) in
      do throws(Refusal) {
        client.ask(request(try BeaconConstraint(JSON(call.arguments[0]))), for: call)
      } catch {
        throw BusError(error)
      }
      return nil
    }
  }

  static func rangingSignal(
    _ constraint: BeaconConstraint, _ beacons: [Beacon]
  ) throws(BusError) -> BusSignal {
    try signal("DidRangeBeacons") { (body) throws(BusError) in
      try body.append(.dictionary(constraint.busEntries))
      try body.append(.array(of: "a{sv}", beacons.map(\.busValue)))
    }
  }

  static func rangingSignal(
    _ constraint: BeaconConstraint, _ refusal: Refusal
  ) throws(BusError) -> BusSignal {
    try signal("RangingDidFail") { (body) throws(BusError) in
      try body.append(.dictionary(constraint.busEntries))
      try body.int32(Int32(refusal.code.number))
      try body.string(refusal.busMessage)
    }
  }
}

extension BeaconConstraint {
  var busEntries: [String: BusValue] {
    var entries: [String: BusValue] = ["uuid": .string(uuid.description)]
    entries["major"] = major.map { .uint16($0) }
    entries["minor"] = minor.map { .uint16($0) }
    return entries
  }
}

extension Beacon {
  fileprivate var busValue: BusValue {
    var entries: [String: BusValue] = [
      "uuid": .string(identity.uuid.description), "major": .uint16(identity.major),
      "minor": .uint16(identity.minor), "proximity": .string(proximity.rawValue),
      "timestamp": .int64(timestamp.microseconds),
    ]
    entries["accuracy"] = accuracy.map { .double($0) }
    entries["rssi"] = rssi.map { .int16(Int16(clamping: $0)) }
    return .dictionary(entries)
  }
}
