import DBus
import Foundation
import Glibc
import LocationModel
import Platform
import TestSupport
import Testing

/// locationd-agent, as a person's session starts it, but with a terminal instead of its unit.
func startAgent(
  _ daemon: RunningDaemon, on bus: PrivateBus, environment: [String: String] = [:]
) throws -> Program {
  try Program(
    onTerminal(
      Cgroup.inSession([Program.path("locationd-agent"), "--socket=\(daemon.socket)"])),
    environment: [
      "DBUS_SESSION_BUS_ADDRESS": bus.address, "DBUS_SYSTEM_BUS_ADDRESS": bus.address,
      "LC_ALL": "C",
    ].merging(environment) { $1 })
}

@Suite("locationd-agent", .serialized) struct AgentTests {
  private static let portal = "org.freedesktop.impl.portal.desktop.gtk"
  private static let notifications = "org.freedesktop.Notifications"

  private func daemon() throws -> RunningDaemon {
    try RunningDaemon(files: ["policy.d/ask.conf": "[Rule]\nAction=ask\n"])
  }

  /// A desktop's backend whose dialog answers so.
  private func startPortal(_ bus: PrivateBus, answering code: String) throws -> MockService {
    let service = try MockService(
      [Self.portal, "/org/freedesktop/portal/desktop", "org.freedesktop.impl.portal.Access"],
      as: Self.portal, on: bus)
    try service.mock(
      "/org/freedesktop/portal/desktop", "AddMethod",
      [
        .string("org.freedesktop.impl.portal.Access"), .string("AccessDialog"),
        .string("osssssa{sv}"), .string("ua{sv}"), .string(code),
      ])
    return service
  }

  @Test(
    "the desktop's dialog asks in the person's language, and what the person chose is what holds",
    arguments: [
      ("0", "once=false,precise=true", "authorizedWhenInUse", "full"),
      ("0", "once=true,precise=true", "authorizedWhenInUse", "full"),
      ("0", "once=false,precise=false", "authorizedWhenInUse", "reduced"),
      ("1", "", "denied", "full"),
    ])
  func dialog(response: String, choices: String, authorization: String, accuracy: String) throws {
    let bus = try PrivateBus(guests: [Self.portal])
    let pairs = choices.split(separator: ",").map { pair in
      "('\(pair.prefix { $0 != "=" })', '\(pair.drop { $0 != "=" }.dropFirst())')"
    }
    let portal = try startPortal(
      bus,
      answering:
        "ret = (dbus.UInt32(\(response)), {'choices': dbus.Array([\(pairs.joined(separator: ","))], signature='(ss)')})"
    )
    let daemon = try daemon()
    let agent = try startAgent(daemon, on: bus, environment: ["LC_ALL": "ko_KR.UTF-8"])
    let client = try daemon.connect()
    var result: JSON?
    let isDetermined = try eventually(within: patience) {
      result = try client.ask("requestAuthorization", ["level": "whenInUse"])["result"]
      if result == nil { usleep(200_000) }
      return result != nil
    }
    #expect(isDetermined)
    #expect(result?["authorization"]?.string == authorization)
    #expect(try client.ask("hello")["result"]?["accuracy"]?.string == accuracy)
    let calls = try portal.mock(
      "/org/freedesktop/portal/desktop", "GetMethodCalls", [.string("AccessDialog")])
    #expect(calls.first?.asArray?.count == 1)
    let shown = "\(calls)"
    #expect(shown.contains("내 위치를 알려 줄까요?") && shown.contains("허용 안 함"), "\(shown)")
    withExtendedLifetime(agent) {}
  }

  @Test("a dialog that is closed is no consent, and is not remembered")
  func closed() throws {
    let bus = try PrivateBus(guests: [Self.portal])
    let portal = try startPortal(bus, answering: "ret = (dbus.UInt32(2), {})")
    let daemon = try daemon()
    let agent = try startAgent(daemon, on: bus)
    let client = try daemon.connect()
    let isAsked = try eventually(within: patience) {
      let answer = try client.ask("requestAuthorization", ["level": "whenInUse"])
      #expect(answer["error"]?["data"]?["name"] == "denied")
      usleep(50_000)
      let calls = try portal.mock(
        "/org/freedesktop/portal/desktop", "GetMethodCalls", [.string("AccessDialog")])
      return calls.first?.asArray?.count == 1
    }
    #expect(isAsked)
    #expect(try client.ask("hello")["result"]?["authorization"] == "notDetermined")
    #expect(try client.permissions() == [:])
    withExtendedLifetime(agent) {}
  }

  @Test(
    "without a dialog it is a notification with buttons",
    arguments: [
      ("allowWhileUsing", "authorizedWhenInUse"), ("deny", "denied"),
      ("reduced", "authorizedWhenInUse"),
    ])
  func notification(button: String, authorization: String) throws {
    let bus = try PrivateBus(guests: [Self.notifications])
    let server = try MockService(
      [
        "--template", "notification_daemon", "--parameters", "{\"capabilities\": \"actions body\"}",
      ],
      as: Self.notifications, on: bus)
    let daemon = try daemon()
    let agent = try startAgent(daemon, on: bus)
    let client = try daemon.connect()
    let press: [BusValue] = [
      .string(""), .string("ActionInvoked"), .string("us"),
      .array(of: "v", [.variant(.uint32(1)), .variant(.string(button))]),
    ]
    var id = client.request("requestAuthorization", ["level": "whenInUse"])
    var result: JSON?
    let isDetermined = try eventually(within: patience) {
      while client.hasLine() {
        while let line = client.waitingLine() {
          guard line["id"] == .integer(Int64(id)) else { continue }
          result = line["result"]
          // The agent was not there yet.
          if result == nil {
            usleep(100_000)
            id = client.request("requestAuthorization", ["level": "whenInUse"])
          }
        }
      }
      let calls = try server.mock(
        "/org/freedesktop/Notifications", "GetMethodCalls", [.string("Notify")])
      if calls.first?.asArray?.isEmpty == false, result == nil {
        try server.mock("/org/freedesktop/Notifications", "EmitSignal", press)
      }
      return result != nil
    }
    #expect(isDetermined)
    #expect(result?["authorization"]?.string == authorization)
    if button == "reduced" { #expect(try client.ask("hello")["result"]?["accuracy"] == "reduced") }
    withExtendedLifetime(agent) {}
  }

  @Test("a dialog that cannot be shown is no answer: the notification is asked")
  func fallback() throws {
    let bus = try PrivateBus(guests: [Self.portal, Self.notifications])
    // It has the name, and no dialog.
    let portal = try MockService(
      [Self.portal, "/org/freedesktop/portal/desktop", "org.freedesktop.impl.portal.Other"],
      as: Self.portal, on: bus)
    let server = try startNotifications(bus)
    let daemon = try daemon()
    let agent = try startAgent(daemon, on: bus)
    let client = try daemon.connect()
    _ = try ask(client) { try Self.questions(shownBy: server) == 1 }
    withExtendedLifetime((agent, portal)) {}
  }

  @Test("where no desktop is, a terminal answers, and programs are still told apart")
  func terminal() throws {
    let bus = try PrivateBus()
    let daemon = try daemon()
    let agent = try startAgent(daemon, on: bus)
    #expect(try eventually(within: patience) { try self.isIdentified(daemon) })
    let typist = try Typist(daemon, answers: ["w"])
    try typist.wait(for: "come here")
    let client = try daemon.connect()
    let answer = try client.ask("requestAuthorization", ["level": "whenInUse"])
    #expect(answer["result"]?["authorization"] == "authorizedWhenInUse")
    #expect(try isIdentified(daemon))
    withExtendedLifetime(agent) {}
  }

  @Test("a desktop that comes is asked by, and one that goes leaves that to a terminal")
  func comesAndGoes() throws {
    let bus = try PrivateBus(guests: [Self.notifications])
    let daemon = try daemon()
    let agent = try startAgent(daemon, on: bus)
    #expect(try eventually(within: patience) { try self.isIdentified(daemon) })
    let client = try daemon.connect()
    let refused = try client.ask("requestAuthorization", ["level": "whenInUse"])
    #expect(refused["error"]?["data"]?["name"] == "denied")
    var server: MockService? = try startNotifications(bus)
    let id = try ask(client) { try server.map(Self.questions) == 1 }
    let second = try rogue(daemon, "sys.exit()")
    #expect(try second.line().contains("Another agent answers"))
    server = nil
    // The question that was open is given up, and somebody else may ask.
    #expect(try client.reply(to: id)["error"]?["data"]?["name"] == "denied")
    let isFree = try eventually(within: patience) {
      try rogue(daemon, "sys.exit()").line().contains("\"result\":{}")
    }
    #expect(isFree)
    withExtendedLifetime(agent) {}
  }

  @Test("as long as a program stays in use though nobody looks, a notification says so")
  func holding() throws {
    let bus = try PrivateBus(guests: [Self.notifications])
    let server = try startNotifications(bus)
    let daemon = try RunningDaemon()
    let agent = try startAgent(daemon, on: bus)
    // A program that is renamed under the notification is shown anew.
    #expect(try eventually(within: patience) { try self.isIdentified(daemon) })
    let client = try daemon.connect()
    #expect(try client.ask("beginUse")["result"] == [:])
    let isShown = try eventually(within: patience) { try Self.questions(shownBy: server) == 1 }
    #expect(isShown)
    #expect(try client.ask("endUse")["result"] == [:])
    let isClosed = try eventually(within: patience) {
      try server.mock(
        "/org/freedesktop/Notifications", "GetMethodCalls", [.string("CloseNotification")]
      ).first?.asArray?.count == 1
    }
    #expect(isClosed)
    withExtendedLifetime(agent) {}
  }

  @Test("a desktop that cannot show anything yet is asked again")
  func holdingEarly() throws {
    let bus = try PrivateBus(guests: [Self.notifications])
    let path = "/org/freedesktop/Notifications"
    let server = try MockService(
      [Self.notifications, path, Self.notifications], as: Self.notifications, on: bus)
    let daemon = try RunningDaemon()
    let agent = try startAgent(daemon, on: bus)
    let client = try daemon.connect()
    #expect(try client.ask("beginUse")["result"] == [:])
    #expect(try eventually(within: patience) { try self.isIdentified(daemon) })
    try server.mock(
      path, "AddMethod",
      [
        .string(Self.notifications), .string("Notify"), .string("susssasa{sv}i"), .string("u"),
        .string("ret = 7"),
      ])
    let isShown = try eventually(within: patience) { try Self.questions(shownBy: server) == 1 }
    #expect(isShown)
    withExtendedLifetime(agent) {}
  }

  private static func questions(shownBy server: MockService) throws -> Int? {
    try server.mock("/org/freedesktop/Notifications", "GetMethodCalls", [.string("Notify")])
      .first?.asArray?.count
  }

  private func startNotifications(_ bus: PrivateBus) throws -> MockService {
    try MockService(
      [
        "--template", "notification_daemon", "--parameters", "{\"capabilities\": \"actions body\"}",
      ],
      as: Self.notifications, on: bus)
  }

  /// Asks until the question is shown: at first nobody may be there to show it. Gives the number of
  /// the request that waits for the answer.
  private func ask(_ client: SocketClient, until isShown: () throws -> Bool) throws -> Int {
    var id = client.request("requestAuthorization", ["level": "whenInUse"])
    let reached = try eventually(within: patience) {
      while client.hasLine(), let line = client.waitingLine() {
        guard line["id"] == .integer(Int64(id)) else { continue }
        #expect(line["error"]?["data"]?["name"] == "denied")
        usleep(50_000)
        id = client.request("requestAuthorization", ["level": "whenInUse"])
      }
      return try isShown()
    }
    #expect(reached)
    return id
  }

  /// Whether the agent tells programs apart.
  private func isIdentified(_ daemon: RunningDaemon) throws -> Bool {
    let (text, _) = try daemon.control("status", "--json").text()
    return try JSON(parsing: text)["client"]?["app"]?.string?.hasPrefix("exe:") == true
  }

  @Test("without any desktop the app is told at once, and the agent comes back when locationd does")
  func headless() throws {
    let bus = try PrivateBus()
    let daemon = try daemon()
    let agent = try startAgent(daemon, on: bus)
    for round in 0..<2 {
      let client = try daemon.connect()
      let isRegistered = try eventually(within: patience) {
        // A second agent is refused once there is one.
        let app = try daemon.control("status", "--json").text().text
        return app.contains("\"app\":\"exe:")
      }
      #expect(isRegistered, "\(round)")
      let answer = try client.ask("requestAuthorization", ["level": "whenInUse"])
      #expect(answer["error"]?["message"]?.string?.contains("sudo locationctl grant") == true)
      daemon.program.signal(SIGKILL)
      _ = try daemon.program.exit()
      try daemon.restart()
    }
    agent.signal(SIGTERM)
  }
}
