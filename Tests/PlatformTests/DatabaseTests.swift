import Foundation
import Glibc
import TestSupport
import Testing

@testable import Platform

/// A folder for one database, and the loop its answers come on.
final class Shelf {
  let folder = FileManager.default.temporaryDirectory.appending(path: "database-\(UUID())")
  let loop: EventLoop
  var answers: [UInt64: DatabaseError?] = [:]
  var order: [UInt64] = []
  static let schema = DatabaseSchema(
    application: 77, steps: ["CREATE TABLE word (name TEXT PRIMARY KEY, value BLOB) STRICT"])

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    loop = try EventLoop()
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  var path: String { folder.appending(path: "a b%.db").path }

  func open(_ schema: DatabaseSchema = schema) throws -> DatabaseWriter {
    try DatabaseWriter(
      path: path, schema, reading: ["SELECT name, value FROM word ORDER BY name"], on: loop
    ) { [unowned self] number, error in
      answers[number] = .some(error)
      order.append(number)
    }
  }

  /// Again, once the one before has let go of it: on a slow disk that takes longer than it is waited for.
  func openAgain(_ schema: DatabaseSchema = schema) throws -> DatabaseWriter {
    var writer = try open(schema)
    _ = try eventually {
      if case .failure(.taken) = writer.content {
        writer = try open(schema)
        return false
      }
      return true
    }
    return writer
  }

  func wait(for count: Int) throws {
    let deadline = ContinuousClock().now + .seconds(patience)
    while answers.count < count, ContinuousClock().now < deadline {
      try loop.turn(within: .milliseconds(100))
    }
    #expect(answers.count == count)
  }
}

func insert(_ name: String, _ bytes: [UInt8] = []) -> DatabaseStatement {
  DatabaseStatement("INSERT INTO word VALUES (?, ?)", [.text(name), .blob(bytes)])
}

@Suite("DatabaseWriter") struct DatabaseTests {
  @Test("what is answered as written is there the next time, whatever bytes it has")
  func remembers() throws {
    let shelf = try Shelf()
    do {
      let writer = try shelf.open()
      #expect(try writer.content.get().tables == [[]])
      writer.write([insert("b", [0, 255]), insert("é\0'")], number: 1)
      writer.write([insert("")], number: 2)
      try shelf.wait(for: 2)
      #expect(shelf.order == [1, 2])
      #expect(shelf.answers.values.allSatisfy { $0 == nil })
    }
    #expect(
      try shelf.openAgain().content.get().tables[0] == [
        [.text(""), .blob([])], [.text("b"), .blob([0, 255])], [.text("é\0'"), .blob([])],
      ])
  }

  @Test("however long a disk takes, the loop is never stopped for five milliseconds")
  func neverStalls() throws {
    let shelf = try Shelf()
    let writer = try shelf.open()
    var stalls = 0
    var turns = 0
    // A quick disk, or a thread that seldom gets its turn, shows nothing with less.
    for round in 0..<20 where turns <= 20 {
      let much = (1...8).map { number in
        insert("\(round).\(number)", [UInt8](repeating: UInt8(number), count: 8 << 20))
      }
      for (number, statement) in much.enumerated() {
        writer.write([statement], number: UInt64(number))
      }
      shelf.answers = [:]
      let isWritten = try eventually(within: 5 * patience) {
        let before = BlockedTime()
        try shelf.loop.turn(within: .zero)
        if BlockedTime() - before > 5_000_000 { stalls += 1 }
        turns += 1
        return shelf.answers.count == much.count
      }
      #expect(isWritten)
    }
    #expect(turns > 20)
    // The machine itself may hold a thread up now and then.
    #expect(stalls <= 2, "\(stalls) of \(turns)")
  }

  @Test("what cannot be written is written not even in part, and spoils nothing that waits with it")
  func allOrNothing() throws {
    let shelf = try Shelf()
    do {
      let writer = try shelf.open()
      writer.write([insert("a")], number: 1)
      writer.write([insert("b"), insert("a")], number: 2)
      writer.write([insert("c")], number: 3)
      try shelf.wait(for: 3)
    }
    #expect(shelf.answers[1] == .some(nil))
    #expect(shelf.answers[2] != .some(nil))
    #expect(shelf.answers[3] == .some(nil))
    let names = try shelf.openAgain().content.get().tables[0].map { $0[0] }
    #expect(names == [.text("a"), .text("c")])
  }

  @Test("what was given before the end is written")
  func closing() throws {
    let shelf = try Shelf()
    do {
      let writer = try shelf.open()
      for i in 0..<100 { writer.write([insert("\(i)")], number: UInt64(i)) }
    }
    #expect(try shelf.openAgain().content.get().tables[0].count == 100)
  }

  @Test("only its owner can read the file")
  func secret() throws {
    let shelf = try Shelf()
    let writer = try shelf.open()
    writer.write([insert("a")], number: 1)
    try shelf.wait(for: 1)
    for name in try FileManager.default.contentsOfDirectory(atPath: shelf.folder.path) {
      let file = shelf.folder.appending(path: name).path
      let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
      #expect(mode == 0o600, "\(name)")
    }
  }

  @Test("what was removed for good is on the disk no more")
  func erases() throws {
    let shelf = try Shelf()
    let writer = try shelf.open()
    let secret = Array("the place nobody may learn of".utf8)
    writer.write([insert("a", secret)], number: 1)
    try shelf.wait(for: 1)
    writer.write([DatabaseStatement("DELETE FROM word")], number: 2, erases: true)
    try shelf.wait(for: 2)
    for name in try FileManager.default.contentsOfDirectory(atPath: shelf.folder.path) {
      let data = try Data(contentsOf: shelf.folder.appending(path: name))
      #expect(data.range(of: Data(secret)) == nil, "\(name)")
    }
  }

  @Test("a second program is told that it is taken")
  func taken() throws {
    let shelf = try Shelf()
    let writer = try shelf.open()
    #expect(throws: DatabaseError.taken) { try shelf.open().content.get() }
    writer.write([insert("a")], number: 1)
    try shelf.wait(for: 1)
  }

  @Test("the kernel refuses the file to other programs, also after a restart")
  func locked() throws {
    let shelf = try Shelf()
    _ = try shelf.open()
    let writer = try shelf.openAgain()
    _ = try writer.content.get()
    // SQLite's first byte of locks, asked for as another program would.
    let file = open(shelf.path, O_RDWR | O_CLOEXEC)
    defer { close(file) }
    var lock = flock()
    (lock.l_type, lock.l_start, lock.l_len) = (Int16(F_WRLCK), 0x4000_0000, 1)
    // F_OFD_GETLK, which Glibc's module does not have.
    #expect(fcntl(file, 36, &lock) == 0 && lock.l_type == Int16(F_WRLCK))
  }

  @Test("what is newer, another's or broken is refused, and stays as it is", arguments: 0..<4)
  func refused(kind: Int) throws {
    let shelf = try Shelf()
    var made = Shelf.schema
    switch kind {
    case 0: made.steps.append("CREATE TABLE more (name TEXT)")
    case 1: made.application = 78
    default: break
    }
    do {
      let writer = try shelf.open(made)
      for i in 0..<400 {
        writer.write([insert("\(i)", Array(repeating: 7, count: 100))], number: UInt64(i))
      }
      try shelf.wait(for: 400)
    }
    // Closed for good: all of it stands in the one file.
    let isClosed = try eventually {
      do { _ = try shelf.openAgain(made) }
      return access(shelf.path + "-wal", F_OK) != 0
    }
    #expect(isClosed)
    var bytes = try Data(contentsOf: URL(filePath: shelf.path))
    if kind == 2 { bytes = Data("dear diary, today I was in a database".utf8) }
    // Pages in the middle, not the first.
    if kind == 3 {
      bytes.replaceSubrange(8192..<20_480, with: Data(repeating: 0xA5, count: 12_288))
    }
    try bytes.write(to: URL(filePath: shelf.path))

    let writer = try shelf.open()
    let error = #expect(throws: DatabaseError.self) { try writer.content.get() }
    switch kind {
    case 0: #expect(error == .newer(version: 2))
    case 1, 2: #expect(error == .foreign)
    default:
      guard case .broken = error else {
        Issue.record("\(String(describing: error))")
        break
      }
    }
    shelf.answers = [:]
    writer.write([insert("new")], number: 1)
    try shelf.wait(for: 1)
    #expect(shelf.answers[1] == .some(error))
    #expect(try Data(contentsOf: URL(filePath: shelf.path)) == bytes)
  }

  @Test("tables of no version are broken", arguments: [-1, 0, Int32.min])
  func noVersion(version: Int32) throws {
    let shelf = try Shelf()
    do {
      let writer = try shelf.open()
      writer.write([insert("a")], number: 1)
      try shelf.wait(for: 1)
      writer.write([DatabaseStatement("PRAGMA user_version=\(version)")], number: 2)
      try shelf.wait(for: 2)
    }
    let error = #expect(throws: DatabaseError.self) { try shelf.openAgain().content.get() }
    guard case .broken = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test("an older one gets what is new, and keeps what it has")
  func older() throws {
    let shelf = try Shelf()
    do {
      let writer = try shelf.open()
      writer.write([insert("a")], number: 1)
      try shelf.wait(for: 1)
    }
    var newer = Shelf.schema
    newer.steps.append("CREATE TABLE more (name TEXT) STRICT")
    do {
      let writer = try shelf.openAgain(newer)
      #expect(try writer.content.get().tables[0].count == 1)
      writer.write([DatabaseStatement("INSERT INTO more VALUES ('x')")], number: 2)
      try shelf.wait(for: 2)
      #expect(shelf.answers[2] == .some(nil))
    }
    #expect(throws: DatabaseError.newer(version: 2)) { try shelf.openAgain().content.get() }
  }
}
