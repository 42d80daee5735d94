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

  @discardableResult private func learn() throws -> ClosedRange<Double> {
    defer { manager.forgetScan(seconds: 60) }
    return try manager.teach { try daemon($0) }
  }

  @Test("what a receiver has taught is given back later, through all that befalls radios")
  func life() throws {
    let taught = try learn()
    // A hidden one, one for no map, one that made its address up.
    try manager.add("00:11:22:33:70:00", named: [])
    try manager.add("00:11:22:33:80:00", named: Array("x_nomap".utf8))
    try manager.add("02:11:22:33:90:00", named: Array("x".utf8))
    let daemon = try daemon()
    let client = try daemon.connect()
    try manager.expectSilence(client)
    manager.forgetScan(seconds: 60)

    client.request("startUpdatingLocation")
    let first = try manager.place(client)
    #expect(first.source == "wifi:" && (20.0...300).contains(first.horizontalAccuracy))
    #expect(taught.contains(first.coordinate.latitude))
    #expect(manager.requests == 1)
    #expect(try client.wifiSource["device"]?.string == "wlan7")
    #expect(try client.wifiStatus["mayScan"] == .bool(true))

    // Off, as by rfkill, and on again: another's scan will do.
    try manager.turn(to: 20)
    try manager.waitForReason("is off", client)
    try manager.turn(to: 100)
    try manager.backWithOneScan(client)
    // NetworkManager lets go of a radio before it is gone.
    try manager.turn(to: 10)
    try manager.waitForReason("leaves the Wi-Fi radio to others", client)
    try manager.plug(false)
    try manager.waitForReason("no Wi-Fi radio", client)
    try manager.turn(to: 100)
    try manager.plug(true)
    try manager.backWithOneScan(client)
    try manager.restart()
    try manager.backWithOneScan(client)

    _ = try client.ask("stopUpdatingLocation")
    try manager.play("the source to close") {
      try client.wifiSource["state"]?.string == "closed"
    }
    try manager.expectSilence(client)
    #expect(manager.requests == 1)
    try noTrace(of: daemon)
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
    try manager.play("a refusal") { try client.wifiStatus["mayScan"] == .bool(false) }
    #expect(try client.wifiSource["remark"]?.string?.contains("makes no scans") == true)
    try manager.scan()
    #expect(try manager.place(client).source == "wifi:")
    #expect(manager.requests == 1)
    let said = try daemon.control("wifi", "--socket", daemon.socket, "status").text().text
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
      try manager.play("nothing learnt") { try client.wifiStatus["networks"] == .integer(0) }
      daemon.program.signal(SIGTERM)
      _ = try daemon.program.exit()
    }
    let daemon = try daemon()
    #expect(try daemon.connect().wifiStatus["networks"] == .integer(0))
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
      try client.wifiSource["reason"]?.string?.contains("neither NetworkManager") == true
    }
    #expect(isSaid)
  }
}
