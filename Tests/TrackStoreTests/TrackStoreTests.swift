import Foundation
import LocationModel
import Platform
import TestSupport
import Testing
import TrackCore

@testable import TrackStore

/// A folder for a track, and the loop that it answers on.
private final class Ground {
  let folder = FileManager.default.temporaryDirectory.appending(path: "track-\(UUID())")
  let loop: EventLoop
  private(set) var store: TrackStore?

  static let noon = Timestamp(microseconds: 1_772_359_200_000_000)

  init() throws {
    loop = try EventLoop()
    store = try TrackStore(folder: folder.path, on: loop)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// The instant so many seconds after noon by the clock, and after the start of the machine.
  static func instant(_ seconds: Int64, after boot: Int64 = 0) -> Instant {
    Instant(
      boottime: .start + .seconds(boot), utc: noon + .seconds(seconds), utcTrusted: false)
  }

  func close() { store = nil }

  func page(
    from: Timestamp, to: Timestamp, after number: Int64 = 0, limit: Int = 1_000_000
  ) throws -> TrackPage {
    var page: TrackPage?
    store?.read(from: from, to: to, after: number, limit: limit) { page = try? $0.get() }
    try wait { page != nil }
    return try #require(page)
  }

  func open() throws {
    store = nil
    _ = try eventually {
      store = try TrackStore(folder: folder.path, on: loop)
      return store?.failure == nil
    }
  }

  func wait(until isSo: () -> Bool) throws {
    let deadline = ContinuousClock.now + .seconds(patience)
    while !isSo(), ContinuousClock.now < deadline { try loop.turn(within: .milliseconds(50)) }
    try #require(isSo())
  }

  static func entries(_ range: ClosedRange<Int>) -> [TrackEntry] {
    range.map { i in
      TrackEntry(
        .place,
        Location(
          coordinate: Coordinate(latitude: 45 + Double(i) / 1e5, longitude: 7),
          horizontalAccuracy: 5, timestamp: noon + .seconds(i)))
    }
  }

  func append(_ range: ClosedRange<Int>, event: UInt64? = nil) throws {
    var isDone = false
    store?.append(Self.entries(range), event: event) { result in
      #expect((try? result.get()) != nil)
      isDone = true
    }
    try wait { isDone }
  }

  func all() throws -> [TrackEntry] {
    var result: [TrackEntry]?
    store?.read(1...1_000_000) { result = try? $0.get() }
    try wait { result != nil }
    return result ?? []
  }
}

@Suite("The track on the disk") struct TrackStoreTests {
  @Test("entries come back as they were, numbered on and on, also after all of them are forgotten")
  func comeBack() throws {
    let ground = try Ground()
    var entry = Ground.entries(1...1)[0]
    entry.kind = .departure
    entry.altitude = -1.25
    entry.verticalAccuracy = 3
    entry.speed = 1.5
    entry.course = 359.99
    entry.region = "home"
    entry.arrivalDate = Ground.noon
    entry.circumstances.battery = 7
    entry.circumstances.power = .full
    entry.circumstances.network = .wired
    var written: [TrackEntry]?
    ground.store?.append([entry]) { written = try? $0.get() }
    try ground.wait { written != nil }
    #expect(try ground.all() == written)
    entry.number = 1
    #expect(written == [entry])
    var removed: Int64?
    ground.store?.forget(from: Ground.noon, to: Ground.noon + .seconds(9)) {
      removed = try? $0.get()
    }
    try ground.wait { removed != nil }
    #expect(removed == 1)
    try ground.open()
    #expect(ground.store?.count == 0 && ground.store?.newest == 1)
    try ground.append(2...3, event: 7)
    #expect(try ground.all().map(\.number) == [2, 3])
    try ground.open()
    #expect(ground.store?.lastEvent == 7)
  }

  @Test("what a server has, and had under way, is known after a restart")
  func confirmed() throws {
    let ground = try Ground()
    var confirmed = Confirmed()
    confirmed.insert(1...9)
    confirmed.insert(20...30)
    var isDone = false
    ground.store?.save(confirmed, sending: 31...40, of: "a") { _ in isDone = true }
    ground.store?.park(5, of: "a", because: "400")
    try ground.wait { isDone }
    try ground.open()
    var memory = UplinkMemory()
    memory.parked = Parked([.init(reason: "400", count: 1, last: 5)])
    (memory.confirmed, memory.sending) = (confirmed, 31...40)
    #expect(ground.store?.uplinks == ["a": memory])
    #expect(ground.store?.newest == 30, "a number that was confirmed is not used again")
    var parked: [ParkedEntry]?
    ground.store?.parked(of: "a", after: 0, limit: 10) { parked = try? $0.get() }
    try ground.wait { parked != nil }
    #expect(parked == [ParkedEntry(number: 5, reason: "400")])
    isDone = false
    ground.store?.reopen(Confirmed(), sending: nil, upTo: 5, of: "a") { _ in isDone = true }
    try ground.wait { isDone }
    try ground.open()
    #expect(ground.store?.uplinks == ["a": UplinkMemory()])
  }

  @Test("waypoints come back as they were, and an entry with the regions that it names")
  func waypoints() throws {
    let ground = try Ground()
    let circle = Region.Shape.circle(Coordinate(latitude: 45.1234567, longitude: -7), radius: 50.5)
    let yard = Waypoint(owner: "a", id: "1", name: "yard", made: Ground.noon, circle)
    var home = Waypoint(owner: nil, id: "home", name: "home", made: Ground.noon, nil)
    home.isInside = true
    var isDone = false
    ground.store?.save([home, yard]) { _ in isDone = true }
    try ground.wait { isDone }
    var entry = Ground.entries(1...1)[0]
    entry.kind = .enter
    (entry.region, entry.regionID, entry.regionMade) = ("yard", "1", Ground.noon)
    entry.inside = [home.label, yard.label]
    isDone = false
    ground.store?.append([entry], event: 1, crossing: ("a/1", true)) { _ in isDone = true }
    try ground.wait { isDone }
    try ground.open()
    entry.number = 1
    #expect(try ground.all() == [entry])
    var there = yard
    there.isInside = true
    #expect(ground.store?.waypoints == [home, there])
  }

  @Test("the track of an older tracker is taken over, and mended where it is broken")
  func older() throws {
    for isBroken in [false, true] {
      let ground = try Ground()
      ground.close()
      let path = ground.folder.appending(path: "track.db").path
      for name in [path, path + "-wal"] { try? FileManager.default.removeItem(atPath: name) }
      let schema = DatabaseSchema(
        application: TrackTables.schema.application, steps: Array(TrackTables.schema.steps[..<2]))
      do {
        let old = try Database(path: path, schema)
        for i in 1...3000 {
          try old.run(
            DatabaseStatement(
              "INSERT INTO entries VALUES (?, 0, ?, 450000000, 70000000, 500, NULL,"
                + " NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)",
              [.integer(Int64(i)), .integer(Ground.noon.microseconds)]))
        }
      }
      if isBroken {
        let handle = try FileHandle(forWritingTo: URL(filePath: path))
        try handle.truncate(atOffset: try handle.seekToEnd() * 2 / 3)
        try handle.close()
        #expect(try TrackStore.salvage(folder: ground.folder.path).entries > 1000)
      }
      try ground.open()
      let entries = try ground.all()
      #expect(isBroken ? entries.count > 1000 : entries.count == 3000)
      #expect(entries.allSatisfy { $0.inside.isEmpty && $0.regionMade == nil })
    }
  }

  @Test("the disk is waited for once in sixty-four entries, and for each event of the daemon's")
  func syncs() throws {
    let ground = try Ground()
    for i in 1...130 { try ground.append(i...i) }
    #expect(ground.store?.syncs == 2)
    try ground.append(131...131, event: 1)
    #expect(ground.store?.syncs == 3)
  }

  @Test("old entries go once every server has them, whatever the clock says")
  func age() throws {
    let ground = try Ground()
    try ground.append(1...1000)
    var retention = Retention()
    retention.age = .seconds(100)
    let future = Ground.instant(1_000_000_000)
    ground.store?.tidy(retention, confirmedUpTo: 500, at: future)
    try ground.wait { ground.store?.count == 500 }
    ground.store?.tidy(retention, confirmedUpTo: .max, at: future)
    try ground.wait { ground.store?.count == 101 }
    #expect(try ground.all().first?.number == 900)
    // A clock that is far ahead for a day, of a device that stands, is right.
    retention.age = .seconds(2_000_000_000)
    retention.greatestAge = .seconds(999_999_050)
    ground.store?.tidy(
      retention, confirmedUpTo: 0, at: Ground.instant(1_000_000_000, after: 90_000))
    try ground.wait { ground.store?.count == 51 }
    try ground.open()
    #expect(ground.store?.count == 51)
  }

  @Test("of a database that was cut anywhere, what can be read is kept, and the file itself")
  func cut() throws {
    for share in [0.3, 0.6, 0.9] {
      let ground = try Ground()
      try ground.append(1...5000)
      var confirmed = Confirmed()
      confirmed.insert(1...4000)
      var isDone = false
      ground.store?.save(confirmed, of: "a") { _ in isDone = true }
      try ground.wait { isDone }
      try ground.open()
      ground.close()
      let file = ground.folder.appending(path: TrackStore.name)
      let size = try #require(
        FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int)
      let handle = try FileHandle(forWritingTo: file)
      try handle.truncate(atOffset: UInt64(Double(size) * share))
      try handle.close()
      let broken = try TrackStore(folder: ground.folder.path, on: ground.loop)
      guard case .broken = broken.failure else {
        Issue.record("\(String(describing: broken.failure))")
        continue
      }
      let salvage = try TrackStore.salvage(folder: ground.folder.path)
      #expect(FileManager.default.fileExists(atPath: salvage.aside))
      try ground.open()
      let numbers = try ground.all().map(\.number)
      #expect(numbers.count == salvage.entries && Set(numbers).count == numbers.count)
      #expect(Double(numbers.count) > 5000 * (share - 0.25), "\(numbers.count) of \(share)")
      #expect(
        ground.store?.uplinks["a"]?.confirmed == confirmed || ground.store?.uplinks.isEmpty == true)
      try ground.append(1...1)
      #expect(try ground.all().last?.number ?? 0 > numbers.last ?? 0)
    }
  }

  @Test("a track that is too large is thinned evenly, the older the more, and not cut")
  func size() throws {
    let ground = try Ground()
    for i in 0..<20 { try ground.append(i * 1000 + 1...(i + 1) * 1000) }
    var retention = Retention()
    retention.bytes = 600 << 10
    ground.store?.tidy(retention, confirmedUpTo: .max, at: Ground.instant(20_000))
    var kept = 20_000
    try ground.wait {
      let now = Int(ground.store?.count ?? 0)
      defer { kept = now }
      return now < 16_000 && now == kept
    }
    var numbers: [Int64] = []
    repeat {
      numbers = try ground.all().map(\.number)
      ground.store?.tidy(retention, confirmedUpTo: .max, at: Ground.instant(20_000))
      // Each question is answered after what was written before.
      for _ in 0..<12 { _ = try ground.all() }
    } while try ground.all().count != numbers.count
    let tenths = (0..<10).map { tenth in numbers.count { ($0 - 1) / 2000 == tenth } }
    #expect(tenths == tenths.sorted() && tenths[0] > 100, "\(tenths)")
    for tenth in 0..<10 {
      let own = numbers.filter { ($0 - 1) / 2000 == tenth }
      let gaps = zip(own.dropFirst(), own).map { $0 - $1 }
      #expect((gaps.max() ?? 0) <= 2 * 2000 / Int64(tenths[tenth]) + 1, "\(tenth)")
    }
    // A few entries more remove nothing.
    try ground.append(20_001...20_020)
    ground.store?.tidy(retention, confirmedUpTo: .max, at: Ground.instant(20_020))
    for _ in 0..<12 { _ = try ground.all() }
    #expect(try ground.all().count == numbers.count + 20)
  }

  @Test("a track of an older tracker loses and thins nothing, and its index is made in steps")
  func upgrade() throws {
    let ground = try Ground()
    ground.close()
    let path = ground.folder.appending(path: "track.db").path
    for name in [path, path + "-wal"] { try? FileManager.default.removeItem(atPath: name) }
    let schema = DatabaseSchema(
      application: TrackTables.schema.application, steps: Array(TrackTables.schema.steps[..<4]))
    let count = 70_000
    do {
      let old = try Database(path: path, schema)
      try old.transaction { () throws(DatabaseError) in
        for i in 1...count {
          try old.run(
            "INSERT INTO entries (number, kind, time, latitude, longitude, accuracy)"
              + " VALUES (?, 0, ?, 450000000, 70000000, 500)",
            [
              .integer(Int64(i)), .integer((Ground.noon + .seconds(i)).microseconds),
            ])
        }
        try old.run("INSERT INTO uplinks VALUES ('a', '1-69000', NULL)")
        try old.run("INSERT INTO parked VALUES ('a', 7, 'the server answers 400')")
      }
    }
    let size = try #require(FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
    try ground.open()
    // Nothing is read through before the track opens, and a question is answered between two steps.
    #expect(ground.store?.isCounted == false && ground.store?.isIndexed == false)
    #expect(ground.store?.uplinks["a"]?.parked.count == 1)
    let wanted = (from: Ground.noon + .seconds(50_000), to: Ground.noon + .seconds(50_999))
    #expect(try ground.page(from: wanted.from, to: wanted.to).entries.count == 1000)
    // Entries that come, and that go, while the others are counted.
    try ground.append(count + 1...count + 2)
    var isGone = false
    ground.store?.forget(from: Ground.noon + .seconds(count + 2), to: .init(microseconds: .max)) {
      _ in isGone = true
    }
    try ground.wait { isGone && ground.store?.isCounted == true }
    #expect(ground.store?.count == Int64(count) + 1)
    var retention = Retention()
    retention.bytes = size + size / 100
    for isMade in [false, true] {
      try ground.wait { !isMade || ground.store?.isIndexed == true }
      ground.store?.tidy(retention, confirmedUpTo: 69_000, at: Ground.instant(70_000))
    }
    for _ in 0..<12 { _ = try ground.page(from: wanted.from, to: wanted.from) }
    #expect(try ground.all().map(\.number) == (1...Int64(count + 1)).map { $0 })
    #expect(try ground.page(from: wanted.from, to: wanted.to).entries.count == 1000)
    try ground.open()
    #expect(ground.store?.isIndexed == true && ground.store?.isCounted == true)
    #expect(ground.store?.count == Int64(count) + 1)
  }

  @Test("the index is none of Budget=: a track that has just the room for its entries keeps them")
  func indexIsFree() throws {
    let ground = try Ground()
    ground.close()
    let path = ground.folder.appending(path: "track.db").path
    let count = 20_000
    do {
      // Each lies in a block of its own: the index is nearly as large as the entries.
      let file = try Database(path: path, TrackTables.schema)
      try file.run("DELETE FROM numbers WHERE name IN ('blocks', 'count', 'counted')")
      try file.transaction { () throws(DatabaseError) in
        for i in 1...count {
          try file.run(
            "INSERT INTO entries (number, kind, time, latitude, longitude, accuracy)"
              + " VALUES (?, 0, ?, 450000000, 70000000, 500)",
            [.integer(Int64(i) << 10), .integer((Ground.noon + .seconds(i)).microseconds)])
        }
      }
    }
    let size = try #require(FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
    try ground.open()
    try ground.wait { ground.store?.isIndexed == true && ground.store?.isCounted == true }
    var retention = Retention()
    func tidied() throws -> Int64 {
      ground.store?.tidy(retention, confirmedUpTo: .max, at: Ground.instant(20_000))
      for _ in 0..<12 { _ = try ground.page(from: Ground.noon, to: Ground.noon) }
      return ground.store?.count ?? 0
    }
    retention.bytes = size
    #expect(try tidied() == Int64(count))
    retention.bytes = size * 3 / 4
    #expect(try tidied() < Int64(count))
  }

  @Test("a clock that nobody believes is believed after a day, though the tracker starts each hour")
  func doubt() throws {
    let ground = try Ground()
    try ground.append(1...1000)
    var retention = Retention()
    (retention.age, retention.greatestAge) = (.seconds(2_000_000_000), .seconds(999_999_500))
    for hour in 0..<30 {
      let now = Ground.instant(1_000_000_000 + Int64(hour) * 3600, after: 60)
      ground.store?.tidy(retention, confirmedUpTo: .max, at: now)
      for _ in 0..<4 { _ = try ground.all() }
      ground.store?.keepDoubt(at: now.boottime + .seconds(3540))
      for _ in 0..<4 { _ = try ground.all() }
      #expect(ground.store?.count == (hour < 25 ? 1000 : 0), "\(hour)")
      try ground.open()
    }
  }

  @Test("a time is found whatever the clock did, page by page, also past rows that cannot be read")
  func times() throws {
    let ground = try Ground()
    var dice = Dice(seed: 5)
    var dates: [Timestamp] = []
    var now = Ground.noon
    for _ in 0..<60 {
      if dice.next() % 7 == 0 { now = now + .seconds(Int(dice.next() % 200_000) - 100_000) }
      let entries = (0..<100).map { _ in
        now = now + .seconds(Int(dice.next() % 60))
        var entry = Ground.entries(1...1)[0]
        entry.timestamp = now
        dates.append(now)
        return entry
      }
      var isDone = false
      ground.store?.append(entries) { _ in isDone = true }
      try ground.wait { isDone }
    }
    let forgotten = (from: dates[700], to: dates[700] + .seconds(900))
    var isGone = false
    ground.store?.forget(from: forgotten.from, to: forgotten.to) { _ in isGone = true }
    try ground.wait { isGone }
    try ground.open()
    #expect(ground.store?.isIndexed == true)
    for _ in 0..<40 {
      let from = dates[Int(dice.next() % 6000)]
      let to = from + .seconds(Int(dice.next() % 50_000))
      let expected = dates.indices.filter {
        from <= dates[$0] && dates[$0] <= to
          && !(forgotten.from <= dates[$0] && dates[$0] <= forgotten.to)
      }
      var found: [Int] = []
      var last: Int64 = 0
      while true {
        let page = try ground.page(from: from, to: to, after: last, limit: 300)
        found += page.entries.map { Int($0.number) - 1 }
        guard page.hasMore else { break }
        last = page.last
      }
      #expect(found == expected)
    }
    ground.close()
    let path = ground.folder.appending(path: "track.db").path
    do {
      let file = try Database(path: path, TrackTables.schema)
      try file.run("UPDATE entries SET latitude = 9999999999 WHERE number = 300")
    }
    let file = try TrackFile(folder: ground.folder.path)
    let all = (Timestamp(microseconds: .min), Timestamp(microseconds: .max))
    let page = try file.read(from: all.0, to: all.1, after: 0, limit: 300)
    #expect(page.entries.count == 299 && page.last == 300 && page.hasMore)
  }
}
