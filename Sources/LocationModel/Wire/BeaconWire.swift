extension BeaconConstraint {
  package var members: [JSON.Member] {
    var members = [JSON.Member(key: "uuid", value: .string(uuid.description))]
    if let major { members.append(.init(key: "major", value: .integer(Int64(major)))) }
    if let minor { members.append(.init(key: "minor", value: .integer(Int64(minor)))) }
    return members
  }

  package var json: JSON { .object(members) }

  /// `subject` begins what is said of a mistake.
  package init(_ json: JSON, _ subject: String = "A beacon") throws(Refusal) {
    func wrong(_ what: String) -> Refusal { Refusal(.invalidParameters, "\(subject) \(what).") }
    func word(_ name: String) throws(Refusal) -> UInt16? {
      guard let value = json[name] else { return nil }
      guard let word = value.integer.flatMap({ UInt16(exactly: $0) }) else {
        throw wrong("wants a whole number from 0 to 65535 for \(name)")
      }
      return word
    }
    guard let uuid = json["uuid"]?.string.flatMap({ BeaconUUID($0) }) else {
      throw wrong("wants a uuid, as in E2C56DB5-DFFB-48D2-B060-D0F5A71096E0")
    }
    let (major, minor) = (try word("major"), try word("minor"))
    guard major != nil || minor == nil else { throw wrong("wants a major with its minor") }
    self.init(uuid, major: major, minor: minor)
  }
}

extension BeaconFrame {
  package var json: JSON {
    [
      "uuid": .string(identity.uuid.description), "major": .integer(Int64(identity.major)),
      "minor": .integer(Int64(identity.minor)), "measuredPower": .integer(Int64(measuredPower)),
    ]
  }

  package init(_ json: JSON) throws(Refusal) {
    let constraint = try BeaconConstraint(json)
    guard let major = constraint.major, let minor = constraint.minor else {
      throw Refusal(.invalidParameters, "A beacon wants a major and a minor.")
    }
    let given = json["measuredPower"] ?? .integer(Int64(Self.usualPower))
    guard let power = given.integer.flatMap({ Int8(exactly: $0) }) else {
      throw Refusal(.invalidParameters, "measuredPower is dBm, from -128 to 127.")
    }
    self.init(
      BeaconIdentity(constraint.uuid, major: major, minor: minor), measuredPower: power)
  }
}

extension Beacon {
  /// Nil for one that cannot be.
  package init?(_ json: JSON) {
    guard let constraint = try? BeaconConstraint(json), let major = constraint.major,
      let minor = constraint.minor,
      let proximity = json["proximity"]?.string.flatMap(Proximity.init(rawValue:)),
      let timestamp = json["timestamp"]?.string.flatMap(Timestamp.init(iso8601:))
    else { return nil }
    self.init(
      BeaconIdentity(constraint.uuid, major: major, minor: minor), proximity,
      accuracy: json["accuracy"]?.double,
      rssi: json["rssi"]?.integer.flatMap { Int(exactly: $0) }, timestamp: timestamp)
  }
}

extension TextBuffer {
  package mutating func append(_ beacon: Beacon) {
    append("{\"uuid\":\"")
    append(beacon.identity.uuid.description)
    append("\",\"major\":")
    append(integer: Int64(beacon.identity.major))
    append(",\"minor\":")
    append(integer: Int64(beacon.identity.minor))
    append(",\"proximity\":\"")
    append(beacon.proximity.rawValue)
    append("\"")
    if let accuracy = beacon.accuracy {
      append(",\"accuracy\":")
      append(decimal: accuracy, places: 2)
    }
    if let rssi = beacon.rssi {
      append(",\"rssi\":")
      append(integer: Int64(rssi))
    }
    append(",\"timestamp\":\"")
    append(beacon.timestamp)
    append("\"}")
  }

  mutating func append(_ beacons: [Beacon]) {
    append("[")
    for (i, beacon) in beacons.enumerated() {
      if i > 0 { append(",") }
      append(beacon)
    }
    append("]")
  }
}
