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

  @Test("a program that may know is told each epoch, as reports and as sentences")
  func told() throws {
    let share = try RunningShare(.replaying())
    let client = try share.connect()
    client.send(Self.watch)
    #expect(client.hears("\"WATCH\""))
    #expect(client.text.contains(#"{"class":"DEVICES","devices":[]}"#))
    try share.grant()
    #expect(client.hears("\"DEVICE\"") && client.hears("\"lat\":") && client.hears("$GPRMC,"))
    #expect(client.text.contains(#""lon":7.000000000"#))
    client.send("?POLL;")
    #expect(client.hears(#""active":1,"tpv":[{"class":"TPV""#))
    client.send("?WATCH={\"enable\":false}\n")
    #expect(client.hears("\"enable\":false"))
    let apps = try share.daemon.control("apps").text().text
    #expect(apps.contains(share.app) && apps.contains("always"))
  }

  @Test("the first bytes of real programs are answered within 50 ms", arguments: openings)
  func soon(opening: String) throws {
    let share = try RunningShare(.replaying())
    // The time in which the programs waited for a processor is the machine's: it may have much else to do.
    let times = try (0..<10).map { _ in
      let client = try share.connect()
      let effort = try Effort(of: share.program, share.daemon.program)
      client.send(opening)
      #expect(client.hears("\"WATCH\""))
      return try effort.seconds
    }
    #expect(times.allSatisfy { $0 < 0.05 }, "\(times)")
  }

  @Test("a byte at a time is a request, too")
  func byteByByte() throws {
    let share = try RunningShare(.replaying())
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
    let share = try RunningShare(.replaying())
    let client = try share.connect()
    client.send("?VERSION;?DEVICES;?POLL;")
    #expect(client.hears("\"POLL\""))
    try share.grant()
    #expect(try !isNeeded(by: share.daemon))
    client.send(Self.watch)
    #expect(client.hears("\"lat\":"))
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
    // Meanwhile an administrator's line is told.
    let daemon = try RunningDaemon.replaying()
    let share = try RunningShare(daemon, "NMEA=pty:\(daemon.folder.appending(path: "tty").path)")
    for _ in 0..<20 {
      var clients: [WordClient] = []
      for i in 0..<50 {
        let client = try share.connect()
        client.send(i % 2 == 0 ? "?POLL;" : Self.watch + "?POLL;?DEVICES;")
        // Half closed, its answers are read to the end.
        if i % 8 == 1 { shutdown(client.descriptor, Int32(SHUT_WR)) }
        if i % 8 == 3 { client.end() } else { clients.append(client) }
      }
      for client in clients { #expect(client.hears("\"POLL\"")) }
      // Programs that watch stay for three epochs.
      try share.daemon.waitForFixes(3)
      for client in clients {
        client.read()
        #expect(!client.knows, "\(client.text)")
      }
    }
    let grant = "sudo locationctl grant \(share.app)"
    while try !share.daemon.program.line().contains(grant) {}
    while let line = share.daemon.program.waitingLine() {
      #expect(!line.contains(grant), "the journal has the command once")
    }
  }

  @Test("each request of one packet is answered, however many there are")
  func manyAtOnce() throws {
    let share = try RunningShare(.replaying())
    let client = try share.connect()
    client.send(Self.watch)
    try share.grant()
    #expect(client.hears("\"lat\":"))
    client.send(String(repeating: "?POLL;", count: 600))
    let isAnswered = eventually(within: patience) {
      client.read()
      return client.text.components(separatedBy: "\"POLL\"").count == 601
    }
    #expect(isAnswered)
  }

  @Test("a program that asks a lot and then no more reads each answer")
  func askedBeforeTheEnd() throws {
    let daemon = try RunningDaemon(["static:45,7"], flags: ["--in-use", "connected"])
    let share = try RunningShare(daemon)
    let client = try share.connect()
    // More answers than a program that watches may leave unread.
    client.send(String(repeating: "?DEVICES;", count: 5000))
    shutdown(client.descriptor, Int32(SHUT_WR))
    #expect(
      eventually(within: patience) { !client.read() },
      "the connection is closed once all is read")
    #expect(client.text.components(separatedBy: "\"DEVICES\"").count == 5001)
  }

  @Test("a connection that its program has closed is told as root's, and is nobody's", .asRoot)
  func closedAtOnce() throws {
    let share = try RunningShare(.replaying())
    let script = """
      import socket
      def come(words):
          one = socket.create_connection(("127.0.0.1", \(share.port)))
          one.sendall(words)
          return one
      for _ in range(1000): come(b'?WATCH={"enable":true,"json":true};?POLL;').close()
      for line in come(b'?POLL;').makefile():
          print(line, end="", flush=True)
          if "POLL" in line: break
      """
    let program = try Program([
      "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "/usr/bin/python3", "-c",
      script,
    ])
    let (text, exit) = try program.text()
    #expect(exit == 0 && text.contains("\"active\":0"), "\(text)")
    while try !share.program.line().contains("its program may have closed it") {}
    // The first refusal of root's name would be a line.
    while let line = share.daemon.program.waitingLine() {
      #expect(!line.contains("gpsd:root"), "\(line)")
    }
  }

  @Test("a revocation ends a running stream before its reply")
  func revoked() throws {
    let share = try RunningShare(.replaying())
    for _ in 0..<3 {
      let client = try share.connect()
      client.send(Self.watch + "?POLL;")
      #expect(client.hears("\"active\":0") && !client.knows)
      try share.grant()
      #expect(client.hears("\"lat\":"))
      #expect(try share.daemon.control("revoke", share.app).exit() == 0)
      // Words of before the reply are here already.
      client.read()
      client.forget()
      #expect(client.isClosed() && !client.knows, "\(client.text)")
    }
  }

  /// Bytes that the program's own kernel has are told; those that wait in the share, or on the way there, are not.
  @Test("a revocation ends a running stream before its reply, though the share stands still")
  func revokedWhileStopped() throws {
    let share = try RunningShare(.replaying())
    let client = try share.connect()
    client.send(Self.watch)
    try share.grant()
    #expect(client.hears("\"lat\":"))
    share.program.signal(SIGSTOP)
    defer { share.program.signal(SIGCONT) }
    try #require(eventually(within: patience) { Self.isStopped(share.program) })
    // Reports of before are read; the next ones wait for the share.
    client.read()
    try share.daemon.waitForFixes(3)
    client.read()
    client.forget()
    #expect(try share.daemon.control("revoke", share.app).exit() == 0)
    #expect(!client.read(), "the connection is closed as the reply comes")
    share.program.signal(SIGCONT)
    #expect(client.isClosed() && !client.knows, "\(client.text)")
  }

  @Test("with reduced accuracy there is no receiver")
  func reduced() throws {
    let share = try RunningShare(.replaying())
    let client = try share.connect()
    client.send(Self.watch)
    #expect(client.hears("\"WATCH\""))
    let grant = try eventually(within: patience) {
      try share.daemon.control("grant", share.app, "always", "--reduced").exit() == 0
    }
    #expect(grant)
    // Another client keeps the receiver running.
    let other = try share.daemon.connect()
    other.request("startUpdatingLocation")
    try share.daemon.waitForFixes()
    client.send("?DEVICES;?POLL;")
    #expect(client.hears("\"POLL\"") && !client.knows, "\(client.text)")
  }

  @Test(
    "a connection that begins as a browser's is closed unanswered",
    arguments: [
      "POST / HTTP/1.1\r\n\r\n?WATCH={\"json\":true};?POLL;", "GET /", "\u{16}\u{03}\u{01}\u{00}",
    ])
  func web(text: String) throws {
    let share = try RunningShare(.replaying())
    let client = try share.connect()
    client.send(text)
    #expect(client.isClosed() && client.text.isEmpty)
  }

  /// Some of gpsd's programs wait for the greeting: silence is no browser's mark.
  @Test(
    "a program that is silent is greeted, and let go at a browser's first word, though it may know"
  )
  func webGreeted() throws {
    let share = try RunningShare(.replaying())
    let other = try share.connect()
    other.send(Self.watch)
    try share.grant()
    #expect(other.hears("\"lat\":"))
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
    let share = try RunningShare(.replaying())
    defer { share.program.signal(SIGCONT) }
    var count = 0
    for _ in 0..<100 where count < 5 {
      try #require(try eventually(within: patience) { try !Self.isConnected(share) })
      let client = try share.connect()
      try #require(try eventually(within: patience) { try Self.isConnected(share) })
      share.program.signal(SIGSTOP)
      try #require(eventually(within: patience) { Self.isStopped(share.program) })
      // A busy machine may have greeted it before, as gpsd greets.
      client.read()
      let isInTime = client.text.isEmpty
      if isInTime {
        try #require(eventually(within: patience) { Self.isTimeOver(share.program) })
      }
      client.send(text)
      share.program.signal(SIGCONT)
      #expect(client.isClosed())
      if isInTime {
        #expect(client.text.isEmpty, "\(client.text)")
        count += 1
      }
    }
    #expect(count == 5)
  }

  /// A timer of the program has come to its end, and has not been looked at.
  private static func isTimeOver(_ program: Program) -> Bool {
    let folder = "/proc/\(program.pid)/fdinfo"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.contains {
      let text = (try? String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8)) ?? ""
      return text.contains("ticks: ") && !text.contains("ticks: 0\n")
    }
  }

  /// The daemon knows of a program at the share's doors.
  private static func isConnected(_ share: RunningShare) throws -> Bool {
    let clients = try share.daemon.connect().ask("status")["result"]?["clients"]?.array
    return clients?.contains { $0["app"]?.string == share.app } == true
  }

  static func isStopped(_ program: Program) -> Bool {
    let text = try? kernelText("/proc/\(program.pid)/stat")
    return text?.contains(") T ") == true
  }

  @Test("an earlier daemon's place is told nobody while it is away, nor when it comes again")
  func restarted() throws {
    let (listener, port) = try Listener.tcp()
    let daemon = try RunningDaemon(
      ["nmea+tcp://127.0.0.1:\(port)"], flags: ["--in-use", "connected"])
    let share = try RunningShare(daemon)
    let client = try share.connect()
    client.send(Self.watch)
    try share.grant()
    try hears(client, listener.accept())
    client.send("?POLL;")
    #expect(client.hears(#""active":1,"tpv":[{"class":"TPV""#))
    daemon.program.signal(SIGKILL)
    _ = try daemon.program.exit()
    while try !share.program.line().contains("locationd is lost") {}
    client.send("?POLL;")
    #expect(client.hears(#""active":0,"tpv":[],"gst":[],"sky":[]"#), "\(client.text)")
    // Reports of before the loss may have come until here.
    client.forget()
    try daemon.startAgain()
    #expect(client.hears("\"DEVICE\""), "it may know again")
    client.send("?POLL;")
    #expect(client.hears(#""active":1,"tpv":[],"gst":[],"sky":[]"#), "\(client.text)")
    #expect(!client.text.contains("\"lat\""))
    client.forget()
    try hears(client, listener.accept())
  }

  /// A receiver speaks until the client hears of it.
  private func hears(_ client: WordClient, _ receiver: Speaker) throws {
    let isHeard = eventually(within: patience) {
      receiver.say(Recording.epoch(now: Date()))
      return client.hears("\"lat\":", within: 0.1)
    }
    try #require(isHeard, "\(client.text)")
  }
}
