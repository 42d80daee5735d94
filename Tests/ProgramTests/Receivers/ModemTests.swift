import DBus
import Foundation
import Glibc
import LocationModel
import TestSupport
import Testing

/// ModemManager with a modem that has a receiver.
final class PlayedModem {
  private let program: Program
  private let client: BusClient
  /// The calls so far, with their arguments.
  private var heard: [JSON] = []

  init(on bus: PrivateBus, _ arguments: String...) throws {
    let script = PrivateBus.house.appending(path: "Tests/BusPrograms/modemmanager.py").path
    program = try Program(
      ["/usr/bin/python3", script] + arguments,
      environment: ["DBUS_SYSTEM_BUS_ADDRESS": bus.address])
    try #require(try program.line().contains("ready"))
    client = try BusClient(bus.address)
  }

  deinit { program.signal(SIGKILL) }

  func calls(of member: String) -> [JSON] {
    while let line = program.waitingLine() {
      if let json = try? JSON(parsing: line) { heard.append(json) }
    }
    return heard.filter { $0["call"] == .string(member) }
  }

  /// The masks that Setup was given, and whether the place was ever shown.
  var masks: [Int64] { calls(of: "Setup").compactMap { $0["sources"]?.integer } }
  var wasShown: Bool { calls(of: "Setup").contains { $0["signal"] != .bool(false) } }

  /// Another program's Setup.
  func setUp(_ sources: UInt32) throws {
    _ = try client.ask(
      "/org/freedesktop/ModemManager1/Modem/0", "\(ModemManager.name).Modem.Location", "Setup",
      [.uint32(sources), .bool(false)], of: ModemManager.name)
  }
}

@Suite("A modem's receiver", .serialized, .timeLimit(.minutes(60))) struct ModemTests {
  private let bus: PrivateBus

  init() throws { bus = try PrivateBus(guests: [ModemManager.name]) }

  private func daemon() throws -> RunningDaemon {
    try RunningDaemon(
      ["modem:em05"], files: ["locationd.conf": "[Sources]\nLingerSec=0\n"], bus: bus)
  }

  @Test("is on while a client needs it: one Setup, and the mask as before when nobody does")
  func session() throws {
    let modem = try PlayedModem(on: bus, "--enabled", "1")
    let daemon = try daemon()
    let client = try daemon.connect()
    _ = try client.ask("status")
    #expect(modem.masks.isEmpty)
    client.request("startUpdatingLocation")
    var times: [Timestamp] = []
    while times.count < 3 {
      let told = try #require(try client.location(within: patience))
      #expect(told.source == "modem:em05" && abs(told.coordinate.latitude - 45) < 1e-6)
      #expect(told.altitude == 520 && !told.simulated)
      times.append(told.timestamp)
    }
    #expect(times == times.sorted() && Set(times).count == times.count)
    #expect(modem.masks == [5])
    client.request("stopUpdatingLocation")
    #expect(eventually(within: patience) { modem.masks == [5, 1] })
    let file = daemon.folder.appending(path: "state/modem").path
    #expect(eventually(within: patience) { !FileManager.default.fileExists(atPath: file) })
    #expect(modem.calls(of: "SetGpsRefreshRate").map { $0["rate"]?.integer } == [1, 30])
    #expect(!modem.wasShown && modem.calls(of: "SetSuplServer").isEmpty)
  }

  @Test("is put back at SIGTERM, within a second, and after kill -9 by the next start")
  func ended() throws {
    let modem = try PlayedModem(on: bus)
    let daemon = try daemon()
    var client = try daemon.connect()
    client.request("startUpdatingLocation")
    _ = try #require(try client.location(within: patience))
    daemon.program.signal(SIGTERM)
    #expect(try daemon.program.exit() == 0)
    #expect(modem.masks == [4, 0])
    try daemon.startAgain()
    client = try daemon.connect()
    client.request("startUpdatingLocation")
    // The last place comes first.
    while try #require(try client.location(within: patience)).source != "modem:em05" {}
    let file = daemon.folder.appending(path: "state/modem").path
    let rights = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions]
    #expect(rights as? Int == 0o600)
    // Without a client, and without the source.
    daemon.program.signal(SIGKILL)
    _ = try daemon.program.exit()
    let next = try RunningDaemon(
      ["static:45,7"], bus: bus, state: daemon.folder.appending(path: "state").path)
    let isBack = eventually(within: patience) { modem.masks == [4, 0, 4, 0] }
    #expect(isBack, "\(modem.masks)")
    #expect(eventually(within: patience) { !FileManager.default.fileExists(atPath: file) })
    #expect(!modem.wasShown)
    withExtendedLifetime(next) {}
  }

  @Test("speaks by a port of its own, where it has one; once that is gone ModemManager is asked")
  func ownPort() throws {
    var pty: (speaker: Speaker, path: String)? = try makePty()
    let path = try #require(pty?.path)
    let modem = try PlayedModem(on: bus, "--port", path)
    let daemon = try daemon()
    let client = try daemon.connect()
    client.request("startUpdatingLocation")
    let told = try #require(try pty?.speaker.speak(to: client))
    #expect(told.source == "modem:em05" && told.altitude != 520)
    #expect(modem.masks == [16])
    #expect(modem.calls(of: "GetLocation").isEmpty && modem.calls(of: "SetGpsRefreshRate").isEmpty)
    let source = try client.ask("status")["result"]?["sources"]?.array?.first
    #expect(source?["device"]?.string == path)
    // Closed while nobody needs it, and off.
    _ = try client.ask("stopUpdatingLocation")
    #expect(eventually(within: patience) { modem.masks == [16, 0] })
    client.request("startUpdatingLocation")
    #expect(eventually(within: patience) { modem.masks == [16, 0, 16] })
    _ = try pty?.speaker.speak(to: client)
    pty = nil
    #expect(eventually(within: patience) { modem.masks == [16, 0, 16, 4] })
    while try #require(try client.location(within: patience)).altitude != 520 {}
    #expect(!modem.wasShown)
  }

  @Test("gives chrony no sample of sentences that ModemManager tells: they were said before")
  func samples() throws {
    let modem = try PlayedModem(on: bus)
    let daemon = try RunningDaemon(["modem:em05"], bus: bus, flags: ["--in-use", "connected"])
    let path = daemon.folder.appending(path: "chrony").path
    let socket = try datagramSocket(at: path)
    defer { close(socket) }
    let share = try RunningShare(daemon, "Chrony=\(path)")
    let client = try daemon.connect()
    client.request("startUpdatingLocation")
    // As many epochs of a port of its own would be two samples.
    var times: Set<Timestamp> = []
    while times.count < 5 {
      times.insert(try #require(try client.location(within: patience)).timestamp)
    }
    var bytes = [UInt8](repeating: 0, count: 64)
    #expect(recv(socket, &bytes, 64, Int32(MSG_DONTWAIT)) < 0)
    withExtendedLifetime((modem, share)) {}
  }

  @Test("another program that takes it away is not fought")
  func duel() throws {
    let modem = try PlayedModem(on: bus)
    let daemon = try daemon()
    let client = try daemon.connect()
    client.request("startUpdatingLocation")
    _ = try #require(try client.location(within: patience))
    for _ in 0..<5 {
      try modem.setUp(0)
      _ = try client.ask("status")
    }
    #expect(eventually(within: patience) { modem.masks.count { $0 == 4 } == 2 })
    try modem.setUp(0)
    #expect(!eventually(within: 1) { modem.masks.count { $0 == 4 } > 2 })
  }

  @Test("without polkit's rules the status names them, and without a modem it says so")
  func missing() throws {
    func trouble(_ words: String) throws -> Bool {
      let daemon = try daemon()
      let client = try daemon.connect()
      client.request("startUpdatingLocation")
      return try eventually(within: patience) {
        let source = try client.ask("status")["result"]?["sources"]?.array?.first
        return source?["reason"]?.string?.contains(words) == true
      }
    }
    #expect(try trouble("no modem"))
    let modem = try PlayedModem(on: bus, "--refuse")
    #expect(try trouble("polkit's rules for the user locationd are missing"))
    #expect(modem.masks == [4])
  }
}
