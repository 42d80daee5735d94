import LocationModel

/// Bytes of the events that wait to be acknowledged, per user, and the numbers that are used up.
struct EventTotals {
  private(set) var bytes: [UInt32: Int] = [:]
  /// The highest number that an app of this user has given an event, of those that are forgotten: none is
  /// given twice, and not each of those apps need be remembered for it.
  private(set) var floors: [UInt32: UInt64] = [:]

  mutating func add(_ size: Int, of uid: UInt32) { bytes[uid, default: 0] += size }

  mutating func remove(_ size: Int, of uid: UInt32) {
    let left = (bytes[uid] ?? 0) - size
    bytes[uid] = left > 0 ? left : nil
  }

  mutating func raiseFloor(of uid: UInt32, to number: UInt64) {
    if number > floors[uid] ?? 0 { floors[uid] = number }
  }

  func next(of app: App, after last: UInt64) -> UInt64 { max(last, floors[app.uid] ?? 0) + 1 }
}

extension NumberedEvent {
  /// `bytes`: its record's.
  static func size(of app: App, _ bytes: [UInt8]) -> Int {
    MemoryLayout<NumberedEvent>.stride + app.name.utf8.count + bytes.count
  }
}

extension Monitoring {
  /// The oldest events go where more wait than may: of an app, or of the one that has most of its user's.
  mutating func dropEvents(after app: App) {
    if registrations[app]?.pending.count ?? 0 > Registration.mostPending { dropOldest(of: app) }
    let most = limits.eventBytesPerUser
    while most > 0, eventTotals.bytes[app.uid] ?? 0 > most {
      let largest = registrations.lazy.filter { $0.key.uid == app.uid }
        .max { $0.value.pending.count < $1.value.pending.count }
      guard let largest, !largest.value.pending.isEmpty else { return }
      dropOldest(of: largest.key)
    }
  }

  private mutating func dropOldest(of app: App) {
    guard let oldest = registrations[app]?.pending.removeFirst() else { return }
    eventTotals.remove(oldest.size, of: app.uid)
    changes.append(.acknowledged(app, through: oldest.number))
  }

  mutating func forgetEvents(of app: App, through number: UInt64 = .max) {
    guard let registration = registrations[app] else { return }
    let gone = registration.pending.prefix { $0.number <= number }
    for event in gone { eventTotals.remove(event.size, of: app.uid) }
    registrations[app]?.pending = Array(registration.pending.dropFirst(gone.count))
    if number == .max { eventTotals.raiseFloor(of: app.uid, to: registration.lastEvent) }
  }
}
