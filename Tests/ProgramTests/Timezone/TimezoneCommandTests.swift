import Foundation
import Glibc
import LocationModel
import TestSupport
import Testing

/// `locationctl timezone`, on a machine whose systemctl is played.
@Suite("locationctl timezone", .serialized) struct TimezoneCommandTests {
  private static let script = """
    #!/bin/sh
    echo "$@" >>{folder}/asked
    [ "$1" != show ] || printf 'LoadState=loaded\\nUnitFileState=disabled\\nActiveState=inactive\\n'
    """

  /// The command's words, how it ends, and what systemctl was asked.
  private func run(
    _ daemon: RunningDaemon, _ words: String..., asUser passwd: Bool = false
  ) throws -> (text: String, exit: Int32, asked: [Substring]) {
    try daemon.write(Self.script, to: "script")
    let systemctl = daemon.folder.appending(path: "systemctl").path
    try Program.copy(daemon.folder.appending(path: "script").path, to: systemctl)
    var command =
      ["env", "PATH=\(daemon.folder.path):/usr/bin:/bin", Program.path("locationctl"), "timezone"]
      + words + ["--socket", daemon.socket]
    if passwd {
      try daemon.write("locationd-timezone:x:4997:4997::/:/bin/false\n", to: "own")
      let own = daemon.folder.appending(path: "own").path
      command =
        [
          "unshare", "--mount", "--propagation", "private", "sh", "-c",
          "cat /etc/passwd \(own) >\(own).all; mount --bind \(own).all /etc/passwd; exec \"$@\"",
          "sh",
        ] + command
    }
    let (text, exit) = try Program(command).text()
    let asked = try? String(
      contentsOf: daemon.folder.appending(path: "asked"), encoding: .utf8)
    return (text, exit, asked?.split(separator: "\n") ?? [])
  }

  @Test("status says that it does not follow, and how it would; wrong words are wrong usage")
  func status() throws {
    let daemon = try RunningDaemon()
    let said = try run(daemon, "status")
    #expect(said.exit == 0 && said.text.contains("sudo locationctl timezone follow on"))
    #expect(try run(daemon, "follow", "status").exit == 0)
    let json = try JSON(parsing: run(daemon, "status", "--json").text)
    #expect(json["follows"]?.bool == false && json["running"]?.bool == false)
    for words in [["follow"], ["on"], ["follow", "perhaps"], []] {
      let command = [Program.path("locationctl"), "timezone"] + words
      #expect(try Program(command).text().exit == 2, "\(words)")
    }
  }

  @Test("without its package nothing is changed")
  func missing() throws {
    let daemon = try RunningDaemon()
    let said = try run(daemon, "follow", "on")
    #expect(said.exit == 1 && said.text.contains("locationd-timezone is not installed"))
    #expect(said.asked.isEmpty)
  }

  @Test(
    "follow on allows the unit about where the machine is, and starts it; follow off ends both",
    .enabled(if: AsRoot.isPossible, AsRoot.missing), .asRootWithCgroups)
  func follow() throws {
    let daemon = try RunningDaemon()
    let on = try run(daemon, "follow", "on", asUser: true)
    #expect(on.exit == 0, "\(on.text)")
    #expect(on.asked.last == "enable --now --quiet locationd-timezone.service")
    let apps = try daemon.control("apps", "--json").text().text
    for words in ["unit:locationd-timezone.service", "4997", "authorizedAlways", "reduced"] {
      #expect(apps.contains(words), "\(apps)")
    }
    let off = try run(daemon, "follow", "off", asUser: true)
    #expect(off.exit == 0 && off.asked.last == "disable --now --quiet locationd-timezone.service")
    #expect(try !daemon.control("apps", "--json").text().text.contains("authorizedAlways"))
  }
}
