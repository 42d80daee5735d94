import DBus
import Foundation
import Glibc
import LocationModel
import Platform
import TestSupport
import Testing

@Suite("Relaunch, with real programs", .serialized) struct RelaunchProgramTests {
  private func daemon(on bus: PrivateBus? = nil) throws -> RunningDaemon {
    try RunningDaemon(
      ["replay://{folder}/track.jsonl?rate=120&loop=1"],
      files: ["track.jsonl": toAndFro + "\n"], bus: bus)
  }

  private func waitForName(_ bus: PrivateBus) throws {
    let client = try BusClient(bus.address)
    try client.wait("its name") {
      let owned = try client.ask(
        "/", "org.freedesktop.DBus", "NameHasOwner", [.string("org.locationd")],
        of: "org.freedesktop.DBus")
      return owned.first?.asBool == true
    }
  }

  private func apps(_ daemon: RunningDaemon) throws -> [JSON] {
    let (text, _) = try daemon.control("apps", "--json").text()
    return try JSON(parsing: text)["permissions"]?.array ?? []
  }

  private let byName: JSON = ["busName": .string(TrackerApp.name)]

  @Test("an app that is gone is started by the bus on which it had its name, and gets its events")
  func systemBus() throws {
    let bus = try PrivateBus.activating()
    let daemon = try daemon(on: bus)
    try waitForName(bus)
    let app = try TrackerApp(daemon, on: bus.address)
    try bus.install(app)
    #expect(try app.register(byName)["result"] == [:])
    let isBack = eventually(within: patience) { !app.events.isEmpty }
    #expect(isBack, "\(app.lines)")
    #expect(app.events.first == 1)
    let entry = try #require(try apps(daemon).first { $0["busName"] != nil })
    #expect(entry["busName"]?.string == TrackerApp.name)
    #expect(try daemon.control("apps").text().text.contains("STARTED BY"))
  }

  @Test("one that crashes is not started again at once")
  func crashes() throws {
    let bus = try PrivateBus.activating()
    let daemon = try daemon(on: bus)
    try waitForName(bus)
    let app = try TrackerApp(daemon, on: bus.address, crashes: true)
    try bus.install(app)
    // Nothing is for it before: whenever its first start is noted, the second is ten seconds later.
    let before = Double(Clock.monotonic) / 1e6
    #expect(try app.register(byName)["result"] == [:])
    let isBack = eventually(within: patience) { app.starts.count >= 2 }
    #expect(isBack, "\(app.lines)")
    #expect(try #require(app.starts.dropFirst().first) - before > 10)
    // It is told the same again.
    #expect(app.events.first == 1)
    #expect(eventually(within: patience) { app.events.prefix(2) == [1, 1] })
  }

  @Test("a name that another program has, or nobody, is refused")
  func others() throws {
    let bus = try PrivateBus.activating([TrackerApp.name, "org.example.Other"])
    let daemon = try daemon(on: bus)
    try waitForName(bus)
    let app = try TrackerApp(daemon, on: bus.address)
    let other = try BusClient(bus.address)
    let name = try other.connection.own("org.example.Other") { _ in }
    try other.wait("the name") {
      try other.ask(
        "/", "org.freedesktop.DBus", "NameHasOwner", [.string("org.example.Other")],
        of: "org.freedesktop.DBus"
      ).first == .bool(true)
    }
    for foreign in ["org.example.Other", "org.example.Nobody", "org.locationd"] {
      let answer = try app.register(["busName": .string(foreign)])
      #expect(answer["error"]?["data"]?["name"] == "denied", "\(foreign)")
    }
    #expect(
      try app.register(["unit": "a.service"])["error"]?["data"]?["name"] == "denied")
    for none: JSON in [
      ["unit": "../a"], ["busName": ":1.1"], ["unit": "a.service", "busName": "a.b"],
    ] {
      #expect(
        try app.register(none)["error"]?["data"]?["name"] == "invalidParameters", "\(none)")
    }
    withExtendedLifetime(name) {}
  }

  @Test("over the bus it is said as over the socket, and what is unknown is refused")
  func overTheBus() throws {
    let bus = try PrivateBus.activating()
    let daemon = try daemon(on: bus)
    try waitForName(bus)
    let client = try BusClient(bus.address)
    let path = try client.makeClient()
    func refusal(_ options: [String: BusValue]) throws -> String? {
      try client.refusal(
        path, "org.locationd.Client1", "SetActivation", [.dictionary(options)])
    }
    let name = BusValue.string(TrackerApp.name)
    #expect(try refusal(["busName": name]) == "org.locationd.Error.Denied")
    let owned = try client.connection.own(TrackerApp.name) { _ in }
    let isTaken = try eventually(within: patience) { try refusal(["busName": name]) == nil }
    #expect(isTaken)
    #expect(try refusal(["busName": name, "when": name]) == "org.locationd.Error.InvalidArgs")
    #expect(try refusal(["busName": .uint32(1)]) == "org.locationd.Error.InvalidArgs")
    #expect(try refusal(["unit": .string("a.timer")]) == "org.locationd.Error.InvalidArgs")
    #expect(try refusal([:]) == nil)
    #expect(try apps(daemon).allSatisfy { $0["busName"] == nil })
    withExtendedLifetime(owned) {}
  }

  @Test(
    "a system's service is started by its unit, which nobody else may name",
    .enabled(if: AsRoot.isPossible, AsRoot.missing), .asRootWithCgroups)
  func unit() throws {
    let bus = try PrivateBus(guests: [MockService.systemd])
    let manager = try MockService.serviceManager(on: bus)
    let daemon = try daemon(on: bus)
    try waitForName(bus)
    let app = try TrackerApp(daemon, on: "none")
    let unit = "walker.service"
    let cgroup = try Cgroup("/system.slice/\(unit)")
    #expect(
      try app.register(["unit": "ssh.service"], in: cgroup)["error"]?["data"]?["name"] == "denied")
    #expect(try app.register(["unit": .string(unit)], in: cgroup)["result"] == [:])
    let isStarted = try eventually(within: patience) {
      let calls = try manager.mock(
        "/org/freedesktop/systemd1", "GetMethodCalls", [.string("StartUnit")])
      guard case .structure(let call)? = calls.first?.asArray?.first else { return false }
      #expect(
        call.last?.asArray == [.variant(.string(unit)), .variant(.string("fail"))], "\(call)")
      return true
    }
    #expect(isStarted)
  }

  @Test("a user's app is started by its agent on the session's bus, also after kill -9 in between")
  func agent() throws {
    let session = try PrivateBus.activating()
    let daemon = try daemon()
    let app = try TrackerApp(daemon, on: session.address)
    try session.install(app)
    var agent: Program? = try startAgent(daemon, on: session)
    let isTaken = try eventually(within: patience) {
      let answer = try app.register(byName)
      if answer["result"] == nil { usleep(100_000) }
      return answer["result"] == [:]
    }
    try #require(isTaken)
    // The agent that starts it goes, and then the daemon, before anything is started.
    agent?.signal(SIGTERM)
    _ = try agent?.exit()
    agent = nil
    let wait = try eventually(within: patience) {
      usleep(50_000)
      return try apps(daemon).contains { ($0["waiting"]?.integer ?? 0) > 2 }
    }
    #expect(wait)
    daemon.program.signal(SIGKILL)
    _ = try? daemon.program.exit()
    let before = app.lines.count
    try daemon.restart()
    agent = try startAgent(daemon, on: session)
    let isBack = eventually(within: patience) {
      app.lines.dropFirst(before).contains { $0.hasPrefix("event ") }
    }
    #expect(isBack, "\(app.lines)")
    // Revoked, nothing of it is left, and nothing is started any more.
    let entry = try #require(try apps(daemon).first { $0["busName"] != nil })
    let name = try #require(entry["app"]?.string)
    #expect(try daemon.control("revoke", name).text().exit == 0)
    let revoked = try #require(try apps(daemon).first { $0["app"]?.string == name })
    #expect(revoked["busName"] == nil)
    #expect(revoked["waiting"] == nil)
    withExtendedLifetime(agent) {}
  }
}

@Suite("What the agent starts", .serialized) struct AgentStartTests {
  @Test("an agent starts only what the app can have named, and says so")
  func refuses() throws {
    let bus = try PrivateBus(guests: [MockService.systemd])
    let manager = try MockService.serviceManager(on: bus)
    let place = bus.folder.appending(path: "daemon").path
    let listener = try Listener.unix(place)
    let agent = try Program(
      [Program.path("locationd-agent"), "--socket", place],
      environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address])
    let daemon = try listener.accept()
    daemon.say(
      #"{"jsonrpc":"2.0","id":1,"result":{}}"# + "\n" + #"{"jsonrpc":"2.0","id":2,"result":{}}"#
        + "\n")
    var answers: [String: Bool] = [:]
    var text: [UInt8] = []
    func ask(_ id: String, _ app: String, _ unit: String) {
      let request: JSON = [
        "jsonrpc": "2.0", "id": .string(id), "method": "agent.launch",
        "params": ["app": .string(app), "unit": .string(unit)],
      ]
      daemon.say(request.text + "\n")
    }
    func answer(to id: String) -> Bool? {
      _ = eventually(within: patience) {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = recv(daemon.descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
        if count > 0 { text += bytes[..<count] }
        while let end = text.firstIndex(of: 0x0A) {
          let line = try? JSON(parsing: String(decoding: text[..<end], as: UTF8.self))
          text.removeFirst(end + 1)
          if let id = line?["id"]?.string { answers[id] = line?["error"] == nil }
        }
        return answers[id] != nil
      }
      return answers[id]
    }
    // The session's bus is not reached at once.
    let isStarted = eventually(within: patience) {
      answers = [:]
      ask("a", "userunit:map", "map.service")
      return answer(to: "a") == true
    }
    #expect(isStarted)
    let wrong = [
      ("userunit:map", "other.service"), ("user:me", "map.service"),
      ("exe:/usr/bin/a", "a.service"),
      ("app:org.a.B", "other.service"), ("unit:map.service", "map.service"), ("", "map.service"),
    ]
    for (i, (app, unit)) in wrong.enumerated() {
      ask("w\(i)", app, unit)
      #expect(answer(to: "w\(i)") == false, "\(app) \(unit)")
    }
    // A word that is no name makes no request.
    for unit in ["../../x", "a.timer", "a b.service", "--help.service"] {
      ask("none", "userunit:map", unit)
    }
    ask("b", "userunit:map", "map.service")
    #expect(answer(to: "b") == true)
    #expect(answers["none"] == nil)
    let calls = try manager.mock(
      "/org/freedesktop/systemd1", "GetMethodCalls", [.string("StartUnit")])
    for case .structure(let call) in calls.first?.asArray ?? [] {
      #expect(call.last?.asArray?.first == .variant(.string("map.service")))
    }
    withExtendedLifetime(agent) {}
  }
}
