import DBus
import Foundation
import Glibc
import LocationModel
import Platform
import TestSupport
import Testing

/// An agent on the system's bus starts programs on its own session's, as one over the socket does.
@Suite("What an agent on the bus starts", .serialized) struct BusLaunchTests {
  private let system: PrivateBus
  private let session: PrivateBus
  private let daemon: RunningDaemon
  private let app: TrackerApp
  private static let byName: JSON = ["busName": .string(TrackerApp.name)]

  init() throws {
    system = try PrivateBus()
    session = try PrivateBus.activating()
    daemon = try RunningDaemon(
      ["replay://{folder}/track.jsonl?rate=120&loop=1"],
      files: ["track.jsonl": toAndFro + "\n"], bus: system)
    try BusClient(system.address).waitForDaemon()
    app = try TrackerApp(daemon, on: session.address)
    try session.install(app)
  }

  /// The example agent, on a terminal; `changed` is what is done to its text.
  private func agent(_ changed: (String) -> String = { $0 }) throws -> Program {
    let example = PrivateBus.house.appending(path: "config/examples/agent.py")
    let text = changed(try String(contentsOf: example, encoding: .utf8))
    try daemon.write(text, to: "agent.py")
    let driver = """
      import os, pty, sys
      pid, terminal = pty.fork()
      if pid == 0: os.execv("/usr/bin/python3", ["/usr/bin/python3", sys.argv[1]])
      while True:
          try: text = os.read(terminal, 4096)
          except OSError: break
          sys.stdout.buffer.write(text); sys.stdout.buffer.flush()
      """
    let command = ["python3", "-c", driver, daemon.folder.appending(path: "agent.py").path]
    let agent = try Program(
      Cgroup.inSession(command),
      environment: [
        "DBUS_SYSTEM_BUS_ADDRESS": system.address, "DBUS_SESSION_BUS_ADDRESS": session.address,
      ])
    while try !agent.line(within: patience).contains("come here") {}
    return agent
  }

  /// An agent that is slow to say whose the name is, is not waited for.
  private func isRegistered() throws -> Bool {
    try eventually(within: patience) { try app.register(Self.byName)["result"] == [:] }
  }

  @Test("it says whose a name of the session is, and starts who has an event waiting")
  func launch() throws {
    let agent = try agent()
    #expect(try isRegistered())
    let isBack = eventually(within: patience) { !app.events.isEmpty }
    #expect(isBack, "\(app.lines)")
    #expect(app.events.first == 1)
    while try !agent.line(within: patience).hasPrefix("Started ") {}
  }

  @Test("a name that nobody has there, or another program, is nobody's to name")
  func others() throws {
    let agent = try agent()
    for name in ["org.example.Nobody", "org.example.Other"] {
      let answer = try app.register(["busName": .string(name)])
      #expect(answer["error"]?["data"]?["name"] == "denied", "\(name) \(answer)")
    }
    withExtendedLifetime(agent) {}
  }

  @Test("where it cannot be started, it is tried again, and the event is kept")
  func fails() throws {
    // The first time it says no.
    let agent = try agent {
      $0.replacingOccurrences(
        of: "    def Launch(self, program):\n",
        with: """
              def Launch(self, program):
                  Agent.launches = getattr(Agent, "launches", 0) + 1
                  import time; print("asked", time.monotonic(), flush=True)
                  if Agent.launches == 1: raise dbus.DBusException("no")

          """)
    }
    #expect(try isRegistered())
    func asked() throws -> Double {
      while true {
        let words = try agent.line().split(whereSeparator: \.isWhitespace)
        if words.first == "asked" { return try #require(words.last.flatMap { Double($0) }) }
      }
    }
    _ = try asked()
    let again = try asked()
    let isBack = eventually(within: patience) { !app.events.isEmpty }
    #expect(isBack, "\(app.lines)")
    #expect(app.starts.allSatisfy { $0 > again })
    #expect(app.events.first == 1)
  }
}
