import LocationModel
import Testing

@testable import TrackCore

@Suite("Gaps and climbs of a track") struct TrackGapTests {
  private static let noon = Timestamp(year: 2026, month: 11, day: 24, microsecondsOfDay: 0)

  private static func entry(
    _ seconds: Int, north metres: Double, up altitude: Double? = nil,
    _ kind: TrackEntry.Kind = .place
  ) -> TrackEntry {
    var location = Location(
      coordinate: Coordinate(latitude: 45 + metres / 111_131.7, longitude: 7),
      horizontalAccuracy: 5, timestamp: noon + .seconds(seconds))
    location.altitude = altitude
    return TrackEntry(kind, location)
  }

  private static func trip(_ entries: [TrackEntry]) throws -> TripList.Trip {
    guard case .trip(let trip) = try #require(TripList.stretches(entries).first) else {
      throw NoTrip()
    }
    return trip
  }

  private struct NoTrip: Error {}

  private static func way(_ seconds: Int, from metres: Double) -> [TrackEntry] {
    (0..<10).map { entry(seconds + $0 * 60, north: metres + Double($0) * 600) }
  }

  /// As the map finds them.
  private static func gaps(_ entries: [TrackEntry]) -> [TrackGap] {
    let places = entries.filter { $0.kind == .place }
    return TrackGap.all(between: TripList.stretches(entries), from: places.first, to: places.last)
  }

  private static func stay(
    _ arrival: Int, _ departure: Int, north metres: Double
  ) -> TrackEntry {
    var stay = entry(departure, north: metres, .departure)
    stay.arrivalDate = noon + .seconds(arrival)
    return stay
  }

  @Test("half an hour without a place is a gap where the device is elsewhere after it")
  func gap() throws {
    let entries = Self.way(0, from: 0) + Self.way(540 + 1800, from: 9000)
    let gap = try #require(Self.gaps(entries).first)
    #expect(TripList.stretches(entries).count == 2 && Self.gaps(entries).count == 1)
    #expect(gap.start.date == Self.noon + .seconds(540))
    #expect(gap.end.date == Self.noon + .seconds(2340))
    #expect(gap.lies(between: entries[9], and: entries[10]))
    #expect(!gap.lies(between: entries[8], and: entries[9]))
    #expect(!gap.lies(between: entries[10], and: entries[11]))
    #expect(Self.gaps(Self.way(0, from: 0) + Self.way(540 + 1799, from: 9000)).isEmpty)
    #expect(Self.gaps(Self.way(0, from: 0) + Self.way(540 + 1800, from: 5500)).isEmpty)
  }

  @Test("a stay of which no place was kept is no gap")
  func visit() {
    let entries =
      Self.way(0, from: 0) + [Self.stay(600, 4000, north: 5500)] + Self.way(4060, from: 6000)
    #expect(TripList.stretches(entries).count == 3 && Self.gaps(entries).isEmpty)
  }

  @Test("a gap before or after a stay is crossed by the line that passes the stay by")
  func beside() throws {
    for (arrival, departure) in [(2400, 4000), (600, 4060 - 1860)] {
      let entries =
        Self.way(0, from: 0) + [Self.stay(arrival, departure, north: 9000)]
        + Self.way(4060, from: 12_000)
      let gap = try #require(Self.gaps(entries).first)
      #expect(Self.gaps(entries).count == 1)
      #expect(gap.start.date == Self.noon + .seconds(arrival == 600 ? departure : 540))
      #expect(gap.lies(between: entries[9], and: entries[11]), "\(arrival)")
      #expect(!gap.lies(between: entries[8], and: entries[9]), "\(arrival)")
    }
  }

  @Test("a first or last place that belongs to no trip has a gap to the others")
  func ends() throws {
    let way = Self.way(5000, from: 6000)
    let entries = [Self.entry(0, north: 0)] + way + [Self.entry(9000, north: 20_000)]
    let gaps = Self.gaps(entries)
    try #require(gaps.count == 2 && TripList.stretches(entries).count == 1)
    #expect(gaps[0].lies(between: entries[0], and: entries[1]))
    #expect(gaps[1].lies(between: entries[10], and: entries[11]))
    #expect(Self.gaps([]).isEmpty && Self.gaps(way).isEmpty)
  }

  @Test("a climb is what a trip goes up, without the noise of altitudes")
  func climb() throws {
    func climb(_ altitudes: [Double?]) throws -> Double? {
      let entries = altitudes.enumerated().map {
        Self.entry($0 * 60, north: Double($0) * 600, up: $1)
      }
      return try Self.trip(entries).climb.metres
    }
    #expect(try climb([nil, nil, nil]) == nil)
    #expect(try climb([100, 105, 98, 109, 100]) == 0)
    #expect(try climb([100, nil, 150, 130, 190]) == 110)
    #expect(try climb((0...40).map { 100 + Double($0) * 3 }) == 120)
    var vague = Self.entry(0, north: 0, up: 100)
    vague.verticalAccuracy = 60
    var climb = Climb()
    climb.handle(vague)
    vague.altitude = 150
    climb.handle(vague)
    #expect(climb.metres == 0)
  }

  @Test("a trip that goes on after a stop climbs on")
  func joined() throws {
    let out = (0..<10).map {
      Self.entry($0 * 60, north: Double($0) * 600, up: 100 + Double($0) * 10)
    }
    let on = (0..<10).map {
      Self.entry(900 + $0 * 60, north: 5400 + Double($0) * 600, up: 190 + Double($0) * 10)
    }
    let trip = try Self.trip(out + on)
    #expect(trip.entries == 20 && trip.climb.metres == 180)
  }

  @Test("a trip that goes on higher than it stopped has climbed between")
  func between() throws {
    func trip(_ altitudes: [Double?]) throws -> TripList.Trip {
      let out = (0..<10).map { Self.entry($0 * 60, north: Double($0) * 600, up: altitudes[0]) }
      let on = (0..<10).map {
        Self.entry(900 + $0 * 60, north: 5400 + Double($0) * 600, up: altitudes[1])
      }
      return try Self.trip(out + on)
    }
    #expect(try trip([100, 190]).climb.metres == 90 && trip([100, 190]).entries == 20)
    #expect(try trip([190, 100]).climb.metres == 0)
    #expect(try trip([nil, 100]).climb.metres == 0)
    #expect(try trip([100, nil]).climb.metres == 0)
    #expect(try trip([100, 105]).climb.metres == 0, "noise")
  }
}
