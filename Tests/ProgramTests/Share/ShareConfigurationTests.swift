import Foundation
import Glibc
import LocationModel
import TestSupport
import Testing

@Suite("The share's configuration") struct ShareConfigurationTests {
  @Test(
    "names paths at which nothing can be: each is a line of the journal, and the doors are open")
  func badPaths() throws {
    let daemon = try RunningDaemon.replaying()
    let (port, taken) = (try RealGpsd.freePort(), daemon.folder.appending(path: "taken").path)
    try daemon.write("mine", to: "taken")
    let bad = ["unix:/proc/nowhere/nmea", "pty:/proc/nowhere/tty", "pty:\(taken)", "unix:\(taken)"]
    let line = "NMEA=\(bad.joined(separator: " ")) tcp:\(port)"
    try daemon.write("[Share]\n\(line)\n", to: "share.conf")
    let share = try Program([
      Program.path("locationd-share"), "--config",
      daemon.folder.appending(path: "share.conf").path, "--daemon", daemon.socket,
    ])
    var lines: [String] = []
    while lines.last?.contains("is ready") != true { lines.append(try share.line()) }
    #expect(lines.count { $0.contains("/proc/nowhere/") } == 2, "\(lines)")
    #expect(lines.count { $0.contains(taken) } == 2, "\(lines)")
    #expect(try String(contentsOfFile: taken, encoding: .utf8) == "mine")
    let client = try WordClient(port: port)
    let isKnown = try eventually(within: patience) {
      let clients = try daemon.connect().ask("status")["result"]?["clients"]?.array
      return clients?.contains { $0["name"] == "NMEA" } == true
    }
    #expect(isKnown)
    withExtendedLifetime(client) {}
  }

  @Test("is read again by SIGHUP, with the level of the journal")
  func logLevel() throws {
    let share = try RunningShare(RunningDaemon())
    func reload(_ text: String, _ networks: [String]) throws -> Bool {
      try share.daemon.write("[Share]\n\(text)\n", to: "share.conf")
      share.program.signal(SIGHUP)
      return try eventually(within: patience) {
        let clients = try share.daemon.connect().ask("status")["result"]?["clients"]?.array
        return clients?.compactMap { $0["name"]?.string }.filter { $0.hasPrefix("everyone") }
          == networks.map { "everyone at \($0)" }
      }
    }
    #expect(try reload("LogLevel=error\nAllow=10.0.0.0/8", ["10.0.0.0/8"]))
    #expect(try reload("LogLevel=info", []))
    #expect(try share.program.line().contains("the configuration was read again"))
    share.program.signal(SIGTERM)
    #expect(try !share.program.text().text.contains("read again"), "the first time is not said")
  }
}
