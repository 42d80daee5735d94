import Foundation
import TestSupport
import Testing

@Suite("The installed units of the daemon") struct DaemonUnitsTests {
  private static let service = "usr/lib/systemd/system/locationd.service"
  private static let socket = "usr/lib/systemd/system/locationd.socket"

  /// The units, as they would be if the stage were the machine.
  private func units(of stage: Stage) throws -> [String] {
    let folder = stage.file("units")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return try [Self.service, Self.socket].map { path in
      let unit = folder.appending(path: stage.file(path).lastPathComponent)
      try stage.text(path).replacingOccurrences(of: "=/usr/", with: "=\(stage.root.path)/usr/")
        .write(to: unit, atomically: true, encoding: .utf8)
      return unit.path
    }
  }

  @Test("systemd finds nothing to say against the units")
  func verified() throws {
    let stage = try Stage()
    let command = ["systemd-analyze", "verify", "--man=no"]
    #expect(try Program(command + units(of: stage)).text() == ("", 0))
  }

  @Test("the service is exposed as little as its work allows: 1.5 at most")
  func security() throws {
    let stage = try Stage()
    let (text, exit) = try Program([
      "systemd-analyze", "security", "--offline=yes", "--no-pager", "--threshold=15",
      try units(of: stage)[0],
    ]).text()
    #expect(exit == 0, "\(text.split(separator: "\n").last ?? "")")
  }

  @Test("sysusers makes the user that the service runs as, in the group that may open receivers")
  func user() throws {
    let stage = try Stage()
    let program = try Program([
      "systemd-sysusers", "--root=\(stage.root.path)",
      stage.file("usr/lib/sysusers.d/locationd.conf").path,
    ])
    let (text, exit) = try program.text()
    #expect(exit == 0, "\(text)")
    let users = try stage.text("etc/passwd").split(separator: "\n")
    #expect(users.contains { $0.hasPrefix("locationd:") })
    let groups = try stage.text("etc/group").split(separator: "\n")
    #expect(groups.contains { $0.hasPrefix("dialout:") && $0.hasSuffix(":locationd") })
    #expect(try stage.text(Self.service).contains("\nUser=locationd\n"))
  }

  @Test(
    "tmpfiles makes its folders, and what is remembered is nobody else's to read",
    .enabled(if: AsRoot.isPossible, AsRoot.missing), .asRootWithCgroups)
  func folders() throws {
    let stage = try Stage()
    for command in [["sysusers", "usr/lib/sysusers.d"], ["tmpfiles", "usr/lib/tmpfiles.d"]] {
      let (text, exit) = try Program(
        ["systemd-\(command[0])", "--root=\(stage.root.path)"]
          + (command[0] == "tmpfiles" ? ["--create"] : [])
          + [stage.file("\(command[1])/locationd.conf").path]
      ).text()
      #expect(exit == 0, "\(text)")
    }
    #expect(try stage.mode("var/lib/locationd") == 0o700)
    #expect(try stage.mode("run/locationd") == 0o755)
  }
}
