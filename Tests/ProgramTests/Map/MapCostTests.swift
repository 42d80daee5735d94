import Foundation
import Glibc
import LocationModel
import TestSupport
import Testing
import TrackCore

@Suite(
  "What the map costs", .serialized,
  .enabled(if: MapOnScreen.isPossible, MapOnScreen.missing))
struct MapCostTests {
  private static let seoul = "static:37.5663,126.9779,38,25"

  @Test(
    "ten positions a second cost the command and its server less than a twentieth of a core each")
  func follows() throws {
    let daemon = try RunningDaemon(
      ["replay://{folder}/drive.nmea?loop=1"],
      files: ["drive.nmea": Recording.drive(seconds: 60, step: 0.1)])
    let map = try MapOnScreen(daemon: daemon.socket)
    let helper = try #require(map.helper)
    func spent() throws -> [Double] { try [map.program.pid, helper].map(Self.seconds) }
    let (before, begun) = (try spent(), ContinuousClock().now)
    let said = try map.see("follows", "10", "3")
    let wall = (ContinuousClock().now - begun) / .seconds(1)
    let shares = try zip(before, spent()).map { ($1 - $0) / wall }
    print("map at 10 Hz: \(said)shares of a core: \(shares)")
    #expect(shares.allSatisfy { $0 < 0.05 }, "\(shares)")
  }

  private static func seconds(of pid: pid_t) throws -> Double {
    let text = try kernelText("/proc/\(pid)/stat")
    let fields = (text.split(separator: ")").last ?? "").split(separator: " ")
    let ticks = (Double(fields[11]) ?? 0) + (Double(fields[12]) ?? 0)
    return ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
  }

  @Test(
    "ten thousand annotations move, and each picture costs the page less than a thirtieth of a second"
  )
  func pans() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).json")
    defer { try? FileManager.default.removeItem(at: file) }
    let rows = (0..<10_000).map { i in
      let (latitude, longitude) = (37.3 + Double(i % 100) / 200, 126.7 + Double(i / 100) / 170)
      return "[\"Work \(i)\",\"Street\",\"Kind \(i % 7)\",\(latitude),\(longitude)]"
    }
    try "[\(rows.joined(separator: ","))]".write(to: file, atomically: true, encoding: .utf8)
    let daemon = try RunningDaemon([Self.seoul])
    print("pan:", try MapOnScreen(daemon: daemon.socket, [file.path]).see("pans", "10000"))
  }

  @Test(
    "a day of a hundred thousand points is read from a tracker, and costs the page two seconds at most"
  )
  func day() throws {
    let daemon = try RunningDaemon([Self.seoul])
    try Self.fill(daemon.folder.appending(path: "track").path, count: 100_000)
    let tracker = try RunningTracker(daemon, "[Record]\nMode=manual\nKeep=36500d\n")
    let map = try MapOnScreen(
      daemon: daemon.socket, tracker: daemon.folder.appending(path: "t").path)
    let said = try map.see(
      "draws_day", "2026-03-01", "100000 points", "2", window: #"{"timezone_id":"UTC"}"#)
    print("day of 100,000 points:", said)
    try map.see("has_a_day", "2026-03-02", "Nothing was recorded")
    withExtendedLifetime(tracker) {}
  }

  private static func fill(_ folder: String, count: Int) throws {
    let midnight = Timestamp(microseconds: 1_772_323_200_000_000)
    let entries = (0..<count).map { i in
      let latitude = 37.5 + Double(i % 1000) / 1e4 + Double(i % 7) / 1e5
      let longitude = 126.5 + Double(i) / 1e5
      let location = Location(
        coordinate: Coordinate(latitude: latitude, longitude: longitude),
        horizontalAccuracy: 5, timestamp: midnight + .milliseconds(i * 800))
      return TrackEntry(.place, location)
    }
    try RunningTracker.fill(folder, with: entries)
  }

  @Test("the streets of an extract are told by their names")
  func streets() throws {
    let monaco = PrivateBus.house.appending(path: ".build/places/monaco.osm.pbf").path
    let places = try RunningPlaces.ofWorld()
    let imported = try Program([
      Program.path("locationd-places"), "--import", monaco, "--data", places.folder.path,
    ])
    #expect(try imported.exit() == 0)
    func ask(_ south: Double, _ west: Double, _ north: Double, _ east: Double) throws -> JSON {
      try places.ask(
        "streets",
        [
          "south": .number(south), "west": .number(west), "north": .number(north),
          "east": .number(east),
        ])
    }
    let streets = try ask(43.73, 7.41, 43.74, 7.43)["result"]?["streets"]?.array ?? []
    let grimaldi = try #require(streets.first { $0["name"] == "Rue Grimaldi" })
    for point in grimaldi["polyline"]?.array ?? [] {
      #expect(abs((point.array?.first?.double ?? 0) - 43.735) < 0.02)
    }
    #expect(try ask(10, 10, 10.1, 10.1)["result"]?["streets"] == .array([]))
    for box in [(43.0, 7.0, 44.0, 7.1), (43.0, 7.0, 42.9, 7.1), (-91.0, 0.0, -200.0, 0.0)] {
      #expect(try ask(box.0, box.1, box.2, box.3)["error"]?["code"]?.integer == -32602)
    }
  }
}
