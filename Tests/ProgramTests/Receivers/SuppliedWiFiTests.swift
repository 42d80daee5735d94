import Foundation
import Glibc
import LocationModel
import TestSupport
import Testing

@Suite("Wi-Fi networks, by wpa_supplicant", .serialized) final class SuppliedWiFiTests {
  private let bus: PrivateBus
  private let supplicant: PlayedSupplicant
  private let state = FileManager.default.temporaryDirectory.path + "/wifi-\(UUID())"

  init() throws {
    bus = try PrivateBus(guests: [PlayedNetworkManager.name], own: PlayedSupplicant.policy)
    supplicant = try PlayedSupplicant(bus)
    for part: UInt8 in [0x40, 0x50, 0x60] {
      try supplicant.add([0x00, 0x11, 0x22, 0x33, part, 0x00], named: "net")
    }
  }

  deinit { try? FileManager.default.removeItem(atPath: state) }

  private func daemon(_ sources: [String] = ["wifi:"]) throws -> RunningDaemon {
    try RunningDaemon(
      sources, files: ["locationd.conf": "[Sources]\nLingerSec=0\n"], bus: bus, logLevel: "debug",
      state: state)
  }

  @discardableResult private func learn() throws -> ClosedRange<Double> {
    defer { supplicant.forgetScan(seconds: 60) }
    return try supplicant.teach { try daemon($0) }
  }

  @Test("what a receiver has taught is given back later, through all that befalls radios")
  func life() throws {
    let taught = try learn()
    try supplicant.add([0x00, 0x11, 0x22, 0x33, 0x80, 0x00], named: "x_nomap")
    let daemon = try daemon()
    let client = try daemon.connect()
    try supplicant.expectSilence(client)
    supplicant.forgetScan(seconds: 60)

    client.request("startUpdatingLocation")
    let first = try supplicant.place(client)
    #expect(first.source == "wifi:" && (20.0...300).contains(first.horizontalAccuracy))
    #expect(taught.contains(first.coordinate.latitude))
    #expect(supplicant.requests == 1)
    // The wire is none of its radios.
    #expect(try client.wifiSource["device"]?.string == "wlan7")
    #expect(try client.wifiStatus["mayScan"] == .bool(true))

    // A scan that failed has no list.
    let lists = supplicant.lists
    try supplicant.failScan()
    try supplicant.scan()
    #expect(try supplicant.place(client).source == "wifi:")
    #expect(supplicant.lists == lists + 1)

    // Off, as by rfkill, and on again: another's scan will do.
    try supplicant.turn(to: "interface_disabled")
    try supplicant.waitForReason("is off", client)
    try supplicant.turn(to: "disconnected")
    try supplicant.backWithOneScan(client)
    try supplicant.plug(false)
    try supplicant.waitForReason("this machine has no Wi-Fi radio", client)
    try supplicant.plug(true)
    try supplicant.backWithOneScan(client)
    try supplicant.end()
    try supplicant.waitForReason("neither NetworkManager nor wpa_supplicant", client)
    try supplicant.begin()
    try supplicant.backWithOneScan(client)

    _ = try client.ask("stopUpdatingLocation")
    try supplicant.play("the source to close") {
      try client.wifiSource["state"]?.string == "closed"
    }
    try supplicant.expectSilence(client)
    #expect(supplicant.requests == 1)
    daemon.program.signal(SIGTERM)
    #expect(try daemon.program.exit() == 0)
  }

  @Test("a scan that the bus refuses is said in the remark, and those of others give the place")
  func refused() throws {
    try learn()
    supplicant.refusal = "org.freedesktop.DBus.Error.AccessDenied"
    let client = try daemon().connect()
    client.request("startUpdatingLocation")
    try supplicant.play("a refusal") { try client.wifiStatus["mayScan"] == .bool(false) }
    let remark = try client.wifiSource["remark"]?.string
    #expect(remark?.hasPrefix("wpa_supplicant makes no scans for locationd") == true)
    try supplicant.scan()
    #expect(try supplicant.place(client).source == "wifi:")
    #expect(supplicant.requests == 1)
  }

  @Test("a scan that the radio cannot make just now is no refusal")
  func busy() throws {
    try learn()
    supplicant.refusal = "fi.w1.wpa_supplicant1.Interface.ScanError"
    let client = try daemon().connect()
    client.request("startUpdatingLocation")
    try supplicant.play("a request") { supplicant.requests == 1 }
    try supplicant.scan()
    #expect(try supplicant.place(client).source == "wifi:")
    #expect(try client.wifiSource["remark"]?.string?.contains("makes no scans") != true)
    #expect(try client.wifiStatus["mayScan"] != .bool(false))
  }

  @Test("NetworkManager, where it comes, has the radios, and wpa_supplicant again when it goes")
  func managed() throws {
    let client = try daemon().connect()
    client.request("startUpdatingLocation")
    try supplicant.play("a scan") { supplicant.requests == 1 && !supplicant.isToScan }
    try supplicant.play("a list") { supplicant.lists > 1 }
    let calls = supplicant.calls
    do {
      let manager = try PlayedNetworkManager(bus)
      try manager.play("its list") { manager.lists > 0 }
      try supplicant.scan()
      try manager.scan()
      try manager.play("another list") { manager.lists > 1 }
      #expect(supplicant.calls == calls)
    }
    try supplicant.play("the radios of wpa_supplicant") { supplicant.calls > calls }
  }
}
