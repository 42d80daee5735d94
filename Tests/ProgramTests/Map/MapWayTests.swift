import Foundation
import LocationModel
import TestSupport
import Testing

@Suite(
  "Ways, and room for them, on the map", .serialized,
  .enabled(if: MapOnScreen.isPossible, MapOnScreen.missing))
struct MapWayTests {
  private static func monaco(
    _ arguments: [String] = []
  ) throws -> (MapOnScreen, RunningPlaces, RunningDaemon) {
    let places = try RunningPlaces.ofWorld()
    try places.importing(PrivateBus.house.appending(path: ".build/places/monaco.osm.pbf").path)
    let daemon = try RunningDaemon(["static:43.7345,7.4135,38,25"])
    let map = try MapOnScreen(daemon: daemon.socket, places: places.socket, arguments)
    return (map, places, daemon)
  }

  @Test(
    "a way is chosen of several, copied and saved; stops come by a key and by dragging")
  func ways() throws {
    let (map, places, daemon) = try Self.monaco(["geo:43.73985,7.42517"])
    try map.see("travels")
    withExtendedLifetime((places, daemon)) {}
  }

  @Test("coordinates are copied in the person's notation, which map.conf may name")
  func notation() throws {
    let daemon = try RunningDaemon(["static:43.7345,7.4135,38,25"])
    let folder = daemon.folder.appending(path: "config/locationd")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appending(path: "map.conf")
    func map(_ notation: String) throws -> MapOnScreen {
      try "[Map]\nNotation=\(notation)\n".write(to: file, atomically: true, encoding: .utf8)
      return try MapOnScreen(
        daemon: daemon.socket, ["geo:-33.8568,151.21529"],
        configuration: daemon.folder.appending(path: "config").path)
    }
    try map("seconds").see(
      "copies", "33°51′24.5″S 151°12′55.0″E", "-33.85680, 151.21529",
      "33°51.408′S 151°12.917′E")
    try "[Map]\nNotation=furlongs\n".write(to: file, atomically: true, encoding: .utf8)
    let program = try Program(
      [Program.path("locationctl"), "map", "--no-browser"],
      environment: ["XDG_CONFIG_HOME": daemon.folder.appending(path: "config").path])
    let (text, exit) = try program.text()
    #expect(exit == 1 && text.contains("map.conf:2: Notation= is one of decimal"), "\(text)")
  }

  @Test(
    "the way is beside the card, on a phone above the sheet; buttons and the credit stay in sight",
    arguments: [(1000, 700), (700, 500), (360, 640)])
  func room(width: Int, height: Int) throws {
    let (map, places, daemon) = try Self.monaco(["geo:43.7403,7.42655"])
    try map.see("leaves_room", window: "{\"width\":\(width),\"height\":\(height)}")
    withExtendedLifetime((places, daemon)) {}
  }
}
