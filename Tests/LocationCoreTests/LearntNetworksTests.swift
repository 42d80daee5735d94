import Geodesy
import LocationModel
import TestSupport
import Testing

@testable import LocationCore

@Suite("Wi-Fi networks that are learnt") struct LearntNetworksTests {
  private static let day = 86_400.0
  /// Addresses of different boxes.
  private static let boxes = (0..<6).map { 0x1000_0000_0000 + UInt64($0) << 16 }
  private static let two = Array(boxes.prefix(2))

  private func metres(_ place: Location?, from north: Double) -> Double? {
    place?.coordinate.distance(to: Spot(north: north).coordinate)
  }

  @Test("two boxes that were heard three times give the place back")
  func place() throws {
    let ears = Ears()
    #expect(ears.scan(Self.two) == nil)
    ears.learn(Self.two, north: 100, times: 2)
    #expect(ears.scan(Self.two) == nil)
    ears.learn(Self.two, north: 100, times: 1)
    let place = try #require(ears.scan(Self.two))
    #expect(try #require(metres(place, from: 100)) < 1)
    #expect((50...150).contains(place.horizontalAccuracy))
    #expect(place.timestamp == ears.now.utc)
  }

  @Test("more boxes that agree make the radius smaller")
  func radius() throws {
    let ears = Ears()
    ears.learn(Self.boxes, north: 0)
    let (two, six) = (ears.scan(Self.two), ears.scan(Self.boxes))
    #expect(
      try #require(six).horizontalAccuracy < #require(two).horizontalAccuracy / 2)
  }

  @Test("one box is no place, however many networks it has")
  func oneBox() {
    let ears = Ears()
    let networks = (0..<3).map { Self.boxes[0] + $0 }
    ears.learn(networks, north: 0)
    #expect(ears.scan(networks) == nil)
  }

  @Test("boxes that disagree are no place, unless two and half of them agree")
  func disagreement() throws {
    let ears = Ears()
    for (i, box) in Self.boxes.enumerated() {
      ears.learn([box], north: [0, 20, 1000, 2000, 3000, 10][i])
    }
    #expect(ears.scan([Self.boxes[0], Self.boxes[2]]) == nil)
    #expect(ears.scan(Array(Self.boxes.prefix(5))) == nil)
    #expect(try #require(metres(ears.scan(Self.boxes), from: 10)) < 10)
  }

  @Test("vague fixes, fast ones, long gaps and networks of scans before teach nothing")
  func noLesson() {
    typealias Lesson = (accuracy: Double, way: Double, pause: Double, age: Double)
    let lessons: [Lesson] = [(60, 0, 2, 0), (10, 100, 1, 0), (10, 80, 15, 0), (10, 0, 2, 20)]
    for lesson in lessons {
      let ears = Ears()
      for _ in 0..<5 {
        ears.fix(north: 0, accuracy: lesson.accuracy)
        ears.pass(lesson.pause)
        ears.scan(Self.two, age: lesson.age)
        ears.pass(lesson.pause)
        ears.fix(north: lesson.way, accuracy: lesson.accuracy)
        ears.pass(3600)
      }
      #expect(ears.networks.count == 0, "\(lesson)")
    }
  }

  @Test("a scan between two fixes was made between their places")
  func between() throws {
    let ears = Ears()
    for _ in 0..<3 {
      ears.fix(north: 0)
      ears.pass(2)
      ears.scan(Self.two)
      ears.pass(6)
      ears.fix(north: 80)
      ears.pass(3600)
    }
    #expect(try #require(metres(ears.scan(Self.two), from: 20)) < 1)
  }

  @Test("a machine that stays learns no more of its place for half an hour")
  func sameLesson() {
    let ears = Ears()
    ears.learn(Self.two, north: 0, times: 20, every: 60)
    #expect(ears.scan(Self.two) == nil)
    ears.pass(1800)
    ears.learn(Self.two, north: 0, times: 2, every: 1800)
    #expect(ears.scan(Self.two) != nil)
  }

  @Test("networks that come along stand for no place, and for 90 days after they stay")
  func traveller() {
    let ears = Ears()
    ears.learn(Self.two, north: 0)
    ears.learn(Self.two, north: 1000, times: 1)
    #expect(ears.scan(Self.two) == nil)
    ears.learn(Self.two, north: 2000, times: 1)
    ears.learn(Self.two, north: 2000, times: 80, every: Self.day)
    #expect(ears.scan(Self.two) == nil)
    ears.learn(Self.two, north: 2000, times: 13, every: Self.day)
    #expect(ears.scan(Self.two) != nil)
  }

  @Test("boxes that moved house stand for their new place after three days, once")
  func moved() throws {
    let ears = Ears()
    ears.learn(Self.two, north: 0)
    ears.learn(Self.two, north: 9000, times: 20, every: 1800)
    #expect(ears.scan(Self.two) == nil)
    ears.learn(Self.two, north: 9000, times: 5, every: Self.day)
    #expect(try #require(metres(ears.scan(Self.two), from: 9000)) < 1)
    ears.learn(Self.two, north: 0, times: 10, every: Self.day)
    #expect(ears.scan(Self.two) == nil)
  }

  @Test("a wrong fix unsettles the networks until the next good one, but only once")
  func wrongFix() {
    let ears = Ears()
    ears.learn(Self.two, north: 0)
    ears.learn(Self.two, north: 1000, times: 1)
    #expect(ears.scan(Self.two) == nil)
    ears.learn(Self.two, north: 0, times: 1)
    #expect(ears.scan(Self.two) != nil)
    ears.learn(Self.two, north: 1000, times: 1)
    ears.learn(Self.two, north: 0, times: 3)
    #expect(ears.scan(Self.two) == nil)
  }

  @Test("what was learnt is the same after a restart, and nothing by another salt")
  func restart() throws {
    let ears = Ears()
    ears.learn(Self.two, north: 100)
    let before = try #require(ears.scan(Self.two))
    let rows = ears.drainChanges().changed
    #expect(rows.count == 2 && ears.drainChanges().changed.isEmpty)
    let again = Ears(LearntNetworks(salt: Ears.salt, scale: ears.networks.scale, rows))
    let after = try #require(again.scan(Self.two))
    #expect(before.coordinate.distance(to: after.coordinate) < 8)
    #expect(abs(before.horizontalAccuracy - after.horizontalAccuracy) < 1)
    let other = Ears(LearntNetworks(salt: NetworkSalt(1, 3), rows))
    #expect(other.scan(Self.two) == nil)
  }

  @Test("radii come to hold what they promise, whatever they were")
  func scale() {
    for size in [25.0, 40, 100] {
      var scale = RadiusScale()
      var dice = Dice(seed: 1)
      var hits = 0
      for i in 0..<4000 {
        let error = Spot(north: dice.normal(), east: dice.normal()).length * size
        let radius = 60 * scale.factor
        if i >= 1000, error <= radius { hits += 1 }
        scale.check(error, of: radius, byFixOf: 0)
      }
      #expect((0.66...0.74).contains(Double(hits) / 3000), "\(size)")
    }
  }

  @Test("in towns most places are found, few answers are far off, and hotspots are no place")
  func towns() {
    var score = NetworkTownScore()
    for seed in UInt64(1)...4 { score.play(NetworkTown(seed: seed)) }
    #expect(score.asked > 400 && score.coverage >= 0.85)
    #expect(score.error(of: 0.5) <= 35 && score.error(of: 0.95) <= 120)
    #expect((0.6...0.8).contains(score.within))
    #expect(score.error(of: 1) < 500 && score.answersOnMeadow == 0)
  }
}
