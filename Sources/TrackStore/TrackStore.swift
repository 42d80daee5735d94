package import LocationModel
package import Platform
package import TrackCore

/// The track on the disk. It is read and written on a thread of its own and answers on the loop.
///
/// An entry outlasts the program at once. It outlasts a loss of power after a minute or sixty-four entries:
/// a card that wears out with each sync has one of a drive's hundred.
package final class TrackStore {
  /// The newest entry's number, or the last that one may have had before a loss of power.
  package private(set) var newest: Int64 = 0
  package internal(set) var count: Int64 = 0
  /// The random name of this track.
  package internal(set) var track = ""
  /// A random number that moves the edges of zones. No server learns it, and it stays the same for ever.
  package internal(set) var secret: UInt64 = 0
  /// The last pause of a person's.
  package internal(set) var pause: Silence.Pause?
  /// The last of the daemon's numbered events that was in the track when the program ended.
  package private(set) var lastEvent = TrackRecorder.EventNumber(0)
  /// The knowledge of each server.
  package internal(set) var uplinks: [String: UplinkMemory] = [:]
  /// The waypoints as they were when the program ended.
  package private(set) var waypoints: [Waypoint] = []
  /// Why the track cannot be written, and since when; nil where it can.
  package private(set) var trouble: DatabaseError?
  package private(set) var troubleSince: Timestamp?
  /// Why the track cannot even be read: then nothing is kept.
  package private(set) var failure: DatabaseError?
  /// Told when entries were removed.
  package var erased: () -> Void = {}
  /// So often entries were parked, or are parked no more.
  var parkings = 0
  /// Transactions that waited for the disk.
  package private(set) var syncs = 0

  private let writer: DatabaseWriter
  private var lastWrite: UInt64 = 0
  private var bodies: [UInt64: (DatabaseError?) -> Void] = [:]
  private var unsynced = 0
  /// Numbers up to this one may be told: the disk knows that after a loss of power, too.
  private var reserved: Int64 = 0
  private var syncTimer: EventLoop.Timer?
  /// The index on time knows the entries of the blocks before this one.
  var indexed: Int64 = 0
  var isIndexed = false
  var isIndexing = false
  /// Each entry is in `count`; until then it grows.
  var isCounted = false
  var counts = 0
  /// Removals that wait for the one before.
  var removals: [(@escaping (Int64) -> Void) -> Void] = []
  var clock = RetentionClock()
  /// The doubt about it that is on the disk.
  var keptDoubt: (newest: Int64, doubted: Int64) = (0, 0)

  package static let name = "track.db"
  private static let mostUnsynced: Int64 = 64
  private static let longestUnsynced: Duration = .seconds(60)

  package init(folder: String, on loop: EventLoop) throws(SystemError) {
    var answered: (UInt64, DatabaseError?) -> Void = { _, _ in }
    writer = try DatabaseWriter(
      path: "\(folder)/\(Self.name)", TrackTables.schema, reading: TrackTables.queries, on: loop
    ) { answered($0, $1) }
    switch writer.content {
    case .success(let content):
      note(content.trouble)
      restore(content.tables)
      writer.forgetContent()
    case .failure(let error): failure = error
    }
    answered = { [unowned self] in conclude($0, $1) }
    syncTimer = try EventLoop.Timer(slack: .seconds(5), on: loop) { [unowned self] in sync() }
    guard failure == nil else { return }
    nameTrack()
    if !isCounted { countEntries() }
    index()
  }

  /// The next start goes on with the next number.
  deinit {
    guard reserved > newest else { return }
    writer.write([Self.set("reserved", newest)], number: lastWrite + 1)
  }

  private func restore(_ tables: [[[DatabaseValue]]]) {
    for row in tables[0] {
      guard let name = row[0].text else { continue }
      let confirmed = row[1].text.flatMap(Confirmed.init(text:)) ?? Confirmed()
      uplinks[name, default: .init()].confirmed = confirmed
      uplinks[name]?.sending = row[2].text.flatMap(Confirmed.init(text:))?.ranges.first
    }
    var boot: Int64?
    var doubt = (newest: Int64?.none, seconds: Int64?.none)
    for row in tables[1] {
      switch row[0].text {
      case "newest": newest = row[1].number ?? 0
      case "reserved": reserved = row[1].number ?? 0
      case "boot": boot = row[1].integer
      case "track": track = Self.name(row[1].integer ?? 0)
      case "secret": secret = UInt64(bitPattern: row[1].integer ?? 0)
      case "pausedFrom": pause = row[1].date.map { .init(from: $0, until: nil) }
      case "doubtedNewest": doubt.newest = row[1].integer
      case "doubted": doubt.seconds = row[1].integer
      case "counted": isCounted = true
      case "blocks": indexed = row[1].number ?? 0
      case let name? where name.hasPrefix(Self.clearing):
        uplinks[String(name.dropFirst(Self.clearing.count)), default: .init()].clearsPlace = true
      case "event": lastEvent.number = row[1].integer.flatMap(UInt64.init(exactly:)) ?? 0
      case "ledger": lastEvent.ledger = row[1].integer
      default: break
      }
    }
    if let newest = doubt.newest, let seconds = doubt.seconds {
      keptDoubt = (newest, seconds)
      clock = RetentionClock(newest: newest, doubted: seconds)
    }
    if let end = tables[1].first(where: { $0[0].text == "pausedUntil" }) {
      pause?.until = end[1].date ?? Timestamp(microseconds: .max)
    }
    newest = max(newest, tables[2].first?[0].number ?? 0)
    // A number is never used twice: what was confirmed under it would be taken for sent.
    for uplink in uplinks.values {
      newest = max(newest, uplink.confirmed.ranges.last?.upperBound ?? 0)
    }
    if reserved > newest, boot == nil || boot != Process.boot {
      // The power was cut: entries that are lost may have been sent under these.
      for name in uplinks.keys { uplinks[name]?.confirmed.insert(newest + 1...reserved) }
      newest = reserved
    }
    // The first entry reserves further numbers before it is told.
    reserved = newest
    count = tables[2].first?[1].integer ?? 0
    restoreParked(tables[3])
    for row in tables[4] { uplinks[row[0].text ?? "", default: .init()].usage = row[1].text }
    waypoints = tables[5].compactMap(Waypoint.init)
    for row in tables[6] { uplinks[row[0].text ?? "", default: .init()].broker = row[1].text }
  }
}

extension DatabaseValue {
  /// Of an entry; nil for one that nobody gave.
  fileprivate var number: Int64? { integer.flatMap { (0..<Confirmed.end).contains($0) ? $0 : nil } }
}

// MARK: - Writing

extension TrackStore {
  /// Puts entries at the end of the track, and tells them as they are there once a killed program would find
  /// them. An event of the daemon's outlasts a loss of power too. `crossing`: the region that it is about.
  package func append(
    _ entries: [TrackEntry], event: TrackRecorder.EventNumber? = nil,
    crossing: (identifier: String, isInside: Bool)? = nil,
    _ body: @escaping (Result<[TrackEntry], DatabaseError>) -> Void
  ) {
    var statements: [DatabaseStatement] = []
    var number = newest
    for var entry in entries {
      number += 1
      entry.number = number
      statements.append(TrackTables.insert(entry))
    }
    let written = statements.compactMap { TrackTables.entry($0.values) }
    statements += written.map { TimeIndex.note($0.number, $0.timestamp) }
    if isIndexed, let next = TimeIndex.next(after: indexed, with: number) {
      indexed = next
      statements.append(Self.set("blocks", next))
    }
    if let event {
      statements.append(Self.set("event", Int64(clamping: event.number)))
      if let ledger = event.ledger { statements.append(Self.set("ledger", ledger)) }
    }
    if let crossing { statements.append(Self.mark(crossing.identifier, crossing.isInside)) }
    unsynced += entries.count
    let outlastsPower = event != nil || number >= reserved
    newest = number
    count += Int64(entries.count)
    if outlastsPower { statements += Self.recounted }
    write(statements, outlastsPower: outlastsPower) { [unowned self] error in
      if error != nil { count -= Int64(entries.count) }
      body(error.map { .failure($0) } ?? .success(written))
    }
    if !outlastsPower, unsynced == entries.count {
      syncTimer?.set(Clock.boottime + Self.longestUnsynced)
    }
  }

  private func sync() {
    guard unsynced > 0 else { return }
    write([Self.set("newest", newest)] + Self.recounted, outlastsPower: true) { _ in }
  }

  func write(
    _ statements: [DatabaseStatement], outlastsPower: Bool, erases: Bool = false,
    _ body: @escaping (DatabaseError?) -> Void
  ) {
    lastWrite += 1
    var (statements, next) = (statements, reserved)
    if outlastsPower {
      unsynced = 0
      syncs += 1
      syncTimer?.set(nil)
      next = newest + Self.mostUnsynced
      statements += [Self.set("reserved", next), Self.set("boot", Process.boot ?? 0)]
    }
    bodies[lastWrite] = { [unowned self, next] error in
      if error == nil { reserved = max(reserved, next) }
      body(error)
    }
    writer.write(
      statements, number: lastWrite, erases: erases, outlastsPower: outlastsPower)
  }

  private func conclude(_ number: UInt64, _ error: DatabaseError?) {
    note(error)
    bodies.removeValue(forKey: number)?(error)
  }

  private func note(_ error: DatabaseError?) {
    (trouble, troubleSince) = (error, error == nil ? nil : troubleSince ?? Clock.utc)
  }

  static func set(_ name: String, _ value: Int64) -> DatabaseStatement {
    .replacing("numbers", [.text(name), .integer(value)])
  }
}

// MARK: - Reading

extension TrackStore {
  func ask(
    _ question: DatabaseStatement,
    _ body: @escaping (Result<[[DatabaseValue]], DatabaseError>) -> Void
  ) {
    writer.read(question, body)
  }
}
