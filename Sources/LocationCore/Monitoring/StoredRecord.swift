import LocationModel

/// Records that are kept over a restart, as bytes.
enum StoredRecord {
  static let region = "region"
  static let significant = "significant"
  static let visits = "visits"
  static let stay = "stay"
  static let activation = "activation"
  static let seen = "seen"
  /// The processes without a name of their own that asked for something.
  static let asked = "asked"
  static let idle = "idle"
  /// Where the machine was last.
  static let place = "place"
  /// The secret of the learnt networks.
  static let networks = "networks"
  /// The owner of the records that belong to no app.
  static let global = App(uid: 0, name: "")
  /// The owner of the records of a user, rather than of an app.
  static func owner(_ uid: UInt32) -> App { App(uid: uid, name: "") }

  static func bytes(of region: Region, _ state: RegionState) -> [UInt8] {
    bytes(of: ["region": region.json, "state": .string(state.rawValue)])
  }

  /// A significant change, and when it was told.
  static func bytes(
    of location: Location, told: Instant, setAside: Coordinate? = nil
  ) -> [UInt8] {
    var text = TextBuffer()
    text.append("{\"location\":")
    text.append(location)
    text.append(",\"boottime\":")
    text.append(integer: told.boottime.nanoseconds)
    text.append(",\"utc\":")
    text.append(integer: told.utc.microseconds)
    if let setAside {
      text.append(",\"setAside\":")
      text.append(setAside.pair)
    }
    text.append("}")
    return Array(text.bytes)
  }

  static func change(_ json: JSON?) -> SignificantChange {
    guard let location = json?["location"].flatMap(Location.init) else {
      return SignificantChange()
    }
    return SignificantChange(
      after: location,
      ToldBefore(
        boottime: Boottime(nanoseconds: json?["boottime"]?.integer ?? 0),
        utc: Timestamp(microseconds: json?["utc"]?.integer ?? 0)))
  }

  /// The place where the machine was last, with its age on the boot clock of now.
  static func lastPlace(_ json: JSON, at now: Instant) -> SourceSelection.NewestLocation? {
    guard let location = json["location"].flatMap(Location.init),
      let boottime = json["boottime"]?.integer, let utc = json["utc"]?.integer
    else { return nil }
    // Within a boot or over some, no less than this has passed.
    let sinceBoot = now.boottime - Boottime(nanoseconds: boottime)
    let byDate = now.utc - Timestamp(microseconds: utc)
    // A clock that is not set after a restart of the machine says nothing.
    let isUnknown = !now.utcTrusted && sinceBoot < .zero
    let age = isUnknown ? .seconds(1_000_000_000) : max(sinceBoot, byDate, .zero)
    return SourceSelection.NewestLocation(
      location: location, arrival: now.boottime - age, source: SourceID(-1))
  }

  static func bytes(of event: Event) -> [UInt8] {
    var text = TextBuffer()
    text.append("{\"method\":\"")
    text.append(event.name)
    text.append("\",\"params\":{")
    text.appendMembers(of: event)
    text.append("}}")
    return Array(text.bytes)
  }

  static func bytes(of json: JSON) -> [UInt8] { Array(json.text.utf8) }

  static func json(_ bytes: [UInt8]) -> JSON? {
    bytes.withUnsafeBytes { try? JSON(parsing: $0) }
  }

  /// The boot clock never goes back within a boot; the moment of the boot is the same as long as the date
  /// is right.
  static func isOfThisBoot(_ json: JSON, at now: Instant) -> Bool {
    guard let boottime = json["boottime"]?.integer, boottime <= now.boottime.nanoseconds else {
      return false
    }
    guard let utc = json["utc"]?.integer, now.utcTrusted else { return true }
    let passed = now.boottime.seconds(since: Boottime(nanoseconds: boottime))
    return (Double(now.utc.microseconds) - Double(utc)) / 1e6 - passed < sameBoot
  }

  /// Seconds by which a date may have been corrected.
  private static let sameBoot = 60.0

  static func event(_ bytes: [UInt8]) -> Event? {
    guard let json = json(bytes), let name = json["method"]?.string else { return nil }
    return Event(name: name, json["params"] ?? [:])
  }
}
