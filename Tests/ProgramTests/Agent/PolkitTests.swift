import DBus
import Foundation
import Glibc
import LocationModel
import Platform
import TestSupport
import Testing

@Suite("Administrators by polkit", .serialized) struct PolkitTests {
  private static let name = "org.freedesktop.PolicyKit1"
  private static let path = "/org/freedesktop/PolicyKit1/Authority"

  private func start() throws -> (MockService, RunningDaemon) {
    let bus = try PrivateBus(guests: [Self.name])
    let polkit = try MockService(["--template", "polkitd"], as: Self.name, on: bus)
    let daemon = try RunningDaemon(bus: bus)
    // Polkit is asked only once the bus is there.
    try polkit.client.waitForDaemon()
    return (polkit, daemon)
  }

  private func allow(
    _ polkit: MockService, _ isAllowed: Bool, _ action: String = "manage-permissions"
  ) throws {
    try polkit.mock(
      Self.path, "SetAllowed", [.strings(isAllowed ? ["org.locationd.\(action)"] : [])])
  }

  @Test(
    "with its consent to change what is the whole machine's, somebody says where the machine stands",
    .enabled(if: AsRoot.isPossible, AsRoot.missing), .asRootWithCgroups)
  func machine() throws {
    let (polkit, daemon) = try start()
    let verbs = [
      ["here", "set", "45.5,7.25"], ["here", "status"], ["disable"], ["enable"],
      ["here", "forget"], ["forget"],
    ]
    try allow(polkit, true)
    for verb in verbs { #expect(try daemon.asSomeoneElse(verb).text().exit == 3, "\(verb)") }
    try allow(polkit, true, "manage-machine")
    for verb in verbs { #expect(try daemon.asSomeoneElse(verb).text().exit == 0, "\(verb)") }
    #expect(try daemon.asSomeoneElse("grant", "app:x", "always").text().exit == 3)
  }

  @Test(
    "with polkit's consent somebody changes the permissions of their own apps, and of no others",
    .enabled(if: AsRoot.isPossible, AsRoot.missing), .asRootWithCgroups)
  func own() throws {
    let (polkit, daemon) = try start()
    try allow(polkit, true)
    let isAllowed = try eventually(within: patience) {
      try daemon.asSomeoneElse("grant", "app:x", "always").text().exit == 0
    }
    #expect(isAllowed)
    let client = try daemon.connect()
    let others: JSON = [
      "app": "app:y", "uid": .integer(4711), "authorization": "authorizedAlways",
    ]
    #expect(try client.ask("permissions.set", others)["result"] == [:])
    let (list, exit) = try daemon.asSomeoneElse("apps").text()
    #expect(exit == 0)
    #expect(list.contains("app:x") && !list.contains("app:y"))
    for arguments in [
      ["grant", "app:y", "always", "--uid", "4711"], ["restrict", "app:y"],
      ["unrestrict", "app:y"],
      ["disable"], ["reset", "app:y", "--uid", "4711"],
    ] {
      #expect(try daemon.asSomeoneElse(arguments).text().exit == 3, "\(arguments)")
    }
    #expect(try daemon.asSomeoneElse("reset", "--all").text().exit == 0)
    #expect(try client.permissions() == ["app:y": "authorizedAlways"])
  }

  @Test(
    "in a terminal polkit's own program for terminals asks for a password, and goes with the verb",
    .enabled(if: AsRoot.isPossible, AsRoot.missing), .asRootWithCgroups)
  func password() throws {
    let (polkit, daemon) = try start()
    try allow(polkit, true)
    try daemon.write(
      """
      #!/bin/sh
      echo $$ "$@" > {folder}/asked
      # It is ready.
      eval "exec $3>&-"
      exec sleep 600
      """,
      to: "agent")
    try Program.copy(
      daemon.folder.appending(path: "agent").path,
      to: daemon.folder.appending(path: "pkttyagent").path)
    // A terminal of its own, which `script` makes.
    let verb = "\(try daemon.copyForAll()) grant app:x always --socket \(daemon.socket)"
    chmod(daemon.folder.path, 0o777)
    let become = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    let program = try Program(
      become
        + ["env", "PATH=\(daemon.folder.path):/usr/bin:/bin", "script", "-qec", verb, "/dev/null"])
    #expect(try program.text().exit == 0)
    let asked = try String(
      contentsOf: daemon.folder.appending(path: "asked"), encoding: .utf8)
    #expect(asked.contains("--fallback"))
    let pid = try #require(asked.split(separator: " ").first.flatMap { pid_t($0) })
    #expect(eventually(within: patience) { Glibc.kill(pid, 0) != 0 && errno == ESRCH })
  }

  @Test(
    "without its consent nothing changes, and while it thinks everybody else is served",
    .enabled(if: AsRoot.isPossible, AsRoot.missing), .asRootWithCgroups)
  func refused() throws {
    let (polkit, daemon) = try start()
    try allow(polkit, false)
    #expect(try daemon.asSomeoneElse("grant", "app:x", "always").text().exit == 3)
    // One's own are shown all the same.
    let root = try daemon.connect()
    for (app, uid) in [("app:own", 65534), ("app:other", 4711)] as [(String, Int64)] {
      let denial: JSON = ["app": .string(app), "uid": .integer(uid), "authorization": "denied"]
      #expect(try root.ask("permissions.set", denial)["result"] == [:])
    }
    func expectOwn() throws {
      let (list, exit) = try daemon.asSomeoneElse("apps").text()
      #expect(exit == 0 && list.contains("app:own") && !list.contains("app:other"), "\(list)")
    }
    try expectOwn()
    try polkit.mock(Self.path, "SimulateHang", [.bool(true)])
    let waiting = try daemon.asSomeoneElse("grant", "app:x", "always")
    let client = try daemon.connect()
    for _ in 0..<20 { #expect(try client.ask("requestLocation")["result"] != nil) }
    try expectOwn()
    waiting.signal(SIGKILL)
    #expect(try client.permissions()["app:x"] == nil)
  }
}
