import Foundation
import LocationModel
import TestSupport
import Testing
import TrackCore

@Suite(
  "A day on the map", .serialized,
  .enabled(if: MapOnScreen.isPossible, MapOnScreen.missing))
struct MapDayTests {
  private static let day = "2019-07-23"
  /// The browser's zone; the map's is UTC.
  private static let seoul = #"{"timezone_id":"Asia/Seoul"}"#

  private static func moment(_ time: String) throws -> Timestamp {
    try #require(Timestamp(iso8601: "\(day)T\(time)Z"))
  }

  /// A real way, without what was recorded between two moments, and with the stay between its trips.
  private static func entries() throws -> [TrackEntry] {
    let gap = (try moment("20:05:00"), try moment("20:45:00"))
    let climb = try moment("15:58:00")
    let (arrival, departure) = (try moment("16:21:00"), try moment("19:41:40"))
    var entries: [TrackEntry] = []
    for line in try Recordings.way("car-and-bus-1") {
      guard var location = Location(try JSON(parsing: String(line))),
        location.horizontalAccuracy <= 50, location.timestamp < gap.0 || location.timestamp > gap.1
      else { continue }
      if let last = entries.last, last.kind == .place, last.timestamp < departure,
        location.timestamp > departure
      {
        var stay = last
        (stay.kind, stay.timestamp, stay.arrivalDate) = (.departure, departure, arrival)
        entries.append(stay)
      }
      location.speed = 12
      location.altitude = location.timestamp < climb ? 20 : 95
      entries.append(TrackEntry(.place, location))
    }
    return entries
  }

  private static func tracker() throws -> RunningTracker {
    let daemon = try RunningDaemon(["static:37.3937,-122.079,38,25"])
    try RunningTracker.fill(
      daemon.folder.appending(path: "track").path, with: try entries())
    return try RunningTracker(daemon, "[Record]\nMode=manual\nKeep=36500d\n")
  }

  @Test(
    "a real day has the trips, stays and times that track list has, its gap, its climb, and plays back"
  )
  func story() throws {
    let tracker = try Self.tracker()
    let socket = tracker.daemon.folder.appending(path: "t").path
    let (list, exit) = try Program(
      [Program.path("locationctl"), "track", "list", "--socket", socket]
        + ["--from", Self.day, "--to", Self.day], environment: ["TZ": "UTC0"]
    ).text()
    #expect(exit == 0 && list.contains("  trip  ") && list.contains("  stay  "), "\(list)")
    let places = try RunningPlaces.ofWorld()
    let map = try MapOnScreen(
      daemon: tracker.daemon.socket, places: places.socket, tracker: socket)
    try map.see("tells_day", Self.day, list, "75 m up", "Mountain View", window: Self.seoul)
  }

  @Test(
    "a day is there at once by --day, in the map's zone; so are several on a phone in Korean")
  func opened() throws {
    let tracker = try Self.tracker()
    let socket = tracker.daemon.folder.appending(path: "t").path
    let map = try MapOnScreen(
      daemon: tracker.daemon.socket, tracker: socket, ["--day", Self.day])
    try map.see("is_on_day", "Trip", "2019-07-22", window: Self.seoul)
    let korean = try MapOnScreen(
      daemon: tracker.daemon.socket, tracker: socket, ["--day", Self.day],
      language: "ko_KR.UTF-8")
    try korean.see(
      "is_on_day", "이동", "2019-07-22",
      window: #"{"timezone_id":"Asia/Seoul","width":360,"height":640}"#)
  }

  @Test("a day that is none is refused", arguments: ["yesterday", "2026-13-01", ""])
  func nonsense(day: String) throws {
    let program = try Program([Program.path("locationctl"), "map", "--no-browser", "--day", day])
    #expect(try program.exit() == 2)
  }
}
