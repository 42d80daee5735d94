import LocationModel

/// Who uses what is noted as it begins and ends, never per fix, and written now and then.
extension LocationService {
  mutating func noteUse(by client: ClientID, isNew: Bool, at now: Instant) {
    guard let caller = clients[client]?.caller, hasRoom(for: caller.owner, of: caller) else {
      return
    }
    let app = caller.owner
    let count = book.usage[app]?.count ?? 0
    book.usage[app] = Usage(last: now.utc, count: isNew ? count + 1 : count)
    unwrittenUsage.insert(app)
    if usageDue == nil { usageDue = now.boottime + Self.usageDelay }
  }

  /// Before its sessions go.
  mutating func noteEndOfUse(by client: ClientID, at now: Instant) {
    guard delivery.isActive(client) else { return }
    noteUse(by: client, isNew: false, at: now)
  }

  mutating func writeUsage(at now: Instant, into outputs: inout [Output]) {
    guard let due = usageDue, due <= now.boottime else { return }
    usageDue = nil
    let changes = unwrittenUsage.sorted().compactMap { app in
      book.usage[app].map { Change.usage(app, $0) }
    }
    unwrittenUsage = []
    if !changes.isEmpty { commit(changes, into: &outputs) }
  }

  /// When it last used a service: just now, if it is at it.
  func lastUse(of app: App, at now: Instant) -> Timestamp? {
    let isAtIt = delivery.sessions.contains {
      $0.isActive && clients[$0.recipient.client]?.caller.owner == app
    }
    return isAtIt ? now.utc : book.usage[app]?.last
  }

  private static let usageDelay: Int64 = 300_000_000_000
}
