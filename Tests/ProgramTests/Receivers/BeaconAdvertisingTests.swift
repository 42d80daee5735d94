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
    let sent = try #require(bluez.advertisements.first?.asDictionary)
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
    try bluez.plug(false)
    #expect(try line(program, bluez).hasSuffix("no beacon now: there is no Bluetooth adapter"))
    program.signal(SIGINT)
    #expect(try program.exit() == 0)
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
