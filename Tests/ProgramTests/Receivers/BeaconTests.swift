import DBus
import Foundation
import LocationModel
import Platform
import TestSupport
import Testing

@Suite("Bluetooth beacons") struct BeaconTests {
  let bus: PrivateBus
  let daemon: RunningDaemon
  let client: SocketClient

  init() throws {
    bus = try PrivateBus(own: PlayedBlueZ.policy)
    daemon = try RunningDaemon(["static:45,7,100,5"], bus: bus)
    client = try daemon.connect()
  }

  private static let parameters: JSON = ["uuid": .string(PlayedBlueZ.uuid)]

  /// The next list that holds something, while the played beacons report.
  private func list(_ bluez: PlayedBlueZ, _ minors: [UInt16]) throws -> [JSON] {
    var found: [JSON] = []
    try bluez.report(minors) {
      while let line = client.waitingLine(reading: true) {
        guard line["method"] == "didRangeBeacons" else { continue }
        found = line["params"]?["beacons"]?.array ?? []
      }
      return found.count == minors.count
    }
    return found
  }

  /// The next failure of ranging, while bluetoothd lives.
  private func failure(_ bluez: PlayedBlueZ?) throws -> String {
    var found: String?
    let isTold = try eventually(within: patience) {
      try bluez?.client.loop.turn(within: .milliseconds(10))
      while let line = client.waitingLine(reading: true) {
        guard line["method"] == "rangingDidFail" else { continue }
        #expect(line["params"]?["code"]?.integer == 16)
        found = line["params"]?["error"]?.string
      }
      return found != nil
    }
    #expect(isTold)
    return found ?? ""
  }

  @Test("discovery, of each report of low energy, lasts as long as a client ranges")
  func discovers() throws {
    let bluez = try PlayedBlueZ(bus)
    #expect(bluez.calls.isEmpty)
    client.request("startRangingBeacons", Self.parameters)
    try bluez.waitUntilDiscovering()
    #expect(bluez.filter["Transport"] == .string("le"))
    #expect(bluez.filter["DuplicateData"] == .bool(true))
    let beacons = try list(bluez, [3, 2])
    #expect(beacons.map { $0["minor"]?.integer } == [2, 3])
    #expect(
      beacons.first?["major"]?.integer == 1 && beacons.first?["uuid"] == .string(PlayedBlueZ.uuid))
    #expect(beacons.first?["proximity"] == "near" && beacons.first?["rssi"]?.integer == -60)
    let accuracy = try #require(beacons.first?["accuracy"]?.double)
    #expect((1.1...1.15).contains(accuracy))
    let start = Clock.boottime
    client.request("stopRangingBeacons", Self.parameters)
    try bluez.waitUntilDiscovering(false)
    #expect(Clock.boottime - start < .seconds(1))
    #expect(bluez.calls == ["SetDiscoveryFilter", "StartDiscovery", "StopDiscovery"])
  }

  @Test(
    "a client that stops while the discovery starts ends it, though bluetoothd refuses that then")
  func stopsEarly() throws {
    let bluez = try PlayedBlueZ(bus)
    bluez.delay = .milliseconds(300)
    client.request("startRangingBeacons", Self.parameters)
    try bluez.client.wait("a start") { bluez.calls.last == "StartDiscovery" }
    client.request("stopRangingBeacons", Self.parameters)
    // Started and stopped once more before the first is answered, and then left.
    client.request("startRangingBeacons", Self.parameters)
    client.request("stopRangingBeacons", Self.parameters)
    try bluez.client.wait("a stop") { bluez.calls.last == "StopDiscovery" }
    try bluez.waitUntilDiscovering(false)
    #expect(bluez.calls == ["SetDiscoveryFilter", "StartDiscovery", "StopDiscovery"])
    client.request("startRangingBeacons", Self.parameters)
    try bluez.waitUntilDiscovering()
    #expect(try list(bluez, [1]).count == 1)
  }

  @Test("a device that says something else is no beacon any more, though it is heard")
  func otherwise() throws {
    let bluez = try PlayedBlueZ(bus)
    client.request("startRangingBeacons", Self.parameters)
    try bluez.waitUntilDiscovering()
    #expect(try list(bluez, [1, 2]).count == 2)
    // Apple's number, and another kind of frame.
    try bluez.report(1, as: [0x10, 0x05, 0x01])
    var left: [Int64?] = []
    try bluez.report([2]) {
      try bluez.report(1, as: .some(nil))
      while let line = client.waitingLine(reading: true) {
        guard let beacons = line["params"]?["beacons"]?.array else { continue }
        left = beacons.map { $0["minor"]?.integer }
      }
      return left == [2]
    }
  }

  @Test("a bluetoothd that does not list its adapters is told of, and asked again")
  func unlisted() throws {
    let bluez = try PlayedBlueZ(bus)
    bluez.refusesList = true
    client.request("startRangingBeacons", Self.parameters)
    #expect(try failure(bluez) == "BlueZ: no list now")
    try bluez.waitUntilDiscovering()
    #expect(try list(bluez, [1]).count == 1)
  }

  @Test("regions alone are heard by a monitor where bluetoothd has them, lists by a discovery")
  func monitors() throws {
    let bluez = try PlayedBlueZ(bus, hasMonitors: true)
    client.request(
      "startMonitoring",
      ["region": ["identifier": "cow", "type": "beacon", "uuid": .string(PlayedBlueZ.uuid)]])
    try bluez.client.wait("a monitor") { !bluez.monitors.isEmpty }
    let monitor = try #require(bluez.monitors.values.first)
    #expect(monitor.properties["Type"] == .string("or_patterns"))
    #expect(
      monitor.properties["Patterns"]
        == .array(
          of: "(yyay)",
          [
            .structure([
              .byte(0), .byte(0xFF),
              .array(of: "y", [.byte(0x4C), .byte(0), .byte(0x02), .byte(0x15)]),
            ])
          ]))
    try bluez.tell("DeviceFound", 7)
    try bluez.client.wait("an entry") {
      while let line = client.waitingLine(reading: true) {
        if line["method"] == "didEnterRegion" { return true }
      }
      return false
    }
    #expect(bluez.calls == ["RegisterMonitor"])
    client.request("startRangingBeacons", Self.parameters)
    try bluez.waitUntilDiscovering()
    #expect(bluez.monitors.isEmpty)
    client.request("stopRangingBeacons", Self.parameters)
    try bluez.client.wait("the monitor again") { !bluez.monitors.isEmpty }
    #expect(bluez.discoverers.isEmpty)
    // Given up, it is replaced by a discovery.
    bluez.releaseMonitors()
    try bluez.waitUntilDiscovering()
    client.request("stopMonitoring", ["identifier": "cow"])
    try bluez.waitUntilDiscovering(false)
    #expect(bluez.monitors.isEmpty)
  }

  @Test("a client that is killed ends the discovery, too")
  func killed() throws {
    let bluez = try PlayedBlueZ(bus)
    let program = try daemon.control("beacons", PlayedBlueZ.uuid)
    try bluez.waitUntilDiscovering()
    program.signal(SIGKILL)
    let start = Clock.boottime
    try bluez.waitUntilDiscovering(false)
    #expect(Clock.boottime - start < .seconds(1))
  }

  @Test("an adapter that is off, blocked, gone and back is told of, and beacons come again")
  func adapter() throws {
    let bluez = try PlayedBlueZ(bus, isPowered: false)
    client.request("startRangingBeacons", Self.parameters)
    #expect(try failure(bluez) == "the Bluetooth adapter is off")
    try bluez.power(true)
    try bluez.waitUntilDiscovering()
    #expect(try list(bluez, [1]).count == 1)
    try bluez.power(false, blocked: true)
    #expect(try failure(bluez) == "the Bluetooth adapter is blocked")
    try bluez.power(true)
    #expect(try list(bluez, [1]).count == 1)
    try bluez.plug(false)
    #expect(try failure(bluez) == "there is no Bluetooth adapter")
    try bluez.plug(true)
    #expect(try list(bluez, [1]).count == 1)
  }

  @Test("bluetoothd that comes late, is killed and comes back finds the client waiting")
  func killedDaemon() throws {
    client.request("startRangingBeacons", Self.parameters)
    #expect(try failure(nil) == "bluetoothd does not run")
    for _ in 0..<2 {
      let bluez = try PlayedBlueZ(bus)
      #expect(try list(bluez, [4]).count == 1)
      try bluez.leave()
      #expect(try failure(bluez) == "bluetoothd does not run")
    }
  }

  @Test("reports without a strength are of an unknown distance, and enter regions")
  func strengthless() throws {
    let bluez = try PlayedBlueZ(bus)
    client.request(
      "startMonitoring",
      ["region": ["identifier": "cow", "type": "beacon", "uuid": .string(PlayedBlueZ.uuid)]])
    client.request("startRangingBeacons", Self.parameters)
    try bluez.waitUntilDiscovering()
    var (isEntered, proximity): (Bool, JSON?) = (false, nil)
    try bluez.report([7], rssi: 127) {
      while let line = client.waitingLine(reading: true) {
        if line["method"] == "didEnterRegion" { isEntered = line["params"]?["region"] == "cow" }
        if let beacon = line["params"]?["beacons"]?.array?.first { proximity = beacon["proximity"] }
      }
      return isEntered && proximity != nil
    }
    #expect(proximity == "unknown")
  }

  @Test(
    "without permission no discovery is asked for, and nothing is told, by any door",
    arguments: ["denied", "reduced"])
  func unpermitted(state: String) throws {
    let bluez = try PlayedBlueZ(bus, hasMonitors: true)
    let administrator = try daemon.connect()
    let app = try #require(try client.ask("hello")["result"]?["app"]?.string)
    let isDenied = state == "denied"
    _ = try administrator.ask(
      "permissions.set",
      [
        "app": .string(app), "authorization": isDenied ? "denied" : "authorizedAlways",
        "accuracy": isDenied ? "full" : "reduced",
      ])
    let ranging = try client.ask("startRangingBeacons", Self.parameters)
    #expect(ranging["error"]?["code"]?.integer == (isDenied ? 1 : nil))
    let region: JSON = ["identifier": "a", "type": "beacon", "uuid": .string(PlayedBlueZ.uuid)]
    let monitoring = try client.ask("startMonitoring", ["region": region])
    #expect(monitoring["error"]?["code"]?.integer == (isDenied ? 4 : nil))
    try bluez.client.waitForDaemon()
    let object = try #require(
      try bluez.client.ask(
        "/org/locationd", "org.locationd.Manager1", "CreateClient", [.dictionary([:])]
      ).first?.asString)
    let refusal = try bluez.client.refusal(
      object, "org.locationd.Client1", "StartRangingBeacons",
      [.dictionary(["uuid": .string(PlayedBlueZ.uuid)])])
    #expect(refusal == (isDenied ? "org.locationd.Error.Denied" : nil))
    if !isDenied { _ = try bluez.client.signal("RangingDidFail") }
    let program = try Program(
      [
        "sh", "-c", "exec \"$@\" 2>&1", "sh", Program.path("locationctl"), "beacons",
        PlayedBlueZ.uuid,
      ],
      environment: ["LOCATIOND_SOCKET": daemon.socket])
    #expect(try program.line().hasPrefix("locationctl: no beacons now: "))
    program.signal(SIGINT)
    _ = try program.exit()
    #expect(bluez.calls.isEmpty && bluez.client.signals("DidRangeBeacons").isEmpty)
    while let line = client.waitingLine(reading: true) {
      #expect(line["method"] != "didRangeBeacons" && line["method"] != "didEnterRegion")
    }
  }

  @Test("programs on the bus are told lists, with the bus's types")
  func onTheBus() throws {
    let bluez = try PlayedBlueZ(bus)
    let client1 = "org.locationd.Client1"
    try bluez.client.waitForDaemon()
    let object = try #require(
      try bluez.client.ask(
        "/org/locationd", "org.locationd.Manager1", "CreateClient", [.dictionary([:])]
      ).first?.asString)
    let constraint = BusValue.dictionary([
      "uuid": .string(PlayedBlueZ.uuid.lowercased()), "major": .uint16(1),
    ])
    #expect(try bluez.client.ask(object, client1, "StartRangingBeacons", [constraint]) == [])
    try bluez.waitUntilDiscovering()
    try bluez.report(9)
    let signal = try bluez.client.signal("DidRangeBeacons")
    #expect(signal.signature == "a{sv}aa{sv}")
    let arguments = try signal.arguments()
    #expect(arguments[0].asDictionary?["major"] == .uint16(1))
    let beacon = try #require(arguments[1].asArray?.first?.asDictionary)
    #expect(beacon["minor"] == .uint16(9) && beacon["rssi"] == .int16(-60))
    #expect(beacon["proximity"] == .string("near"))
    #expect(
      try bluez.client.refusal(
        object, client1, "StartRangingBeacons", [.dictionary(["uuid": .string("home")])])
        == "org.locationd.Error.InvalidArgs")
    #expect(
      try bluez.client.refusal(
        object, client1, "StartRangingBeacons",
        [.dictionary(["uuid": .string(PlayedBlueZ.uuid), "mayor": .uint16(1)])])
        == "org.locationd.Error.InvalidArgs")
    #expect(try bluez.client.ask(object, client1, "StopRangingBeacons", [constraint]) == [])
    try bluez.waitUntilDiscovering(false)
  }

  @Test("locationctl beacons shows them live, as a line a list into a pipe")
  func command() throws {
    let bluez = try PlayedBlueZ(bus)
    let program = try daemon.control("beacons", PlayedBlueZ.uuid, "--major", "1", "--json")
    try bluez.waitUntilDiscovering()
    var told: JSON?
    try bluez.report([5]) {
      guard let line = program.waitingLine() else { return false }
      let json = try JSON(parsing: line)
      if json["beacons"]?.array?.isEmpty == false { told = json }
      return told != nil
    }
    #expect(told?["event"] == "didRangeBeacons" && told?["constraint"]?["major"]?.integer == 1)
    #expect(told?["beacons"]?.array?.first?["minor"]?.integer == 5)
    program.signal(SIGINT)
    #expect(try program.exit() == 0)
    try bluez.waitUntilDiscovering(false)
  }
}
