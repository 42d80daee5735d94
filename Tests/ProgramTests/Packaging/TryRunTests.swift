import Foundation
import Glibc
import TestSupport
import Testing

@Suite("The run of make try and make soak") final class TryRunTests {
  private let name = "try-\(UUID())"
  private var folder: URL { FileManager.default.temporaryDirectory.appending(path: name) }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// The run, with stories of a test's own, and a machine that is a process in place of a system.
  private func start(_ stories: [String: String]) throws -> Program {
    let files = FileManager.default
    let dummies = [
      "README.md", "config/repository/make", "build/location.deb", "build/places/monaco.osm.pbf",
      "build/release/try-app", "build/try/made", "build/try/root/made", "Tests/Try/programs/made",
    ].map { ($0, "") }
    let texts = stories.map { ("Tests/Try/\($0).py", "from machine import *\n" + $1) }
    try files.write(Dictionary(uniqueKeysWithValues: dummies + texts), in: folder)
    for tool in ["run", "boot", "machine.py"] {
      try Program.copy(
        Checkout.path + "/Tests/Try/\(tool)", to: folder.appending(path: "Tests/Try/\(tool)").path)
    }
    let machine = folder.appending(path: "systemd").path
    try Program.copy("/bin/sleep", to: machine)
    // As systemd-nspawn, it ends at the second signal, and its first process with it.
    try writeProgram(
      """
      #!/bin/sh
      setpriv --pdeathsig KILL \(machine) 600 &
      first=$!
      trap 'trap "kill -KILL $first; exit 0" TERM' TERM
      while kill -0 $first; do wait $first; done
      """, to: folder.appending(path: "systemd-nspawn").path)
    let run = folder.appending(path: "Tests/Try/run").path
    return try Program(
      [run, folder.appending(path: "build").path] + stories.keys.sorted(),
      environment: [
        "PATH": folder.path + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? ""),
        "SWIFT": "sh",
      ])
  }

  /// Processes that have the folder in their command.
  private func left() throws -> String { try Program(["pgrep", "-af", name]).text().text }

  @Test(
    "ends its machines, and the stories in them, when it is ended",
    arguments: [SIGHUP, SIGINT, SIGTERM, SIGKILL])
  func ends(signal: Int32) throws {
    let run = try start(["story": "another('second')\nprint('plays', flush=True)\ntime.sleep(600)"])
    #expect(try run.line() == "story:")
    #expect(try run.line() == "plays")
    #expect(try left().split(separator: "\n").count >= 5)
    run.signal(signal)
    #expect(try run.exit() != 0)
    let isGone = try eventually(within: patience) { try left().isEmpty }
    let others = try left()
    #expect(isGone, "\(others)")
  }

  @Test("plays each story, and says at last which of them do not hold")
  func stories() throws {
    let run = try start([
      "bad": "another('second')\nfail('it is so')", "good": "step('holds')", "odd": "1 / 0",
    ])
    let (said, exit) = try run.text()
    #expect(exit == 1)
    #expect(said.contains("bad:\nFAILED: it is so\ngood:\n* holds\nodd:\nTraceback"), "\(said)")
    #expect(said.hasSuffix("What does not hold: bad odd\n"))
    #expect(try left() == "")
  }
}
