import DBus
import Foundation
import LocationModel
import TestSupport
import Testing

@Suite("Battery and network of a track", .serialized, .timeLimit(.minutes(60)))
struct SurroundingsTests {
  private static let upower = "org.freedesktop.UPower"
  private static let manager = "org.freedesktop.NetworkManager"
  private static let display = "/org/freedesktop/UPower/devices/DisplayDevice"
  private static let network = "/org/freedesktop/NetworkManager"

  private func set(
    _ service: MockService, _ path: String, _ interface: String, _ values: [String: BusValue]
  ) throws {
    try service.mock(path, "UpdateProperties", [.string(interface), .dictionary(values)])
  }

  @Test("each entry has both as they are, and what was kept without a network goes out with it")
  func surroundings() throws {
    let bus = try PrivateBus(guests: [Self.upower, Self.manager])
    let battery = try MockService(
      [Self.upower, Self.display, "\(Self.upower).Device"], as: Self.upower, on: bus)
    try battery.mock(
      Self.display, "AddProperties",
      [
        .string("\(Self.upower).Device"),
        .dictionary([
          "IsPresent": .bool(true), "Percentage": .double(71.6), "State": .uint32(2),
        ]),
      ])
    let manager = try MockService(
      [Self.manager, Self.network, Self.manager], as: Self.manager, on: bus)
    try manager.mock(
      Self.network, "AddProperties",
      [
        .string(Self.manager),
        .dictionary([
          "State": .uint32(70), "PrimaryConnectionType": .string("802-11-wireless"),
        ]),
      ])
    let broker = try RunningBroker()
    try broker.kill()
    let daemon = try TrackerTests.driving(rate: 20)
    let tracker = try RunningTracker(daemon, TrackerTests.uplink(broker), bus: bus)
    func newest() throws -> JSON? { try tracker.entries().last }
    #expect(
      try eventually(within: patience) {
        let entry = try newest()
        return entry?["battery"]?.integer == 72 && entry?["power"]?.string == "unplugged"
          && entry?["network"]?.string == "wifi"
      })
    try set(manager, Self.network, Self.manager, ["State": .uint32(20)])
    #expect(try eventually(within: patience) { try newest()?["network"]?.string == "none" })
    try broker.startAgain()
    try set(
      manager, Self.network, Self.manager,
      ["State": .uint32(70), "PrimaryConnectionType": .string("gsm")])
    #expect(try eventually(within: patience) { try newest()?["network"]?.string == "mobile" })
    daemon.program.signal(SIGSTOP)
    #expect(try eventually(within: patience) { try tracker.backlog() == 0 })
    try battery.mock(
      Self.display, "UpdateProperties",
      [.string("\(Self.upower).Device"), .dictionary(["IsPresent": .bool(false)])])
    daemon.program.signal(SIGCONT)
    #expect(try eventually(within: patience) { try newest()?["battery"] == nil })
  }

  @Test("an uplink for certain networks waits on others, says so, and goes on when its own comes")
  func onlyOn() throws {
    let bus = try PrivateBus(guests: [Self.manager])
    let path = "/org/freedesktop/NetworkManager/ActiveConnection/"
    let active = "org.freedesktop.NetworkManager.Connection.Active"
    let manager = try MockService(
      [Self.manager, Self.network, Self.manager], as: Self.manager, on: bus)
    try manager.mock(
      Self.network, "AddObject",
      [
        .string("\(path)1"), .string(active),
        .dictionary(["Id": .string("Phone"), "Uuid": .string("u1"), "Type": .string("gsm")]),
        .array(of: "(ssss)", []),
      ])
    try manager.mock(
      Self.network, "AddProperties",
      [
        .string(Self.manager),
        .dictionary([
          "State": .uint32(70), "PrimaryConnectionType": .string("gsm"),
          "PrimaryConnection": .path("\(path)1"),
        ]),
      ])
    let broker = try RunningBroker()
    let tracker = try RunningTracker(
      try TrackerTests.driving(rate: 20),
      TrackerTests.uplink(broker) + "OnlyOn=\"At home\" wired\n", bus: bus)
    func uplink() throws -> JSON? { try tracker.ask("status")["uplinks"]?.array?.first }
    #expect(
      try eventually(within: patience) {
        let uplink = try uplink()
        return uplink?["waits"]?.string?.contains("this is 'Phone'") == true
          && uplink?["backlog"]?.integer ?? 0 > 5 && uplink?["confirmed"] == nil
      })
    try set(manager, "\(path)1", active, ["Id": .string("At home")])
    #expect(
      try eventually(within: patience) {
        let uplink = try uplink()
        return uplink?["waits"] == nil && uplink?["confirmed"]?.integer ?? 0 > 5
      })
    try set(manager, "\(path)1", active, ["Id": .string("Phone")])
    try #require(try eventually(within: patience) { try uplink()?["waits"] != nil })
    let confirmed = try uplink()?["confirmed"]?.integer
    let before = try uplink()?["backlog"]?.integer ?? 0
    #expect(
      try eventually(within: patience) { try uplink()?["backlog"]?.integer ?? 0 > before + 3 })
    #expect(try uplink()?["confirmed"]?.integer == confirmed)
  }
}
