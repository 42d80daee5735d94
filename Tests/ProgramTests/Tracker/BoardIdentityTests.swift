import Foundation
import Glibc
import LocationModel
import TestSupport
import Testing

@Suite("One image, many boards", .timeLimit(.minutes(60))) struct BoardIdentityTests {
  @Test("%i is the instance of the unit that the tracker runs in")
  func instance() throws {
    let broker = try RunningBroker()
    let witness = try Subscriber(broker, "fleet/#")
    // A group below the unit's, as a unit with Delegate= may have, is no unit.
    let unit = "/system.slice/system-tracker.slice/locationd-tracker@north.service"
    let group = try Cgroup(unit + "/child@south.service")
    let daemon = try RunningDaemon()
    try daemon.write(
      "[Uplink broker]\nURL=mqtt://127.0.0.1:\(broker.port)/fleet/%i\n", to: "conf")
    let tracker = try Program(
      Cgroup.daemon(
        group.command([
          Program.path("locationd-tracker"), "--config", daemon.folder.appending(path: "conf").path,
          "--socket", daemon.folder.appending(path: "t").path, "--bus", "none", "--state",
          daemon.folder.appending(path: "track").path, "--daemon", daemon.socket,
        ])))
    defer { tracker.signal(SIGKILL) }
    while try !tracker.line().contains("listens") {}
    let status = [
      Program.path("locationctl"), "track", "status", "--json", "--socket",
      daemon.folder.appending(path: "t").path,
    ]
    try #require(
      try eventually(within: patience) {
        try Program(status).text().text.contains("\"connections\":1")
      })
    // The broker says where it was.
    tracker.signal(SIGKILL)
    #expect(
      eventually(within: patience) {
        witness.listen()
        return witness.messages.contains { $0.topic == "fleet/north" }
      })
    let (text, exit) = try Program([
      Program.path("locationd-tracker"), "--check", "--config",
      daemon.folder.appending(path: "conf").path,
    ]).text()
    #expect(exit == 1 && text.contains("%i: the tracker runs in no unit"), "\(text)")
    withExtendedLifetime((witness, broker)) {}
  }

  @Test("%m and %H are this machine's in the topic, and the password is a credential")
  func identity() throws {
    let (text, exit) = try Program([
      "systemd-id128", "machine-id", "--app-specific=6f0c59b1d3e84a27b95d4c1e8a7f3062",
    ]).text()
    try #require(exit == 0, "\(text)")
    let machine = text.trimmingCharacters(in: .whitespacesAndNewlines)
    let host = ProcessInfo.processInfo.hostName
    let authority = try Authority()
    let file = authority.path("passwords")
    let made = try Program(["mosquitto_passwd", "-b", "-c", file, "board", "secret"])
    try #require(try made.exit() == 0)
    _ = try authority.write("secret\n", to: "fleet.password")
    let broker = try RunningBroker("allow_anonymous false\npassword_file \(file)\n")
    let tracker = try RunningTracker(
      try RunningDaemon(),
      """
      [Uplink broker]
      URL=mqtt://board@127.0.0.1:\(broker.port)/fleet/%H/%m
      ClientID=board-%m
      Password=@%d/fleet.password

      """, environment: ["CREDENTIALS_DIRECTORY": authority.folder.path])
    try #require(try eventually(within: patience) { try tracker.entries().count >= 1 })
    try #require(try eventually(within: patience) { try tracker.backlog() == 0 })
    let (kept, end) = try Program([
      "mosquitto_sub", "-h", "127.0.0.1", "-p", "\(broker.port)", "-u", "board", "-P", "secret",
      "-t", "fleet/#", "-C", "1", "-W", "30", "-F", "%t",
    ]).text()
    #expect(end == 0 && kept == "fleet/\(host)/\(machine)\n", "\(kept)")
  }
}
