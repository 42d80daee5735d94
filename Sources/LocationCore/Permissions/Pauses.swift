import LocationModel

/// The people who have paused the location for all of their programs, each until a moment of the boot clock.
struct Pauses {
  private var ends: [UInt32: Boottime] = [:]
  /// The journal's lines about each user.
  private var lines: [UInt32: HourlyLines] = [:]

  static let kind = "pause"

  init(_ remembered: StoreSnapshot, at now: Instant) {
    for (record, bytes) in remembered.records where record.kind == Self.kind {
      ends[record.app.uid] = Self.end(StoredRecord.json(bytes), at: now)
    }
  }

  func isPaused(_ uid: UInt32) -> Bool { ends[uid] != nil }

  func end(of uid: UInt32) -> Boottime? { ends[uid] }

  /// When the first one ends.
  var endsAt: Boottime? { ends.isEmpty ? nil : ends.values.min() }

  mutating func begin(_ uid: UInt32, until end: Boottime) { ends[uid] = end }

  mutating func end(_ uid: UInt32) { ends[uid] = nil }

  /// The journal may have another line about the user.
  mutating func mayTell(of uid: UInt32, at now: Instant) -> Bool {
    lines[uid, default: HourlyLines()].mayTell(at: now.boottime)
  }

  func over(at now: Instant) -> [UInt32] {
    ends.isEmpty ? [] : ends.filter { $0.value <= now.boottime }.keys.sorted()
  }
}

// MARK: - The disk

extension Pauses {
  func record(of uid: UInt32, at now: Instant) -> Change {
    guard let end = ends[uid] else { return Self.removal(of: uid) }
    let json: JSON = [
      "end": .integer(end.nanoseconds), "boottime": .integer(now.boottime.nanoseconds),
      "utc": now.utcTrusted ? .integer(now.utc.microseconds) : .null,
    ]
    return .put(
      StoredRecord.owner(uid), kind: Self.kind, key: "", StoredRecord.bytes(of: json))
  }

  static func removal(of uid: UInt32) -> Change {
    .remove(StoredRecord.owner(uid), kind: kind, key: "")
  }

  /// All that the disk is to have of the user.
  func records(of uid: UInt32, at now: Instant) -> [Change] {
    isPaused(uid) ? [record(of: uid, at: now)] : []
  }

  /// After a restart of the machine the date says how long the machine was off, where the date is known; else
  /// nothing has passed.
  private static func end(_ json: JSON?, at now: Instant) -> Boottime? {
    guard let json, let end = json["end"]?.integer, let written = json["boottime"]?.integer else {
      return nil
    }
    if StoredRecord.isOfThisBoot(json, at: now) { return Boottime(nanoseconds: end) }
    var left = Boottime(nanoseconds: end) - Boottime(nanoseconds: written)
    if now.utcTrusted, let utc = json["utc"]?.integer {
      left -= max(now.utc - Timestamp(microseconds: utc), .zero)
    }
    return now.boottime + max(left, .zero)
  }
}
