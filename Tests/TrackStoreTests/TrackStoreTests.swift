import Foundation
import LocationModel
import Platform
import TestSupport
import Testing
import TrackCore

@testable import TrackStore

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
    try ground.append(2...3, event: .init(7))
    #expect(try ground.all().map(\.number) == [2, 3])
    try ground.open()
    #expect(ground.store?.lastEvent == .init(7))
    try ground.append(4...4, event: .init(2, in: 5))
    try ground.open()
    #expect(ground.store?.lastEvent == .init(2, in: 5))
  }

  @Test("what a server has, and had under way, is known after a restart")
  func confirmed() throws {
    let ground = try Ground()
    var confirmed = Confirmed()
    confirmed.insert(1...9)
    confirmed.insert(20...30)
    var isDone = false
    ground.store?.save(confirmed, sending: 31...40, of: "a") { _ in isDone = true }
    ground.store?.park(5, of: "a", because: "400", since: Ground.noon)
    try ground.wait { isDone }
    try ground.open()
    var memory = UplinkMemory()
    memory.parked = Parked([.init(reason: "400", count: 1, last: 5)], since: Ground.noon)
    (memory.confirmed, memory.sending) = (confirmed, 31...40)
    #expect(ground.store?.uplinks == ["a": memory])
    #expect(ground.store?.newest == 30, "a number that was confirmed is not used again")
    var parked: [ParkedEntry]?
    ground.store?.parked(of: "a", after: 0, limit: 10) { parked = try? $0.get() }
    try ground.wait { parked != nil }
    #expect(parked == [ParkedEntry(number: 5, reason: "400")])
    isDone = false
    ground.store?.reopen(parked ?? [], Confirmed(), sending: nil, of: "a") { _ in isDone = true }
    try ground.wait { isDone }
    #expect(ground.store?.uplinks == ["a": UplinkMemory()], "before a restart, too")
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
    ground.store?.append([entry], event: .init(1), crossing: ("a/1", true)) { _ in isDone = true }
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

  @Test(
    "the disk is waited for with the first entry, once in sixty-four, and for each event of the daemon's"
  )
  func syncs() throws {
    let ground = try Ground()
    for i in 1...130 { try ground.append(i...i) }
    #expect(ground.store?.syncs == 3)
    try ground.append(131...131, event: .init(1))
    #expect(ground.store?.syncs == 4)
  }

  @Test("a number that a server may know is not used again after a loss of power")
  func power() throws {
    let ground = try Ground()
    let files = ["track.db", "track.db-wal"].map { ground.folder.appending(path: $0) }
    var confirmed = Confirmed()
    confirmed.insert(1...1)
    ground.store?.save(confirmed, of: "a") { _ in }
    try ground.append(1...1)
    let synced = try files.map { try Data(contentsOf: $0) }
    for i in 2...64 { try ground.append(i...i) }
    #expect(ground.store?.syncs == 1 && ground.store?.newest == 64)
    ground.close()
    for (file, content) in zip(files, synced) { try content.write(to: file) }
    do {
      let database = try Database(path: files[0].path, TrackTables.schema)
      try database.run("UPDATE numbers SET value = value + 1 WHERE name = 'boot'")
    }
    for _ in 0..<2 {
      try ground.open()
      #expect(ground.store?.newest == 65)
      #expect(ground.store?.uplinks["a"]?.confirmed.missing(upTo: 65) == 0, "none is waited for")
    }
    try ground.append(70...70)
    #expect(try ground.all().map(\.number) == [1, 66])
    try ground.open()
    #expect(ground.store?.newest == 66, "a usual restart leaves no gap")
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
      // Numbers of entries that are lost are no more waited for.
      let known = ground.store?.uplinks["a"]?.confirmed
      #expect(known.map { $0.missing(upTo: 4000) == 0 } ?? true)
      try ground.append(1...1)
      #expect(try ground.all().last?.number ?? 0 > numbers.last ?? 0)
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

  @Test(
    "a place that an older tracker has still to clear at a broker is known until it is noted anew")
  func clearing() throws {
    let ground = try Ground()
    ground.close()
    let path = ground.folder.appending(path: "track.db").path
    do {
      let file = try Database(path: path, TrackTables.schema)
      try file.run("INSERT INTO numbers VALUES ('clear my broker', 1)")
    }
    for _ in 0..<2 {
      try ground.open()
      #expect(ground.store?.uplinks["my broker"]?.clearsPlace == true)
    }
    var isDone = false
    ground.store?.save(broker: "{}", of: "my broker", outlastsPower: true) { _ in isDone = true }
    try ground.wait { isDone }
    #expect(ground.store?.uplinks["my broker"]?.clearsPlace == false)
    try ground.open()
    #expect(ground.store?.uplinks["my broker"]?.clearsPlace == false)
    #expect(ground.store?.uplinks["my broker"]?.broker == "{}")
  }

  @Test("the date at which the first of a server's entries was parked outlasts a restart")
  func parkedSince() throws {
    let ground = try Ground()
    try ground.append(1...3)
    var parked: Parked? { ground.store?.uplinks["my broker"]?.parked }
    ground.store?.park(1, of: "my broker", because: "no", since: Ground.noon)
    ground.store?.park(2, of: "my broker", because: "400", since: Ground.noon)
    try ground.append(4...4)
    try ground.open()
    #expect(parked?.since == Ground.noon && parked?.count == 2)
    var isDone = false
    ground.store?.forgetParked(of: "my broker") { _ in isDone = true }
    try ground.wait { isDone }
    try ground.open()
    #expect(parked?.since == nil)
    ground.store?.park(3, of: "my broker", because: "no", since: Ground.noon + .seconds(9))
    try ground.append(5...5)
    try ground.open()
    #expect(parked?.since == Ground.noon + .seconds(9))
  }
  @Test("what is sent again counts as parked no more, and the next begins the date anew")
  func reopened() throws {
    let ground = try Ground()
    try ground.append(1...3)
    var parked: Parked? { ground.store?.uplinks["my broker"]?.parked }
    for number in [1, 2] as [Int64] {
      ground.store?.park(number, of: "my broker", because: "400", since: Ground.noon)
    }
    func reopen(_ number: Int64) throws {
      var isDone = false
      ground.store?.reopen(
        [.init(number: number, reason: "400")], Confirmed(), sending: nil, of: "my broker"
      ) { _ in isDone = true }
      try ground.wait { isDone }
    }
    try reopen(1)
    #expect(parked?.count == 1 && parked?.since == Ground.noon)
    try reopen(2)
    #expect(parked == Parked())
    let later = Ground.noon + .seconds(9)
    ground.store?.park(3, of: "my broker", because: "400", since: later)
    let last = parked
    #expect(last?.count == 1 && last?.since == later)
    try ground.append(4...4)
    try ground.open()
    #expect(parked == last)
  }

  @Test("an entry that is removed is parked no more, also before a restart")
  func parkedAndRemoved() throws {
    let ground = try Ground()
    try ground.append(1...3)
    for number in [1, 2] as [Int64] {
      ground.store?.park(number, of: "a", because: "400", since: Ground.noon)
    }
    var told: Int64?
    ground.store?.erased = { told = ground.store?.uplinks["a"]?.parked.count }
    ground.store?.forget(from: Ground.noon, to: Ground.noon + .seconds(1)) { _ in }
    ground.store?.park(3, of: "a", because: "400", since: Ground.noon)
    try ground.wait { told != nil }
    #expect(told == 2)
    try ground.open()
    #expect(ground.store?.uplinks["a"]?.parked.count == 2)
  }
}
