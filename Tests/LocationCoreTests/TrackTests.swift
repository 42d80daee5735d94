import LocationModel
import TestSupport
import Testing

@testable import LocationCore

@Suite("Track") struct TrackTests {
  /// A source that stands and is told one fix a second.
  private struct Source {
    var track = Track()
    var second = 0

    mutating func say(
      _ metres: Double = 0, accuracy: Double = 8, speed: Double? = 0, seconds: Int = 1
    ) -> Track.Verdict {
      second += seconds
      var location = ServiceHarness.location(north: metres, accuracy: accuracy, at: Double(second))
      location.speed = speed
      return track.accept(
        location, Point(location.coordinate), at: .start + .seconds(second), filtered: true)
    }

    mutating func stand(_ count: Int = 60, at metres: Double = 0, speed: Double? = 0) {
      for i in 0..<count { _ = say(metres + Double(i % 3), speed: speed) }
    }

    /// How many are doubted before one is believed.
    mutating func doubts(_ metres: Double, accuracy: Double = 8, speed: Double? = 0) -> Int {
      var count = 0
      while say(metres + Double(count % 3), accuracy: accuracy, speed: speed) != .believed {
        count += 1
        if count > 1000 { break }
      }
      return count
    }
  }

  @Test("it truly jumped: after a few fixes that agree it is believed", arguments: [0, nil])
  func jump(speed: Double?) {
    var source = Source()
    source.stand(speed: speed)
    #expect((1...5).contains(source.doubts(50_000, speed: speed)))
    #expect(source.say(50_001, speed: speed) == .believed)
  }

  @Test("an outlier is left out, and nothing is the worse for it", arguments: [1, 2, 4])
  func outlier(length: Int) {
    var source = Source()
    source.stand()
    for _ in 0..<length { #expect(source.say(400) == .doubted) }
    #expect(source.say(1) == .believed)
  }

  @Test("places that do not agree among themselves are not believed")
  func scatter() {
    var source = Source()
    source.stand()
    for i in 0..<15 { #expect(source.say(Double(500 + i * 7919 % 31 * 300)) == .doubted) }
    #expect(source.say(1, seconds: 1) == .believed)
  }

  @Test("a jump to where it was before needs no proof")
  func back() {
    var source = Source()
    source.stand()
    _ = source.doubts(900)
    source.stand(5, at: 900)
    #expect(source.say(1) == .believed)
  }

  @Test("that it once jumped, and came back by itself, excuses no later jump")
  func backLongAgo() {
    var source = Source()
    source.stand()
    // So coarse that where it stands is no jump from there.
    _ = source.doubts(9000, accuracy: 25_000, speed: nil)
    #expect(source.say(1) == .believed)
    source.stand(3600)
    #expect(source.say(500_000) == .doubted)
  }

  @Test("a very coarse place that is far off is no news for ten minutes")
  func veryCoarse() {
    var source = Source()
    source.stand()
    #expect((580...610).contains(source.doubts(9000, accuracy: 25_000, speed: nil)))
  }

  @Test(
    "fixes that lack the speed all others had must last, as those of radio cells do",
    arguments: [300.0, 700])
  func cells(metres: Double) {
    var source = Source()
    source.stand()
    let count = source.doubts(metres, speed: nil)
    #expect((80...100).contains(count))
  }

  @Test("a coarse fix that is far off says nothing new, until it does")
  func coarse() {
    var source = Source()
    source.stand()
    #expect(source.say(600, accuracy: 500) == .doubted)
    #expect(source.say(2) == .believed)
    // It may have gone there by then.
    #expect(source.doubts(120, accuracy: 100) > 10)
  }

  @Test("a coarse fix that agrees with what is known is believed")
  func agreeing() {
    var source = Source()
    source.stand()
    #expect(source.say(20, accuracy: 200) == .believed)
    #expect(source.say(400, accuracy: 8) == .doubted)
  }

  @Test(
    "who drives off is believed at every fix, also seldom and coarse ones",
    arguments: [(1, 5.0), (1, 60), (10, 8), (20, 50), (60, 30), (300, 100)])
  func drive(seconds: Int, accuracy: Double) {
    for speeds in [true, false] {
      var source = Source()
      for _ in 0..<5 { _ = source.say(0, accuracy: accuracy, speed: speeds ? 0 : nil) }
      var speed = 0.0
      var place = 0.0
      for _ in 0..<100 {
        for _ in 0..<seconds {
          speed = min(speed + 1.8, 38)
          place += speed
        }
        let verdict = source.say(
          place, accuracy: accuracy, speed: speeds ? speed : nil, seconds: seconds)
        #expect(verdict == .believed)
      }
    }
  }

  @Test("an airliner is believed, and after a gap too")
  func flight() {
    var source = Source()
    var place = 0.0
    var speed = 0.0
    for second in 0..<600 {
      speed = min(speed + 2, 260)
      place += speed
      guard !(300..<500).contains(second) else { continue }
      #expect(source.say(place, speed: nil, seconds: second == 500 ? 201 : 1) == .believed)
    }
  }

  /// Said to be of one second, and heard in another.
  private func take(
    _ track: inout Track, _ north: Double, _ said: Double, _ heard: Int64, simulated: Bool = false
  ) -> Track.Verdict {
    var location = ServiceHarness.location(north: north, at: said)
    location.simulated = simulated
    return track.accept(
      location, Point(location.coordinate), at: .start + .seconds(heard), filtered: true)
  }

  @Test("what was said before, or is older, is not believed; a clock that was set back is")
  func order() {
    var track = Track()
    func say(_ north: Double, _ seconds: Double, _ arrival: Int64) -> Track.Verdict {
      take(&track, north, seconds, arrival)
    }
    #expect(say(0, 5000, 1) == .believed)
    #expect(say(0, 5000, 1) == .repeated)
    #expect(say(1, 4999, 2) == .untimely)
    #expect(say(1, 5001, 2) == .believed)
    #expect(say(2, 1000, 3) == .untimely)
    #expect(say(2, 1001, 4) == .untimely)
    #expect(say(2, 1002, 5) == .believed)
    #expect(say(2, 1003, 6) == .believed)
  }

  @Test("a time hours ahead is misread, and the next is believed; a clock that was set goes on")
  func ahead() {
    var track = Track()
    func say(_ north: Double, _ seconds: Double, _ arrival: Int64) -> Track.Verdict {
      take(&track, north, seconds, arrival)
    }
    #expect(say(0, 5000, 1) == .believed)
    #expect(say(50_000, 12_200, 2) == .untimely)
    #expect(say(1, 5002, 3) == .believed)
    #expect(say(2, 12_200, 4) == .untimely)
    #expect(say(2, 12_201, 5) == .untimely)
    #expect(say(2, 12_202, 6) == .believed)
    #expect(say(3, 12_203, 7) == .believed)
    // Its machine slept, or it was out of reach: so much time has passed here, too.
    #expect(say(3, 19_403, 7207) == .believed)
  }

  @Test("a recording may be silent for hours, however fast it is played")
  func pausesOfRecordings() {
    var track = Track()
    for hour in 0..<4 {
      #expect(take(&track, 0, Double(hour) * 7200, Int64(hour), simulated: true) == .believed)
    }
  }

  @Test("unfiltered, only its order counts")
  func unfiltered() {
    var track = Track()
    for second in 0..<20 {
      let location = ServiceHarness.location(
        north: Double(second * 7 % 5) * 10_000, at: Double(second))
      let point = Point(location.coordinate)
      #expect(
        track.accept(location, point, at: .start + .nanoseconds(second), filtered: false)
          == .believed)
    }
  }
}
