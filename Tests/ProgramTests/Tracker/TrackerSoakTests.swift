import Foundation
import Glibc
import LocationModel
import TestSupport
import Testing

/// `make soak` runs these whole and prints their figures; among the other tests they are short.
@Suite("The tracker at length", .serialized) struct TrackerSoakTests {
  private static let longest: Double = isSoak ? 900 : patience

  /// A broker that waits for a subscriber's acknowledgement before it sends the next message adds 40 ms to each.
  private static let atOnce = "allow_anonymous true\nset_tcp_nodelay true\n"

  /// A track that nobody has seen yet, as a drive of `count` seconds leaves it.
  private static func drive(_ count: Int, in folder: URL) throws {
    let script = """
      import sqlite3, sys
      track = sqlite3.connect(sys.argv[1])
      track.execute('''WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
        INSERT INTO entries (number, kind, time, latitude, longitude, accuracy, speed, course)
        SELECT i, 0, 1772359200000000 + i * 1000000, 450000000 + i % 1000 * 1800, 70000000, 500, 2000, 0
        FROM n''', (int(sys.argv[2]),))
      track.commit()
      """
    let fill = try Program([
      "python3", "-c", script, folder.appending(path: "track.db").path, "\(count)",
    ])
    #expect(try fill.exit(within: 120) == 0)
  }

  /// A tracker without a daemon: it only sends what its track has.
  private final class Board {
    let folder: URL
    private(set) var program: Program
    private let command: [String]

    init(_ name: String, _ broker: RunningBroker, entries: Int, more: String = "") throws {
      folder = FileManager.default.temporaryDirectory.appending(path: "board-\(UUID())")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let conf = folder.appending(path: "conf")
      try """
      [Uplink broker]
      URL=mqtt://127.0.0.1:\(broker.port)/owntracks/fleet/\(name)
      \(more)
      """.write(to: conf, atomically: true, encoding: .utf8)
      // A run that is ended leaves none of a thousand behind.
      command = [
        "setpriv", "--pdeathsig", "KILL", Program.path("locationd-tracker"), "--config", conf.path,
        "--bus", "none",
        "--socket", folder.appending(path: "t").path, "--state", folder.path,
        "--daemon", folder.appending(path: "none").path,
      ]
      // The first start makes the database.
      program = try Program(command)
      try waitUntilItListens()
      program.signal(SIGTERM)
      #expect(try program.exit() == 0)
      try TrackerSoakTests.drive(entries, in: folder)
    }

    deinit {
      program.signal(SIGKILL)
      try? FileManager.default.removeItem(at: folder)
    }

    func start() throws {
      program = try Program(command)
      try waitUntilItListens()
    }

    func kill() throws {
      program.signal(SIGKILL)
      _ = try program.exit()
    }

    private func waitUntilItListens() throws {
      while try !program.line().contains("listens") {}
    }
  }

  /// The numbers of a board's messages, in the order in which they came.
  private static func numbers(_ subscriber: Subscriber, _ board: String) -> [Int64] {
    subscriber.messages.filter { $0.topic.hasSuffix("/\(board)") }
      .compactMap { $0.json["_type"]?.string == "location" ? $0.json["tst"]?.integer : nil }
      .map { $0 - 1_772_359_200 }
  }

  /// Returns once the subscriber has all that the broker had before: it hears a mark that came after.
  private static func passAll(
    _ broker: RunningBroker, _ subscriber: Subscriber, _ mark: Int
  ) throws {
    let publishing = try Program([
      "mosquitto_pub", "-h", "127.0.0.1", "-p", "\(broker.port)", "-q", "1", "-t",
      "owntracks/fleet/mark", "-m", "{\"mark\":\(mark)}",
    ])
    #expect(try publishing.exit() == 0)
    try #require(
      eventually(within: longest) {
        subscriber.listen()
        return subscriber.messages.last { $0.topic.hasSuffix("/mark") }?.json["mark"]
          == .integer(Int64(mark))
      })
  }

  private static func seconds(since start: ContinuousClock.Instant) -> String {
    "\(((ContinuousClock().now - start) / .milliseconds(1)).rounded() / 1000) s"
  }

  @Test("broker and tracker are killed ten times each: nothing is lost, and little comes twice")
  func kills() throws {
    let count = isSoak ? 10_000 : 1000
    let broker = try RunningBroker()
    let subscriber = try Subscriber(broker)
    let board = try Board("van", broker, entries: count, more: "Batch=8")
    try board.start()
    for round in 1...20 {
      let enough = count * round / 22
      try #require(
        eventually(within: Self.longest) {
          subscriber.listen()
          return Self.numbers(subscriber, "van").count >= enough
        })
      if round % 2 == 0 {
        // What it had acknowledged in its last second may be lost with it: the subscriber takes it first.
        board.program.signal(SIGSTOP)
        try Self.passAll(broker, subscriber, round)
        try broker.kill()
        board.program.signal(SIGCONT)
        try broker.startAgain()
      } else {
        try board.kill()
        try board.start()
      }
    }
    let whole = Set(1...Int64(count))
    #expect(
      eventually(within: Self.longest) {
        subscriber.listen()
        return whole.isSubset(of: Self.numbers(subscriber, "van"))
      })
    let heard = Self.numbers(subscriber, "van")
    #expect(Set(heard) == whole, "lost: \(whole.subtracting(heard).sorted().prefix(20))")
    if isSoak {
      print("\(count) points, ten kills of each: \(heard.count - count) came twice")
      #expect(heard.count - count <= count / 100)
    }
  }

  @Test("a week without a network is sent in order, and holds no more memory than a minute")
  func week() throws {
    let count = isSoak ? 600_000 : 5000
    let broker = try RunningBroker(Self.atOnce, isDurable: false)
    let subscriber = try Subscriber(broker)
    let board = try Board("van", broker, entries: count)
    let start = ContinuousClock().now
    try board.start()
    var most = 0
    #expect(
      try eventually(within: Self.longest) {
        subscriber.listen()
        most = max(most, try board.program.privateMemory)
        return subscriber.messages.count >= count
      })
    let heard = Self.numbers(subscriber, "van")
    #expect(heard == Array(1...Int64(count)))
    #expect(most < 8192, "\(most) kB")
    if isSoak {
      print("\(count) entries: \(Self.seconds(since: start)), \(most) kB of private memory at most")
    }
  }

  @Test("boards of a fleet send their backlogs to one broker, each in a few megabytes")
  func fleet() throws {
    let broker = try RunningBroker(Self.atOnce, isDurable: false)
    for size in isSoak ? [10, 100, 1000] : [5] {
      let entries = isSoak ? 600 : 50
      // Its lines are counted as they are: a fleet is faster than a test that reads JSON.
      let subscriber = try Program([
        "mosquitto_sub", "-h", "127.0.0.1", "-p", "\(broker.port)", "-t", "owntracks/fleet/+", "-q",
        "1", "-F", "%p", "-R",
      ])
      let ready = [
        "mosquitto_pub", "-h", "127.0.0.1", "-p", "\(broker.port)", "-t", "owntracks/fleet/mark",
        "-m", "ready",
      ]
      let isHeard = try eventually(within: patience) {
        let publishing = try Program(ready)
        return try publishing.exit() == 0 && subscriber.waitingLine() != nil
      }
      try #require(isHeard)
      let boards = try (0..<size).map { try Board("\(size)-\($0)", broker, entries: entries) }
      let start = ContinuousClock().now
      for board in boards { try board.start() }
      let started = Self.seconds(since: start)
      var (count, ends): (Int, [Double]) = (0, [])
      let last = "\"tst\":\(1_772_359_200 + entries)"
      #expect(
        eventually(within: Self.longest) {
          while let line = subscriber.waitingLine() {
            if line.contains("\"location\"") { count += 1 }
            if line.contains(last) { ends.append((ContinuousClock().now - start) / .seconds(1)) }
          }
          return ends.count >= size
        })
      #expect(count >= size * entries)
      let memory = try boards.map { try $0.program.privateMemory }.sorted()
      if isSoak {
        print(
          "\(size) boards, \(entries) entries each: started in \(started), sent in",
          "\(Self.seconds(since: start)), half of them in \(ends[ends.count / 2].rounded()) s;",
          "private memory \(memory[size / 2]) kB, \(memory[size - 1]) kB at most")
      }
    }
  }
}
