import Foundation
import LocationModel
import TestSupport
import Testing

@Suite("What the journal tells an administrator") struct JournalTests {
  /// The next line with these words.
  private func line(_ daemon: RunningDaemon, with words: String) throws -> String {
    while true {
      let line = try daemon.program.line()
      if line.contains(words) { return line }
    }
  }

  @Test("a receiver that is lost, found and lost again is one line each, and never a place")
  func receiver() throws {
    let (speaker, path) = try makePty()
    var held: Speaker? = speaker
    let daemon = try RunningDaemon(["nmea://\(path)"])
    let client = try daemon.connect()
    _ = try client.ask("startUpdatingLocation")
    #expect(try line(daemon, with: "nmea:\(path)").hasSuffix("found"))
    held?.say("$GPGGA,120000.00,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,*5B\r\n")
    held = nil
    withExtendedLifetime(speaker) {}
    _ = held
    let other = try RunningDaemon(["nmea:///dev/nowhere"])
    let second = try other.connect()
    _ = try second.ask("startUpdatingLocation")
    #expect(try line(other, with: "/dev/nowhere").contains("is not there"))
  }

  @Test("a permission that is given or taken is one line, with the app and its user")
  func permission() throws {
    let daemon = try RunningDaemon()
    let client = try daemon.connect()
    for (authorization, words) in [("authorizedAlways", "authorizedAlways"), ("denied", "denied")] {
      _ = try client.ask(
        "permissions.set",
        ["app": "app:a.B", "uid": .integer(1000), "authorization": .string(authorization)])
      #expect(try line(daemon, with: "app:a.B (uid 1000)").contains(words))
    }
  }

  @Test("an app's last use and the number of its uses outlive a restart, however soon it comes")
  func uses() throws {
    let daemon = try RunningDaemon()
    let client = try daemon.connect()
    _ = try client.ask("startUpdatingLocation")
    _ = try client.event()
    daemon.program.signal(SIGTERM)
    #expect(try daemon.program.exit() == 0)
    try daemon.startAgain()
    let list = try daemon.connect().ask("permissions.list")["result"]?["permissions"]?.array
    let entry = try #require(list?.first)
    #expect(entry["uses"] == .integer(1))
    #expect(entry["lastUsed"]?.string != nil)
  }
}
