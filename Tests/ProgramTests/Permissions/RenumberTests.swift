import Foundation
import Glibc
import LocationModel
import TestSupport
import Testing

/// config/examples/renumber.sh, as locationd-admin(7) has it after a restore.
@Suite("Users whose numbers are others now") struct RenumberTests {
  private static let script = Checkout.path + "/config/examples/renumber.sh"

  /// The app's name, its user's number and what it may, sorted.
  private func decisions(_ daemon: RunningDaemon) throws -> [String] {
    let list = try JSON(parsing: try daemon.control("apps", "--json").text().text)["permissions"]
    return try #require(list?.array).map {
      "\($0["app"]?.string ?? "") \($0["uid"]?.integer ?? -1) \($0["authorization"]?.string ?? "")"
    }.sorted()
  }

  @Test(
    "users keep their decisions by name, those who change places too; one who is not here is forgotten"
  )
  func moves() throws {
    let daemon = try RunningDaemon()
    for words in [
      ["One", "always", "2"], ["Two", "when-in-use", "1"], ["Gone", "always", "4711"],
    ] {
      let grant = try daemon.control("grant", "app:org.a.\(words[0])", words[1], "--uid", words[2])
      #expect(try grant.exit() == 0)
    }
    #expect(try daemon.control("restrict", "app:org.a.Spy").exit() == 0)
    daemon.program.signal(SIGTERM)
    _ = try daemon.program.exit()
    // Debian's daemon is 1 and bin is 2: where these files come from it was otherwise.
    try daemon.write(
      "root:x:0:0::/:\ndaemon:x:2:2::/:\nbin:x:1:1::/:\nnobody-here:x:4711:1::/:\nbad:x:a:1::/:\n",
      to: "users")
    let database = daemon.folder.appending(path: "state/locationd.db").path
    let users = daemon.folder.appending(path: "users").path
    #expect(try Program(["sh", Self.script, users, database]).text() == ("", 0))
    try daemon.startAgain()
    #expect(
      try decisions(daemon) == [
        "app:org.a.One 1 authorizedAlways", "app:org.a.Spy -1 restricted",
        "app:org.a.Two 2 authorizedWhenInUse",
      ])
  }

  @Test("a list of users that names nobody here, or a file that is missing, changes nothing")
  func refuses() throws {
    let daemon = try RunningDaemon()
    #expect(try daemon.control("grant", "app:org.a.One", "always", "--uid", "2").exit() == 0)
    daemon.program.signal(SIGTERM)
    _ = try daemon.program.exit()
    try daemon.write("nobody-here:x:2:1::/:\n", to: "users")
    let database = daemon.folder.appending(path: "state/locationd.db").path
    let users = daemon.folder.appending(path: "users").path
    for words in [[users, database], [users, database + "x"], [users]] {
      #expect(try Program(["sh", Self.script] + words).exit() != 0)
    }
    try daemon.startAgain()
    #expect(try decisions(daemon) == ["app:org.a.One 2 authorizedAlways"])
  }
}
