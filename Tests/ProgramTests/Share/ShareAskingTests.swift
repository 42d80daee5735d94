import DBus
import Foundation
import Glibc
import LocationModel
import TestSupport
import Testing

/// A desktop whose notifications ask, a daemon that asks about every app, and a share.
private final class AskingDesk {
  let share: RunningShare
  private let server: MockService
  private let agent: Program

  private static let notifications = "org.freedesktop.Notifications"
  private static let path = "/org/freedesktop/Notifications"

  init(seesGroups: Bool = false) throws {
    let bus = try PrivateBus(guests: [Self.notifications])
    server = try MockService(
      [
        "--template", "notification_daemon", "--parameters", "{\"capabilities\": \"actions body\"}",
      ],
      as: Self.notifications, on: bus)
    let daemon = try RunningDaemon.replaying(
      ["policy.d/ask.conf": "[Rule]\nAction=ask\n"], seesGroups: seesGroups)
    share = try RunningShare(daemon)
    agent = try startAgent(daemon, on: bus)
    try #require(try asks())
  }

  func asks() throws -> Bool {
    try eventually(within: patience) {
      try self.share.daemon.connect().ask("status")["result"]?["agent"] == "asks"
    }
  }

  /// The programs at the doors that the daemon knows.
  func programs() throws -> Int? {
    let status = try share.daemon.connect().ask("status")["result"]
    return status?["clients"]?.array?.count { $0["app"]?.string == share.app }
  }

  /// The questions that were shown, each as one text, with their numbers: notices, as of a first use, stand among them.
  func questions() throws -> [(number: UInt32, text: String)] {
    let calls = try server.mock(Self.path, "GetMethodCalls", [.string("Notify")])
    let texts = calls.first?.asArray?.map { "\($0)" } ?? []
    return zip(1..., texts).filter { $0.1.contains("\"deny\"") }.map { ($0.0, $0.1) }
  }

  func isAsked(_ count: Int) throws -> Bool {
    try eventually(within: patience) { try self.questions().count == count }
  }

  func press(_ button: String, on question: UInt32) throws {
    try emit("ActionInvoked", "us", [.uint32(question), .string(button)])
  }

  func close(_ question: UInt32) throws {
    try emit("NotificationClosed", "uu", [.uint32(question), .uint32(2)])
  }

  private func emit(_ name: String, _ signature: String, _ values: [BusValue]) throws {
    try server.mock(
      Self.path, "EmitSignal",
      [
        .string(""), .string(name), .string(signature),
        .array(of: "v", values.map { .variant($0) }),
      ])
  }

  func isListed(_ app: String, _ authorization: String) throws -> Bool {
    try eventually(within: patience) {
      try self.share.daemon.connect().permissions()[app] == authorization
    }
  }
}

private let watch = "?WATCH={\"enable\":true,\"json\":true};"

@Suite("A person and the programs at the share's doors", .serialized) struct ShareAskingTests {
  @Test("is asked when one begins to watch, and after a no is not asked again")
  func once() throws {
    let desk = try AskingDesk()
    let client = try desk.share.connect()
    client.send("?VERSION;?POLL;")
    #expect(client.hears("\"POLL\""))
    #expect(try desk.questions().isEmpty, "a program that does not watch asks nobody")
    client.send(watch)
    try #require(try desk.isAsked(1))
    let question = try desk.questions()[0].text
    #expect(question.contains(desk.share.app), "\(question)")
    try desk.press("deny", on: 1)
    #expect(try desk.isListed(desk.share.app, "denied"))
    for _ in 0..<3 {
      let another = try desk.share.connect()
      another.send(watch + "?POLL;")
      #expect(another.hears("\"POLL\"") && !another.knows)
      another.send("?WATCH={\"enable\":false};" + watch + "?DEVICES;")
      #expect(another.hears(#""devices":[]}"#))
    }
    #expect(!client.knows, "\(client.text)")
    #expect(try desk.questions().count == 1)
  }

  @Test("is not asked again that day after closing the question, and has allowed nothing")
  func closed() throws {
    let desk = try AskingDesk()
    let client = try desk.share.connect()
    client.send(watch)
    try #require(try desk.isAsked(1))
    try desk.close(1)
    let line = try eventually(within: patience) {
      try desk.share.daemon.program.line().contains("sudo locationctl grant \(desk.share.app)")
    }
    #expect(line)
    let another = try desk.share.connect()
    another.send(watch + "?POLL;")
    #expect(another.hears("\"POLL\"") && !another.knows && !client.knows)
    #expect(try desk.questions().count == 1)
    // A daemon that starts again knows that.
    desk.share.daemon.program.signal(SIGTERM)
    _ = try desk.share.daemon.program.exit()
    try desk.share.daemon.startAgain()
    #expect(try desk.asks())
    let third = try desk.share.connect()
    #expect(try eventually(within: patience) { try desk.programs() == 3 })
    third.send(watch + "?POLL;")
    #expect(third.hears("\"POLL\"") && !third.knows)
    #expect(try desk.questions().count == 1)
    // An administrator may still allow it, and the program that watches goes on.
    try desk.share.grant()
    #expect(client.hears("\"lat\":") && another.hears("\"lat\":"))
  }

  @Test("is not asked by an agent that the program itself has started")
  func kin() throws {
    let daemon = try RunningDaemon(files: ["policy.d/ask.conf": "[Rule]\nAction=ask\n"])
    let share = try RunningShare(daemon)
    let script = """
      import os, pty, socket, sys, threading, time
      child, terminal = pty.fork()
      if child == 0: os.execv(sys.argv[1], sys.argv[1:])
      text = b""
      while b"come here" not in text: text += os.read(terminal, 4096)
      def answer():
          while True: os.write(terminal, b"w\\n"); time.sleep(0.1)
      threading.Thread(target=answer, daemon=True).start()
      s = socket.create_connection(("127.0.0.1", \(share.port)))
      s.sendall(b'?WATCH={"enable":true,"json":true};')
      for line in s.makefile(): print(line, end="", flush=True)
      """
    let agent = [Program.path("locationctl"), "agent", "--socket", daemon.socket]
    let program = try Program(Cgroup.inSession(["python3", "-c", script] + agent))
    while try !program.line().contains("\"WATCH\"") {}
    let line = try eventually(within: patience) {
      try daemon.program.line().contains("sudo locationctl grant \(share.app)")
    }
    #expect(line)
    program.signal(SIGTERM)
    #expect(try !program.text().text.contains("\"TPV\""))
    #expect(try daemon.connect().permissions().isEmpty)
  }

  @Test("is asked once about a program that connects again and again")
  func reconnects() throws {
    let desk = try AskingDesk()
    for _ in 0..<3 {
      let client = try desk.share.connect()
      client.send(watch + "?POLL;")
      #expect(client.hears("\"POLL\""))
      try #require(try desk.isAsked(1))
    }
    let last = try desk.share.connect()
    last.send(watch + "?POLL;")
    #expect(last.hears("\"POLL\""))
    #expect(try desk.questions().count == 1)
    try desk.press("allowWhileUsing", on: 1)
    #expect(last.hears("\"lat\":"))
  }

  @Test("has the command that allows one, though location was switched off when it began to watch")
  func switchedOn() throws {
    let share = try RunningShare(
      RunningDaemon.replaying(["policy.d/ask.conf": "[Rule]\nAction=ask\n"]))
    #expect(try share.daemon.control("disable").exit() == 0)
    let client = try share.connect()
    client.send(watch)
    while try !share.daemon.program.line().contains("Location is switched off") {}
    #expect(try share.daemon.control("enable").exit() == 0)
    while try !share.daemon.program.line().contains("sudo locationctl grant \(share.app)") {}
  }

  @Test("allows the program that waits, which then hears at once")
  func allowed() throws {
    let desk = try AskingDesk()
    let client = try desk.share.connect()
    client.send(watch)
    try #require(try desk.isAsked(1))
    #expect(!client.knows)
    try desk.press("allowWhileUsing", on: 1)
    #expect(client.hears("\"lat\":"))
    #expect(try desk.isListed(desk.share.app, "authorizedWhenInUse"))
  }

  @Test(
    "is asked about each app by its own name",
    .enabled(if: Cgroup.roots[.unified] != nil, "only root makes control groups of the kernel's"))
  func names() throws {
    let desk = try AskingDesk(seesGroups: true)
    let slice = "/user.slice/user-\(getuid()).slice/user@\(getuid()).service/app.slice"
    let groups = try ["org.qgis.qgis", "navit"].map { try Cgroup("\(slice)/app-\($0)-1.scope") }
    let programs = try groups.map { try Program($0.command(reader(at: desk.share.port))) }
    // Questions come one after the other.
    for number in 1...2 {
      try #require(try desk.isAsked(number))
      let question = try desk.questions()[number - 1]
      let isMap = question.text.contains("org.qgis.qgis")
      try desk.press(isMap ? "allowWhileUsing" : "deny", on: question.number)
    }
    while try !programs[0].line().contains("\"lat\":") {}
    #expect(try desk.isListed("app:org.qgis.qgis", "authorizedWhenInUse"))
    #expect(try desk.isListed("app:navit", "denied"))
    // Revoked, the one is told no more, and the other has been told nothing.
    #expect(try desk.share.daemon.control("revoke", "app:org.qgis.qgis").exit() == 0)
    _ = try programs[0].exit()
    programs[1].signal(SIGTERM)
    #expect(try !programs[1].text().text.contains("\"TPV\""))
    withExtendedLifetime(groups) {}
  }
}
