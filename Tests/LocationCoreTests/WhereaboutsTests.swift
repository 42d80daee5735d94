import Geodesy
import LocationModel
import ReceiverCore
import TestSupport
import Testing

@testable import LocationCore

/// Somebody with a vague receiver, as those of radio networks are: off by as much as it says, and by
/// much the same the next time.
private struct Walker {
  var whereabouts = Whereabouts()
  var dice: Dice
  var seconds = 0.0
  /// Metres north and east of the start.
  var truth = (north: 0.0, east: 0.0)
  private var error = (north: 0.0, east: 0.0)

  init(seed: UInt64 = 1) {
    dice = Dice(seed: seed)
    error = (gauss(), gauss())
  }

  struct Told {
    /// Metres from where it truly is.
    var off: Double
    var offAsHeard: Double
    var isSmoothed: Bool
    var location: Location
  }

  /// `lasting`: seconds for which an error is much the same.
  mutating func hear(
    after step: Double = 20, accuracy: Double = 70, speed: Double? = nil, lasting: Double = 120,
    from source: Int = 0
  ) -> Told {
    seconds += step
    let kept = lasting / (lasting + step)
    let fresh = (1 - kept * kept).squareRoot()
    error = (error.north * kept + gauss() * fresh, error.east * kept + gauss() * fresh)
    let deviation = accuracy / 1.51
    var heard = location(truth.north + error.north * deviation, truth.east + error.east * deviation)
    heard.horizontalAccuracy = accuracy
    heard.speed = speed
    let told = whereabouts.smooth(heard, Point(heard.coordinate), from: SourceID(source))
    let truly = location(truth.north, truth.east).coordinate
    return Told(
      off: (told?.location ?? heard).coordinate.distance(to: truly),
      offAsHeard: heard.coordinate.distance(to: truly), isSmoothed: told != nil,
      location: told?.location ?? heard)
  }

  mutating func stay(_ count: Int, accuracy: Double = 70, lasting: Double = 120) -> [Told] {
    var told: [Told] = []
    for _ in 0..<count { told.append(hear(accuracy: accuracy, lasting: lasting)) }
    return told
  }

  private func location(_ north: Double, _ east: Double) -> Location {
    var location = ServiceHarness.location(north: north, at: seconds)
    location.coordinate.longitude += east / 78_847
    return location
  }

  /// One with a deviation of 1, of twelve throws.
  private mutating func gauss() -> Double {
    var sum = -6.0
    for _ in 0..<12 { sum += Double.random(in: 0..<1, using: &dice) }
    return sum
  }
}

private func middle(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

@Suite("Whereabouts") struct WhereaboutsTests {
  @Test(
    "where it stays, vague fixes come to a better place together than each alone",
    arguments: [30.0, 120, 600])
  func stay(lasting: Double) {
    var heard: [Double] = []
    var told: [Double] = []
    for seed in 1...20 {
      var walker = Walker(seed: UInt64(seed))
      let hours = walker.stay(360, lasting: lasting).dropFirst(30)
      heard += hours.map(\.offAsHeard)
      told += hours.map(\.off)
    }
    let far = (heard.count { $0 > 100 }, told.count { $0 > 100 })
    #expect(far.0 > 100)
    #expect(far.1 < far.0 / 5)
    #expect(middle(told) < middle(heard) * 0.75)
  }

  @Test("how accurate a fix is, when it was and all else stays as the receiver said")
  func accuracy() throws {
    var walker = Walker()
    _ = walker.stay(30)
    let told = walker.hear(accuracy: 90)
    #expect(told.isSmoothed)
    #expect(told.location.horizontalAccuracy == 90)
    #expect(told.location.timestamp == Timestamp(microseconds: Int64(walker.seconds * 1e6)))
    #expect(told.location.speed == nil)
  }

  @Test("good fixes, and those that say a speed, pass to the last digit")
  func untouched() {
    var walker = Walker()
    _ = walker.stay(30)
    #expect(!walker.hear(accuracy: 40).isSmoothed)
    #expect(!walker.hear(accuracy: 8).isSmoothed)
    #expect(!walker.hear(accuracy: 200, speed: 0).isSmoothed)
    #expect(!walker.hear(accuracy: 200, speed: 30).isSmoothed)
  }

  @Test("who rides off is told where each fix says, from the second one on", arguments: 1...20)
  func ride(seed: UInt64) {
    var walker = Walker(seed: seed)
    _ = walker.stay(90)
    for fix in 1...30 {
      walker.truth.north += fix == 1 ? 130 : 220
      let told = walker.hear(lasting: 60)
      if fix > 1 { #expect(told.off <= max(told.offAsHeard, 100)) }
    }
  }

  @Test("who walks off is not held back by more than the accuracy says, but for a minute or two")
  func walk() {
    var late: [Int] = []
    for seed in 1...40 {
      var walker = Walker(seed: UInt64(seed))
      _ = walker.stay(90)
      var held = 0
      for _ in 1...30 {
        walker.truth.north += 27
        let told = walker.hear(lasting: 60)
        if told.off > 2 * told.location.horizontalAccuracy, told.off > told.offAsHeard { held += 1 }
      }
      late.append(held)
    }
    #expect(late.reduce(0, +) <= 40)
    #expect((late.max() ?? 0) <= 6)
  }

  @Test("a fix so coarse that it says nothing is told at the place that is known")
  func coarse() {
    var walker = Walker()
    _ = walker.stay(60, accuracy: 50)
    for _ in 1...3 { #expect(walker.hear(accuracy: 3000).off < 100) }
  }

  @Test("nothing is held against a fix after a long gap, from another source or another clock")
  func anew() {
    var walker = Walker()
    _ = walker.stay(30)
    #expect(!walker.hear(after: 601).isSmoothed)
    _ = walker.stay(30)
    #expect(!walker.hear(from: 1).isSmoothed)
    _ = walker.stay(30)
    #expect(!walker.hear(after: -3600).isSmoothed)
    #expect(walker.stay(30).last?.isSmoothed == true)
  }

  @Test("where no manner of moving explains a fix, it is told as it came")
  func leap() {
    var walker = Walker()
    _ = walker.stay(30)
    walker.truth.north += 5000
    let told = walker.hear()
    #expect(!told.isSmoothed)
    #expect(walker.stay(30).allSatisfy { $0.off < 300 })
  }

  @Test("any numbers that are a location's leave it with a place", arguments: 1...200)
  func hostile(seed: UInt64) {
    let gaps = [0, 1e-6, 30, 700]
    let accuracies = [1e-300, 30, 60, 1e5, 1e300]
    var dice = Dice(seed: seed)
    var whereabouts = Whereabouts()
    var seconds = 0.0
    for _ in 0..<200 {
      let longest = gaps.randomElement(using: &dice) ?? 1
      seconds += Double.random(in: -1...longest, using: &dice)
      var location = ServiceHarness.location(
        north: Double.random(in: -5e6...5e6, using: &dice),
        accuracy: accuracies.randomElement(using: &dice) ?? 1, at: seconds)
      if Bool.random(using: &dice) {
        location.coordinate = Coordinate(latitude: 90, longitude: 180)
      }
      let told = whereabouts.smooth(location, Point(location.coordinate), from: SourceID(0))
      #expect(told?.location.isValid != false)
    }
  }

  @Test("clients are told the smoothed place by whatever way they ask, unfiltered each as it came")
  func service() throws {
    for filtered in [true, false] {
      var harness = ServiceHarness(filtered: filtered)
      harness.call(.startUpdatingLocation(.init()))
      var places: [Double] = []
      for fix in 0..<60 {
        harness.now += 20
        for case .tell(_, .didUpdateLocations(let location, _)) in harness.fix(
          north: fix % 2 == 0 ? 60 : -60, accuracy: 90)
        {
          places.append((location.coordinate.latitude - 45) * 111_131.7)
        }
      }
      #expect(places.count == 60)
      let last = try #require(places.last)
      #expect(filtered ? abs(last) < 30 : abs(last + 60) < 0.01)
      let answers = harness.call(.location)
      guard case .answer(_, _, .location(let location?))? = answers.first else {
        Issue.record("\(answers)")
        continue
      }
      #expect(abs((location.coordinate.latitude - 45) * 111_131.7 - last) < 0.01)
    }
  }
}
