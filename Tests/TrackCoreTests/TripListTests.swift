import LocationModel
import Testing

@testable import TrackCore

@Suite("Trips and stays") struct TripListTests {
  private static let noon = Timestamp(year: 2026, month: 11, day: 24, microsecondsOfDay: 0)

  private static func entry(
    _ seconds: Int, north metres: Double, _ kind: TrackEntry.Kind = .place
  ) -> TrackEntry {
    var location = Location(
      coordinate: Coordinate(latitude: 45 + metres / 111_131.7, longitude: 7),
      horizontalAccuracy: 5, timestamp: noon + .seconds(seconds))
    location.speed = 10
    return TrackEntry(kind, location)
  }

  @Test("a device that was in one place for five minutes has ended its trip")
  func pauses() {
    let out = (0..<10).map { Self.entry($0 * 60, north: Double($0) * 600) }
    let back = (0..<10).map { Self.entry(2000 + $0 * 60, north: 5400 - Double($0) * 600) }
    let stretches = TripList.stretches(out + [Self.entry(1900, north: 5410)] + back)
    guard case .trip(let first) = stretches.first,
      case .stay(let stay) = stretches.dropFirst().first,
      case .trip(let second) = stretches.last
    else {
      Issue.record("\(stretches)")
      return
    }
    #expect(stretches.count == 3)
    #expect(abs(first.distance - 5400) < 1 && first.topSpeed == 10 && first.entries == 10)
    #expect(stay.arrival == Self.noon + .seconds(540))
    #expect(stay.departure == Self.noon + .seconds(1900))
    #expect(second.end.timestamp == Self.noon + .seconds(2540))
  }

  @Test("visits are stays with their own dates, and noise around them is no trip")
  func visits() {
    var departure = Self.entry(3000, north: 0, .departure)
    departure.arrivalDate = Self.noon
    let noise = (0..<20).map { Self.entry($0 * 100, north: Double($0 % 2) * 9) }
    #expect(
      TripList.stretches(noise + [departure]) == [
        .stay(
          TripList.Stay(
            coordinate: departure.coordinate, arrival: Self.noon,
            departure: Self.noon + .seconds(3000)))
      ])
  }

  @Test("a visit that is told late cuts the trips at its dates, in order, each once")
  func lateVisits() {
    let out = (0..<10).map { Self.entry($0 * 60, north: Double($0) * 600) }
    let back = (0..<10).map { Self.entry(3000 + $0 * 60, north: 5400 - Double($0) * 600) }
    var arrival = Self.entry(560, north: 5500, .arrival)
    arrival.arrivalDate = nil
    var departure = Self.entry(2950, north: 5500, .departure)
    departure.arrivalDate = arrival.timestamp
    // Noise of the stay; its beginning is told after ten minutes, its end when the way back is half gone.
    let noise = (1...4).map { Self.entry(600 + $0 * 60, north: 5500 + Double($0 % 2) * 30) }
    let stretches = TripList.stretches(
      out + noise + [arrival] + back[..<5] + [departure] + back[5...])
    guard case .trip(let first) = stretches.first,
      case .stay(let stay) = stretches.dropFirst().first,
      case .trip(let second) = stretches.last
    else {
      Issue.record("\(stretches)")
      return
    }
    #expect(stretches.count == 3)
    #expect(first.end.timestamp == Self.noon + .seconds(560) && abs(first.distance - 5500) < 1)
    #expect(stay.arrival == first.end.timestamp && stay.departure == second.start.timestamp)
    #expect(second.start.timestamp == Self.noon + .seconds(2950))
    #expect(second.end.timestamp == Self.noon + .seconds(3540) && abs(second.distance - 5500) < 1)
  }

  @Test("a stop of less than a quarter of an hour, as for another bus, is a part of the trip")
  func stops() {
    func trips(_ stop: Int) -> [TripList.Stretch] {
      let first = (0..<10).map { Self.entry($0 * 60, north: Double($0) * 600) }
      let next = (1..<10).map { Self.entry(540 + stop + $0 * 60, north: 5400 + Double($0) * 600) }
      var departure = Self.entry(540 + stop, north: 5400, .departure)
      departure.arrivalDate = Self.noon + .seconds(540)
      return TripList.stretches(first + [departure] + next)
    }
    guard case .trip(let trip) = trips(800).first else {
      Issue.record("\(trips(800))")
      return
    }
    #expect(trips(800).count == 1 && abs(trip.distance - 10_800) < 1)
    #expect(trip.end.timestamp == Self.noon + .seconds(1880) && trip.start.timestamp == Self.noon)
    #expect(trips(900).count == 3)
  }

  @Test("a clock that was set back and a long silence begin another trip")
  func gaps() {
    let first = (0..<5).map { Self.entry($0 * 60, north: Double($0) * 600) }
    let later = (0..<5).map { Self.entry(9000 + $0 * 60, north: 9000 + Double($0) * 600) }
    let before = (0..<5).map { Self.entry(1000 + $0 * 60, north: 20_000 + Double($0) * 600) }
    #expect(TripList.stretches(first + later + before).count == 3)
    #expect(TripList.stretches([]).isEmpty)
  }
}

@Suite("Exports of a track") struct TrackExportTests {
  private static let entries: [TrackEntry] = {
    var location = Location(
      coordinate: Coordinate(latitude: 45, longitude: -7.5), horizontalAccuracy: 5,
      timestamp: Timestamp(microseconds: 1_772_359_200_000_000))
    location.altitude = 12.25
    var crossing = TrackEntry(.enter, location)
    crossing.region = "=a<b>&\"c\"\u{1B}[2J\u{FFFE}"
    var entries = [TrackEntry(.place, location), crossing]
    location.timestamp = location.timestamp + .seconds(7200)
    entries.append(TrackEntry(.place, location))
    for i in entries.indices { entries[i].number = Int64(i + 1) }
    return entries
  }()

  private static func text(_ format: TrackExport.Format, _ entries: [TrackEntry] = entries)
    -> String
  {
    var export = TrackExport(format)
    var text = export.beginning
    for pass in export.passes {
      text += export.begin(pass)
      for entry in entries { text += export.write(entry, pass) }
      text += export.end(pass)
    }
    return text + export.ending
  }

  @Test("GPX has its events first, its line in pieces, and names that mean nothing in XML")
  func gpx() {
    #expect(
      Self.text(.gpx) == """
        <?xml version="1.0" encoding="UTF-8"?>
        <gpx version="1.1" creator="locationd" xmlns="http://www.topografix.com/GPX/1/1">
        <wpt lat="45" lon="-7.5"><ele>12.25</ele><time>2026-03-01T10:00:00.000Z</time>\
        <name>=a&lt;b&gt;&amp;"c"\u{FFFD}[2J\u{FFFD}</name><type>enter</type></wpt>
        <trk><trkseg>
        <trkpt lat="45" lon="-7.5"><ele>12.25</ele><time>2026-03-01T10:00:00.000Z</time></trkpt>
        <trkpt lat="45" lon="-7.5"><ele>12.25</ele><time>2026-03-01T10:00:00.000Z</time></trkpt>
        </trkseg><trkseg>
        <trkpt lat="45" lon="-7.5"><ele>12.25</ele><time>2026-03-01T12:00:00.000Z</time></trkpt>
        </trkseg></trk>
        </gpx>

        """)
  }

  @Test("each format of no entries is still a file of that format")
  func empty() throws {
    #expect(Self.text(.gpx, []).hasSuffix("GPX/1/1\">\n</gpx>\n"))
    #expect(try JSON(parsing: Self.text(.geojson, []))["features"] == .array([]))
    #expect(Self.text(.csv, []).hasPrefix("number,kind,timestamp,latitude"))
    #expect(Self.text(.ndjson, []).isEmpty)
  }

  @Test("GeoJSON and lines of JSON read back as they were")
  func json() throws {
    let collection = try JSON(parsing: Self.text(.geojson))
    #expect(collection["features"]?.array?.count == 3)
    #expect(
      collection["features"]?.array?[0]["geometry"]?["coordinates"]
        == .array([.number(-7.5), .number(45), .number(12.25)]))
    let lines = Self.text(.ndjson).split(separator: "\n").map(String.init)
    #expect(try lines.map { try JSON(parsing: $0) }.compactMap(TrackEntry.init) == Self.entries)
  }

  @Test("a name in CSV ends no field and is no formula")
  func csv() {
    let row = Self.text(.csv).split(separator: "\n")[2]
    #expect(row.contains(",\"'=a<b>&\"\"c\"\"\u{FFFD}[2J"))
  }
}

extension TripList {
  /// The stretches of a whole track.
  static func stretches(_ entries: [TrackEntry]) -> [TripList.Stretch] {
    var visits = Visits()
    for entry in entries { visits.handle(entry) }
    var list = TripList(visits)
    for entry in entries { list.handle(entry) }
    return list.finish()
  }
}
