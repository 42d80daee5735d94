import DBus
import Glibc
import LocationModel
import Platform
import Testing

@Suite("What a refused program reads") struct RefusalWordsTests {
  @Test("each door names the method that it has for asking, GeoClue's none")
  func methods() throws {
    let bus = try PrivateBus(policies: ["org.locationd.conf", "org.locationd.GeoClue2.conf"])
    let daemon = try RunningDaemon(
      files: [
        "locationd.conf": "[dbus]\ngeoclue=yes\n", "policy.d/ask.conf": "[Rule]\nAction=ask\n",
      ], bus: bus)
    func says(_ what: String?, in text: String) {
      let rest = "an administrator may allow it: sudo locationctl grant "
      #expect(text.contains("yet: " + (what.map { "it may ask with \($0), or " } ?? "") + rest))
    }

    let answer = try daemon.connect().ask("requestLocation")
    says("requestAuthorization", in: answer["error"]?["message"]?.string ?? "")

    let client = try BusClient(bus.address)
    func complaint(_ path: String, _ interface: String, _ member: String, of service: String)
      throws -> String
    {
      let error = #expect(throws: BusError.self) {
        _ = try client.ask(path, interface, member, of: service)
      }
      return error?.message ?? ""
    }
    let own = "org.locationd"
    try client.waitForDaemon(own)
    let path = try client.ask(
      "/org/locationd", "\(own).Manager1", "CreateClient", [.dictionary([:])]
    ).first?.asString
    says(
      "RequestWhenInUseAuthorization",
      in: try complaint(
        try #require(path), "\(own).Client1", "RequestLocation", of: own))

    let geoclue = "org.freedesktop.GeoClue2"
    try client.waitForDaemon(geoclue)
    let guest = try client.ask(
      "/org/freedesktop/GeoClue2/Manager", "\(geoclue).Manager", "GetClient", of: geoclue
    ).first?.asString
    says(
      nil,
      in: try complaint(try #require(guest), "\(geoclue).Client", "Start", of: geoclue))
  }
}
