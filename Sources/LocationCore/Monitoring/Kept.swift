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
      guard record.app == Kept.house || isDecided(record.app) else {
        undecidedRecords.insert(record.app)
        continue
      }
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
    for kept in remembered.events {
      guard isDecided(kept.app) else {
        undecidedRecords.insert(kept.app)
        continue
      }
      guard let event = Kept.event(kept.bytes) else { continue }
      let size = NumberedEvent.size(of: kept.app, kept.bytes)
      registrations[kept.app, default: Registration()].pending.append(
        NumberedEvent(number: kept.number, event: event, size: size, isWritten: true))
      eventTotals.add(size, of: kept.app.uid)
    }
    for (app, number) in remembered.lastEvents {
      registrations[app]?.lastEvent = number
      if registrations[app] == nil { eventTotals.raiseFloor(of: app.uid, to: number) }
    }
    monitors.relisted = []
    decideMonitoring(of: nil)
  }

  private func isDecided(_ app: App) -> Bool {
    access(of: app, isInUse: false).authorization != .notDetermined
  }

  /// An app about which nobody has decided any more keeps nothing on the disk. Its regions wait with its
  /// connection, if it has one, until somebody decides.
  mutating func retractUndecided(of app: App?, at now: Instant, into outputs: inout [Output]) {
    for app in app.map({ [$0] }) ?? registrations.keys.sorted()
    where registrations[app]?.isAny == true && !isDecided(app) {
      let regions = registrations[app]?.regions.values.map(\.region) ?? []
      forgetMonitoring(of: app)
      undecidedRecords.insert(app)
      if let client = clients.all.filter({ $0.value.caller.owner == app }).keys.min() {
        keep(regions, of: app, for: Recipient(client: client, manager: 0))
      }
    }
    guard !undecidedRecords.isEmpty else { return }
    let changes = undecidedRecords.sorted().map { Change.erase($0) }
    undecidedRecords = []
    commit(changes, into: &outputs)
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
