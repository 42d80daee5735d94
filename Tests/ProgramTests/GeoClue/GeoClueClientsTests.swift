import DBus
import Foundation
import Glibc
import LocationModel
import Platform
import TestSupport
import Testing

/// Programs of the desktop, which ask as they do there.
@Suite("GeoClue's clients", .serialized) struct GeoClueClientsTests {
  private func say(
    to client: String, rule: String, sources: [String] = ["static:45,7,100,5"]
  ) throws -> [String] {
    let bus = try PrivateBus(policies: ["org.locationd.conf", "org.locationd.GeoClue2.conf"])
    let none = sources.isEmpty ? "[Sources]\nSource=none\n" : ""
    let daemon = try RunningDaemon(
      sources,
      files: [
        "locationd.conf": "\(none)[DBus]\nGeoClue=yes\n",
        "policy.d/10-all.conf": "[Rule]\nAction=\(rule)\n",
      ], bus: bus, environment: sources.isEmpty ? ["TZ": "Asia/Seoul"] : [:])
    try BusClient(bus.address).waitForDaemon("org.freedesktop.GeoClue2")
    let script = PrivateBus.house.appending(path: "Tests/BusPrograms/geoclue-clients.py").path
    let (text, exit) = try Program(
      ["/usr/bin/python3", script, client],
      environment: ["DBUS_SYSTEM_BUS_ADDRESS": bus.address]
    ).text()
    #expect(exit == 0, "\(text)")
    withExtendedLifetime(daemon) {}
    return text.split(separator: "\n").map(String.init)
  }

  @Test(
    "a program of the desktop's gets its place as it asks for it",
    arguments: ["firefox", "webkit", "qt", "libgeoclue"])
  func place(client: String) throws {
    let said = try say(to: client, rule: "allow").filter { $0 != "started" }
    #expect(said == ["place 45.0 7.0 5.0"])
  }

  @Test("one that wishes for no level gets a place of some kilometres, not silence")
  func coarse() throws {
    let said = try say(to: "redshift", rule: "allow").filter { $0 != "started" }
    #expect(said.count == 1 && said.first?.hasSuffix(" 3000.0") == true, "\(said)")
  }

  @Test("with nothing but a time zone it gets the zone's city, if a city is what it wants")
  func zone() throws {
    let said = try say(to: "redshift", rule: "allow", sources: []).filter { $0 != "started" }
    #expect(said.count == 1, "\(said)")
    #expect(said.first?.hasPrefix("place 37.5") == true)
    #expect(said.first?.hasSuffix(" 300000.0") == true)
  }

  @Test("the level that is available is that of the best place that anybody may be told")
  func level() throws {
    let bus = try PrivateBus(policies: ["org.locationd.conf", "org.locationd.GeoClue2.conf"])
    let configuration = "[DBus]\nGeoClue=yes\n[Sources]\nSource="
    let daemon = try RunningDaemon(
      [], files: ["locationd.conf": "\(configuration)none\n"], bus: bus)
    let client = try BusClient(bus.address)
    try client.waitForDaemon("org.freedesktop.GeoClue2")
    func level() throws -> UInt32? {
      try client.ask(
        "/org/freedesktop/GeoClue2/Manager", "org.freedesktop.DBus.Properties", "Get",
        [
          .string("org.freedesktop.GeoClue2.Manager"), .string("AvailableAccuracyLevel"),
        ], of: "org.freedesktop.GeoClue2"
      ).first.flatMap { if case .variant(let value) = $0 { value.asUInt32 } else { nil } }
    }
    // The test's own zone is UTC, which is no city's.
    #expect(try level() == 0)
    #expect(try daemon.control("here", "set", "45.5,7.25").exit() == 0)
    #expect(try level() == 8)
    #expect(try daemon.control("here", "set", "45.5,7.25", "--accuracy", "5000").exit() == 0)
    #expect(try level() == 4)
    #expect(try daemon.control("here", "forget").exit() == 0)
    #expect(try level() == 0)
    try daemon.write("\(configuration)static:45,7,100,5\n", to: "locationd.conf")
    daemon.program.signal(SIGHUP)
    #expect(try eventually(within: patience) { try level() == 8 })
  }

  @Test(
    "one that may not is answered with GeoClue's own error, and knows no place",
    arguments: ["firefox", "webkit", "qt", "redshift", "libgeoclue"], ["deny", "ask"])
  func refused(client: String, rule: String) throws {
    let said = try say(to: client, rule: rule)
    #expect(said.first == "refused org.freedesktop.DBus.Error.AccessDenied", "\(said)")
    #expect(said.dropFirst().allSatisfy { $0 == "knows /" }, "\(said)")
  }

  /// One where a person is asked, who answers once there is a file in the daemon's folder.
  private func asking() throws -> (PrivateBus, RunningDaemon, BusAgent, answer: String) {
    let bus = try PrivateBus(policies: ["org.locationd.conf", "org.locationd.GeoClue2.conf"])
    let daemon = try RunningDaemon(
      files: [
        "locationd.conf": "[DBus]\nGeoClue=yes\n[Sources]\nLingerSec=1\n",
        "policy.d/10-all.conf": "[Rule]\nAction=ask\n",
      ], bus: bus)
    try BusClient(bus.address).waitForDaemon("org.freedesktop.GeoClue2")
    let file = daemon.folder.appending(path: "answer").path
    let agent = try BusAgent(
      bus,
      decide: """
        def look():
                    if os.path.exists("\(file)"): answer({"decision": "allowWhileUsing"})
                    return not os.path.exists("\(file)")
                GLib.timeout_add(20, look)
        """)
    #expect(try agent.line() == "registered")
    return (bus, daemon, agent, file)
  }

  @Test("a person may take longer than programs wait for an answer")
  func slowPerson() throws {
    let (bus, daemon, agent, file) = try asking()
    let script = PrivateBus.house.appending(path: "Tests/BusPrograms/geoclue-clients.py").path
    let client = try Program(
      ["/usr/bin/python3", script, "firefox"],
      environment: ["DBUS_SYSTEM_BUS_ADDRESS": bus.address])
    try agent.wait(for: "asked whenInUse")
    // Its own library would have given up by then.
    #expect(try client.line(within: patience) == "started")
    try Data().write(to: URL(filePath: file))
    #expect(try client.line(within: patience) == "place 45.0 7.0 5.0")
    withExtendedLifetime(daemon) {}
  }

  /// A client whose question is before the person, and what it was answered so far.
  private final class Starting {
    private static let service = "org.freedesktop.GeoClue2"
    let client: BusClient
    let path: String
    private(set) var answer: BusCall.Answer?
    private var call: BusCall?

    init(_ bus: PrivateBus, _ agent: BusAgent) throws {
      client = try BusClient(bus.address)
      path = try #require(
        try client.ask(
          "/org/freedesktop/GeoClue2/Manager", "\(Self.service).Manager", "GetClient",
          of: Self.service
        ).first?.asString)
      let start = try BusMessage(to: Self.service, path, "\(Self.service).Client", "Start")
      call = client.connection.call(start) { [unowned self] in answer = $0 }
      // It leaves with the next turn of the loop.
      try client.loop.turn(within: .milliseconds(1))
      try agent.wait(for: "asked whenInUse")
    }

    func stop() throws {
      _ = try client.ask(path, "\(Self.service).Client", "Stop", of: Self.service)
    }

    func get() throws -> [BusValue] {
      try client.wait("an answer") { answer != nil }
      return try #require(answer).get().arguments()
    }
  }

  private func source(_ daemon: RunningDaemon) throws -> JSON? {
    try daemon.connect().ask("status")["result"]?["sources"]?.array?.first?["state"]
  }

  @Test("one that stops while the person thinks has nothing opened for it")
  func stopped() throws {
    let (bus, daemon, agent, file) = try asking()
    let start = try Starting(bus, agent)
    try start.stop()
    try Data().write(to: URL(filePath: file))
    #expect(try start.get() == [])
    #expect(try source(daemon) == "closed")
  }

  @Test("if the desktop switches location off while the person thinks, that holds")
  func switchedOff() throws {
    let (bus, daemon, agent, file) = try asking()
    let desktop = try DesktopAgent(bus.address)
    try desktop.register()
    let start = try Starting(bus, agent)
    desktop.change(to: 0)
    try desktop.turn()
    try desktop.settle()
    try Data().write(to: URL(filePath: file))
    #expect(throws: BusError.self) { try start.get() }
    #expect(try source(daemon) == "closed")
  }
}
