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

  @Test("without permission no discovery is asked for, and nothing is told, by either door")
  func unpermitted() throws {
    let bluez = try PlayedBlueZ(bus)
    let administrator = try daemon.connect()
    let app = try #require(try client.ask("hello")["result"]?["app"]?.string)
    _ = try administrator.ask(
      "permissions.set", ["app": .string(app), "authorization": "denied"])
    #expect(try client.ask("startRangingBeacons", Self.parameters)["error"]?["code"]?.integer == 1)
    #expect(
      try client.ask(
        "startMonitoring",
        ["region": ["identifier": "a", "type": "beacon", "uuid": .string(PlayedBlueZ.uuid)]]
      )["error"]?["code"]?.integer == 4)
    try bluez.client.waitForDaemon()
    let object = try #require(
      try bluez.client.ask(
        "/org/locationd", "org.locationd.Manager1", "CreateClient", [.dictionary([:])]
      ).first?.asString)
    let refusal = try bluez.client.refusal(
      object, "org.locationd.Client1", "StartRangingBeacons",
      [.dictionary(["uuid": .string(PlayedBlueZ.uuid)])])
    #expect(refusal == "org.locationd.Error.Denied")
    #expect(bluez.calls.isEmpty)
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

@Suite(
  "What beacons cost", .serialized,
  .enabled(if: Program.isRelease, "what is built for debugging may cost more"))
struct BeaconCostTests {
  /// Seconds of a processor that it has used.
  private func seconds(of program: Program) throws -> Double {
    let text = try String(contentsOfFile: "/proc/\(program.pid)/schedstat", encoding: .utf8)
    return try #require(text.split(separator: " ").first.flatMap { Double($0) }) / 1e9
  }

  @Test("500 of them, 4,600 reports a second, take less than 8 % of a core and 2 MB")
  func load() throws {
    let bus = try PrivateBus(own: PlayedBlueZ.policy)
    let daemon = try RunningDaemon(["static:45,7,100,5"], bus: bus)
    let client = try daemon.connect()
    let bluez = try PlayedBlueZ(bus)
    _ = try client.ask("hello")
    let before = try daemon.program.privateMemory
    client.request("startRangingBeacons", ["uuid": .string(PlayedBlueZ.uuid)])
    try bluez.waitUntilDiscovering()
    let reports = try (0..<500).flatMap { minor in
      try [-70, -63, -57].map { try PlayedBlueZ.report(UInt16(minor), rssi: $0) }
    }
    var (sent, lists) = (0, [Int]())
    func run(_ seconds: Double) throws {
      let start = Clock.boottime
      let first = sent
      while Clock.boottime - start < .seconds(seconds) {
        let due = first + Int(4600 * Clock.boottime.seconds(since: start))
        bluez.client.connection.gather {
          while sent < due {
            let (signal, recipient) = reports[sent &* 7 % reports.count]
            bluez.client.connection.send(signal, to: recipient)
            sent += 1
          }
        }
        try bluez.client.loop.turn(within: .milliseconds(2))
        while let line = client.waitingLine(reading: true) {
          if let beacons = line["params"]?["beacons"]?.array { lists.append(beacons.count) }
        }
      }
    }
    try run(5)
    let (busy, count, told) = (try seconds(of: daemon.program), sent, lists.count)
    try run(20)
    let share = (try seconds(of: daemon.program) - busy) / 20
    print("beacons: \(sent - count) reports in 20 s, \(share * 100) % of a core")
    #expect(sent - count > 80_000 && share < 0.08, "\(sent - count) reports, \(share) of a core")
    #expect((18...22).contains(lists.count - told) && lists.last == 500)
    let grown = try daemon.program.privateMemory - before
    print("beacons: \(grown) kB")
    #expect(grown < 2000, "\(grown) kB")
  }
}
