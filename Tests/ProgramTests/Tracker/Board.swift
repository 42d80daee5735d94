import Foundation
import Glibc
import LocationModel
import TestSupport
import Testing

/// A tracker without a daemon: it only sends what its track has.
final class Board {
  let folder: URL
  private(set) var program: Program
  private let command: [String]

  init(_ name: String, _ broker: RunningBroker, entries: Int, more: String = "") throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "board-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let conf = folder.appending(path: "conf")
    let secret = folder.appending(path: "password")
    let host = (broker.user.map { $0 + "@" } ?? "") + "127.0.0.1"
    let password = broker.user == nil ? "" : "Password=@\(secret.path)\n"
    try "x".write(to: secret, atomically: true, encoding: .utf8)
    try """
    [Uplink broker]
    URL=mqtt://\(host):\(broker.port)/owntracks/fleet/\(name)
    \(password)\(more)
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
    try drive(entries)
  }

  deinit {
    program.signal(SIGKILL)
    try? FileManager.default.removeItem(at: folder)
  }

  /// A track that nobody has seen yet, as a drive of `count` seconds leaves it.
  private func drive(_ count: Int) throws {
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

extension Subscriber {
  /// The numbers of a board's messages, in the order in which they came.
  func numbers(of board: String) -> [Int64] {
    messages.filter { $0.topic.hasSuffix("/\(board)") }
      .compactMap { $0.json["_type"]?.string == "location" ? $0.json["tst"]?.integer : nil }
      .map { $0 - 1_772_359_200 }
  }

  /// Returns once the subscriber has all that the broker had before: it hears a mark that came after.
  func takeAll(of broker: RunningBroker, _ mark: Int, within longest: Double) throws {
    let publish =
      ["mosquitto_pub"] + broker.client
      + ["-q", "1", "-t", "owntracks/fleet/mark", "-m", "{\"mark\":\(mark)}"]
    // A subscriber that has lost its broker may be back a moment later.
    var published = 0.0
    let isHeard = eventually(within: longest) {
      let now = ProcessInfo.processInfo.systemUptime
      if now > published + 1 {
        published = now
        _ = try? Program(publish).exit()
      }
      self.listen()
      return self.messages.last { $0.topic.hasSuffix("/mark") }?.json["mark"]
        == .integer(Int64(mark))
    }
    try #require(isHeard)
  }
}
