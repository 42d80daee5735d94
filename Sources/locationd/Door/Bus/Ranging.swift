import DBus
import LocationModel
import Platform

/// The rows of beacons.
extension Client1 {
  static let rangingMethods: [BusMethod] = [
    ranging("StartRangingBeacons", "startRangingBeacons"),
    ranging("StopRangingBeacons", "stopRangingBeacons"),
    ranging("StartAdvertising", "startAdvertising", "beacon"),
    plain("StopAdvertising", .stopAdvertising),
  ]

  static let rangingSignals: [BusSignalDescription] = [
    .init("DidRangeBeacons", [.init("constraint", "a{sv}"), .init("beacons", "aa{sv}")]),
    .init(
      "RangingDidFail",
      [.init("constraint", "a{sv}"), .init("code", "i"), .init("message", "s")]),
    .init("DidStartAdvertising"),
    .init("AdvertisingDidFail", [.init("code", "i"), .init("message", "s")]),
  ]

  private static func ranging(
    _ name: String, _ method: String, _ argument: String = "constraint"
  ) -> BusMethod {
    BusMethod(name, in: [.init(argument, "a{sv}")]) {
      (client: ClientObject, call) throws(BusError) in
      client.ask(try Request(method, JSON(call.arguments[0])), for: call)
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
