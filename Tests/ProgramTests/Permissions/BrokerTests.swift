import DBus
import Foundation
import Glibc
import LocationModel
import Platform
import TestSupport
import Testing

extension SocketClient {
  /// An administrator's decision about this very program.
  func decide(_ authorization: String) throws {
    let me = try #require(try ask("hello")["result"]?["app"])
    let answer = try ask(
      "permissions.set", ["app": me, "authorization": .string(authorization)])
    #expect(answer["result"] == [:])
  }

  /// Everything that comes until nothing has come for a while.
  func everything(quiet seconds: Double = 0.5) -> String {
    var text = ""
    while eventually(within: seconds, { self.hasLine() }) {
      while let line = waitingLine() { text += line.text + "\n" }
    }
    return text
  }
}

@Suite("The permission broker", .serialized) struct BrokerTests {
  /// A place that is like nothing else that is ever said.
  private static let source = "static:45.318642,7.946153,1234,5"
  private static let traces = [
    "45.3", "7.94", "latitude", "longitude", "altitude", "1234", "trueHeading",
  ]
  /// Everything that anybody may ask, with what makes it a real question.
  private static let requests: [(String, JSON)] = [
    ("hello", [:]), ("status", [:]), ("location", [:]),
    ("requestLocation", ["timeout": .number(0.2)]), ("startUpdatingLocation", [:]),
    ("startUpdatingHeading", [:]), ("startMonitoringSignificantLocationChanges", [:]),
    ("startMonitoringVisits", [:]),
    (
      "startMonitoring",
      [
        "region": [
          "identifier": "here", "type": "circle", "latitude": .number(45), "longitude": .number(8),
          "radius": .integer(900_000),
        ]
      ]
    ),
    ("requestState", ["identifier": "here"]), ("setActivation", ["unit": "x.service"]),
    ("requestTemporaryFullAccuracy", ["purpose": "curiosity"]), ("beginUse", [:]),
    ("stopUpdatingLocation", [:]), ("startUpdatingLocation", ["manager": .integer(3)]),
  ]

  /// That a client which asks for everything is sent no place, in whatever way.
  private func expectNothing(_ client: SocketClient, _ state: String) throws {
    var unanswered = Set(Self.requests.map { Int64(client.request($0.0, $0.1)) })
    client.send("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"location\",\"params\":[1]}\nnonsense\n")
    var text = ""
    while !unanswered.isEmpty {
      let line = try client.line()
      text += line.text + "\n"
      if let id = line["id"]?.integer { unanswered.remove(id) }
    }
    text += client.everything()
    #expect(text.contains("hello") || text.contains("protocol"))
    for trace in Self.traces {
      #expect(!text.contains(trace), "\(state): \(trace)")
    }
    for state in ["inside", "outside", "didEnterRegion", "didExitRegion", "didVisit"] {
      #expect(!text.contains("\"\(state)\""), "\(state)")
    }
  }

  @Test("who may not know the location is sent no place by any way", arguments: 0..<4)
  func nothing(number: Int) throws {
    let daemon = try RunningDaemon([Self.source])
    let administrator = try daemon.connect()
    // The source is open, and its place known.
    let watcher = try daemon.connect()
    _ = try watcher.ask("startUpdatingLocation")
    _ = try watcher.event()
    let client = try daemon.connect()
    _ = try client.ask("startUpdatingLocation")
    #expect(try client.ask("location")["result"]?["location"] != nil)
    switch number {
    case 0: try administrator.decide("denied")
    case 1: try administrator.decide("restricted")
    case 2: _ = try administrator.ask("services.set", ["enabled": .bool(false)])
    default:
      try administrator.decide("authorizedAlways")
      try administrator.decide("denied")
    }
    // Earlier events are here by now.
    _ = client.everything(quiet: 0)
    let fresh = try daemon.connect()
    try expectNothing(client, "connected before, \(number)")
    try expectNothing(fresh, "connected after, \(number)")
  }

  @Test("a client that reads nothing finds no place in what waited for it when it was revoked")
  func revokeSlow() throws {
    let daemon = try RunningDaemon(
      ["replay://{folder}/drive.nmea?rate=100&loop=1"],
      files: ["drive.nmea": Recording.drive(seconds: 600)])
    let administrator = try daemon.connect()
    let slow = try daemon.connect()
    var room: Int32 = 2048
    setsockopt(slow.descriptor, SOL_SOCKET, SO_RCVBUF, &room, 4)
    // So few that what waits for it never keeps it from asking.
    for manager in 0..<150 {
      slow.request("startUpdatingLocation", ["manager": .integer(Int64(manager))])
    }
    // Its buffers are full, and more waits in the daemon.
    let isFull = try eventually(within: patience) {
      let before = try administrator.ask("status")["result"]?["counters"]?["told"]?.integer ?? 0
      return before > 20_000
    }
    #expect(isFull)
    try administrator.decide("denied")
    // The kernel's buffer had some before; what comes after the news had waited in the daemon.
    var isNews = false
    var placesAfterNews = 0
    var closed = false
    let reached = eventually(within: patience) {
      closed = slow.readMore() == nil
      while let line = slow.waitingLine() {
        if line["method"] == "didChangeAuthorization" { isNews = true }
        if isNews, line.text.contains("latitude") { placesAfterNews += 1 }
      }
      return isNews || closed
    }
    #expect(reached)
    #expect(placesAfterNews == 0)
    #expect(!slow.everything().contains("latitude"))
  }

  @Test("a refusal says what an administrator can do about it, word for word")
  func refusal() throws {
    let daemon = try RunningDaemon()
    let client = try daemon.connect()
    let me = try #require(try client.ask("hello")["result"]?["app"]?.string)
    try client.decide("denied")
    let message = try #require(try client.ask("requestLocation")["error"]?["message"]?.string)
    let command = "sudo locationctl grant \(me) when-in-use --uid \(getuid())"
    #expect(message.hasSuffix(command))
    let words = command.split(separator: " ").dropFirst(2).map(String.init)
    let program = try Program(
      [Program.path("locationctl")] + words + ["--socket", daemon.socket])
    #expect(try program.text().exit == 0)
    #expect(try client.ask("hello")["result"]?["authorization"] == "authorizedWhenInUse")
    #expect(try client.ask("requestLocation")["result"] != nil)
  }

  @Test("watch says that the switch is off, and goes on when it is on again")
  func watchSwitch() throws {
    let daemon = try RunningDaemon()
    let watch = try daemon.control("watch")
    func wait(for words: String) throws { while try !watch.line().contains(words) {} }
    try wait(for: "45.000000 7.000000")
    #expect(try daemon.control("disable").text().exit == 0)
    try wait(for: "switched off for all")
    #expect(try daemon.control("status").text().text.contains("switched off for all"))
    #expect(try daemon.control("enable").text().exit == 0)
    try wait(for: "45.000000 7.000000")
    // So it does where it begins without permission.
    #expect(try daemon.control("disable").text().exit == 0)
    let late = try daemon.control("watch")
    while try !late.line().contains("switched off for all") {}
    let sky = try daemon.control("watch", "--sky")
    while try !sky.line().contains("switched off for all") {}
    #expect(try daemon.control("enable").text().exit == 0)
    while try !late.line().contains("45.000000 7.000000") {}
    while try sky.line() != "no satellite is known of yet" {}
  }

  @Test("every administrator's verb does what it says, and says what it did")
  func verbs() throws {
    let daemon = try RunningDaemon()
    func run(_ arguments: String...) throws -> (String, Int32) {
      try Program([Program.path("locationctl")] + arguments + ["--socket", daemon.socket]).text()
    }
    let client = try daemon.connect()
    func authorization(of app: String) throws -> String? { try client.permissions()[app] }

    #expect(
      try run("grant", "flatpak:org.a", "when-in-use", "--uid", "4711").0.contains(
        "may know the location: when-in-use."))
    #expect(try authorization(of: "flatpak:org.a") == "authorizedWhenInUse")
    #expect(
      try run("grant", "flatpak:org.a", "always", "--reduced", "--uid", "4711").0.contains(
        "always, reduced."))
    // Nobody has seen it.
    #expect(try run("grant", "app:a.B", "once").0.contains("nobody has seen app:a.B yet"))
    #expect(try run("grant", "user:root", "always").0.contains("exe:, script: and app: programs"))
    let (table, _) = try run("apps")
    #expect(table.contains("always, reduced"))
    #expect(table.contains("flatpak:org.a"))
    #expect(
      try run("grant", "flatpak:org.a", "once", "--uid", "4711").0.contains(
        "may know the location: once."))
    #expect(try run("apps").0.contains("once"))
    #expect(try run("revoke", "flatpak:org.a", "--uid", "4711").0.contains("is told nothing more."))
    #expect(try authorization(of: "flatpak:org.a") == "denied")
    #expect(
      try run("restrict", "flatpak:org.a", "--uid", "4711").0.contains(
        "is kept from the location until 'unrestrict'."))
    #expect(try authorization(of: "flatpak:org.a") == "restricted")
    let (kept, _) = try run("reset", "flatpak:org.a", "--uid", "4711")
    #expect(kept.contains("it stays restricted until 'locationctl unrestrict flatpak:org.a'"))
    #expect(try run("reset", "--all").0.contains("that is not restricted may ask again"))
    #expect(try run("unrestrict", "flatpak:org.a", "--uid", "4711").0.contains("holds again."))
    #expect(try run("reset", "flatpak:org.a", "--uid", "4711").0.contains("may ask again"))
    #expect(try authorization(of: "flatpak:org.a") == nil)
    #expect(try run("grant", "snap:b", "always").0.contains("may know the location: always."))
    #expect(try authorization(of: "snap:b") == "authorizedAlways")
    #expect(try run("reset", "--all").0.contains("may ask again"))
    #expect(try client.permissions() == [:])
    #expect(try run("apps") == ("No app yet.\n", 0))
    #expect(try run("disable").0.contains("Location is off"))
    #expect(try run("get").1 == 3)
    #expect(try run("enable").0.contains("Location is on"))
    #expect(try run("get").1 == 0)

    for usage in [
      ["grant"], ["grant", "app:a"], ["grant", "app:a", "never"], ["revoke"], ["reset"],
      ["reset", "app:a", "app:b"], ["grant", "app:a", "always", "--uid", "no such user"],
    ] {
      let program = try Program(
        [Program.path("locationctl")] + usage + ["--socket", daemon.socket])
      #expect(try program.text().exit == 2, "\(usage)")
    }
    #expect(try run("grant", "nonsense", "always").1 == 1)
  }

  @Test(
    "nobody but root and the daemon's user administrates",
    .enabled(if: AsRoot.isPossible, AsRoot.missing), .asRootWithCgroups)
  func strangers() throws {
    let daemon = try RunningDaemon()
    for arguments in [
      ["grant", "user:nobody", "always"], ["revoke", "user:nobody"], ["enable"],
      ["reset", "--all"], ["restrict", "user:nobody"],
    ] {
      let (text, exit) = try daemon.asSomeoneElse(arguments).text()
      #expect(exit == 3, "\(arguments)")
      #expect(text.contains("administrator"))
    }
    #expect(try daemon.connect().permissions() == [:])
    #expect(try daemon.asSomeoneElse("apps").text() == ("No app yet.\n", 0))
  }
}

@Suite("In use, as logind says", .serialized) struct SessionTests {
  /// A when-in-use client of the tests' user, on a daemon that asks logind.
  private func start() throws -> (RunningDaemon, Logind, SocketClient) {
    let bus = try PrivateBus(guests: [Logind.name])
    let logind = try Logind(on: bus)
    let daemon = try RunningDaemon(
      ["replay://{folder}/drive.nmea?rate=20&loop=1"],
      files: ["drive.nmea": Recording.drive(seconds: 600)], bus: bus,
      flags: ["--in-use", "logind"])
    let client = try daemon.connect()
    try client.decide("authorizedWhenInUse")
    _ = try client.ask("startUpdatingLocation")
    return (daemon, logind, client)
  }

  private func isInUse(_ client: SocketClient) throws -> Bool {
    try client.ask("status")["result"]?["client"]?["inUse"] == .bool(true)
  }

  /// Waits until locationd knows it, and looks whether fixes come.
  private func expectUse(_ isExpected: Bool, _ client: SocketClient, _ what: String) throws {
    #expect(try eventually(within: patience) { try isInUse(client) == isExpected }, "\(what)")
    _ = client.everything(quiet: 0)
    if isExpected {
      #expect(try client.location(within: patience) != nil, "\(what)")
    } else {
      try #require(client.daemon).waitForFixes()
      #expect(!client.everything(quiet: 0).contains("latitude"), "\(what)")
    }
  }

  @Test("fixes come while the user's session is there, active and not locked, and at no other time")
  func sessions() throws {
    let (daemon, logind, client) = try start()
    try expectUse(false, client, "no session")
    try logind.open("c1", of: getuid())
    try expectUse(true, client, "a session")
    try logind.change("c1", ["LockedHint": .bool(true)])
    try expectUse(false, client, "locked")
    try logind.change("c1", ["LockedHint": .bool(false)])
    try expectUse(true, client, "unlocked")
    try logind.change("c1", ["Active": .bool(false), "State": .string("online")])
    try expectUse(false, client, "in the background")
    // Over ssh, while the first is still there.
    try logind.open("c2", of: getuid())
    try expectUse(true, client, "a second session")
    try logind.close("c2")
    try expectUse(false, client, "the second is closed")
    try logind.open("c3", of: getuid() + 1)
    try expectUse(false, client, "somebody else's")
    withExtendedLifetime(daemon) {}
  }

  @Test("sessions that were there before locationd count, and greeters do not")
  func before() throws {
    let bus = try PrivateBus(guests: [Logind.name])
    let logind = try Logind(on: bus)
    try logind.open("c1", of: getuid())
    let daemon = try RunningDaemon(bus: bus, flags: ["--in-use", "logind"])
    let client = try daemon.connect()
    #expect(try eventually(within: patience) { try isInUse(client) })
    try logind.change("c1", ["Class": .string("greeter")])
    #expect(try eventually(within: patience) { try !isInUse(client) })
  }

  @Test("without logind, or when it goes, nobody is in use")
  func withoutLogind() throws {
    let bus = try PrivateBus(guests: [Logind.name])
    var logind: Logind? = try Logind(on: bus)
    try logind?.open("c1", of: getuid())
    let daemon = try RunningDaemon(bus: bus, flags: ["--in-use", "logind"])
    let client = try daemon.connect()
    #expect(try eventually(within: patience) { try isInUse(client) })
    logind = nil
    #expect(try eventually(within: patience) { try !isInUse(client) })
    let again = try Logind(on: bus)
    try again.open("c9", of: getuid())
    #expect(try eventually(within: patience) { try isInUse(client) })
  }

  @Test("an app that says so in time stays in use when the session is locked, until it goes")
  func holds() throws {
    let (daemon, logind, client) = try start()
    #expect(try client.ask("beginUse")["error"]?["data"]?["name"] == "denied")
    try logind.open("c1", of: getuid())
    try expectUse(true, client, "a session")
    #expect(try client.ask("beginUse")["result"] == [:])
    let other = try daemon.connect()
    try logind.change("c1", ["LockedHint": .bool(true)])
    #expect(try eventually(within: patience) { try !isInUse(other) })
    try expectUse(true, client, "held")
    #expect(try client.ask("status")["result"]?["client"]?["holdsUse"] == .bool(true))
    #expect(try client.ask("endUse")["result"] == [:])
    try expectUse(false, client, "no longer held")
  }
}
