import Foundation
import LocationModel
import TestSupport
import Testing

@Suite("locationctl replay") struct ReplayCommandTests {
  private func file(_ text: String) throws -> URL {
    let recording = FileManager.default.temporaryDirectory.appending(
      path: "replay-\(UUID().uuidString).any")
    try text.write(to: recording, atomically: true, encoding: .utf8)
    return recording
  }

  private func file(_ lines: [String]) throws -> URL {
    let recording = FileManager.default.temporaryDirectory.appending(
      path: "replay-\(UUID().uuidString).jsonl")
    try lines.map { $0 + "\n" }.joined().write(to: recording, atomically: true, encoding: .utf8)
    return recording
  }

  private func replay(
    _ lines: [String], _ arguments: String...
  ) throws -> (events: [JSON], exit: Int32) {
    let recording = try file(lines)
    defer { try? FileManager.default.removeItem(at: recording) }
    let (text, exit) = try Program(
      [Program.path("locationctl"), "replay", recording.path] + arguments
    ).text()
    return (try text.split(separator: "\n").map { try JSON(parsing: String($0)) }, exit)
  }

  private func line(_ second: Int, north metres: Double) -> String {
    """
    {"timestamp":"2026-03-01T10:00:\(second < 10 ? "0" : "")\(second)Z","latitude":\(45 + metres / 111_131.7),\
    "longitude":7,"horizontalAccuracy":5,"speed":-1,"course":-1}
    """
  }

  @Test("a recording's locations are told as the daemon would, with when")
  func locations() throws {
    let (events, exit) = try replay(
      [
        line(0, north: 0), line(1, north: 40), #"{"timestamp":"2026-03-01T10:00:02Z"}"#,
        line(3, north: 90), line(4, north: 120),
      ], "--locations", "--distance-filter", "50")
    #expect(exit == 0)
    #expect(events.map { $0["event"] } == ["didUpdateLocations", "didUpdateLocations"])
    #expect(
      events.map { $0["timestamp"] } == ["2026-03-01T10:00:00.000Z", "2026-03-01T10:00:03.000Z"])
    let location = try #require(events.last?["locations"]?.array?.first.flatMap(Location.init))
    #expect(location.speed == nil)
  }

  /// A made walk of some hours past beacons that are heard for a while each, every second.
  private func beaconWalk(seed: UInt64, hours: Int) -> [String] {
    var dice = Dice(seed: seed)
    var lines: [String] = []
    var (minor, left) = (0, 0)
    for second in 0..<(hours * 3600) {
      if left == 0 {
        minor = Int.random(in: 0..<5, using: &dice)
        left = Int.random(in: 20..<400, using: &dice)
      }
      left -= 1
      // The fifth is silence.
      let beacons = (0..<(minor == 4 ? 0 : 2)).map { other in
        let rssi = -60 - 10 * other + Int.random(in: -6...6, using: &dice)
        return """
          {"uuid":"\(Self.uuid)","major":1,"minor":\(minor + other),"measuredPower":-59,"rssi":\(rssi)}
          """
      }
      let clock = Timestamp(microseconds: Int64(1_790_000_000 + second) * 1_000_000)
      var text = TextBuffer()
      text.append(clock)
      let time = String(decoding: text.bytes, as: UTF8.self)
      lines.append(#"{"timestamp":"\#(time)","beacons":[\#(beacons.joined(separator: ","))]}"#)
    }
    return lines
  }

  private static let uuid = "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0"

  @Test("a walk past beacons is the same on every run: regions entered and left, and lists")
  func beacons() throws {
    let walk = beaconWalk(seed: 4, hours: 3)
    func run() throws -> [JSON] {
      let (events, exit) = try replay(
        walk, "--region", "any,\(Self.uuid)", "--region", "two,\(Self.uuid),1,2", "--beacons",
        Self.uuid)
      #expect(exit == 0)
      return events
    }
    let first = try run()
    let lists = first.filter { $0["event"] == "didRangeBeacons" }
    #expect((3 * 3600 - 2...3 * 3600).contains(lists.count))
    for list in lists {
      let distances = list["beacons"]?.array?.map { $0["accuracy"]?.double ?? .infinity } ?? []
      #expect(distances == distances.sorted())
    }
    let crossings = first.filter { $0["region"] != nil }
    for region in ["any", "two"] {
      let told = crossings.filter { $0["region"] == .string(region) }.map { $0["event"] }
      #expect(told.count > 4)
      for (i, event) in told.enumerated() {
        #expect(event == (i % 2 == 0 ? "didEnterRegion" : "didExitRegion"))
      }
    }
    #expect(try run() == first)
  }

  @Test("years without a report are passed over: lists stop when all beacons have gone")
  func beaconGap() throws {
    let beacon = #"{"uuid":"\#(Self.uuid)","major":1,"minor":1,"rssi":-60}"#
    let lines = ["2011-03-01T10:00:00Z", "2026-03-01T10:00:00Z", "2026-03-01T10:00:02Z"].map {
      #"{"timestamp":"\#($0)","beacons":[\#(beacon)]}"#
    }
    let (events, exit) = try replay(lines, "--beacons", Self.uuid, "--region", "a,\(Self.uuid)")
    #expect(exit == 0)
    let lists = events.filter { $0["event"] == "didRangeBeacons" }
    #expect((55...65).contains(lists.count))
    #expect(lists.last?["beacons"]?.array?.count == 1)
    #expect(
      events.filter { $0["region"] != nil }.map { $0["event"] } == [
        "didEnterRegion", "didExitRegion", "didEnterRegion",
      ])
  }

  @Test("networks that good fixes taught give the place back, and vague ones teach nothing")
  func wifi() throws {
    func scan(_ minute: Int, _ addresses: [String]) -> String {
      let networks = addresses.map {
        #"{"macAddress":"\#($0)","ssid":"a","signalStrength":-60,"frequency":2412,"age":0}"#
      }
      return #"{"timestamp":"2026-03-01T1\#(minute / 60):\#(10 + minute % 60):01Z","wifi":["#
        + networks.joined(separator: ",") + "]}"
    }
    func fix(_ minute: Int, _ second: Int, accuracy: Int) -> String {
      #"{"timestamp":"2026-03-01T1\#(minute / 60):\#(10 + minute % 60):0\#(second)Z","#
        + #""latitude":45,"longitude":7,"horizontalAccuracy":\#(accuracy)}"#
    }
    let boxes = ["10:00:00:00:00:0a", "10:00:00:00:01:0a"]
    func recording(accuracy: Int) -> [String] {
      [0, 40, 80, 120].flatMap {
        [
          fix($0, 0, accuracy: accuracy), scan($0, boxes + ["12:00:00:00:00:0a"]),
          fix($0, 2, accuracy: accuracy),
        ]
      } + [scan(121, boxes), scan(122, ["10:00:00:00:00:0a", "10:00:00:00:00:0b"])]
    }
    let (places, exit) = try replay(recording(accuracy: 10), "--wifi")
    #expect(exit == 0)
    #expect(
      places.map { $0["timestamp"]?.string } == [
        "2026-03-01T12:10:01.000Z", "2026-03-01T12:11:01.000Z",
      ])
    let place = try #require(places.last.flatMap(Location.init))
    #expect(place.source == "wifi:" && abs(place.coordinate.latitude - 45) < 1e-6)
    #expect(try replay(recording(accuracy: 60), "--wifi").events.isEmpty)
  }

  @Test("what was asked for and is not in the recording is said, on standard error alone")
  func absent() throws {
    let recording = try file([line(0, north: 0), line(1, north: 40)])
    defer { try? FileManager.default.removeItem(at: recording) }
    let command = [Program.path("locationctl"), "replay", recording.path]
    let wishes = ["--visits", "--significant", "--region", "far,50,7,100", "--heading"]
    let (text, exit) = try Program(command + wishes).text()
    #expect(exit == 0)
    for absence in ["visit", "crossing of a region", "heading"] {
      #expect(
        text.contains("locationctl: \(recording.path): there is no \(absence) in it"), "\(text)")
    }
    // The first place that is known begins significant changes.
    #expect(!text.contains("half a kilometre"))
    let (map, _) = try Program(
      ["sh", "-c", "\"$@\" 2>/dev/null", "sh"] + command + ["--visits", "--geojson"]
    )
    .text()
    #expect(try JSON(parsing: map)["type"] == "FeatureCollection")
    #expect(try Program(command + ["--locations"]).text().text.contains("there is no") == false)
  }

  @Test("a recording of NMEA gives the locations that it decodes to")
  func nmea() throws {
    let folder = Recordings.directory
    let (text, _) = try Program(
      [Program.path("locationctl"), "replay", folder + "parachute.nmea", "--locations"]
    ).text()
    #expect(text.split(separator: "\n").count == 310)
  }

  /// A drive to a place, a stay there of a quarter of an hour, and a drive on.
  private var day: [String] {
    (0..<1500).map { i in
      let north = i < 300 ? Double(i - 300) * 10 : i < 1200 ? 0 : Double(i - 1200) * 10
      let minute = i / 60 < 10 ? "0\(i / 60)" : "\(i / 60)"
      let second = i % 60 < 10 ? "0\(i % 60)" : "\(i % 60)"
      return """
        {"timestamp":"2026-03-01T10:\(minute):\(second)Z","latitude":\(45 + north / 111_131.7),\
        "longitude":7,"horizontalAccuracy":5}
        """
    }
  }

  @Test(
    "visits, regions and significant changes are told as the daemon would, each when it is sure")
  func monitoring() throws {
    let (events, exit) = try replay(
      day, "--visits", "--significant", "--region", "there,45,7,200")
    #expect(exit == 0)
    let names = events.compactMap { $0["event"]?.string }
    #expect(names.filter { $0 == "didVisit" }.count == 2)
    #expect(names.filter { $0.hasSuffix("Region") } == ["didEnterRegion", "didExitRegion"])
    let places = names.filter { $0 == "didUpdateLocations" }.count
    #expect((2...4).contains(places))
    let visit = try #require(events.last { $0["event"] == "didVisit" }?["visit"])
    let arrival = try #require(visit["arrivalDate"]?.string.flatMap(Timestamp.init(iso8601:)))
    let departure = try #require(visit["departureDate"]?.string.flatMap(Timestamp.init(iso8601:)))
    #expect((850...960).contains(departure.seconds(since: arrival)))
  }

  @Test("a map of it is one GeoJSON: the track a line, regions areas, what happened points")
  func map() throws {
    let recording = try file(day)
    defer { try? FileManager.default.removeItem(at: recording) }
    let (text, exit) = try Program(
      [
        Program.path("locationctl"), "replay", recording.path, "--visits", "--geojson",
        "--region", "there,45,7,200",
      ]
    ).text()
    #expect(exit == 0)
    let map = try JSON(parsing: text)
    #expect(map["type"] == "FeatureCollection")
    let shapes = map["features"]?.array?.map { feature in
      "\(feature["geometry"]?["type"]?.string ?? "")"
        + " \(feature["properties"]?["event"]?.string ?? "")"
    }
    #expect(
      shapes?.sorted() == [
        "LineString ", "Point didEnterRegion", "Point didExitRegion", "Point didVisit",
        "Point didVisit", "Polygon ",
      ])
  }

  @Test(
    "a file without a fix is told from one that is no recording, and both fail",
    arguments: [
      ("hello\n", "it is no recording"), ("", "it is empty"),
      ("<gpx><trkpt lat='1' lon='2'><time>soon</time></trkpt></gpx>", "no date"),
      (
        "{\"class\":\"VERSION\",\"release\":\"3.22\"}\n{\"class\":\"TPV\",\"mode\":1}\n",
        "it has no fix"
      ),
    ])
  func nothing(text: String, words: String) throws {
    let recording = try file(text)
    defer { try? FileManager.default.removeItem(at: recording) }
    for verb in ["decode", "replay"] {
      let (said, exit) = try Program([Program.path("locationctl"), verb, recording.path]).text()
      #expect(exit == 1)
      #expect(said.contains(words), "\(said)")
    }
  }

  @Test("one that gzip has packed is read like any other, and a damaged one fails")
  func packed() throws {
    let recording = try file(day)
    let packed = recording.path + ".gz"
    defer {
      for path in [recording.path, packed] { try? FileManager.default.removeItem(atPath: path) }
    }
    let control = Program.path("locationctl")
    let plain = try Program([control, "decode", recording.path]).text()
    #expect(try Program(["gzip", "-k", recording.path]).text().exit == 0)
    #expect(try Program([control, "decode", packed]).text() == plain)
    let bytes = try Data(contentsOf: URL(filePath: packed))
    try bytes.prefix(bytes.count / 2).write(to: URL(filePath: packed))
    let (said, exit) = try Program([control, "decode", packed]).text()
    #expect(exit == 1)
    #expect(said.contains("damaged"))
  }

  @Test("a region that is none is refused with a word why")
  func noRegion() throws {
    let (text, exit) = try Program(
      [Program.path("locationctl"), "replay", "/dev/null", "--region", "x,45,7"]
    ).text()
    #expect(exit == 2)
    #expect(text.contains("ID,LAT,LON,RADIUS"))
  }

  @Test(
    "what was recorded of people and tables gives the events that lie beside it",
    arguments: ["car-and-bike", "on-a-table"])
  func tracks(name: String) throws {
    let folder =
      Recordings.directory + "Tracks/"
    let (text, exit) = try Program(
      [
        Program.path("locationctl"), "replay", folder + "\(name).jsonl", "--visits",
        "--significant", "--region", "there,37.380861,-122.112426,150",
        "--region", "back,37.39039,-122.083516,150",
      ]
    ).text()
    #expect(exit == 0)
    // That there is no visit is said beside the events.
    let told = try text.split(separator: "\n").filter { $0.hasPrefix("{") }.map { line in
      let event = try JSON(parsing: String(line))
      return [event["timestamp"], event["event"], event["region"]].compactMap { $0?.string }
        .joined(separator: " ")
    }
    let expected = try String(contentsOfFile: folder + "\(name).events", encoding: .utf8)
    #expect(told == expected.split(separator: "\n").map(String.init))
  }
}
