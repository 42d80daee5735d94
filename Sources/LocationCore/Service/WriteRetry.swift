import LocationModel

/// The records that could not be written: memory has them, the disk gets them as soon as it takes
/// anything again.
struct WriteRetry {
  enum Record: Hashable {
    /// All that is remembered of it.
    case app(App)
    case restriction(Restriction)
    case servicesEnabled
    case here
    case networks
  }

  private var records: Set<Record> = []
  /// The same, in the order in which they are tried.
  private var queue: [Record] = []
  /// The commit that writes the first of the queue anew.
  private var rewriting: CommitID?
  private(set) var wakesAt: Boottime?

  private static let pause: Duration = .seconds(60)

  mutating func begin(as id: CommitID) { rewriting = id }

  /// A commit of these records is written, or failed.
  mutating func end(_ id: CommitID, _ concerned: [Record], failed: Bool, at now: Boottime) {
    if rewriting == id, let first = queue.first {
      rewriting = nil
      queue.removeFirst()
      // A record that never goes keeps no other waiting.
      if failed { queue.append(first) } else { records.remove(first) }
    }
    if failed { queue += concerned.filter { records.insert($0).inserted } }
    wakesAt = records.isEmpty ? nil : failed ? now + Self.pause : now
  }

  mutating func hurry(at now: Boottime) { if !queue.isEmpty { wakesAt = now } }

  /// One at a time: the first that goes shows that the others may.
  func due(at now: Boottime) -> Record? {
    guard let wakesAt, wakesAt <= now else { return nil }
    return queue.first
  }
}

extension Change {
  var record: WriteRetry.Record {
    switch self {
    case .permission(let app, _), .usage(let app, _), .put(let app, _, _, _),
      .remove(let app, _, _), .event(let app, _, _), .acknowledged(let app, _), .retire(let app),
      .erase(let app), .forget(let app):
      .app(app)
    case .restrict(let restriction), .unrestrict(let restriction): .restriction(restriction)
    case .servicesEnabled: .servicesEnabled
    case .here: .here
    case .networks, .forgetNetworks: .networks
    }
  }
}
