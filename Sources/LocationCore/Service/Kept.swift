import LocationModel

/// What monitoring keeps over a restart, as bytes.
enum Kept {
  static let region = "region"
  static let significant = "significant"
  static let visits = "visits"
  static let stay = "stay"
  static let activation = "activation"
  static let seen = "seen"
  /// Whose the records are that belong to no app.
  static let house = App(uid: 0, name: "")

  static func bytes(of region: Region, _ state: RegionState) -> [UInt8] {
    bytes(of: ["region": region.json, "state": .string(state.rawValue)])
  }

  /// A significant change, and when it was told.
  static func bytes(of location: Location, told: Instant) -> [UInt8] {
    var text = TextBuffer()
    text.append("{\"location\":")
    text.append(location)
    text.append(",\"boottime\":")
    text.append(integer: told.boottime)
    text.append(",\"utc\":")
    text.append(integer: told.utc.microseconds)
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
        boottime: json?["boottime"]?.integer ?? 0,
        utc: Timestamp(microseconds: json?["utc"]?.integer ?? 0)))
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

  static func event(_ bytes: [UInt8]) -> Event? {
    guard let json = json(bytes), let name = json["method"]?.string else { return nil }
    return Event(name: name, json["params"] ?? [:])
  }
}

extension LocationService {
  /// Takes up what was remembered; what makes no sense is left where it is.
  mutating func recall(_ remembered: Remembered) {
    for (record, bytes) in remembered.records {
      let json = Kept.json(bytes)
      switch record.kind {
      case Kept.visits: registrations[record.app, default: Registration()].visits = true
      case Kept.significant:
        follow(record.app, Kept.change(json))
      case Kept.region:
        guard let region = json?["region"].flatMap({ try? Region($0) }),
          let shape = RegionShape(region.shape)
        else { continue }
        let state = json?["state"]?.string.flatMap(RegionState.init(rawValue:))
        watch(region, shape, for: record.app, state ?? .unknown)
      case Kept.stay: monitors.visits = VisitDetector(json.flatMap(StoredStay.init))
      default: continue
      }
    }
    for (app, number) in remembered.lastEvents {
      registrations[app, default: Registration()].lastEvent = number
    }
    for kept in remembered.events {
      guard let event = Kept.event(kept.bytes) else { continue }
      registrations[kept.app]?.pending.append(
        NumberedEvent(number: kept.number, event: event, isWritten: true))
    }
    monitors.relisted = []
    decideMonitoring(of: nil)
  }

  /// Has the stay written every few minutes, and when it begins or ends.
  mutating func keepStay(always: Bool) {
    let time = monitors.clock.time
    guard always || monitors.visits.stay != nil && time - monitors.keptAt > Self.keeping else {
      return
    }
    monitors.keptAt = time
    if let stay = monitors.visits.stay {
      monitors.changes.append(
        .put(Kept.house, kind: Kept.stay, key: "", Kept.bytes(of: stay.json)))
    } else {
      monitors.changes.append(.remove(Kept.house, kind: Kept.stay, key: ""))
    }
  }

  private static let keeping = 300.0
}
