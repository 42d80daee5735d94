import Foundation
import Platform
import Testing

/// What programs of the desktop get, asked for as they ask.
@Suite("GeoClue's clients", .serialized) struct GeoClueClientsTests {
  private func say(to client: String, rule: String) throws -> [String] {
    let bus = try PrivateBus(policies: ["org.locationd.conf", "org.locationd.GeoClue2.conf"])
    let daemon = try RunningDaemon(
      files: [
        "locationd.conf": "[DBus]\nGeoClue=yes\n",
        "policy.d/10-all.conf": "[Rule]\nAction=\(rule)\n",
      ], bus: bus)
    try BusClient(bus.address).waitForDaemon("org.freedesktop.GeoClue2")
    let script = PrivateBus.house.appending(path: "Tests/Bus/geoclue-clients.py").path
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
    #expect(try say(to: client, rule: "allow") == ["place 45.0 7.0 5.0"])
  }

  @Test("one that wishes for no level gets a place of some kilometres, not silence")
  func coarse() throws {
    let said = try say(to: "redshift", rule: "allow")
    #expect(said.count == 1 && said.first?.hasSuffix(" 3000.0") == true, "\(said)")
  }

  @Test(
    "one that may not is answered with GeoClue's own error, and knows no place",
    arguments: ["firefox", "webkit", "qt", "redshift", "libgeoclue"], ["deny", "ask"])
  func refused(client: String, rule: String) throws {
    let said = try say(to: client, rule: rule)
    #expect(said.first == "refused org.freedesktop.DBus.Error.AccessDenied", "\(said)")
    #expect(said.dropFirst().allSatisfy { $0 == "knows /" }, "\(said)")
  }
}
