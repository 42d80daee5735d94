import Foundation
import Glibc
import LocationModel
import TestSupport
import Testing

@Suite("The page of settings", .serialized) struct SettingsPageTests {
  /// `locationctl settings`, and the address that it says.
  private func settings(_ daemon: RunningDaemon) throws -> (program: Program, address: String) {
    let program = try daemon.control("settings", "--no-browser")
    return (program, try program.line())
  }

  @Test(
    "a person finds an app's accesses on it, pauses, resumes, takes its permission and forgets",
    .enabled(if: MapOnScreen.isPossible, MapOnScreen.missing))
  func person() throws {
    let daemon = try RunningDaemon()
    let client = try daemon.connect()
    _ = try client.ask("hello", ["name": "Walker <b>"])
    _ = try client.ask("startUpdatingLocation")
    _ = try client.event()
    let app = try #require(try client.ask("hello")["result"]?["app"]?.string)
    let (program, address) = try settings(daemon)
    let picture = FileManager.default.temporaryDirectory.appending(path: "settings.png").path
    _ = try MapOnScreen.drive("settings.py", [address, app, picture])
    #expect(try client.ask("hello")["result"]?["authorization"] == "denied")
    program.signal(SIGINT)
    #expect(try program.exit() == 0)
  }

  @Test("it is served as the map is: to who knows the token, at our own address")
  func guarded() throws {
    let map = try RunningMap()
    for name in ["settings.html", "settings.css", "settings.js"] {
      #expect(try map.ask("/\(map.token)/\(name)").hasPrefix("HTTP/1.1 200 "), "\(name)")
    }
    let stranger = String(map.token.reversed())
    #expect(try map.ask("/\(stranger)/settings.html").hasPrefix("HTTP/1.1 404 "))
  }
}
