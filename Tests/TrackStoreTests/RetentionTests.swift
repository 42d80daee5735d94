import Foundation
import LocationModel
import Platform
import TestSupport
import Testing
import TrackCore

@testable import TrackStore

@Suite("How much of the track is kept") struct RetentionTests {
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

  @Test("a clock that was right in between is doubted for a day anew")
  func doubtAnew() throws {
    let ground = try Ground()
    try ground.append(1...1000)
    var retention = Retention()
    (retention.age, retention.greatestAge) = (.seconds(2_000_000_000), .seconds(999_999_500))
    let wrong = Ground.instant(1_000_000_000, after: 60)
    for now in [wrong, Ground.instant(2000, after: 90_000), wrong, wrong] {
      ground.store?.tidy(retention, confirmedUpTo: .max, at: now)
      for _ in 0..<4 { _ = try ground.all() }
      ground.store?.keepDoubt(at: now.boottime + .seconds(80_000))
      for _ in 0..<4 { _ = try ground.all() }
      try ground.open()
    }
    #expect(ground.store?.count == 1000)
  }

  @Test("old entries go at once also where the track has outgrown what its index was made for")
  func grown() throws {
    let ground = try Ground()
    for i in 0..<34 { try ground.append(i * 1000 + 1...(i + 1) * 1000) }
    #expect(ground.store?.isIndexed == true)
    var retention = Retention()
    retention.age = .seconds(100)
    ground.store?.tidy(retention, confirmedUpTo: .max, at: Ground.instant(34_000))
    try ground.wait { ground.store?.count == 101 }
    try ground.open()
    #expect(ground.store?.isIndexed == true)
    let page = try ground.page(from: Ground.noon, to: Ground.noon + .seconds(33_950))
    #expect(page.entries.map(\.number) == (33_900...33_950).map { $0 })
  }

  @Test("the count is right though some entries cannot be written, and the same go twice at once")
  func counted() throws {
    let ground = try Ground()
    try ground.append(1...100)
    var bad = Ground.entries(101...101)[0]
    bad.horizontalAccuracy = .nan
    var results: [Bool] = []
    for entry in [bad, Ground.entries(102...102)[0]] {
      ground.store?.append([entry], event: .init(UInt64(results.count))) {
        results.append((try? $0.get()) != nil)
      }
    }
    var removed: [Int64] = []
    for _ in 0..<3 {
      ground.store?.forget(from: Ground.noon, to: Ground.noon + .seconds(50)) {
        removed.append((try? $0.get()) ?? -1)
      }
    }
    try ground.wait { removed.count == 3 }
    #expect(results == [false, true] && removed == [50, 0, 0])
    #expect(try ground.all().count == 51)
    #expect(ground.store?.count == 51)
    try ground.open()
    #expect(ground.store?.count == 51)
  }
}
