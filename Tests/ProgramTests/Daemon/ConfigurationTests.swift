import Foundation
import Glibc
import LocationModel
import TestSupport
import Testing

@Suite("Configured by files") struct ConfigurationFilesTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "conf-\(UUID())")

  /// `locationd --check` on these files.
  private func check(_ files: [String: String], _ flags: String...) throws -> (
    text: String, exit: Int32
  ) {
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.write(files, in: folder)
    let path = folder.appending(path: "c").path
    let (text, exit) = try Program(
      [Program.path("locationd"), "--config", path, "--check"] + flags
    ).text()
    return (text.replacingOccurrences(of: folder.path, with: ""), exit)
  }

  @Test("--check says nothing of files that are right, and touches nothing")
  func right() throws {
    let (text, exit) = try check([
      "c": "[Sources]\nSource=static:1,2\n[Daemon]\nSocket=\(folder.path)/made/s\n",
      "c.d/x.conf": "[Limits]\nManagersPerUser=3\n",
    ])
    #expect(text == "")
    #expect(exit == 0)
    #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "made").path))
  }

  @Test("--check says every mistake of every file, with its line")
  func wrong() throws {
    let (text, exit) = try check([
      "c": "[Sources]\nSorce=x\nSource=gps\n",
      "c.d/20.conf": "[Limits]\nManagersPerUser=no\n",
      "c.d/3.conf": "nonsense",
      "c.d/notes.txt": "not read", "c.d/.hidden.conf": "not read",
    ])
    #expect(exit == 1)
    let places = text.split(separator: "\n").map { line in
      line.split(separator: " ")[0]
    }
    #expect(places == ["/c:2:", "/c:3:", "/c.d/20.conf:2:", "/c.d/3.conf:1:"])
  }

  @Test("a file asked for by name must be there, and be a file")
  func missing() throws {
    #expect(try check([:]) == ("/c: No such file or directory\n", 1))
    #expect(try check(["c/x": ""]) == ("/c: Is a directory\n", 1))
    #expect(try check(["c": "", "c.d/1.conf/x": ""]).exit == 1)
  }

  @Test("with a mistake in a file, the daemon says all of them and does not start")
  func doesNotStart() throws {
    let file = folder.appending(path: "c")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data("a\nb\n".utf8).write(to: file)
    let (text, exit) = try Program([Program.path("locationd"), "--config", file.path]).text()
    #expect(exit == 1)
    #expect(text.contains("c:1:") && text.contains("c:2:"))
  }

  @Test("sources come from the file and its drop-ins, and the later value wins")
  func dropIns() throws {
    let daemon = try RunningDaemon(
      [],
      files: [
        "locationd.conf": "[Sources]\nSource=static:1,1\n[Limits]\nManagersPerUser=1\n",
        "locationd.conf.d/10.conf": "[Sources]\nSource=\nSource=static:2,2,0,9\n",
        "locationd.conf.d/20.conf": "[Sources]\nSource=static:3,3,0,1\n[Limits]\nManagersPerUser=2",
      ])
    let client = try daemon.connect()
    for (manager, code) in [(0, nil), (1, nil), (2, -32001 as Int64?)] {
      let reply = try client.ask(
        "startUpdatingLocation", ["manager": .integer(Int64(manager))])
      #expect(reply["error"]?["code"] == code.map { .integer($0) })
    }
    #expect(try client.ask("status")["result"]?["sources"]?.array?.count == 2)
  }
}

@Suite("Configured anew while running") struct ReloadTests {
  private func reload(_ daemon: RunningDaemon, _ text: String) throws -> [String] {
    try daemon.write(text, to: "locationd.conf")
    daemon.program.signal(SIGHUP)
    var lines: [String] = []
    while lines.last.map({ !$0.contains("read again") && !$0.contains("stays as") }) ?? true {
      lines.append(try daemon.program.line())
    }
    return lines
  }

  private func states(_ client: SocketClient) throws -> [String: String] {
    let sources = try client.ask("status")["result"]?["sources"]?.array ?? []
    return Dictionary(
      sources.map { ($0["name"]?.string ?? "", $0["state"]?.string ?? "") }, uniquingKeysWith: +)
  }

  private static let drive = ["drive.nmea": Recording.drive(seconds: 600)]
  private static let replay = "[Sources]\nSource=replay://{folder}/drive.nmea?rate=10\n"

  @Test("a client stays connected, and a source that stays goes on where it was")
  func goesOn() throws {
    let daemon = try RunningDaemon(
      [], files: Self.drive.merging(["locationd.conf": Self.replay]) { $1 })
    let client = try daemon.connect()
    _ = try client.ask("startUpdatingLocation")
    _ = try client.event()
    var last = try #require(try client.location(within: patience)).timestamp
    for place in ["static:1,1,0,900", "static:2,2,0,900"] {
      #expect(try reload(daemon, Self.replay + "Source=\(place)\n").last?.contains("read") == true)
      for _ in 0..<5 {
        let location = try #require(try client.location(within: patience))
        #expect(location.source == "replay:drive.nmea")
        #expect(location.timestamp - last == .seconds(1))
        last = location.timestamp
      }
      #expect(try states(client) == ["replay:drive.nmea": "running", "static": "running"])
    }
  }

  @Test("a source that leaves is let go of, and one that comes is opened for who waits")
  func changes() throws {
    let daemon = try RunningDaemon(
      [], files: Self.drive.merging(["locationd.conf": Self.replay]) { $1 })
    let client = try daemon.connect()
    _ = try client.ask("startUpdatingLocation")
    _ = try client.event()
    _ = try reload(daemon, "[Sources]\nSource=static:1,1\n")
    let moved = try eventually(within: patience) {
      try client.location(within: patience)?.source == "static"
    }
    #expect(moved)
    #expect(try states(client) == ["static": "running"])
    let isClosed = try eventually(within: patience) {
      let open = try FileManager.default
        .contentsOfDirectory(atPath: "/proc/\(daemon.program.pid)/fd")
        .compactMap {
          try? FileManager.default
            .destinationOfSymbolicLink(atPath: "/proc/\(daemon.program.pid)/fd/\($0)")
        }
      return !open.contains { $0.hasSuffix("drive.nmea") }
    }
    #expect(isClosed)
  }

  @Test("a broken configuration changes nothing, and every mistake is logged")
  func broken() throws {
    let daemon = try RunningDaemon(
      [], files: ["locationd.conf": "[Sources]\nSource=static:1,1\n"])
    let client = try daemon.connect()
    let lines = try reload(daemon, "[Sources]\nSource=gps\nSource=static:2,2\nSorce=\n")
    #expect(lines.count == 3)
    #expect(lines[0].contains("locationd.conf:2:"))
    #expect(lines[1].contains("locationd.conf:4:"))
    let location = try client.ask("requestLocation")["result"]?["location"]
    #expect(location?["latitude"] == .integer(1))
  }

  @Test("limits hold at once")
  func limits() throws {
    let daemon = try RunningDaemon()
    let client = try daemon.connect()
    _ = try reload(daemon, "[Limits]\nConnectionsPerUser=1\nManagersPerUser=1\n")
    #expect(try client.ask("startUpdatingLocation")["result"] != nil)
    #expect(try startAnother(client)["error"]?["code"] == .integer(-32001))
    let second = try daemon.connect()
    #expect(try second.line()["error"]?["message"]?.string?.contains("1 connection") == true)
    #expect(second.isClosed())
  }

  @Test("limits hold at once also for who is connected already")
  func limitsOfConnected() throws {
    let daemon = try RunningDaemon()
    let clients = try [daemon.connect(), daemon.connect()]
    for client in clients { #expect(try client.ask("hello")["result"] != nil) }
    _ = try reload(daemon, "[Limits]\nBytesPerUser=64K\n")
    for client in clients { client.send(String(repeating: "x", count: 60_000)) }
    let told = eventually(within: patience) { clients.contains { $0.isClosed(within: 0) } }
    #expect(told)
  }

  @Test("the service manager is told when it begins, and when it is done")
  func serviceManager() throws {
    let notices = try NoticeSocket()
    let daemon = try RunningDaemon(environment: ["NOTIFY_SOCKET": notices.path])
    #expect(try notices.next() == "READY=1")
    for text in ["", "broken"] {
      _ = try reload(daemon, text)
      let begun = try notices.next().split(separator: "\n")
      #expect(begun.first == "RELOADING=1")
      #expect(begun.last?.hasPrefix("MONOTONIC_USEC=") == true)
      #expect(try notices.next() == "READY=1")
    }
  }

  private func startAnother(_ client: SocketClient) throws -> JSON {
    try client.ask("startUpdatingLocation", ["manager": .integer(1)])
  }

  @Test("the log level holds at once")
  func logLevel() throws {
    let daemon = try RunningDaemon()
    let client = try daemon.connect()
    _ = try client.ask("startUpdatingLocation")
    try daemon.write(
      "[Daemon]\nLogLevel=error\n[Limits]\nManagersPerUser=1\n", to: "locationd.conf")
    daemon.program.signal(SIGHUP)
    let quiet = try eventually(within: patience) { try self.startAnother(client)["error"] != nil }
    #expect(quiet)
    #expect(try reload(daemon, "").count == 1, "the first one was not logged")
  }

  @Test("another socket has to wait for a restart, and the log says so")
  func socket() throws {
    let other = try RunningDaemon()
    let file = other.folder.appending(path: "c")
    func write(_ socket: String) throws {
      try Data("[Daemon]\nSocket=\(other.folder.path)/\(socket)\n".utf8).write(to: file)
    }
    try write("one")
    let program = try Program([
      Program.path("locationd"), "--config", file.path, "--bus", "none",
    ])
    var line = ""
    while !line.contains("listens") { line = try program.line() }
    try write("two")
    program.signal(SIGHUP)
    #expect(try program.line().contains("restart"))
    #expect(FileManager.default.fileExists(atPath: other.folder.appending(path: "one").path))
    #expect(!FileManager.default.fileExists(atPath: other.folder.appending(path: "two").path))
  }
}
