import Foundation
import Glibc
import LocationModel
import TestSupport
import Testing

extension SocketClient {
  /// Every app's authorization, as administrators see it.
  func permissions() throws -> [String: String] {
    let list = try #require(try ask("permissions.list")["result"]?["permissions"]?.array)
    var permissions: [String: String] = [:]
    for entry in list {
      permissions[entry["app"]?.string ?? ""] = entry["authorization"]?.string
    }
    return permissions
  }
}

@Suite("What is remembered", .serialized) struct LedgerTests {
  private func grant(_ app: String, _ authorization: String) -> JSON {
    ["app": .string(app), "uid": .integer(4711), "authorization": .string(authorization)]
  }

  @Test("decisions, restrictions and the master switch survive, in a file for the daemon alone")
  func survives() throws {
    let daemon = try RunningDaemon()
    do {
      let client = try daemon.connect()
      #expect(
        try client.ask("permissions.set", grant("app:a", "authorizedAlways"))["result"] == [:])
      #expect(try client.ask("permissions.set", grant("app:b", "denied"))["result"] == [:])
      #expect(try client.ask("permissions.set", grant("app:c", "restricted"))["result"] == [:])
      #expect(
        try client.ask("permissions.set", grant("app:d", "authorizedAlways"))["result"] == [:])
      let once: JSON = ["app": "app:d", "uid": .integer(4711), "once": .bool(true)]
      #expect(try client.ask("permissions.set", once)["result"] == [:])
      #expect(try client.ask("services.set", ["enabled": .bool(false)])["result"] == [:])
    }
    daemon.program.signal(SIGKILL)
    _ = try daemon.program.exit()
    try daemon.restart()
    let client = try daemon.connect()
    #expect(
      try client.permissions().filter { $0.key != "app:c" }.values.allSatisfy { $0 == "denied" })
    #expect(try client.ask("requestLocation")["error"]?["data"]?["name"] == "denied")
    #expect(try client.ask("services.set", ["enabled": .bool(true)])["result"] == [:])
    #expect(
      try client.permissions() == [
        "app:a": "authorizedAlways", "app:b": "denied", "app:c": "restricted",
        "app:d": "notDetermined",
      ])
    #expect(try client.ask("requestLocation")["result"] != nil)
    let state = daemon.folder.appending(path: "state").path
    let mode = try FileManager.default.attributesOfItem(atPath: state)[.posixPermissions] as? Int
    #expect(mode == 0o700)
  }

  /// Which of three words it is after so many changes.
  private static let words = ["denied", "authorizedWhenInUse", "authorizedAlways"]
  private static let apps = 7

  private static func state(after count: Int) -> [String: String] {
    var state: [String: String] = [:]
    for i in max(0, count - apps)..<count { state["app:\(i % apps)"] = words[i % words.count] }
    return state
  }

  @Test("killed at any moment among 1000 grants and revokes, it knows exactly what it had answered")
  func killed() throws {
    let daemon = try RunningDaemon()
    var dice = Dice(seed: 6)
    var done = 0
    var kills = 0
    while done < 1000 {
      let client = try daemon.connect()
      let start = done
      var sent = done
      let limit = start + Int.random(in: 1...100, using: &dice)
      var answered = 0
      // Some requests are always on their way.
      while answered < limit - start {
        while sent < min(limit + 10, start + answered + 10) {
          client.request(
            "permissions.set", grant("app:\(sent % Self.apps)", Self.words[sent % Self.words.count])
          )
          sent += 1
        }
        #expect(try client.line()["result"] == [:])
        answered += 1
      }
      usleep(UInt32.random(in: 0...3000, using: &dice))
      daemon.program.signal(SIGKILL)
      kills += 1
      _ = try daemon.program.exit()
      // Answers until then count too, though they are not yet read here.
      while client.readMore() ?? 0 > 0 {}
      while let answer = client.waitingLine() {
        #expect(answer["result"] == [:])
        answered += 1
      }
      try daemon.restart()
      let state = try daemon.connect().permissions()
      // One of the changes that were under way, or none: but never less than was answered.
      let matching = (start + answered...sent).first { Self.state(after: $0) == state }
      done = try #require(
        matching, "\(state) after \(start + answered) answered and \(sent) sent, kill \(kills)")
    }
    #expect(kills > 5)
  }

  /// Stands between the daemon and its disk: while there is a file `slow`, each write takes two seconds.
  private func slowDisk(in folder: URL) throws -> String {
    let source = """
      #define _GNU_SOURCE
      #include <dlfcn.h>
      #include <unistd.h>
      static int slow(const char *name, int file) {
        if (access("\(folder.path)/slow", F_OK) == 0) sleep(2);
        return ((int (*)(int))dlsym(RTLD_NEXT, name))(file);
      }
      int fdatasync(int file) { return slow("fdatasync", file); }
      int fsync(int file) { return slow("fsync", file); }

      """
    let file = folder.appending(path: "slow.c")
    try source.write(to: file, atomically: true, encoding: .utf8)
    let library = folder.appending(path: "slow.so").path
    let (text, exit) = try Program(["clang", "-shared", "-fPIC", "-o", library, file.path, "-ldl"])
      .text()
    try #require(exit == 0, "\(text)")
    return library
  }

  @Test("while a slow disk writes, fixes keep arriving and others are answered")
  func slow() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "slow-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let daemon = try RunningDaemon(
      ["replay://{folder}/drive.nmea?rate=50&loop=1"],
      files: ["drive.nmea": Recording.drive(seconds: 600)],
      environment: ["LD_PRELOAD": try slowDisk(in: folder)])
    let stream = try daemon.connect()
    _ = try stream.ask("startUpdatingLocation")
    _ = try stream.event()
    let administrator = try daemon.connect()
    let other = try daemon.connect()
    try Data().write(to: folder.appending(path: "slow"))

    // Nobody else waits for the disk: many a time in two seconds they have their turn, on a busy machine too.
    let start = ContinuousClock().now
    let id = administrator.request("permissions.set", grant("app:first", "denied"))
    var answers = 0
    var batches = 0
    while !administrator.hasLine() {
      #expect(try other.ask("hello")["result"] != nil)
      answers += 1
      if stream.waitingLine(reading: true) != nil { batches += 1 }
      while stream.waitingLine() != nil {}
      usleep(20_000)
    }
    #expect(try administrator.reply(to: id)["result"] == [:])
    let one = (ContinuousClock().now - start) / .seconds(1)
    #expect(one >= 2 && answers >= 5 && batches >= 5, "\(answers) answers, \(batches) batches")

    // Many are written together, all but the first that the disk takes; one by one they took forty times as
    // long as one.
    let begun = ContinuousClock().now
    let ids = (0..<40).map {
      administrator.request("permissions.set", grant("app:\($0)", "denied"))
    }
    for id in ids { #expect(try administrator.reply(to: id, within: patience)["result"] == [:]) }
    #expect((ContinuousClock().now - begun) / .seconds(1) < one * 20)
  }

  @Test("on a full disk nothing new is granted, what is known holds, a revocation holds at once")
  func full() throws {
    // The largest file it may write, in blocks of 512 bytes: room for the tables, and little more.
    let daemon = try RunningDaemon(limits: "ulimit -f 160;")
    let client = try daemon.connect()
    var granted: [String] = []
    var refusal: JSON?
    for i in 0..<5000 {
      let app = "app:\(i)-" + String(repeating: "x", count: 490)
      let answer = try client.ask("permissions.set", grant(app, "authorizedAlways"))
      guard answer["error"] == nil else {
        refusal = answer["error"]
        break
      }
      granted.append(app)
    }
    #expect(refusal?["message"]?.string?.contains("could not be written") == true)
    #expect(granted.count > 3)
    let known = try client.permissions()
    #expect(Set(known.keys) == Set(granted))
    // The tests' own program is denied, as far as it goes without a disk.
    let me = try #require(try client.ask("hello")["result"]?["app"]?.string)
    _ = try client.ask("permissions.set", ["app": .string(me), "authorization": "denied"])
    #expect(try client.ask("requestLocation")["error"]?["data"]?["name"] == "denied")
    #expect(try daemon.connect().ask("hello")["result"]?["authorization"] == "denied")
  }

  @Test("started on a full disk, it keeps what matters as soon as there is room")
  func fullFromTheStart() throws {
    let daemon = try RunningDaemon(limits: "ulimit -S -f 0;")
    #expect(daemon.lines.contains { $0.contains("it is tried again") })
    let client = try daemon.connect()
    let me = try #require(try client.ask("hello")["result"]?["app"]?.string)
    let denial: JSON = ["app": .string(me), "authorization": "denied"]
    #expect(try client.ask("permissions.set", denial)["error"] != nil)
    #expect(try client.ask("requestLocation")["error"]?["data"]?["name"] == "denied")
    #expect(try client.ask("status")["result"]?["trouble"]?.string != nil)
    #expect(try daemon.control("status").text().text.contains("Nothing can be kept"))

    let more = ["prlimit", "--pid", "\(daemon.program.pid)", "--fsize=unlimited:unlimited"]
    #expect(try Program(more).exit() == 0)
    #expect(
      try client.ask("permissions.set", grant("app:a", "authorizedAlways"))["result"] == [:])
    #expect(try client.ask("status")["result"]?["trouble"] == nil)
    // Changes are written in turn: those that waited have been by then.
    #expect(try client.ask("permissions.set", grant("app:b", "denied"))["result"] == [:])
    daemon.program.signal(SIGTERM)
    _ = try daemon.program.exit()
    let next = try RunningDaemon(state: daemon.folder.appending(path: "state").path)
    #expect(
      try next.connect().permissions() == [
        "app:a": "authorizedAlways", "app:b": "denied", me: "denied",
      ])
  }

  @Test("what is answered after its file was removed is known after a restart")
  func removed() throws {
    let daemon = try RunningDaemon()
    let client = try daemon.connect()
    #expect(
      try client.ask("permissions.set", grant("app:a", "authorizedAlways"))["result"] == [:])
    let state = daemon.folder.appending(path: "state")
    try FileManager.default.removeItem(at: state)
    #expect(
      try client.ask("permissions.set", grant("app:b", "authorizedAlways"))["result"] == [:])
    while try !daemon.program.line().hasSuffix("had gone; all that is kept was written anew") {}
    try daemon.restart()
    #expect(
      try daemon.connect().permissions() == [
        "app:a": "authorizedAlways", "app:b": "authorizedAlways",
      ])
  }

  @Test("a file that is a link is left as it is, and nothing is granted")
  func linked() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "linked-\(UUID())")
    try FileManager.default.createDirectory(
      at: folder.appending(path: "state"), withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let target = folder.appending(path: "target").path
    #expect(FileManager.default.createFile(atPath: target, contents: Data()))
    chmod(target, 0o644)
    #expect(symlink(target, folder.appending(path: "state/locationd.db").path) == 0)
    let daemon = try RunningDaemon(state: folder.appending(path: "state").path)
    #expect(
      daemon.lines.contains { $0.contains("links are not followed") })
    let error = try daemon.connect().ask("permissions.set", grant("app:a", "authorizedAlways"))[
      "error"]
    #expect(error?["message"]?.string?.contains("links are not followed") == true)
    let mode = try FileManager.default.attributesOfItem(atPath: target)[.posixPermissions] as? Int
    #expect(mode == 0o644)
    #expect(try Data(contentsOf: URL(filePath: target)).isEmpty)
  }

  @Test(
    "a file that is newer, broken or no database is left as it is, and nothing is granted",
    arguments: ["newer", "broken", "none"])
  func refused(kind: String) throws {
    let daemon = try RunningDaemon()
    let file = daemon.folder.appending(path: "state/locationd.db")
    #expect(
      try daemon.connect().ask("permissions.set", grant("app:a", "authorizedAlways"))["error"]
        == nil)
    // On a slow disk it does not wait until all of it stands in the one file; then it does the next time.
    let isWhole = try eventually(within: patience) {
      daemon.program.signal(SIGTERM)
      _ = try daemon.program.exit()
      if access(file.path + "-wal", F_OK) != 0 { return true }
      try daemon.restart()
      return false
    }
    #expect(isWhole)
    var bytes = try Data(contentsOf: file)
    switch kind {
    // user_version stands at byte 60.
    case "newer": bytes[63] = 99
    case "broken": bytes.replaceSubrange(4096..<12_288, with: Data(repeating: 0xA5, count: 8192))
    default: bytes = Data("hello".utf8)
    }
    try bytes.write(to: file)
    try daemon.restart()
    #expect(daemon.lines.contains { $0.contains(file.path) })
    let client = try daemon.connect()
    #expect(try client.permissions() == [:])
    let error = try client.ask("permissions.set", grant("app:b", "authorizedAlways"))["error"]
    #expect(error?["message"]?.string?.contains("could not be written") == true)
    #expect(try client.permissions() == [:])
    // A program that needs no permission is served.
    #expect(try client.ask("requestLocation")["result"] != nil)
    daemon.program.signal(SIGTERM)
    _ = try daemon.program.exit()
    #expect(try Data(contentsOf: file) == bytes)
  }

  @Test("two daemons do not share what is remembered")
  func taken() throws {
    let first = try RunningDaemon()
    _ = try first.connect().ask("permissions.set", grant("app:a", "authorizedAlways"))
    let second = try RunningDaemon(state: first.folder.appending(path: "state").path)
    #expect(second.lines.contains { $0.contains("another locationd uses it") })
    let answer = try second.connect().ask("permissions.set", grant("app:a", "denied"))
    #expect(answer["error"] != nil)
    #expect(try first.connect().permissions() == ["app:a": "authorizedAlways"])
  }
}
