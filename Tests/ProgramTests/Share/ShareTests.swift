import Foundation
import Glibc
import LocationModel
import TestSupport
import Testing

/// The bytes that programs send to gpsd's port first.
private let openings = [
  #"?WATCH={"class":"WATCH", "nmea":true}"#, #"?WATCH={"enable":true,"nmea":true,"raw":true};"#,
  "?WATCH={\"class\":\"WATCH\",\"nmea\":true,\"json\":false}\n",
]

@Suite("gpsd's words") struct ShareTests {
  private static let watch = "?WATCH={\"enable\":true,\"json\":true,\"nmea\":true};\n"

  private static func replay(_ seconds: Double = 600) throws -> RunningDaemon {
    try RunningDaemon(
      ["replay://{folder}/drive.nmea?rate=5&loop=1"],
      files: ["drive.nmea": Recording.drive(seconds: seconds)],
      flags: ["--in-use", "connected"])
  }

  @Test("a program that may know is told each epoch, as reports and as sentences")
  func told() throws {
    let share = try RunningShare(Self.replay())
    let client = try share.connect()
    client.send(Self.watch)
    #expect(client.hears("\"WATCH\""))
    #expect(client.text.contains(#"{"class":"DEVICES","devices":[]}"#))
    try share.grant()
    #expect(client.hears("\"DEVICE\"") && client.hears("\"TPV\"") && client.hears("$GPRMC,"))
    #expect(client.text.contains(#""lon":7.000000000"#))
    client.send("?POLL;")
    #expect(client.hears(#""active":1,"tpv":[{"class":"TPV""#))
    client.send("?WATCH={\"enable\":false}\n")
    #expect(client.hears("\"enable\":false"))
    let apps = try share.daemon.control("apps").text().text
    #expect(apps.contains(share.app) && apps.contains("always"))
  }

  @Test("what real programs send first is answered within 50 ms", arguments: openings)
  func soon(opening: String) throws {
    let share = try RunningShare(Self.replay())
    // The shortest counts: the machine may have much else to do.
    let times = try (0..<10).map { _ in
      let client = try share.connect()
      let start = ContinuousClock().now
      client.send(opening)
      #expect(client.hears("\"WATCH\""))
      return ContinuousClock().now - start
    }
    #expect(times.min().map { $0 < .milliseconds(50) } == true, "\(times)")
  }

  @Test("a byte at a time is a request, too")
  func byteByByte() throws {
    let share = try RunningShare(Self.replay())
    let client = try share.connect()
    for byte in (openings[0] + "?VERSION;").utf8 { client.send([byte]) }
    #expect(client.hears("\"nmea\":true"))
    let versions = eventually(within: patience) {
      client.read()
      return client.text.components(separatedBy: "\"VERSION\"").count == 3
    }
    #expect(versions)
  }

  @Test("the receiver sleeps while nobody watches")
  func sleeps() throws {
    let share = try RunningShare(Self.replay())
    let client = try share.connect()
    client.send("?VERSION;?DEVICES;?POLL;")
    #expect(client.hears("\"POLL\""))
    try share.grant()
    #expect(try !isNeeded(by: share.daemon))
    client.send(Self.watch)
    #expect(client.hears("\"TPV\""))
    #expect(try isNeeded(by: share.daemon))
    client.send("?WATCH={\"enable\":false}")
    #expect(try eventually(within: patience) { try !isNeeded(by: share.daemon) })
    client.send(Self.watch)
    #expect(try eventually(within: patience) { try isNeeded(by: share.daemon) })
    client.end()
    #expect(try eventually(within: patience) { try !isNeeded(by: share.daemon) })
  }

  @Test("a program without permission is told nothing that the receiver says, in a thousand tries")
  func denied() throws {
    let share = try RunningShare(Self.replay())
    // Another client keeps the receiver running.
    let other = try share.daemon.connect()
    other.request("startUpdatingLocation")
    _ = try other.event()
    for i in 0..<1000 {
      let client = try share.connect()
      client.send(i % 2 == 0 ? "?POLL;" : Self.watch + "?POLL;?DEVICES;")
      if i % 4 == 1 {
        // Half closed, its answers are read to the end.
        shutdown(client.descriptor, Int32(SHUT_WR))
        #expect(client.isClosed())
      } else if i % 4 == 2 {
        client.end()
        continue
      } else {
        #expect(client.hears("\"POLL\""))
      }
      #expect(!client.knows, "\(client.text)")
    }
    let line = try eventually(within: patience) {
      try share.daemon.program.line().contains("sudo locationctl grant \(share.app)")
    }
    #expect(line, "the journal has the command once")
  }

  @Test("a connection that its program has closed is told as root's, and gets nothing")
  func closedAtOnce() throws {
    let share = try RunningShare(Self.replay(), port: nil)
    for _ in 0..<1000 {
      let client = try share.connect()
      client.send(Self.watch + "?POLL;")
      client.end()
    }
    let client = try share.connect()
    client.send("?POLL;")
    #expect(client.hears("\"POLL\"") && !client.knows)
    let status = try share.daemon.connect().ask("status")["result"]
    let clients = status?["clients"]?.array ?? []
    #expect(!clients.contains { $0["app"] == "user:root" && $0["pid"] == .integer(0) })
  }

  @Test("a revocation ends a running stream before its reply")
  func revoked() throws {
    let share = try RunningShare(Self.replay())
    let client = try share.connect()
    client.send(Self.watch)
    try share.grant()
    for _ in 0..<5 {
      #expect(client.hears("\"TPV\""))
      let revoke = try share.daemon.control("revoke", share.app)
      #expect(try revoke.exit() == 0)
      client.read()
      client.forget()
      usleep(300_000)
      client.read()
      #expect(!client.knows, "\(client.text)")
      #expect(client.isClosed())
      let again = try share.connect()
      again.send(Self.watch + "?POLL;")
      #expect(again.hears("\"active\":0") && !again.knows)
      try share.grant()
      #expect(again.hears("\"TPV\""))
      #expect(try share.daemon.control("revoke", share.app).exit() == 0)
      try share.grant()
      break
    }
  }

  @Test("with reduced accuracy there is no receiver")
  func reduced() throws {
    let share = try RunningShare(Self.replay())
    let client = try share.connect()
    client.send(Self.watch)
    #expect(client.hears("\"WATCH\""))
    let grant = try eventually(within: patience) {
      try share.daemon.control("grant", share.app, "always", "--reduced").exit() == 0
    }
    #expect(grant)
    usleep(500_000)
    client.send("?DEVICES;?POLL;")
    #expect(client.hears("\"POLL\"") && !client.knows, "\(client.text)")
  }

  @Test(
    "a connection that begins as a browser's is closed unanswered",
    arguments: [
      "POST / HTTP/1.1\r\n\r\n?WATCH={\"json\":true};?POLL;", "GET /", "\u{16}\u{03}\u{01}\u{00}",
    ])
  func web(text: String) throws {
    let share = try RunningShare(Self.replay())
    let client = try share.connect()
    client.send(text)
    #expect(client.isClosed() && client.text.isEmpty)
  }

  /// Some of gpsd's programs wait for the greeting: silence is no browser's mark.
  @Test(
    "who connects and is silent is greeted, and closed at a browser's first word, though it may know"
  )
  func webGreeted() throws {
    let share = try RunningShare(Self.replay())
    let other = try share.connect()
    other.send(Self.watch)
    try share.grant()
    #expect(other.hears("\"TPV\""))
    let client = try share.connect()
    #expect(client.hears("\"proto_minor\":14}\r\n"))
    client.send("POST / HTTP/1.1\r\n\r\n" + Self.watch)
    #expect(client.isClosed())
    #expect(client.text.split(separator: "\r\n").count == 1, "\(client.text)")
  }

  /// The share is busy elsewhere, and meanwhile the time of those who speak first is over.
  @Test(
    "a browser whose words are here before they are looked at hears nothing, however late that is",
    arguments: ["GET / HTTP/1.1\r\n\r\n", "\0\u{03}\0\u{1C}!"])
  func webLate(text: String) throws {
    let share = try RunningShare(Self.replay())
    defer { share.program.signal(SIGCONT) }
    var count = 0
    for _ in 0..<100 where count < 5 {
      try #require(try eventually(within: patience) { try !Self.isConnected(share) })
      let client = try share.connect()
      try #require(try eventually(within: patience) { try Self.isConnected(share) })
      share.program.signal(SIGSTOP)
      try #require(eventually(within: patience) { Self.isStopped(share.program) })
      client.send(text)
      // On a busy machine its time was over before: then it was greeted, as gpsd greets.
      client.read()
      let isInTime = client.text.isEmpty
      usleep(250_000)
      share.program.signal(SIGCONT)
      #expect(client.isClosed())
      if isInTime {
        #expect(client.text.isEmpty, "\(client.text)")
        count += 1
      }
    }
    #expect(count == 5)
  }

  /// The daemon knows of a program at the share's doors.
  private static func isConnected(_ share: RunningShare) throws -> Bool {
    let clients = try share.daemon.connect().ask("status")["result"]?["clients"]?.array
    return clients?.contains { $0["app"]?.string == share.app } == true
  }

  private static func isStopped(_ program: Program) -> Bool {
    let text = try? String(contentsOfFile: "/proc/\(program.pid)/stat", encoding: .utf8)
    return text?.contains(") T ") == true
  }

  @Test("an earlier daemon's place is told nobody when it comes again")
  func restarted() throws {
    let share = try RunningShare(Self.replay())
    let client = try share.connect()
    client.send(Self.watch)
    try share.grant()
    #expect(client.hears("\"TPV\""))
    try share.daemon.restart()
    client.read()
    client.forget()
    #expect(client.hears("\"TPV\""), "it goes on")
  }
}

@Suite("gpsd's words, from a crowd") struct ShareCrowdTests {
  @Test("what has no end, storms and a thousand connections are bounded, and nobody else waits")
  func hostile() throws {
    let daemon = try RunningDaemon(
      ["replay://{folder}/drive.nmea?rate=5&loop=1"],
      files: ["drive.nmea": Recording.drive(seconds: 600)], flags: ["--in-use", "connected"])
    let share = try RunningShare(daemon)
    let good = try share.connect()
    good.send("?WATCH={\"enable\":true,\"json\":true}")
    try share.grant()
    #expect(good.hears("\"TPV\""))

    let endless = try share.connect()
    endless.send("?WATCH=")
    let block = [UInt8](repeating: UInt8(ascii: "{"), count: 1 << 16)
    for _ in 0..<160 where endless.descriptor >= 0 { endless.send(block) }
    let storm = try share.connect()
    for _ in 0..<2000 {
      storm.send("?WATCH={\"enable\":true};?WATCH={\"enable\":false};")
      storm.read()
    }
    // This client reads nothing.
    let slow = try share.connect()
    slow.send("?WATCH={\"enable\":true,\"json\":true}")
    var sent = 0
    while sent < 50_000, slow.send("?DEVICES;?WATCH;") { sent += 1 }
    #expect(slow.isClosed())
    var crowd: [WordClient] = []
    for _ in 0..<1000 {
      let one = try share.connect()
      one.send("?POLL;")
      crowd.append(one)
    }
    good.forget()
    #expect(good.hears("\"TPV\""))
    let ended = eventually(within: patience) { crowd.count { !$0.read() } >= 1000 - 256 }
    #expect(ended, "one user has so many at most")
    crowd.removeAll()
    let next = try eventually(within: patience) {
      let one = try share.connect()
      one.send("?VERSION;")
      return one.hears("\"VERSION\"", within: 1)
    }
    #expect(next)
    #expect(try Self.memory(of: share.program) < 32 << 20)
  }

  @Test("hostile JSON is answered with an error or not at all, and the next line is read")
  func nonsense() throws {
    let daemon = try RunningDaemon(["static:45,7"], flags: ["--in-use", "connected"])
    let share = try RunningShare(daemon)
    let deep = String(repeating: "{\"a\":", count: 600) + "1" + String(repeating: "}", count: 600)
    let texts =
      [
        deep, "{\"raw\":1e999999}", "{\"raw\":-99999999999999999999}", "{\"json\":\"\\ud800\"}",
        "{\"json\":true,\"json\":{}}", "{\"\u{0}\":[}", "{\"device\":[[[[]]]]}", "[[[[[[",
        "{\"x\":\"",
        "{\"device\":\"" + String(repeating: "\\n", count: 1000) + "\"}",
      ].map { Array($0.utf8) } + [[0x7B, 0xFF, 0xC0, 0x80, 0x7D]]
    for text in texts {
      let client = try share.connect()
      // Braces that nothing closes end with the longest request.
      let rest = [UInt8](repeating: UInt8(ascii: "x"), count: 5000) + "\n?VERSION;\n".utf8
      client.send(Array("?WATCH=".utf8) + text + rest)
      let versions = eventually(within: patience) {
        client.read()
        return client.text.components(separatedBy: "\"VERSION\"").count == 3
      }
      #expect(versions, "\(String(decoding: text.prefix(40), as: UTF8.self)): \(client.text)")
      #expect(!client.knows)
    }
  }

  private static func memory(of program: Program) throws -> Int {
    let text = try String(contentsOfFile: "/proc/\(program.pid)/status", encoding: .utf8)
    let line = text.split(separator: "\n").first { $0.hasPrefix("RssAnon:") }
    return (line?.split { $0 == " " || $0 == "\t" }.dropFirst().first.flatMap { Int($0) } ?? 0)
      << 10
  }

  @Test("a crowd of several users that reads nothing is let go before it fills the memory", .asRoot)
  func silent() throws {
    let share = try RunningShare(.replaying())
    let script = """
      import socket, sys, time
      all = []
      for _ in range(250):
          one = socket.socket()
          one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
          one.connect(("127.0.0.1", \(share.port)))
          one.sendall(b"?WATCH;" * 200)
          all.append(one)
      print("there", flush=True)
      time.sleep(600)
      """
    let programs = try (0..<4).map {
      try Program([
        "setpriv", "--reuid=\(2000 + $0)", "--regid=2000", "--clear-groups", "/usr/bin/python3",
        "-c", script,
      ])
    }
    // The answers to all of them are 40 MB.
    for program in programs { #expect(try program.line() == "there") }
    var most = 0
    let another = try eventually(within: patience) {
      let one = try share.connect()
      one.send("?VERSION;")
      most = max(most, try share.program.heldMemory)
      return one.hears("\"VERSION\"", within: 1)
    }
    #expect(another)
    while try !share.program.line().contains("so far") {}
    #expect(max(most, try share.program.heldMemory) < 24 << 10)
  }
}
