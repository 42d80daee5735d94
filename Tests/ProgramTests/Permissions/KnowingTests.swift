import DBus
import Foundation
import Glibc
import LocationModel
import Platform
import TestSupport
import Testing

private let root = "/org/locationd"
private let manager = "org.locationd.Manager1"

@Suite("The history of accesses and a person's pause", .serialized) struct KnowingTests {
  private func entries(_ client: SocketClient) throws -> [JSON] {
    try #require(try client.ask("history")["result"]?["entries"]?.array)
  }

  @Test(
    "a daemon that is killed has lost no more of the history than a minute, and no place is in it")
  func killed() throws {
    let daemon = try RunningDaemon(["static:45.318642,7.946153,1234,5"])
    let client = try daemon.connect()
    _ = try client.ask("hello", ["name": "Walker", "purpose": "to find you"])
    _ = try client.ask("startUpdatingLocation")
    _ = try client.event()
    let app = try #require(try entries(client).first?["app"]?.string)
    let folder = daemon.folder.appending(path: "state")
    func disk() -> String {
      ["locationd.db", "locationd.db-wal"].map {
        let bytes = (try? Data(contentsOf: folder.appending(path: $0))) ?? Data()
        return String(decoding: bytes, as: UTF8.self)
      }.joined()
    }
    let begun = ContinuousClock().now
    #expect(eventually(within: patience) { disk().contains("Walker") })
    #expect(ContinuousClock().now - begun < .seconds(60))
    try daemon.restart()
    let later = try daemon.connect()
    let entry = try #require(try entries(later).first)
    #expect(entry["app"]?.string == app && entry["accesses"] == .integer(1))
    #expect(entry["name"] == "Walker" && entry["purpose"] == "to find you")
    #expect(entry["service"] == "standard" && entry["accuracy"] == "full")
    for trace in ["45.31", "7.94", "1234"] {
      #expect(!entry.text.contains(trace))
      #expect(!disk().contains(trace))
    }
    #expect(try later.ask("history.forget", ["app": .string(app)])["result"] == [:])
    #expect(try entries(later).isEmpty)
    #expect(eventually(within: patience) { !disk().contains("Walker") })
  }

  @Test("locationctl shows the history, forgets it, and says what an app would be answered")
  func control() throws {
    let daemon = try RunningDaemon()
    #expect(try daemon.control("history").text().text == "No app of yours was told a place.\n")
    #expect(try daemon.control("get").exit() == 0)
    let (table, exit) = try daemon.control("history", "--days", "1").text()
    #expect(exit == 0)
    let lines = table.split(separator: "\n")
    #expect(lines.first?.hasPrefix("DAY         APP") == true)
    #expect(lines.dropFirst().first?.contains("standard") == true)
    #expect(table.contains("calls itself “locationctl"))
    let json = try daemon.control("history", "--json").text().text
    #expect(try JSON(parsing: json)["entries"]?.array?.count == 1)
    let app = try #require(try JSON(parsing: json)["entries"]?.array?.first?["app"]?.string)
    let (may, done) = try daemon.control("may", app).text()
    #expect(done == 0 && may.contains("standard    allow"))
    #expect(try daemon.control("may", "app:org.a.B", "--uid", "4711").text().text.contains("ask"))
    #expect(try daemon.control("history", "--days", "31").exit() == 2)
    #expect(try daemon.control("may").exit() == 2)
    #expect(try daemon.control("history", "forget").exit() == 0)
    #expect(try daemon.control("history").text().text.hasPrefix("No app"))
  }

  @Test("a pause ends what programs are told at once, is kept over a kill, and resume ends it")
  func pause() throws {
    let daemon = try RunningDaemon()
    let client = try daemon.connect()
    _ = try client.ask("startUpdatingLocation")
    _ = try client.event()
    let (text, exit) = try daemon.control("pause", "15min").text()
    #expect(exit == 0 && text.hasPrefix("Location is paused until "))
    _ = try client.event("didChangeAuthorization")
    #expect(try daemon.control("get").exit() == 3)
    let status = try daemon.control("status").text().text
    #expect(status.contains("'locationctl resume' ends that."))
    try daemon.restart()
    #expect(try daemon.control("get").exit() == 3)
    #expect(try daemon.control("resume").exit() == 0)
    #expect(try daemon.control("get").exit() == 0)
    #expect(try daemon.control("pause", "8d").exit() == 2)
    let brief = try daemon.connect()
    #expect(try brief.ask("pause", ["seconds": .integer(1)])["result"]?["until"] != nil)
    _ = try brief.ask("startUpdatingLocation")
    #expect(
      try eventually(within: patience) { try brief.ask("location")["result"]?["location"] != nil })
  }

  @Test(
    "another user and a sandbox learn nothing of the history and the pause, and change neither",
    .enabled(if: AsRoot.isPossible, AsRoot.missing), .asRootWithCgroups)
  func apart() throws {
    let daemon = try RunningDaemon()
    let root = try daemon.connect()
    let person = "user:nobody"
    for app in [person, "flatpak:org.a.B"] {
      _ = try root.ask(
        "permissions.set",
        ["app": .string(app), "uid": .integer(65534), "authorization": "authorizedAlways"])
    }
    #expect(try daemon.asSomeoneElse("get").exit() == 0)
    #expect(try daemon.asSomeoneElse("pause").exit() == 0)
    let locationctl = try daemon.copyForAll()
    func become(_ uid: Int, _ arguments: [String]) -> [String] {
      ["setpriv", "--reuid=\(uid)", "--regid=\(uid)", "--clear-groups", locationctl] + arguments
        + ["--socket", daemon.socket]
    }
    let box = try Cgroup(IdentityTests.users + "/app.slice/app-flatpak-org.a.B-4711.scope")
    let attempts: [([String]) throws -> Program] = [
      { try Program(become(65533, $0)) }, { try Program(box.command(become(65534, $0))) },
    ]
    for ask in attempts {
      #expect(try JSON(parsing: ask(["history", "--json"]).text().text)["entries"] == .array([]))
      let (status, exit) = try ask(["status", "--json"]).text()
      #expect(exit == 0 && !status.contains("pause") && !status.contains("resume"), "\(status)")
      for words in [
        ["history", "forget"], ["history", "forget", "--uid", "65534"],
        ["pause", "--uid", "65534"],
        ["resume", "--uid", "65534"], ["may", person, "--uid", "65534"],
      ] {
        let (text, exit) = try ask(words).text()
        #expect(exit == 3 && !text.contains("paused until"), "\(words): \(text)")
      }
    }
    #expect(try daemon.asSomeoneElse("get").exit() == 3)
    #expect(
      try entries(root).contains { $0["app"]?.string == person && $0["uid"] == .integer(65534) })
    #expect(try root.ask("resume", ["uid": .integer(65534)])["result"] == [:])
    #expect(try daemon.asSomeoneElse("get").exit() == 0)
  }

  @Test("on the bus the same is asked, by the interface's description")
  func bus() throws {
    let bus = try PrivateBus()
    let daemon = try RunningDaemon(bus: bus)
    let client = try BusClient(bus.address)
    try client.waitForDaemon()
    #expect(try daemon.control("get").exit() == 0)
    let none = BusValue.dictionary([:])
    let all = try client.ask(root, manager, "History", [none])
    let entry = try #require(all.first?.asArray?.first?.asDictionary)
    #expect(entry["service"] == .string("standard") && entry["accesses"] == .int64(1))
    let days = BusValue.dictionary(["days": .int64(31)])
    #expect(throws: BusError.self) { try client.ask(root, manager, "History", [days]) }
    let app = try #require(entry["app"])
    let may = try client.ask(root, manager, "May", [.dictionary(["app": app])])
    #expect(may.first?.asDictionary?["because"]?.asString != nil)
    _ = try client.ask(root, manager, "ForgetHistory", [.string("")])
    #expect(try client.ask(root, manager, "History", [none]) == [.array(of: "a{sv}", [])])
    #expect(try client.property(root, manager, "ServicesEnabled") == .bool(true))
    let pause = try client.ask(root, manager, "Pause", [.uint32(0)]).first?.asDictionary
    #expect(pause?["until"]?.asString?.hasSuffix("Z") == true && pause?["enabled"] == .bool(true))
    #expect(try daemon.control("get").exit() == 3)
    let stranger = try BusClient(bus.address)
    #expect(try stranger.property(root, manager, "ServicesEnabled") == .bool(false))
    let status = try client.ask(root, manager, "Status").first?.asDictionary
    #expect(status?["pause"]?.asDictionary?["until"] == pause?["until"])
    _ = try client.ask(root, manager, "Resume")
    #expect(try stranger.property(root, manager, "ServicesEnabled") == .bool(true))
    #expect(try daemon.control("get").exit() == 0)
  }
}
