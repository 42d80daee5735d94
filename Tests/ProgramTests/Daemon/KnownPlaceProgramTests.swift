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
    let (said, exit) = try exact.text()
    #expect(exit == 4 && said.contains("Only the city of the time zone is known"), "\(said)")
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

  @Test(
    "a place that an administrator wrote is told, and gives way to one that was set",
    .enabled(if: AsRoot.isPossible, AsRoot.missing), .asRootWithCgroups)
  func file() throws {
    let folder = FileManager.default.temporaryDirectory.path + "/etc-\(UUID())"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    #expect(try Program(["cp", "-a", "/etc", folder]).exit() == 0)
    let file = folder + "/geolocation"
    try "# the office\n45.5\n7.25\n300\n80\n".write(
      toFile: file, atomically: true, encoding: .utf8)
    let daemon = try RunningDaemon(
      [],
      limits: "exec unshare --mount --propagation private sh -c"
        + " 'mount --bind \(folder) /etc; exec \"$@\"' sh \"$@\";")
    func got() throws -> Location? {
      let get = try daemon.control("get", "--timeout", "0.3", "--json")
      return Location(try JSON(parsing: get.text().text))
    }
    let place = try #require(try got())
    #expect(place.source == "set:/etc/geolocation" && place.horizontalAccuracy == 80)
    #expect(place.coordinate == Coordinate(latitude: 45.5, longitude: 7.25))
    let status = try daemon.control("here", "status").line()
    #expect(status.contains("by /etc/geolocation"), "\(status)")
    #expect(try daemon.control("here", "set", "46,8").exit() == 0)
    #expect(try got()?.source == "set:")
    #expect(try daemon.control("here", "forget").exit() == 0)
    // A file that says nothing is none.
    try FileManager.default.removeItem(atPath: file)
    #expect(try daemon.control("get", "--timeout", "0.3").exit() == 4)
  }

  @Test("after a restart without a source, the last place comes with its age")
  func last() throws {
    let state = FileManager.default.temporaryDirectory.path + "/last-\(UUID())"
    defer { try? FileManager.default.removeItem(atPath: state) }
    try RunningDaemon.learnPlace(state: state)
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
