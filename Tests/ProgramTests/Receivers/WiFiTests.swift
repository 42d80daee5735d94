import Foundation
import Glibc
import LocationModel
import Platform
import TestSupport
import Testing

@Suite("Wi-Fi networks, by NetworkManager", .serialized) final class WiFiTests {
  private static let addresses = ["00:11:22:33:40:00", "00:11:22:33:50:00", "00:11:22:33:60:00"]

  private let bus: PrivateBus
  private let manager: PlayedNetworkManager
  private let state = FileManager.default.temporaryDirectory.path + "/wifi-\(UUID())"

  init() throws {
    bus = try PrivateBus(own: PlayedNetworkManager.policy)
    manager = try PlayedNetworkManager(bus)
    try manager.hear(Self.addresses)
  }

  deinit { try? FileManager.default.removeItem(atPath: state) }

  private func daemon(_ sources: [String] = ["wifi:"], learns: String = "yes") throws
    -> RunningDaemon
  {
    try RunningDaemon(
      sources, files: ["locationd.conf": "[Sources]\nLingerSec=0\nLearnNetworks=\(learns)\n"],
      bus: bus, logLevel: "debug", state: state)
  }

  /// A daemon with a receiver drives through a street, and ends.
  private func learn() throws {
    let (speaker, path) = try makePty()
    let daemon = try daemon(["nmea://\(path)?baud=9600", "wifi:"])
    let client = try daemon.connect()
    client.request("startUpdatingLocation")
    let epochs = Recording.epochs(200)
    var second = 0
    for _ in 0..<5 {
      try manager.play("a fix") {
        speaker.say(epochs[second])
        second += 1
        return try client.location(within: 0.3) != nil
      }
      let lists = manager.lists
      try manager.scan()
      try manager.play("the list") { manager.lists > lists }
      // The receiver's next fix, forty metres on, tells where it was at the scan.
      second += 3
      let next = Clock.boottime + .seconds(1)
      try manager.play("a second") { Clock.boottime > next }
    }
    try manager.play("the networks") {
      speaker.say(epochs[second])
      second += 1
      return try self.status(client)["networks"]?.integer == 3
    }
    daemon.program.signal(SIGTERM)
    #expect(try daemon.program.exit() == 0)
    manager.forgetScan(seconds: 60)
  }

  private func status(_ client: SocketClient) throws -> JSON {
    try #require(try client.ask("wifi.status")["result"])
  }

  private func source(_ client: SocketClient) throws -> JSON {
    try #require(try client.ask("status")["result"]?["sources"]?.array?.last)
  }

  private func place(_ client: SocketClient) throws -> Location {
    var place: Location?
    try manager.play("a place") {
      place = try client.location(within: 0.02) ?? place
      return place?.kind == .wifi
    }
    return try #require(place)
  }

  @Test("what a receiver has taught is given back later, through all that befalls radios")
  func life() throws {
    try learn()
    // A hidden one, one for no map, one that made its address up.
    try manager.add("00:11:22:33:70:00", named: [])
    try manager.add("00:11:22:33:80:00", named: Array("x_nomap".utf8))
    try manager.add("02:11:22:33:90:00", named: Array("x".utf8))
    let calls = manager.calls
    let daemon = try daemon()
    let client = try daemon.connect()
    // While nobody wants a place it asks nothing, whatever scans are made.
    for _ in 0..<5 {
      try manager.scan()
      _ = try client.ask("status")
    }
    #expect(manager.calls == calls)
    manager.forgetScan(seconds: 60)

    client.request("startUpdatingLocation")
    let first = try place(client)
    #expect(first.source == "wifi:" && (20.0...300).contains(first.horizontalAccuracy))
    #expect((first.coordinate.latitude - 45.0006).magnitude < 0.001)
    #expect(manager.requests == 1)
    #expect(try source(client)["device"]?.string == "wlan7")
    #expect(try status(client)["mayScan"] == .bool(true))

    // Off, as by rfkill, and on again: another's scan will do.
    try manager.turn(to: 20)
    try manager.play("the radio to be off") {
      try source(client)["reason"]?.string?.contains("is off") == true
    }
    try manager.turn(to: 100)
    try backWithOneScan(client)
    try manager.plug(false)
    try manager.play("the radio to be gone") {
      try source(client)["reason"]?.string?.contains("no Wi-Fi radio") == true
    }
    try manager.plug(true)
    try backWithOneScan(client)
    try manager.restart()
    try backWithOneScan(client)

    // No client is left: nothing is asked.
    _ = try client.ask("stopUpdatingLocation")
    try manager.play("the source to close") {
      try source(client)["state"]?.string == "closed"
    }
    let before = manager.calls
    for _ in 0..<5 {
      try manager.scan()
      _ = try client.ask("status")
    }
    #expect(manager.calls == before && manager.requests == 1)
    try noTrace(of: daemon)
  }

  private func backWithOneScan(_ client: SocketClient) throws {
    try manager.play("the radio to be back") {
      let source = try source(client)
      return source["state"] != "failed" && source["device"] == "wlan7"
    }
    while try client.location(within: 0.05) != nil {}
    try manager.scan()
    #expect(try place(client).source == "wifi:")
  }

  /// The log and the files that others may read say no network.
  private func noTrace(of daemon: RunningDaemon) throws {
    daemon.program.signal(SIGTERM)
    let said = (daemon.lines.joined(separator: "\n") + (try daemon.program.text().text))
      .lowercased()
    for word in ["00:11:22", "001122", "net\"", "45.0"] { #expect(!said.contains(word), "\(word)") }
    let database = "\(state)/locationd.db"
    let mode = try FileManager.default.attributesOfItem(atPath: database)[.posixPermissions] as? Int
    #expect(mode == 0o600)
  }

  @Test("without polkit's rule it lives on the scans of others, and says so")
  func refused() throws {
    try learn()
    manager.refuses = true
    let daemon = try daemon()
    let client = try daemon.connect()
    client.request("startUpdatingLocation")
    try manager.play("a refusal") { try status(client)["mayScan"] == .bool(false) }
    #expect(try source(client)["remark"]?.string?.contains("makes no scans") == true)
    try manager.scan()
    #expect(try place(client).source == "wifi:")
    #expect(manager.requests == 1)
    let said = try daemon.control("wifi", "status").text().text
    #expect(said.contains("refused") && said.contains("3 networks"))
  }

  @Test(
    "forget and LearnNetworks=no take networks and their secret from the disk",
    arguments: [true, false])
  func forget(byCommand: Bool) throws {
    try learn()
    do {
      let daemon = try daemon(learns: byCommand ? "yes" : "no")
      let client = try daemon.connect()
      if byCommand { #expect(try daemon.control("forget").exit() == 0) }
      try manager.play("nothing learnt") { try status(client)["networks"] == .integer(0) }
      daemon.program.signal(SIGTERM)
      _ = try daemon.program.exit()
    }
    let daemon = try daemon()
    #expect(try status(daemon.connect())["networks"] == .integer(0))
    let script =
      "SELECT (SELECT count(*) FROM network) + (SELECT count(*) FROM record WHERE kind = 'networks')"
    daemon.program.signal(SIGTERM)
    _ = try daemon.program.exit()
    let rows = try Program([
      "/usr/bin/python3", "-c",
      "import sqlite3, sys; print(sqlite3.connect(sys.argv[1]).execute(sys.argv[2]).fetchone()[0])",
      "\(state)/locationd.db", script,
    ])
    #expect(try rows.line() == "0")
  }

  @Test("where there is neither NetworkManager nor wpa_supplicant, the status says so")
  func none() throws {
    let bus = try PrivateBus()
    let daemon = try RunningDaemon(["wifi:"], bus: bus)
    let client = try daemon.connect()
    client.request("startUpdatingLocation")
    let isSaid = try eventually(within: patience) {
      try self.source(client)["reason"]?.string?.contains("neither NetworkManager") == true
    }
    #expect(isSaid)
  }
}
