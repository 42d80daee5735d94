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

  func close() { store = nil }

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
    let future = Ground.noon + .seconds(1_000_000_000)
    ground.store?.tidy(retention, confirmedUpTo: 500, at: future)
    try ground.wait { ground.store?.count == 500 }
    ground.store?.tidy(retention, confirmedUpTo: .max, at: future)
    try ground.wait { ground.store?.count == 101 }
    #expect(try ground.all().first?.number == 900)
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

  @Test("a track that is too large is thinned where it is oldest, not cut")
  func size() throws {
    let ground = try Ground()
    for i in 0..<20 { try ground.append(i * 1000 + 1...(i + 1) * 1000) }
    var retention = Retention()
    retention.bytes = 600 << 10
    ground.store?.tidy(retention, confirmedUpTo: .max, at: Ground.noon + .seconds(20_000))
    var kept = 20_000
    try ground.wait {
      let now = Int(ground.store?.count ?? 0)
      defer { kept = now }
      return now < 16_000 && now == kept
    }
    let numbers = try ground.all().map(\.number)
    #expect(numbers.first.map { $0 <= 16 } == true && numbers.last == 20_000)
    #expect(numbers.suffix(10_000) == Array(10_001...20_000))
  }
}
