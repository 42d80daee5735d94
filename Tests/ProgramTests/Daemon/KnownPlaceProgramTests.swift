import Foundation
import Glibc
import LocationModel
import TestSupport
import Testing

@Suite("A machine without a receiver", .serialized) struct KnownPlaceProgramTests {
  private static let zone = ["TZ": "Asia/Seoul"]

  @Test("with nothing but a time zone, a wish for 15 km gets a city, and no other does")
  func zone() throws {
    let daemon = try RunningDaemon([], environment: Self.zone)
    let got = try daemon.control("get", "--accuracy", "15000", "--timeout", "0.5", "--json")
    let place = try #require(Location(try JSON(parsing: got.line())))
    #expect(place.source == "zone:Asia/Seoul" && place.horizontalAccuracy == 300_000)
    #expect((place.coordinate.latitude - 37.55).magnitude < 0.1)
    let exact = try daemon.control("get", "--timeout", "0.5")
    #expect(try exact.exit() == 4)
  }

  @Test("here set gives a place of 50 m, for the daemon alone to read, until it is forgotten")
  func here() throws {
    let daemon = try RunningDaemon([])
    let set = try daemon.control("here", "set", "45.5,7.25")
    #expect(try set.exit() == 0)
    let got = try daemon.control("get", "--json")
    let place = try #require(Location(try JSON(parsing: got.line())))
    #expect(place.source == "set:" && place.horizontalAccuracy == 50)
    #expect(place.coordinate == Coordinate(latitude: 45.5, longitude: 7.25))
    let file = daemon.folder.appending(path: "state/geolocation").path
    let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    try daemon.restart()
    let status = try daemon.control("here", "status")
    #expect(try status.line().contains("45.500000"))
    #expect(try daemon.control("here", "forget").exit() == 0)
    #expect(!FileManager.default.fileExists(atPath: file))
    #expect(try daemon.control("get", "--timeout", "0.3").exit() == 4)
  }

  @Test("after a restart without a source, the last place comes with its age")
  func last() throws {
    let state = FileManager.default.temporaryDirectory.path + "/last-\(UUID())"
    defer { try? FileManager.default.removeItem(atPath: state) }
    do {
      let daemon = try RunningDaemon(
        ["replay://{folder}/drive.nmea?loop=1"], files: ["drive.nmea": Recording.drive(seconds: 5)],
        state: state)
      #expect(try daemon.control("get").exit() == 0)
      daemon.program.signal(SIGTERM)
      _ = try daemon.program.exit()
    }
    let daemon = try RunningDaemon([], state: state)
    let client = try daemon.connect()
    _ = try client.ask("startUpdatingLocation")
    let place = try #require(try client.location(within: 5))
    #expect(place.source.hasPrefix("last:replay:"))
    #expect(place.horizontalAccuracy < 5000 && place.simulated)
    #expect((place.coordinate.latitude - 45).magnitude < 0.01)
    #expect(try daemon.control("get", "--timeout", "0.3", "--json").exit() == 0)
    #expect(try daemon.control("forget").exit() == 0)
    #expect(try daemon.control("get", "--timeout", "0.3").exit() == 4)
  }
}
