import DBus
import Foundation
import Glibc
import LocationModel
import Platform
import TestSupport
import Testing

/// ModemManager, as far as it says which modems it has.
final class ModemManager {
  static let name = "org.freedesktop.ModemManager1"
  private static let path = "/org/freedesktop/ModemManager1"
  private static let modem = path + "/Modem/0"
  let service: MockService

  /// Its numbers for what a port is.
  enum Port: UInt32 {
    case at = 3
    case gps = 5
    case ignored = 9
  }

  init(on bus: PrivateBus) throws {
    service = try MockService(
      ["--is-object-manager", Self.name, Self.path, Self.name], as: Self.name, on: bus)
  }

  /// One that is off. `located`: the sources of locations that it has been told to use.
  func add(_ device: String, _ port: Port, located: UInt32 = 0) throws {
    let ports = BusValue.array(
      of: "(su)",
      [
        .structure([.string("wwan7"), .uint32(2)]),
        .structure([.string(String(device.dropFirst("/dev/".count))), .uint32(port.rawValue)]),
      ])
    try service.mock(
      Self.path, "AddObject",
      [
        .string(Self.modem), .string("\(Self.name).Modem"),
        .dictionary(["State": .int32(3), "Ports": ports]), .array(of: "(ssss)", []),
      ])
    try service.mock(
      Self.modem, "AddProperties",
      [.string("\(Self.name).Modem.Location"), .dictionary(["Enabled": .uint32(located)])])
  }

  func remove() throws {
    try service.mock(Self.path, "RemoveObject", [.string(Self.modem)])
  }
}

@Suite("Ports of ModemManager's", .serialized) struct ModemManagerTests {
  let bus: PrivateBus

  init() throws { bus = try PrivateBus(guests: [ModemManager.name]) }

  private func source(_ client: SocketClient) throws -> JSON {
    try #require(try client.ask("status")["result"]?["sources"]?.array?[0])
  }

  @Test(
    "of a modem that is off, any receiver is nothing: its ports are left alone, with a word on why",
    arguments: [ModemManager.Port.at, .gps, .ignored])
  func anyReceiver(port: ModemManager.Port) throws {
    let (speaker, path) = try makePty()
    let modems = try ModemManager(on: bus)
    try modems.add(path, port)
    let daemon = try RunningDaemon(["nmea:auto?match=\(path)"], bus: bus)
    let client = try daemon.connect()
    client.request("startUpdatingLocation")
    // Where it has not said so in time, it is asked again once nothing spoke there for long.
    let isSaid = try eventually(within: patience) {
      try self.source(client)["remark"]?.string?.hasPrefix("\(path): ModemManager has it") == true
    }
    #expect(isSaid)
    try modems.remove()
    #expect(try speaker.speak(to: client).source == "nmea:\(path)")
  }

  /// One that is named: what ModemManager has it for, what it reads itself, and why it is left alone.
  struct Named: CustomTestStringConvertible, Sendable {
    var port: ModemManager.Port
    var located: UInt32 = 0
    var reason: String?
    var testDescription: String { "\(port), \(located): \(reason ?? "read")" }
  }

  @Test(
    "a port that is named is read where a receiver speaks that ModemManager leaves to others, and no other",
    arguments: [
      Named(port: .at, reason: "ModemManager has it"),
      // NMEA, which it reads; none; a receiver that is on, and nobody reads.
      Named(port: .gps, located: 4, reason: "ModemManager reads it"),
      Named(port: .gps), Named(port: .gps, located: 16), Named(port: .ignored),
    ])
  func named(_ named: Named) throws {
    let (speaker, path) = try makePty()
    let modems = try ModemManager(on: bus)
    try modems.add(path, named.port, located: named.located)
    guard let reason = named.reason else {
      let daemon = try RunningDaemon(["nmea://\(path)"], bus: bus)
      let client = try daemon.connect()
      client.request("startUpdatingLocation")
      #expect(try speaker.speak(to: client).source == "nmea:\(path)")
      return
    }
    try attempt(until: reason) {
      let daemon = try RunningDaemon(["nmea://\(path)"], bus: bus)
      let client = try daemon.connect()
      client.request("startUpdatingLocation")
      return try outcome(client)
    }
    withExtendedLifetime(speaker) {}
  }

  /// Once the line is left alone, why; empty once it is open.
  private func outcome(_ client: SocketClient) throws -> String {
    var source: JSON = [:]
    let isTried = try eventually(within: patience) {
      source = try self.source(client)
      return source["reason"] != nil || source["device"] != nil
    }
    try #require(isTried)
    return source["reason"]?.string ?? ""
  }

  /// On a machine that has much else to do ModemManager may not have been heard in time, and is not
  /// asked again once the line is open.
  private func attempt(until reason: String, _ outcome: () throws -> String) throws {
    var said: [String] = []
    for _ in 0..<5 where said.last?.contains(reason) != true { said.append(try outcome()) }
    #expect(said.last?.contains(reason) == true, "\(said)")
  }

  @Test("a daemon that watches for something from its start is on the bus before it opens a line")
  func start() throws {
    let (speaker, path) = try makePty()
    let daemon = try RunningDaemon(["nmea://\(path)"], bus: bus)
    _ = try daemon.connect().ask("startMonitoringVisits")
    let modems = try ModemManager(on: bus)
    try modems.add(path, .at)
    try attempt(until: "ModemManager has it") {
      try daemon.restart()
      return try outcome(try daemon.connect())
    }
    withExtendedLifetime(speaker) {}
  }

  @Test("one that comes later is seen at the next look, and one that goes leaves its ports to all")
  func comesAndGoes() throws {
    let (speaker, path) = try makePty()
    let other = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
    #expect(flock(other, LOCK_EX | LOCK_NB) == 0)
    let daemon = try RunningDaemon(["nmea:auto?match=\(path)"], bus: bus)
    let client = try daemon.connect()
    client.request("startUpdatingLocation")
    func isSaid(_ words: String) throws -> Bool {
      try eventually(within: patience) {
        try self.source(client)["remark"]?.string?.contains(words) == true
      }
    }
    #expect(try isSaid("another program has it"))
    var modems: ModemManager? = try ModemManager(on: bus)
    try modems?.add(path, .at)
    #expect(try isSaid("ModemManager has it"))
    close(other)
    modems = nil
    _ = try speaker.speak(to: client)
  }

  @Test("one that hangs keeps nobody from a receiver")
  func hangs() throws {
    let (speaker, path) = try makePty()
    let modems = try ModemManager(on: bus)
    modems.service.freeze()
    let daemon = try RunningDaemon(["nmea://\(path)"], bus: bus)
    let client = try daemon.connect()
    client.request("startUpdatingLocation")
    // Long before the bus would have given up on it.
    #expect(try eventually(within: 15) { try self.source(client)["device"] != nil })
    _ = try speaker.speak(to: client)
    withExtendedLifetime(modems) {}
  }

  @Test("one that does not run is not started to be asked")
  func notStarted() throws {
    let bus = try PrivateBus.activating([ModemManager.name])
    let trace = bus.folder.appending(path: "started").path
    try bus.install(
      """
      [D-BUS Service]
      Name=\(ModemManager.name)
      Exec=/usr/bin/touch \(trace)
      User=root
      """, as: ModemManager.name)
    let (speaker, path) = try makePty()
    let daemon = try RunningDaemon(["nmea://\(path)"], bus: bus)
    // It is on the bus by then.
    let person = try BusClient(bus.address)
    try person.waitForDaemon()
    let client = try daemon.connect()
    client.request("startUpdatingLocation")
    _ = try speaker.speak(to: client)
    #expect(!FileManager.default.fileExists(atPath: trace))
    // As whoever calls it without further ado does.
    let call = person.connection.call(try BusMessage(to: ModemManager.name, "/", "a.b", "C")) { _ in
    }
    try person.wait("it to be started") { FileManager.default.fileExists(atPath: trace) }
    withExtendedLifetime(call) {}
  }
}
