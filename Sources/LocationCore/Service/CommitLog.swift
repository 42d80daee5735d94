import LocationModel

/// The step that follows once a commit is written, or has failed.
enum Continuation {
  /// A decision about permissions, and the clients that had a person asked for it.
  case decided(asked: [Questions.Asker])
  /// `written`: the regions that the commit is about.
  case startedMonitoring(App, [String], written: [String], Recipient)
  /// Visits or significant changes.
  case followed(App, Service)
  case report([(app: App, number: UInt64)])
  case activated(App, Launch)
  case here(SetPlace?)
  /// A pause of the user's, or its end.
  case paused(UInt32, turn: Int)
}

/// The commits that wait for the disk, and the step that follows each.
struct CommitLog {
  struct Entry {
    /// The client that is answered when it is done.
    var client: ClientID?
    var call: JSON?
    /// The user whose programs had it written, and how many bytes.
    var uid: UInt32?
    var size: Int
    var continuation: Continuation?
    fileprivate var records: [WriteRetry.Record]
  }

  /// The calls that are handled again once a commit has shown whether anything can be written.
  private struct Retrial {
    var id: CommitID
    var calls: [(client: ClientID, call: Call)] = []
  }

  /// Why nothing can be written just now, if so: then nobody is asked.
  private(set) var trouble: String?
  private var entries: [CommitID: Entry] = [:]
  private var queued: [UInt32: Int] = [:]
  private var last: UInt64 = 0
  private var retrial: Retrial?
  var retry = WriteRetry()

  static let mostRetrials = 64

  init(trouble: String?) { self.trouble = trouble }

  /// While something is under way, memory and disk differ anyway.
  var isIdle: Bool { entries.isEmpty }

  /// Something of the app, or for the client, is being written.
  func isWriting(_ app: App, for client: ClientID? = nil) -> Bool {
    entries.values.contains { entry in
      entry.records.contains(.app(app)) || client != nil && entry.client == client
    }
  }

  /// When to try again what could not be written, in boottime.
  var wakesAt: Boottime? { isIdle ? retry.wakesAt : nil }

  func queuedBytes(of uid: UInt32) -> Int { queued[uid] ?? 0 }

  func isWaiting(_ client: ClientID) -> Bool {
    retrial?.calls.contains { $0.client == client } == true
      || !entries.isEmpty
        && entries.values.contains { entry in
          if entry.client == client { return true }
          guard case .decided(let askers) = entry.continuation else { return false }
          return askers.contains { $0.client == client }
        }
  }

  mutating func next() -> CommitID {
    last += 1
    return CommitID(last)
  }

  mutating func begin(
    _ id: CommitID, _ changes: [Change], then continuation: Continuation?,
    for client: ClientID?, of uid: UInt32?, _ call: JSON?
  ) {
    let size = uid == nil ? 0 : changes.reduce(0) { $0 + $1.size }
    entries[id] = Entry(
      client: client, call: call, uid: uid, size: size, continuation: continuation,
      records: changes.map(\.record))
    if let uid { queued[uid, default: 0] += size }
  }

  /// It is written, or failed.
  mutating func end(
    _ id: CommitID, _ trouble: String?, at now: Instant, into outputs: inout [Output]
  ) -> Entry? {
    guard let entry = entries.removeValue(forKey: id) else { return nil }
    if let uid = entry.uid {
      let left = (queued[uid] ?? 0) - entry.size
      queued[uid] = left > 0 ? left : nil
    }
    retry.end(id, entry.records, failed: trouble != nil, at: now.boottime)
    if let trouble, self.trouble == nil {
      outputs.append(
        .note(
          "nothing can be written: \(trouble); what is to be kept waits, nothing new is granted"))
    } else if trouble == nil, self.trouble != nil {
      outputs.append(.note("what is to be kept can be written again"))
    }
    self.trouble = trouble
    return entry
  }
}

// MARK: - Trying again

extension CommitLog {
  /// The record to write anew, if it is time to.
  func due(at now: Instant) -> WriteRetry.Record? { isIdle ? retry.due(at: now.boottime) : nil }

  /// False where too many calls wait for the newest commit to show whether anything can be written.
  mutating func handleAgain(_ call: Call, of client: ClientID) -> Bool {
    var retrial = retrial ?? Retrial(id: CommitID(last))
    guard retrial.calls.count < Self.mostRetrials else { return false }
    retrial.calls.append((client, call))
    self.retrial = retrial
    return true
  }

  var isTrying: Bool { retrial != nil }

  /// The calls that waited for this commit.
  mutating func callsToHandle(after id: CommitID) -> [(client: ClientID, call: Call)] {
    guard let retrial, retrial.id == id else { return [] }
    self.retrial = nil
    return retrial.calls
  }
}
