import LocationModel

/// The users with an agent, remembered over a restart of the daemon.
///
/// Programs and agents connect to a new daemon in any order. A program that is named before its user's agent is
/// there would be `user:NAME`, to whom nothing was allowed.
///
/// * Programs wait for an agent only where the daemon before left one: it was there when that daemon ended, or had gone
///   less than `pause` before.
/// * The wait ends `patience` after the daemon's start, for good: nobody waits for an agent that has logged out.
/// * A record of another boot is none, as far as the clocks tell.
/// * An agent waits for nobody: its process is remembered, since many have no name of their own either.
/// * A user's record is written at most once in a `pause`, however often agents come and go.
struct AgentMemory {
  /// When the programs stop to wait.
  private let until: Boottime
  /// The agents that the daemon before left.
  private var left: [UInt32: [ProcessID]] = [:]
  private var present: [UInt32: [ProcessID]] = [:]
  /// As it is on the disk, with the moment of the last write of this daemon.
  private var written: [UInt32: (processes: [ProcessID], at: Boottime?)] = [:]
  private var due: [UInt32: Boottime] = [:]

  static let kind = "agent"
  static let patience: Duration = .seconds(5)
  static let pause: Duration = .seconds(10)
  private static let mostProcesses = 4

  init(_ remembered: StoreSnapshot, at now: Instant) {
    until = now.boottime + Self.patience
    for (record, bytes) in remembered.records where record.kind == Self.kind {
      let json = StoredRecord.json(bytes)
      let processes = (json?["processes"]?.array ?? []).compactMap(ProcessID.init)
      written[record.app.uid] = (processes, nil)
      // Unless the agent comes back, it is forgotten then.
      due[record.app.uid] = until
      if let json, StoredRecord.isOfThisBoot(json, at: now) { left[record.app.uid] = processes }
    }
  }

  /// The moment until which the program waits for an agent of its user; nil where it does not.
  func wait(of caller: Caller, at now: Instant) -> Boottime? {
    guard caller.wantsClue, now.boottime < until, let agents = left[caller.uid],
      caller.process.map(agents.contains) != true
    else { return nil }
    return until
  }

  /// The user has these agents now.
  mutating func note(_ processes: [ProcessID], of uid: UInt32, at now: Instant) {
    let processes = Array(processes.prefix(Self.mostProcesses))
    present[uid] = processes.isEmpty ? nil : processes
    if processes == written[uid]?.processes ?? [] {
      due[uid] = nil
    } else if processes.isEmpty {
      due[uid] = due[uid] ?? now.boottime + Self.pause
    } else {
      let next = written[uid]?.at.map { $0 + Self.pause } ?? now.boottime
      due[uid] = min(due[uid] ?? next, next)
    }
  }

  var wakesAt: Boottime? { due.isEmpty ? nil : due.values.min() }

  /// The changes to write now.
  mutating func drainDue(at now: Instant) -> [Change] {
    guard let first = wakesAt, first <= now.boottime else { return [] }
    var changes: [Change] = []
    for uid in due.filter({ $0.value <= now.boottime }).keys.sorted() {
      due[uid] = nil
      written[uid] = (present[uid] ?? [], now.boottime)
      changes += records(of: uid, at: now)
      if present[uid] == nil { changes.append(.remove(Self.owner(uid), kind: Self.kind, key: "")) }
    }
    return changes
  }

  /// All that the disk is to have of the user.
  func records(of uid: UInt32, at now: Instant) -> [Change] {
    guard let processes = present[uid] else { return [] }
    let json: JSON = [
      "processes": .array(processes.map(\.json)), "boottime": .integer(now.boottime.nanoseconds),
      "utc": now.utcTrusted ? .integer(now.utc.microseconds) : .null,
    ]
    return [.put(Self.owner(uid), kind: Self.kind, key: "", StoredRecord.bytes(of: json))]
  }

  private static func owner(_ uid: UInt32) -> App { StoredRecord.owner(uid) }
}

extension ProcessID {
  var json: JSON {
    .array([.integer(Int64(pid)), .integer(Int64(clamping: startTime))])
  }

  init?(_ json: JSON) {
    guard let numbers = json.array, numbers.count == 2,
      let pid = numbers[0].integer.flatMap(Int32.init(exactly:)),
      let startTime = numbers[1].integer.flatMap(UInt64.init(exactly:))
    else { return nil }
    self.init(pid: pid, startTime: startTime)
  }
}
