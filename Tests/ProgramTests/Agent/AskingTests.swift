import Foundation
import Glibc
import LocationModel
import TestSupport
import Testing

/// `locationctl agent` on a terminal of its own, with somebody at it who types.
final class Typist {
  private let program: Program

  init(_ daemon: RunningDaemon, answers: [String]) throws {
    let agent = [Program.path("locationctl"), "agent", "--socket", daemon.socket]
    program = try Program(onTerminal(Cgroup.inSession(agent), answers: answers))
  }

  @discardableResult
  func wait(for text: String) throws -> String {
    while true {
      let line = try program.line()
      if line.contains(text) { return line }
    }
  }
}

/// An agent that does what no agent should. What it does comes after the registration.
func rogue(_ daemon: RunningDaemon, _ what: String) throws -> Program {
  let script = """
    import os, socket, json, sys, time
    s = socket.socket(socket.AF_UNIX); s.connect("\(daemon.socket)")
    # Apart: who writes to a file of both kinds loses what it has read ahead.
    f, g = s.makefile("r"), s.makefile("w")
    def send(**message): g.write(json.dumps({"jsonrpc": "2.0", **message}) + "\\n"); g.flush()
    def answer(id, **result): send(id=id, result=result)
    def question():
        while True:
            message = json.loads(f.readline())
            if message["method"] == "agent.decide": return message
            answer(message["id"])
    send(id=1, method="agent.register")
    print("registered", f.readline().strip(), flush=True)
    \(what)
    """
  return try Program(onTerminal(Cgroup.inSession(["python3", "-c", script])))
}

@Suite("Asking people", .serialized) struct AskingTests {
  /// A daemon that asks about every app, also of the tests' own user.
  private func daemon(_ sources: [String] = ["static:45,7"]) throws -> RunningDaemon {
    try RunningDaemon(sources, files: ["policy.d/ask.conf": "[Rule]\nAction=ask\n"])
  }

  @Test("a person at a terminal is asked, and what they type is what holds")
  func terminal() throws {
    for (answer, authorization) in [
      ("w", "authorizedWhenInUse"), ("o", "authorizedWhenInUse"), ("d", "denied"),
    ] {
      let daemon = try daemon()
      let typist = try Typist(daemon, answers: ["what?", "p", answer])
      try typist.wait(for: "come here")
      let client = try daemon.connect()
      _ = try client.ask("hello", ["name": "t", "purpose": "to show\u{1B}[2J you the way"])
      let id = client.request("requestAuthorization", ["level": "whenInUse"])
      try typist.wait(for: "wants to know where this machine is")
      #expect(try typist.wait(for: "It says").contains("“to show\u{FFFD}[2J you the way”"))
      #expect(try typist.wait(for: "is no answer").contains("'what?' is no answer: type o, w"))
      try typist.wait(for: "p switches precise on")
      try typist.wait(for: "a place within 3 km")
      #expect(try client.reply(to: id)["result"]?["authorization"]?.string == authorization)
      let status = try client.ask("hello")["result"]
      #expect(status?["authorization"]?.string == authorization)
      if answer != "d" { #expect(status?["accuracy"] == "reduced") }
      let app = try #require(status?["app"]?.string)
      #expect(try client.permissions()[app] == authorization)
    }
  }

  @Test("an agent tells its user's programs apart")
  func identify() throws {
    let daemon = try daemon()
    let typist = try Typist(daemon, answers: [])
    try typist.wait(for: "come here")
    let (text, _) = try daemon.control("status", "--json").text()
    let app = try JSON(parsing: text)["client"]?["app"]?.string
    // On a machine with a manager of users' programs it may be told better than so.
    let exe = "exe:" + URL(filePath: Program.path("locationctl")).resolvingSymlinksInPath().path
    #expect(app == exe || app?.hasPrefix("user:") == false)
  }

  @Test(
    "locationctl asks for itself in the foreground of a terminal, and says elsewhere what could be done",
    arguments: ["get", "watch"])
  func control(verb: String) throws {
    let daemon = try daemon()
    let command = [Program.path("locationctl"), verb, "--json", "--socket", daemon.socket]
    // watch goes on, since the permission may change.
    func expectRefusal(_ command: [String]) throws {
      let program = try Program(command)
      while try !program.line().contains("sudo locationctl grant ") {}
      if verb == "get" { #expect(try program.text().exit == 3) }
    }
    try expectRefusal(onTerminal(command))
    let typist = try Typist(daemon, answers: ["w"])
    try typist.wait(for: "come here")
    // Nobody is asked for what runs without a terminal, or behind somebody's back on one.
    let background = onTerminal(["bash", "-c", "set -m; \"$@\" & wait $!", "bash"] + command)
    for hidden in [["setsid", "--wait"] + command, background] {
      try expectRefusal(hidden)
    }
    let program = try Program(onTerminal(command))
    while try !program.line().contains("latitude") {}
  }

  @Test("the first request on a terminal is asked about there, where no desktop asks")
  func firstRequest() throws {
    let daemon = try daemon()
    // As locationd-agent does where no desktop is: it tells programs apart, and asks nobody.
    let agent = try rogue(
      daemon,
      """
      send(id=2, method="agent.register", params={"asks": False})
      for line in f:
          message = json.loads(line)
          if message.get("method") == "agent.identify":
              answer(message["id"], exe=os.readlink("/proc/%d/exe" % message["params"]["pid"]))
          else: print("said", line, flush=True)
      """)
    #expect(try agent.line().contains("\"result\":{}"))
    #expect(try agent.line().contains("\"id\":2"))
    let get = [Program.path("locationctl"), "get", "--json", "--socket", daemon.socket]
    let (text, exit) = try Program(onTerminal(Cgroup.inSession(get), answers: ["w"])).text()
    #expect(exit == 0, "\(text)")
    #expect(text.contains("/locationctl (pid ") && text.contains("It calls itself "))
    #expect(
      text.contains("Allowed for longer, every program of yours can ask through locationctl."))
    #expect(text.contains("  o once   w while using"))
    #expect(text.contains("\"latitude\""))
    #expect(try Program(onTerminal(Cgroup.inSession(get))).text().exit == 0)
  }

  @Test("with an agent that hangs, dies, answers nonsense or for others, nothing is granted")
  func rogues() throws {
    for what in [
      "sys.exit()",
      "question(); os._exit(0)",
      """
      answer(question()["id"], decision="yes please")
      time.sleep(600)
      """,
      """
      asked = question()
      for i in range(-5, 100):
          if i != asked["id"]: answer(i, decision="allowAlways")
      send(id=asked["id"], error={"code": 1, "message": "no"})
      time.sleep(600)
      """,
    ] {
      let daemon = try daemon()
      let agent = try rogue(daemon, what)
      #expect(try agent.line().contains("\"result\":{}"), "\(what)")
      let client = try daemon.connect()
      let other = try daemon.connect()
      let answer = try client.ask("requestAuthorization", ["level": "whenInUse"])
      #expect(answer["error"]?["data"]?["name"] == "denied", "\(what)")
      #expect(answer["error"]?["message"]?.string?.contains("sudo locationctl grant") == true)
      #expect(
        try client.ask("requestLocation", ["timeout": .number(0.2)])["error"]?["data"]?["name"]
          == "denied")
      #expect(try other.ask("hello")["result"]?["authorization"] == "notDetermined")
      withExtendedLifetime(agent) {}
    }
  }

  @Test("an agent that hangs keeps nobody waiting but who asked")
  func hangs() throws {
    let daemon = try daemon()
    let agent = try rogue(daemon, "time.sleep(600)")
    _ = try agent.line()
    let client = try daemon.connect()
    client.request("requestAuthorization", ["level": "whenInUse"])
    #expect(try daemon.connect().ask("hello")["result"] != nil)
    #expect(try client.ask("hello")["result"]?["authorization"] == "notDetermined")
    // A second one is not taken while the first is there.
    let second = try rogue(daemon, "sys.exit()")
    #expect(try second.line().contains("Another agent answers"))
    agent.signal(SIGKILL)
    let third = try eventually(within: patience) {
      try rogue(daemon, "sys.exit()").line().contains("\"result\":{}")
    }
    #expect(third)
  }

  @Test("what is not on a terminal answers for nobody")
  func noTerminal() throws {
    let daemon = try daemon()
    let agent = try Program([
      "setsid", Program.path("locationctl"), "agent", "--socket", daemon.socket,
    ])
    let (text, exit) = try agent.text()
    #expect(exit == 3)
    #expect(text.contains("on a terminal"))
  }

  @Test("one that asks 10,000 times is bounded, and nobody else is kept waiting")
  func flood() throws {
    let daemon = try daemon()
    let agent = try rogue(
      daemon,
      """
      s.settimeout(None)
      count = 0
      for line in f:
          if "agent.decide" in line: count += 1; print("asked", count, flush=True)
          if "agent.identify" in line: answer(json.loads(line)["id"])
      """)
    _ = try agent.line()
    let flooder = try daemon.connect()
    _ = try flooder.ask("hello")
    let before = try daemon.program.heldMemory
    let line =
      #"{"jsonrpc":"2.0","id":1,"method":"requestAuthorization","params":{"level":"whenInUse"}}"#
      + "\n"
    var refused = 0
    for _ in 0..<100 {
      flooder.send(String(repeating: line, count: 100))
      while flooder.hasLine() { while flooder.waitingLine() != nil { refused += 1 } }
    }
    let other = try daemon.connect()
    #expect(try other.ask("hello")["result"] != nil)
    let allRefused = eventually(within: patience) {
      while flooder.hasLine() { while flooder.waitingLine() != nil { refused += 1 } }
      return refused >= 10_000 - 64
    }
    #expect(allRefused, "\(refused)")
    #expect(try daemon.program.heldMemory - before < 4000)
    #expect(try agent.line() == "asked 1\r")
  }

  @Test(
    "an app cannot grant itself anything, whatever it says",
    .enabled(if: AsRoot.isPossible, AsRoot.missing), .asRootWithCgroups)
  func selfGrant() throws {
    let daemon = try RunningDaemon()
    for arguments in [
      ["grant", "user:nobody", "always", "--uid", "65534"], ["reset", "--all"], ["agent"],
    ] {
      #expect(try daemon.asSomeoneElse(arguments).text().exit == 3, "\(arguments)")
    }
    #expect(try daemon.asSomeoneElse("get").text().exit == 3)
  }
}
