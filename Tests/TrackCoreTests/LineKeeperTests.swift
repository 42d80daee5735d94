import Geodesy
import LocationModel
import TestSupport
import Testing

@testable import TrackCore

@Suite("What is kept of a track") struct LineKeeperTests {
  private static let start = Coordinate(latitude: 46, longitude: 7)
  private static let noon = Timestamp(year: 2026, month: 11, day: 24, microsecondsOfDay: 0)

  /// A fix each second, from one step (metres, direction) to the next.
  private static func track(_ steps: [(Double, Double)]) -> [Location] {
    var place = start
    return steps.enumerated().map { i, step in
      place = place.moved(step.0, towards: step.1)
      var location = Location(
        coordinate: place, horizontalAccuracy: 4, timestamp: noon + .seconds(i))
      location.speed = step.0
      location.course = step.1
      return location
    }
  }

  private static func kept(
    _ track: [Location], _ rule: LineKeeper.Rule = LineKeeper.Rule()
  ) -> [Location] {
    var keeper = LineKeeper(rule)
    return track.flatMap { keeper.handle($0) } + keeper.rest()
  }

  /// The farthest that a place of the track lies from the kept line, between its neighbours in time; a vague one
  /// may lie farther by as much as its accuracy is worse than ten metres.
  static func error(_ track: [Location], _ kept: [Location]) -> Double {
    var worst = 0.0
    for (a, b) in zip(kept, kept.dropFirst()) {
      let plane = Plane(at: a.coordinate)
      let way = plane.vector(to: b.coordinate)
      for place in track where a.timestamp < place.timestamp && place.timestamp < b.timestamp {
        let distance = plane.vector(to: place.coordinate).distance(toLineTo: way)
        worst = max(worst, distance - max(place.horizontalAccuracy, 10) + 10)
      }
    }
    return worst
  }

  @Test("a straight motorway needs a point a kilometre, and its ends")
  func straight() {
    let track = Self.track((0..<600).map { _ in (33, 70) })
    let kept = Self.kept(track)
    #expect(kept.first == track.first && kept.last == track.last)
    #expect((20...23).contains(kept.count))
    #expect(Self.error(track, kept) < 1)
  }

  @Test("a roundabout needs many, and none lies farther from the line than was asked for")
  func roundabout() {
    // Twice around a circle of 25 m radius at 7 m/s.
    let track = Self.track((0..<45).map { i in (7, Double(i) * 16) })
    let kept = Self.kept(track)
    #expect(kept.count >= 10)
    #expect(Self.error(track, kept) <= 10)
  }

  @Test("a wide curve, too slow to be a turn, is followed within the error")
  func wideCurve() {
    let track = Self.track((0..<1200).map { i in (30, Double(i) * 0.25) })
    var rule = LineKeeper.Rule()
    rule.turn = 360
    rule.distance = 100_000
    rule.interval = .seconds(100_000)
    let kept = Self.kept(track, rule)
    #expect(Self.error(track, kept) <= 10)
    #expect(kept.count < 60)
  }

  @Test("a line remembers 1,024 places at most, and waits for eight after a vague one")
  func bounds() {
    var rule = LineKeeper.Rule()
    (rule.distance, rule.turn, rule.interval) = (1e6, 360, .seconds(86_400))
    let slow = Self.track((0..<3000).map { _ in (0.5, 0) })
    #expect(
      Self.kept(slow, rule).map(\.timestamp)
        == [0, 1024, 2048, 2999].map { slow[$0].timestamp })
    // Good places to the east, and then vague ones far to the north and the south by turns.
    let east = Self.track([(0, 90), (100, 90)])
    var keeper = LineKeeper(rule)
    for place in east { _ = keeper.handle(place) }
    let counts = (0..<9).map { i in
      var vague = east[1]
      vague.coordinate = vague.coordinate.moved(300, towards: i % 2 == 0 ? 0 : 180)
      (vague.horizontalAccuracy, vague.timestamp) = (80, east[1].timestamp + .seconds(i + 1))
      return keeper.handle(vague).count
    }
    #expect(counts.prefix(8).allSatisfy { $0 == 0 } && counts[8] > 0, "\(counts)")
  }

  @Test("a U-turn on the same road is kept where it was made")
  func backAgain() {
    let track = Self.track((0..<40).map { ($0 == 0 ? 1 : 20, $0 < 20 ? 0 : 180) })
    var rule = LineKeeper.Rule()
    rule.turn = 360
    let kept = Self.kept(track, rule)
    #expect(kept.map(\.timestamp) == [track[0], track[19], track[39]].map(\.timestamp))
  }

  @Test("noise around one place keeps nothing but what the interval asks for")
  func standing() {
    let track = Self.track((0..<3600).map { i in (3, Double(i * 137 % 360)) })
    let kept = Self.kept(track)
    #expect(kept.count <= 3600 / 300 + 40)
    #expect(Self.error(track, kept) <= 10)
  }

  @Test("random ways are followed within the error, across the date line and near the poles, too")
  func randomWays() {
    var generator = Numbers(seed: 7)
    for place in [
      Self.start, Coordinate(latitude: 0, longitude: 179.999),
      Coordinate(latitude: 89.99, longitude: 10), Coordinate(latitude: -60, longitude: -180),
    ] {
      var (here, course) = (place, 0.0)
      let track = (0..<3000).map { i in
        course += Double.random(in: -25...25, using: &generator)
        here = here.moved(Double.random(in: 0...40, using: &generator), towards: course)
        return Location(
          coordinate: here, horizontalAccuracy: 5, timestamp: Self.noon + .seconds(i))
      }
      let kept = Self.kept(track)
      #expect(Self.error(track, kept) <= 10)
      #expect(kept.count < track.count * 2 / 3)
    }
  }

  @Test("good and vague fixes by turns: the line keeps to the good ones")
  func alternating() {
    var track = Self.track((0..<120).map { _ in (12, 0) })
    for i in stride(from: 1, to: track.count, by: 2) {
      track[i].horizontalAccuracy = 80
      track[i].coordinate = track[i].coordinate.moved(Double(i % 7) * 10, towards: 90)
    }
    let kept = Self.kept(track)
    #expect(kept.count <= 4 && kept.dropLast().allSatisfy { $0.horizontalAccuracy == 4 })
    #expect(Self.error(track, kept) <= 10)
  }

  @Test("a car and a bicycle of a real day are followed within the error")
  func recorded() throws {
    let lines = Recordings.bytes("Tracks/car-and-bike.jsonl").split(separator: UInt8(ascii: "\n"))
    let track = try lines.map { try JSON(parsing: String(decoding: $0, as: UTF8.self)) }
      .compactMap(Location.init).filter { $0.horizontalAccuracy <= 100 }
    try #require(track.count > 800)
    let kept = Self.kept(track)
    #expect(Self.error(track, kept) <= 10)
    #expect(kept.count < track.count / 6, "\(kept.count) of \(track.count)")
  }

  @Test("a vague fix is passed over, and a gap or a clock that was set back begins another line")
  func oddFixes() {
    var track = Self.track((0..<10).map { _ in (20, 0) })
    track[5].horizontalAccuracy = 500
    track[8].timestamp = track[8].timestamp - .seconds(4000)
    track[9].timestamp = track[8].timestamp + .seconds(1000)
    let kept = Self.kept(track)
    #expect(kept == [track[0], track[7], track[8], track[9]])
  }
}

/// Numbers that are the same in every run.
struct Numbers: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }
}
