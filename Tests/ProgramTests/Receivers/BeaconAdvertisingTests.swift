import DBus
import Foundation
import LocationModel
import Platform
import TestSupport
import Testing

@Suite("A beacon that this machine is") struct BeaconAdvertisingTests {
  let bus: PrivateBus
  let daemon: RunningDaemon

  init() throws {
    bus = try PrivateBus(own: PlayedBlueZ.policy)
    daemon = try RunningDaemon(["static:45,7,100,5"], bus: bus)
  }

  /// locationctl, its complaints among its lines.
  private func advertise(_ arguments: String...) throws -> Program {
    try Program(
      ["sh", "-c", "exec \"$@\" 2>&1", "sh", Program.path("locationctl"), "beacons", "advertise"]
        + [PlayedBlueZ.uuid] + arguments, environment: ["LOCATIOND_SOCKET": daemon.socket])
  }

  /// The data of the beacons.
  private func sent(_ bluez: PlayedBlueZ) -> [BusValue?] {
    bluez.advertisements.values.map { $0.asDictionary?["ManufacturerData"] }
  }

  private func line(_ program: Program, _ bluez: PlayedBlueZ) throws -> String {
    var line: String?
    try bluez.client.wait("a line") {
      line = program.waitingLine()
      return line != nil
    }
    return try #require(line)
  }

  @Test("the frame is sent to all as long as the command runs, also after bluetoothd's restart")
  func sends() throws {
    var bluez = try PlayedBlueZ(bus)
    let program = try advertise("1", "5")
    #expect(
      try line(program, bluez) == "This machine is the beacon \(PlayedBlueZ.uuid) 1 5 until Ctrl-C."
    )
    let sent = try #require(bluez.advertisements.values.first?.asDictionary)
    #expect(bluez.advertisements.count == 1 && sent["Type"] == .string("broadcast"))
    #expect(sent["ManufacturerData"] == PlayedBlueZ.makers(PlayedBlueZ.frame(5)))
    try bluez.leave()
    #expect(try line(program, bluez).hasSuffix("no beacon now: bluetoothd does not run"))
    bluez = try PlayedBlueZ(bus)
    #expect(try line(program, bluez).hasPrefix("This machine is the beacon"))
    program.signal(SIGKILL)
    try bluez.client.wait("its end") { bluez.advertisements.isEmpty }
  }

  @Test("an adapter that is off or missing is said and waited for")
  func waits() throws {
    let bluez = try PlayedBlueZ(bus, isPowered: false)
    let program = try advertise("1", "5", "--power", "-65")
    #expect(try line(program, bluez).hasSuffix("no beacon now: the Bluetooth adapter is off"))
    try bluez.power(true)
    #expect(try line(program, bluez).hasPrefix("This machine is the beacon"))
    #expect(sent(bluez) == [PlayedBlueZ.makers(PlayedBlueZ.frame(5, power: -65))])
    try bluez.plug(false)
    #expect(try line(program, bluez).hasSuffix("no beacon now: there is no Bluetooth adapter"))
    program.signal(SIGINT)
    #expect(try program.exit() == 0)
  }

  @Test("the end of one command leaves the other's beacon as it is")
  func apart() throws {
    let bluez = try PlayedBlueZ(bus)
    let programs = [try advertise("1", "5"), try advertise("1", "6")]
    for program in programs {
      #expect(try line(program, bluez).hasPrefix("This machine is the beacon"))
    }
    #expect(bluez.advertisements.count == 2)
    programs[0].signal(SIGKILL)
    try bluez.client.wait("its end") { bluez.advertisements.count < 2 }
    #expect(sent(bluez) == [PlayedBlueZ.makers(PlayedBlueZ.frame(6))])
  }

  @Test("programs on the bus are told that the beacon is sent, and why it is not")
  func onTheBus() throws {
    let bluez = try PlayedBlueZ(bus, isPowered: false)
    let (client1, administrator) = ("org.locationd.Client1", try daemon.connect())
    let app = try #require(try administrator.ask("hello")["result"]?["app"]?.string)
    _ = try administrator.ask(
      "permissions.set", ["app": .string(app), "authorization": "authorizedAlways"])
    try bluez.client.waitForDaemon()
    let object = try #require(
      try bluez.client.ask(
        "/org/locationd", "org.locationd.Manager1", "CreateClient", [.dictionary([:])]
      ).first?.asString)
    var beacon: [String: BusValue] = [
      "uuid": .string(PlayedBlueZ.uuid), "major": .uint16(1), "minor": .uint16(9),
    ]
    beacon["measuredPower"] = .int16(-128)
    #expect(
      try bluez.client.ask(object, client1, "StartAdvertising", [.dictionary(beacon)]) == [])
    #expect(
      try bluez.client.signal("AdvertisingDidFail").arguments() == [
        .int32(16), .string("the Bluetooth adapter is off"),
      ])
    try bluez.power(true)
    #expect(try bluez.client.signal("DidStartAdvertising").arguments() == [])
    #expect(sent(bluez) == [PlayedBlueZ.makers(PlayedBlueZ.frame(9, power: -128))])
    beacon["measuredPower"] = .int16(128)
    #expect(
      try bluez.client.refusal(object, client1, "StartAdvertising", [.dictionary(beacon)])
        == "org.locationd.Error.InvalidArgs")
    #expect(try bluez.client.ask(object, client1, "StopAdvertising") == [])
    try bluez.client.wait("its end") { bluez.advertisements.isEmpty }
  }

  @Test(
    "a person is asked before anything is sent; while using suffices while the command is in front",
    arguments: [("a", "authorizedAlways"), ("w", "authorizedWhenInUse"), ("d", "denied")])
  func asked(answer: String, authorization: String) throws {
    let bus = try PrivateBus(own: PlayedBlueZ.policy)
    let bluez = try PlayedBlueZ(bus)
    let daemon = try RunningDaemon(files: ["policy.d/ask.conf": "[Rule]\nAction=ask\n"], bus: bus)
    let typist = try Typist(daemon, answers: [answer])
    try typist.wait(for: "come here")
    let program = try Program(
      onTerminal([
        Program.path("locationctl"), "beacons", "advertise", PlayedBlueZ.uuid, "1", "5",
        "--socket", daemon.socket,
      ]))
    try typist.wait(for: "It calls itself “locationctl beacons advertise”")
    if answer != "d" {
      #expect(try line(program, bluez).hasPrefix("This machine is the beacon"))
      #expect(sent(bluez) == [PlayedBlueZ.makers(PlayedBlueZ.frame(5))])
    } else {
      #expect(try program.text().exit == 3)
      #expect(bluez.calls.isEmpty)
    }
    #expect(try daemon.connect().permissions().values.contains(authorization))
  }

  @Test("without Always nothing is sent, by any door")
  func unpermitted() throws {
    let bluez = try PlayedBlueZ(bus)
    let (client, administrator) = (try daemon.connect(), try daemon.connect())
    let app = try #require(try client.ask("hello")["result"]?["app"]?.string)
    let beacon: JSON = [
      "uuid": .string(PlayedBlueZ.uuid), "major": .integer(1), "minor": .integer(2),
    ]
    for authorization in ["authorizedWhenInUse", "denied"] {
      _ = try administrator.ask(
        "permissions.set", ["app": .string(app), "authorization": .string(authorization)])
      #expect(try client.ask("startAdvertising", beacon)["error"]?["code"]?.integer == 1)
      let program = try advertise("1", "2")
      #expect(try program.exit() != 0)
      try bluez.client.waitForDaemon()
      let object = try #require(
        try bluez.client.ask(
          "/org/locationd", "org.locationd.Manager1", "CreateClient", [.dictionary([:])]
        ).first?.asString)
      #expect(
        try bluez.client.refusal(
          object, "org.locationd.Client1", "StartAdvertising",
          [
            .dictionary([
              "uuid": .string(PlayedBlueZ.uuid), "major": .uint16(1), "minor": .uint16(2),
            ])
          ]) == "org.locationd.Error.Denied")
    }
    #expect(bluez.calls.isEmpty)
  }
}
