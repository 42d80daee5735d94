import LocationModel
import Testing

@testable import TrackCore

@Suite("Commands of OwnTracks' servers") struct OwnTracksCommandTests {
  private static func command(_ text: String) -> OwnTracks.Command? {
    try? OwnTracks.Command(Array(text.utf8))
  }

  private static func set(_ waypoints: String) -> OwnTracks.Command? {
    command(
      #"{"_type":"cmd","action":"setWaypoints","waypoints":{"_type":"waypoints","waypoints":["#
        + waypoints + "]}}")
  }

  /// The members of a waypoint that is all right; each may be another, or missing where it is empty.
  private static func waypoint(_ changes: [String: String] = [:]) -> String {
    var members = [
      "_type": #""waypoint""#, "desc": #""work""#, "lat": "37.3", "lon": "-122.3", "rad": "100",
      "rid": #""ID-2""#, "tst": "1710104384",
    ]
    for (key, value) in changes { members[key] = value.isEmpty ? nil : value }
    return "{" + members.map { "\"\($0.key)\":\($0.value)" }.sorted().joined(separator: ",") + "}"
  }

  private static let shape = Region.Shape.circle(
    Coordinate(latitude: 37.3, longitude: -122.3), radius: 100)

  @Test("commands are read, and others are none")
  func commands() {
    for (action, command) in [
      ("reportLocation", OwnTracks.Command.reportLocation), ("reportSteps", .reportSteps),
      ("status", .status), ("waypoints", .waypoints), ("clearWaypoints", .clearWaypoints),
    ] {
      #expect(Self.command(#"{"_type":"cmd","action":"\#(action)"}"#) == command)
    }
    for text in [
      "", "[]", "7", "{}", #"{"_type":"cmd"}"#, #"{"_type":"cmd","action":"dump"}"#,
      #"{"_type":"location","action":"status"}"#, #"{"_type":"cmd","action":"setConfiguration"}"#,
      #"{"_type":"cmd","action":"setWaypoints"}"#,
      #"{"_type":"cmd","action":"setWaypoints","waypoints":[]}"#,
    ] {
      #expect(Self.command(text) == nil, "\(text)")
    }
  }

  @Test("waypoints are taken with or without an ID, and by the older word for them")
  func waypoints() {
    let made = Timestamp(microseconds: 1_710_104_384_000_000)
    let wish = WaypointWish(id: "ID-2", name: "work", made: made, Self.shape)
    #expect(Self.set(Self.waypoint()) == .setWaypoints([wish], unusable: 0))
    var older = wish
    older.id = "1710104384"
    #expect(Self.set(Self.waypoint(["rid": ""])) == .setWaypoints([older], unusable: 0))
    #expect(
      Self.command(
        #"{"_type":"cmd","action":"setWaypoints","payload":{"waypoints":[\#(Self.waypoint())]}}"#)
        == .setWaypoints([wish], unusable: 0))
  }

  @Test("a place that is none takes a waypoint away")
  func gone() {
    let wish = WaypointWish(
      id: "ID-2", name: "work", made: Timestamp(microseconds: 1_710_104_384_000_000), nil)
    let text = Self.waypoint(["lat": "100.0", "lon": "500.0", "rad": "0"])
    #expect(Self.set(text) == .setWaypoints([wish], unusable: 0))
  }

  @Test(
    "a waypoint that cannot be watched is not taken",
    arguments: [
      ["rad": "-1"], ["rad": "0"], ["rad": "1e300"], ["rad": #""100""#], ["lat": #""37""#],
      ["lat": ""], ["desc": ""], ["desc": #""""#], ["desc": #""+follow""#],
      ["desc": #""a\nb""#], ["desc": #""\u202eb""#], ["_type": #""location""#], ["tst": "-5"],
      ["tst": "9223372036854775807"], ["tst": "1.5", "rid": ""],
      ["tst": "", "rid": ""], ["rid": "7"], ["uuid": #""u""#],
      ["desc": "\"\(String(repeating: "x", count: 65))\""],
    ] as [[String: String]])
  func unusable(changes: [String: String]) {
    #expect(Self.set(Self.waypoint(changes)) == .setWaypoints([], unusable: 1), "\(changes)")
  }

  @Test("a command that is long, deep or full of waypoints is none")
  func hostile() {
    let many = Array(repeating: Self.waypoint(), count: 101).joined(separator: ",")
    let long = #"{"_type":"cmd","action":"status","x":""# + String(repeating: "x", count: 70_000)
    let deep = String(repeating: "[", count: 30_000)
    for text in [
      #"{"_type":"cmd","action":"setWaypoints","waypoints":{"waypoints":[\#(many)]}}"#,
      long + "\"}", deep, #"{"_type":"cmd","action":"status","x":\#(deep)"#,
      #"{"_type":"cmd","action":"setWaypoints","waypoints":{"waypoints":[{"lat":NaN}]}}"#,
    ] {
      #expect(Self.command(text) == nil, "\(text.prefix(60))")
    }
  }

  @Test("a crossing and a place name the regions, and when the region was made")
  func regions() {
    let location = Location(
      coordinate: Coordinate(latitude: 45, longitude: 7), horizontalAccuracy: 5,
      timestamp: Timestamp(microseconds: 1_772_359_200_000_000))
    var entry = TrackEntry(.enter, location)
    entry.region = "yard"
    entry.regionID = "ID-2"
    entry.regionMade = Timestamp(microseconds: 1_710_104_384_000_000)
    entry.inside = [.init(name: "yard", id: "ID-2")]
    let words = OwnTracks(device: "van")
    let crossing = words.message(entry).json
    #expect(crossing["wtst"] == .integer(1_710_104_384) && crossing["rid"] == .string("ID-2"))
    entry.kind = .place
    let place = words.message(entry).json
    #expect(place["inregions"] == .array([.string("yard")]))
    #expect(place["inrids"] == .array([.string("ID-2")]))
    #expect(TrackEntry(entry.json) == entry)
  }
}
