import Foundation
import Glibc
import LocationModel
import TestSupport
import Testing

@Suite("gpsd's words, from a crowd") struct ShareCrowdTests {
  @Test("endless lines, storms and a thousand connections are bounded, and nobody else waits")
  func hostile() throws {
    let share = try RunningShare(.replaying())
    let first = try share.connect()
    first.send("?VERSION;")
    try share.grant()
    first.end()
    let good = try Program([
      "/usr/bin/python3", "-c", Self.gaps, "\(share.port)", "\(share.program.pid)",
      "\(share.daemon.program.pid)",
    ])
    _ = try good.line()

    let endless = try share.connect()
    endless.send("?WATCH=")
    let block = [UInt8](repeating: UInt8(ascii: "{"), count: 1 << 16)
    for _ in 0..<160 where endless.descriptor >= 0 { endless.send(block) }
    #expect(try share.program.heldMemory < 32 << 10)
    let storm = try share.connect()
    for _ in 0..<2000 {
      storm.send("?WATCH={\"enable\":true};?WATCH={\"enable\":false};")
      storm.read()
    }
    #expect(try share.program.heldMemory < 32 << 10)
    // These clients read nothing.
    for count in 1...2 {
      let slow = try share.connect()
      slow.send("?WATCH={\"enable\":true,\"json\":true,\"nmea\":true}")
      var sent = 0
      while sent < 50_000, slow.send("?DEVICES;?WATCH;") { sent += 1 }
      while try !share.program.line().contains("is let go; \(count) so far") {}
      #expect(slow.isClosed())
    }
    let isCounted = try eventually(within: patience) {
      let status = try share.daemon.connect().ask("status")["result"]
      return status?["counters"]?["slow"]?.integer == 2
    }
    #expect(isCounted, "status counts them")
    var crowd: [WordClient] = []
    for _ in 0..<1000 {
      let one = try share.connect()
      one.send("?POLL;")
      crowd.append(one)
    }
    let ended = eventually(within: patience) { crowd.count { !$0.read() } >= 1000 - 256 }
    #expect(ended, "one user has so many at most")
    crowd.removeAll()
    let next = try eventually(within: patience) {
      let one = try share.connect()
      one.send("?VERSION;")
      return one.hears("\"VERSION\"", within: 1)
    }
    #expect(next)
    var longest = 0.0
    while let line = good.waitingLine() { longest = max(longest, Double(line) ?? .infinity) }
    // The good program is told on.
    longest = max(longest, Double(try good.line(within: patience)) ?? .infinity)
    #expect(longest < 1, "the longest pause between two epochs, of a fifth of a second")
    #expect(try share.program.heldMemory < 32 << 10)
  }

  /// A program that watches, and prints the pause before each epoch, without the time in which it, the share or the
  /// daemon waited for a processor.
  private static let gaps = """
    import socket, sys, time
    def queued():
        return sum(int(open(f"/proc/{pid}/schedstat").read().split()[1]) for pid in ("self", *sys.argv[2:])) / 1e9
    s = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
    s.sendall(b'?WATCH={"enable":true,"json":true};')
    last = None
    for line in s.makefile():
        if '"lat"' in line:
            now = time.monotonic() - queued()
            print(now - (last or now), flush=True)
            last = now
    """

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

  @Test("a user has 256 programs at most, and takes no other user's place", .asRoot)
  func perUser() throws {
    let daemon = try RunningDaemon(["static:45,7"], flags: ["--in-use", "connected"])
    let share = try RunningShare(daemon)
    let script = """
      import socket
      all = [socket.create_connection(("127.0.0.1", \(share.port))) for _ in range(300)]
      def isServed(one):
          try:
              one.sendall(b"?VERSION;")
              return b"VERSION" in one.recv(4096)
          except OSError: return False
      print(sum(map(isServed, all)), flush=True)
      all[0].recv(1)
      """
    let crowds = try [2001, 2002].map {
      try Program([
        "setpriv", "--reuid=\($0)", "--regid=2000", "--clear-groups", "/usr/bin/python3", "-c",
        script,
      ])
    }
    for crowd in crowds { #expect(try crowd.line() == "256") }
    let own = try share.connect()
    own.send("?VERSION;")
    #expect(own.hears("\"VERSION\""))
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
    // The journal has some of them an hour, however many there are.
    for count in 1...HourlyLines.most {
      while try !share.program.line().contains("is let go; \(count) so far") {}
    }
    while let line = share.program.waitingLine() { #expect(!line.contains("is let go"), "\(line)") }
    #expect(max(most, try share.program.heldMemory) < 24 << 10)
  }
}
