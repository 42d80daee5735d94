import Foundation
import Glibc
import LocationModel
import TestSupport
import Testing

@Suite(
  "A map that is open, as things change", .serialized,
  .enabled(if: MapOnScreen.isPossible, MapOnScreen.missing))
struct MapChangeTests {
  private static let seoul = "static:37.5663,126.9779,38,25"

  private func see(_ map: MapOnScreen, _ scenario: String, _ arguments: String...) throws {
    let picture = FileManager.default.temporaryDirectory.appending(path: "map-\(scenario).png")
    try MapOnScreen.drive(
      "changes", [map.address, scenario] + arguments, environment: ["PICTURE": picture.path])
  }

  @Test("a daemon that ends before it answers a wish leaves the page's button to be pressed again")
  func lostDaemon() throws {
    let daemon = try RunningDaemon([Self.seoul])
    let map = try MapOnScreen(daemon: daemon.socket)
    try see(map, "loses_daemon", "\(daemon.program.pid)")
  }
}
