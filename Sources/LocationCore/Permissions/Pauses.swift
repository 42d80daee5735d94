import LocationModel

/// The people who have paused the location for all of their programs, each until a moment of the boot clock. A pause
/// holds at once; what changes is written soon, and whoever asked is answered then.
struct Pauses {
  /// A client that is answered once its wish is on the disk.
  struct Asker {
    var client: ClientID
    var call: JSON
    var isResuming: Bool
    /// The person, or an administrator.
    var isPerson: Bool
    /// The commit that it is answered with.
    fileprivate var turn = 0

    init(_ client: ClientID, _ call: JSON, isResuming: Bool, isPerson: Bool) {
      (self.client, self.call) = (client, call)
      (self.isResuming, self.isPerson) = (isResuming, isPerson)
    }
  }

  private struct Person {
    /// The programs are told nothing until then.
    var end: Boottime?
    /// The disk is to have this end.
    var wish: Boottime?
    /// The disk has it, as far as is known.
    var isWritten = true
    /// A commit is under way, which is the newest of so many, and what it writes.
    var isWriting = false
    var written: Boottime?
    var turn = 0
    var askers: [Asker] = []
    /// The wish is the person's: it is written at once.
    var isUrgent = false
    /// The wish of a program, and the end of a pause by itself, is written then.
    var programsWriteAt = Boottime.start
    /// The journal's lines about the user.
    var lines = HourlyLines()

    mutating func noteCommit(at now: Boottime) {
      if !isUrgent { programsWriteAt = now + Pauses.pace }
      isUrgent = false
      isWriting = true
      written = wish
      turn += 1
    }

    var writesAt: Boottime { isUrgent ? .start : programsWriteAt }
  }

  private var people: [UInt32: Person] = [:]
  /// The users whose wish is to be written.
  private var unwritten: Set<UInt32> = []

  static let kind = "pause"
  /// Calls of one user's programs that may wait, and as many of the person's own.
  static let mostAskers = 64
  /// Pauses of one user's programs are written so far apart.
  static let pace: Duration = .seconds(10)

  init(_ remembered: StoreSnapshot, at now: Instant) {
    for (record, bytes) in remembered.records where record.kind == Self.kind {
      guard let end = Self.end(StoredRecord.json(bytes), at: now) else { continue }
      people[record.app.uid] = Person(end: end, wish: end)
    }
  }

  func isPaused(_ uid: UInt32) -> Bool { people[uid]?.end != nil }

  func end(of uid: UInt32) -> Boottime? { people[uid]?.end }

  /// The end that is wished for: nil where the pause is to be over.
  func wish(of uid: UInt32) -> Boottime? { people[uid]?.wish }

  /// When a pause ends, or is to be written.
  var wakesAt: Boottime? {
    earliest(
      people.values.lazy.compactMap(\.end).min(),
      unwritten.lazy.filter { people[$0]?.isWriting == false }
        .compactMap { people[$0]?.writesAt }.min())
  }

  func over(at now: Instant) -> [UInt32] {
    people.filter { $0.value.end.map { $0 <= now.boottime } ?? false }.keys.sorted()
  }

  /// The journal may have another line about the user.
  mutating func mayTell(of uid: UInt32, at now: Instant) -> Bool {
    people[uid, default: Person()].lines.mayTell(at: now.boottime)
  }
}

// MARK: - Wishes

extension Pauses {
  func hasRoom(for uid: UInt32, ofPerson isPerson: Bool) -> Bool {
    (people[uid]?.askers.count { $0.isPerson == isPerson } ?? 0) < Self.mostAskers
  }

  /// The disk has the end as it is wished: nil for no pause.
  func isWritten(_ end: Boottime?, of uid: UInt32) -> Bool {
    guard let person = people[uid] else { return end == nil }
    return person.isWritten && person.wish == end && person.end == end
  }

  /// The pause holds from now on.
  mutating func begin(
    _ uid: UInt32, until end: Boottime, for asker: Asker?, isUrgent: Bool
  ) {
    people[uid, default: Person()].end = end
    wish(end, of: uid, for: asker, isUrgent: isUrgent)
  }

  /// The pause goes on until its end is written.
  mutating func resume(_ uid: UInt32, for asker: Asker?) {
    wish(nil, of: uid, for: asker, isUrgent: true)
  }

  /// The pause is over; the disk hears of it where it does not know. Programs may pause for a second in a loop.
  mutating func end(_ uid: UInt32) {
    people[uid]?.end = nil
    if people[uid]?.wish != nil { wish(nil, of: uid, for: nil, isUrgent: false) }
  }

  private mutating func wish(
    _ end: Boottime?, of uid: UInt32, for asker: Asker?, isUrgent: Bool
  ) {
    var person = people[uid] ?? Person()
    // A wish that is being written already is answered with that commit.
    let isUnderWay = person.isWriting && person.wish == end && !unwritten.contains(uid)
    if var asker {
      asker.turn = person.turn + (isUnderWay ? 0 : 1)
      person.askers.append(asker)
    }
    if !isUnderWay {
      unwritten.insert(uid)
      person.isWritten = false
      person.isUrgent = person.isUrgent || isUrgent
    }
    person.wish = end
    people[uid] = person
  }

  func isWaiting(_ client: ClientID) -> Bool {
    people.values.contains { $0.askers.contains { $0.client == client } }
  }

  /// The users whose wish is to be written now, and the turn of each. `isEnding`: all of them.
  mutating func drainDue(at now: Instant, isEnding: Bool = false) -> [(uid: UInt32, turn: Int)] {
    guard !unwritten.isEmpty else { return [] }
    return unwritten.sorted().compactMap { uid in
      guard var person = people[uid],
        isEnding || !person.isWriting && person.writesAt <= now.boottime
      else { return nil }
      person.noteCommit(at: now.boottime)
      people[uid] = person
      unwritten.remove(uid)
      return (uid, person.turn)
    }
  }

  /// The commit of this turn is written, or has failed: the clients that are to hear of it, and the end on the disk.
  mutating func finish(
    _ uid: UInt32, _ turn: Int, isWritten: Bool
  ) -> (askers: [Asker], end: Boottime?) {
    guard var person = people[uid] else { return ([], nil) }
    let isLast = person.turn == turn
    if isLast {
      person.isWriting = false
      if !unwritten.contains(uid) {
        person.isWritten = isWritten
        // A pause whose end was not written goes on.
        if !isWritten { person.wish = person.end }
      }
    }
    let askers = person.askers.filter { $0.turn <= turn }
    person.askers.removeAll { $0.turn <= turn }
    people[uid] = person
    return (askers, person.written)
  }

  /// A resume waits for the disk.
  func isResuming(_ uid: UInt32) -> Bool {
    people[uid].map { $0.end != nil && $0.wish == nil && !$0.isWritten } ?? false
  }

  /// The pause is not wished for any more, and that is written.
  func isResumed(_ uid: UInt32) -> Bool {
    people[uid].map { $0.end != nil && $0.wish == nil && $0.isWritten } ?? false
  }
}

// MARK: - The disk

extension Pauses {
  func record(of uid: UInt32, at now: Instant) -> Change {
    guard let end = people[uid]?.wish else { return Self.removal(of: uid) }
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
    people[uid]?.wish == nil ? [] : [record(of: uid, at: now)]
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
