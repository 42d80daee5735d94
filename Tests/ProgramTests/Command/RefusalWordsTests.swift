import DBus
import Glibc
import LocationModel
import Platform
import TestSupport
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

    let answer = try daemon.connect().ask("location")
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
    // It waits for a decision, as updates do, and is told of it once its time is up.
    try client.call(try #require(path), "RequestLocation")
    says(
      "RequestWhenInUseAuthorization",
      in: try client.signal("DidFail").arguments().last?.asString ?? "")

    let geoclue = "org.freedesktop.GeoClue2"
    try client.waitForDaemon(geoclue)
    let guest = try client.ask(
      "/org/freedesktop/GeoClue2/Manager", "\(geoclue).Manager", "GetClient", of: geoclue
    ).first?.asString
    says(
      nil,
      in: try complaint(try #require(guest), "\(geoclue).Client", "Start", of: geoclue))
  }

  @Test("a rule that denies is named by each door, and a grant that it makes useless fails by each")
  func denied() throws {
    let bus = try PrivateBus(policies: ["org.locationd.conf"])
    let daemon = try RunningDaemon(
      files: ["policy.d/10-no.conf": "# mine\n[Rule]\nAction=deny\n"], bus: bus)
    let rule = "policy.d/10-no.conf:2"
    let socket = try daemon.connect()
    let app = try #require(try socket.ask("hello")["result"]?["app"]?.string)
    let refusal = try socket.ask("requestLocation")["error"]?["message"]?.string ?? ""
    #expect(refusal.contains(rule))
    #expect(!refusal.contains("locationctl grant"))

    let set = try socket.ask(
      "permissions.set", ["app": .string(app), "authorization": "authorizedAlways"])["error"]
    #expect(set?["code"]?.integer == -32603)
    let (text, exit) = try daemon.control("grant", app, "always").text()
    #expect(exit == 1)
    let client = try BusClient(bus.address)
    try client.waitForDaemon("org.locationd")
    let error = #expect(throws: BusError.self) {
      _ = try client.ask(
        "/org/locationd", "org.locationd.Permissions1", "Set",
        [
          .string(app), .uint32(getuid()),
          .dictionary(["authorization": .string("authorizedAlways")]),
        ], of: "org.locationd")
    }
    for message in [set?["message"]?.string, text, error?.message] {
      #expect(message?.contains("would have no effect") == true, "\(message ?? "")")
      #expect(message?.contains(rule) == true, "\(message ?? "")")
    }
    // Once it is gone, the same grant has its effect.
    try daemon.write("[Rule]\nAction=ask\n", to: "policy.d/10-no.conf")
    daemon.program.signal(SIGHUP)
    let isGranted = try eventually(within: patience) {
      try daemon.control("grant", app, "always").text().exit == 0
    }
    #expect(isGranted)
    #expect(try socket.ask("requestLocation")["result"] != nil)
  }
}
