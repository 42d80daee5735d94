import Foundation
import LocationModel
import Platform
import TestSupport
import Testing
import TrackCore

@testable import TrackStore

/// `make soak` damages each byte, but of the log; among the other tests some are sampled.
@Suite("A track that was damaged", .timeLimit(.minutes(60))) struct DamageSoakTests {
  /// In memory: each place is a start of its own, and a disk would be waited for.
  private static let ground =
    FileManager.default.fileExists(atPath: "/dev/shm")
    ? URL(filePath: "/dev/shm") : FileManager.default.temporaryDirectory
  private static let noon = Timestamp(microseconds: 1_772_359_200_000_000)
  private static let count = 300

  private static let entries = (1...count).map { i in
    var entry = TrackEntry(
      .place,
      Location(
        coordinate: Coordinate(latitude: 45 + Double(i) / 1e5, longitude: 7),
        horizontalAccuracy: 5, timestamp: noon + .seconds(i)))
    entry.number = Int64(i)
    if i % 3 == 0 { entry.inside = [.init(name: "home", id: "home")] }
    return entry
  }

  /// The files of a track: closed in order, or as a killed tracker leaves them.
  private struct Files {
    var database: Data
    var log: Data?
  }

  /// The first half is confirmed by `a`.
  private static func files(killed: Bool) throws -> Files {
    let folder = Self.ground.appending(path: "damage-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let loop = try EventLoop()
    var store: TrackStore? = try TrackStore(folder: folder.path, on: loop)
    var pending = 0
    var confirmed = Confirmed()
    confirmed.insert(1...Int64(count / 2))
    // Each a transaction of its own.
    for (i, var entry) in entries.enumerated() {
      entry.number = 0
      pending += 1
      store?.append([entry]) { _ in pending -= 1 }
      if i == count / 2 {
        pending += 1
        store?.save(confirmed, of: "a") { _ in pending -= 1 }
      }
      while pending > 0 { try loop.turn(within: .milliseconds(50)) }
    }
    let path = folder.appending(path: "track.db")
    if !killed { store = nil }
    let log = try? Data(contentsOf: URL(filePath: path.path + "-wal"))
    let files = Files(database: try Data(contentsOf: path), log: log)
    store = nil
    return files
  }

  /// What a tracker finds in damaged files: the entries, what is confirmed, and whether it says so.
  private struct Found {
    var entries: [TrackEntry] = []
    var confirmed: Confirmed?
    var aside: String?
    var failure: DatabaseError?
    var newest: Int64 = 0
    /// The track goes on.
    var isWritten = false
  }

  private static func open(_ files: Files) throws -> Found {
    let folder = Self.ground.appending(path: "damage-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "track.db")
    try files.database.write(to: path)
    try files.log?.write(to: URL(filePath: path.path + "-wal"))
    let loop = try EventLoop()
    let (store, salvage) = try TrackStore.opening(folder: folder.path, on: loop)
    var found = Found()
    found.failure = store.failure
    if let salvage {
      found.aside = try salvage.get().aside
      let kept = try Data(contentsOf: URL(filePath: found.aside ?? ""))
      // SQLite takes in the log as it reads.
      if files.log == nil { #expect(kept == files.database) }
    }
    guard store.failure == nil else {
      #expect(try Data(contentsOf: path) == files.database, "\(String(describing: store.failure))")
      return found
    }
    found.confirmed = store.uplinks["a"]?.confirmed
    found.newest = store.newest
    var result: Result<[TrackEntry], DatabaseError>?
    store.read(1...Confirmed.end) { result = $0 }
    let deadline = ContinuousClock.now + .seconds(patience)
    while result == nil, ContinuousClock.now < deadline {
      try loop.turn(within: .milliseconds(50))
    }
    found.entries = try #require(result).get()
    var answer: Result<[TrackEntry], DatabaseError>?
    store.append([entries[0]]) { answer = $0 }
    while answer == nil, ContinuousClock.now < deadline {
      try loop.turn(within: .milliseconds(50))
    }
    found.isWritten = (try? answer?.get()) != nil
    // What cannot be written is told.
    #expect(found.isWritten || store.trouble != nil)
    return found
  }

  private static func places(_ count: Int) -> [Int] {
    // The log is longer: there some bytes are passed over.
    isSoak
      ? Array(stride(from: 0, to: count, by: max(1, count / 50_000)))
      : (0..<24).map { count * $0 / 24 } + [1, 99, 511, 513, count - 1]
  }

  @Test("cut at any byte: what can be read is kept, the file too, and the status knows")
  func cut() throws {
    let files = try Self.files(killed: false)
    #expect(try Self.open(files).entries == Self.entries)
    var most = 0
    for place in Self.places(files.database.count) {
      let found = try Self.open(Files(database: files.database.prefix(place), log: nil))
      #expect(found.failure == nil, "\(place): \(String(describing: found.failure))")
      #expect(found.isWritten, "\(place)")
      #expect(found.entries.allSatisfy { Self.entries.contains($0) }, "\(place)")
      // Nothing can be in an empty file.
      #expect(found.aside != nil || place == 0, "\(place)")
      // A number that was confirmed is not given again.
      if let confirmed = found.confirmed {
        #expect(found.newest >= confirmed.start, "\(place)")
      }
      most = max(most, found.entries.count)
    }
    #expect(most > Self.count / 2)
  }

  @Test("a log of changes that was cut at any byte loses its end, and nothing before it")
  func cutLog() throws {
    let files = try Self.files(killed: true)
    let log = try #require(files.log)
    #expect(try Self.open(files).entries == Self.entries)
    var counts: [Int] = []
    for place in Self.places(log.count) {
      let found = try Self.open(Files(database: files.database, log: log.prefix(place)))
      #expect(found.failure == nil && found.aside == nil && found.isWritten, "\(place)")
      #expect(Self.entries.starts(with: found.entries), "\(place)")
      counts.append(found.entries.count)
    }
    if isSoak { #expect(counts == counts.sorted()) }
    let empty = try Self.open(Files(database: Data(), log: log))
    #expect(empty.aside != nil)
  }

  @Test("a column of another name is no reason to give up its rows")
  func misnamed() throws {
    let files = try Self.files(killed: false)
    var damaged = files.database
    let name = try #require(damaged.range(of: Data("verticalAccuracy INTEGER".utf8)))
    damaged[name.lowerBound] ^= 1
    let found = try Self.open(Files(database: damaged, log: nil))
    #expect(found.aside != nil && found.entries == Self.entries)
    #expect(found.confirmed?.start == Int64(Self.count / 2))
  }

  @Test("with any bit flipped it is read as far as it goes, or refused and left as it is")
  func flipped() throws {
    let files = try Self.files(killed: false)
    var refused = 0
    var fewest = Self.count
    for place in Self.places(files.database.count) where place < files.database.count {
      var damaged = files.database
      damaged[place] ^= 1 << UInt8(place % 8)
      let found = try Self.open(Files(database: damaged, log: nil))
      if let failure = found.failure {
        // The first page says that it is another program's or a newer tracker's, or what its tables are.
        #expect(place < 4096, "\(place): \(failure)")
        refused += 1
        continue
      }
      #expect(found.isWritten || place < 4096, "\(place)")
      let known = found.entries.count { Self.entries.contains($0) }
      #expect(found.aside != nil || known >= Self.count - 1, "\(place): \(known)")
      if place >= 16 { fewest = min(fewest, known) }
    }
    print("flipped bits: \(refused) refused, \(fewest) of \(Self.count) entries at the least")
  }
}
