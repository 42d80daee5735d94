import DBus
import Foundation
import Glibc
import LocationModel
import Platform
import TestSupport
import Testing

@Suite(
  "No app grants itself anything, and nothing in a sandbox administrates", .serialized,
  .enabled(if: AsRoot.isPossible, AsRoot.missing), .asRootWithCgroups)
struct SelfGrantTests {
  private static let polkit = "org.freedesktop.PolicyKit1"
  private let daemon: RunningDaemon
  private let mock: MockService

  /// With a polkit that consents to everything.
  init() throws {
    let bus = try PrivateBus(guests: [Self.polkit])
    mock = try MockService(["--template", "polkitd"], as: Self.polkit, on: bus)
    try mock.mock(
      "/org/freedesktop/PolicyKit1/Authority", "SetAllowed",
      [.strings(["org.locationd.manage-permissions"])])
    daemon = try RunningDaemon(bus: bus)
    // Polkit is asked only once the bus is there.
    let isThere = try eventually(within: patience) {
      try daemon.asSomeoneElse("grant", "app:other", "always").text().exit == 0
    }
    #expect(isThere)
  }

  private func run(_ arguments: [String], in folder: String, as uid: Int) throws -> Int32 {
    try text(arguments, in: folder, as: uid).exit
  }

  private func text(
    _ arguments: [String], in folder: String, as uid: Int
  ) throws -> (text: String, exit: Int32) {
    let cgroup = try Cgroup(folder)
    let become = ["setpriv", "--reuid=\(uid)", "--regid=\(uid)", "--clear-groups"]
    let command = become + [try daemon.copyForAll()] + arguments + ["--socket", daemon.socket]
    return try Program(cgroup.command(command)).text()
  }

  @Test("a flatpak changes nothing, not even root's", arguments: [0, 65534])
  func sandboxed(uid: Int) throws {
    let folder =
      "/user.slice/user-\(uid).slice/user@\(uid).service/app.slice/app-flatpak-org.evil-\(uid).scope"
    let before = try daemon.connect().permissions()
    for arguments in [
      ["grant", "flatpak:org.evil", "always"], ["grant", "app:other", "once"],
      ["revoke", "app:other"], ["reset", "--all"], ["reset", "flatpak:org.evil"],
      ["restrict", "app:other"], ["unrestrict", "app:other"], ["disable"], ["enable"], ["agent"],
    ] {
      #expect(try run(arguments, in: folder, as: uid) == 3, "\(arguments)")
    }
    #expect(try daemon.connect().permissions() == before)
    let client = try daemon.connect()
    let denial: JSON = [
      "app": "flatpak:org.evil", "uid": .integer(Int64(uid)), "authorization": "denied",
    ]
    #expect(try client.ask("permissions.set", denial)["result"] == [:])
    let seen = try text(["apps"], in: folder, as: uid)
    #expect(seen.exit == 0)
    #expect(seen.text.contains("flatpak:org.evil") && !seen.text.contains("app:other"))
    #expect(seen.text.split(separator: "\n").count == 2, "\(seen.text)")
  }

  @Test(
    "a service of a user's, whom polkit would let, grants itself nothing, and may give up its own")
  func itself() throws {
    let folder = "\(IdentityTests.users)/app.slice/evil.service"
    let evil = "userunit:evil"
    for arguments in [
      ["grant", evil, "always"], ["grant", evil, "once"],
      ["grant", evil, "when-in-use", "--reduced"],
    ] {
      #expect(try run(arguments, in: folder, as: 65534) == 3, "\(arguments)")
    }
    #expect(try daemon.connect().permissions()[evil] == nil)
    #expect(try run(["revoke", evil], in: folder, as: 65534) == 0)
    #expect(try run(["get"], in: folder, as: 65534) == 3)
  }
}
