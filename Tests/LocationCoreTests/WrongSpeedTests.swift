import LocationModel
import ReceiverCore
import TestSupport
import Testing

@testable import LocationCore

/// A machine that drives along, and a receiver whose places are right and whose speed may not be.
private struct Drive {
  var rate = 1.0
  /// Metres per second.
  var speed: Double
  /// Seconds from one turn to the left to the next; nil for straight on.
  var turns: Double?
  var accuracy = 8.0
  /// Metres, on each axis.
  var wobble = 2.0
  private(set) var dice = Dice(seed: 7)
  private(set) var count = 0
  private var place = (north: 0.0, east: 0.0)
  private var way = (north: 1.0, east: 0.0)
  private var turned = 0.0

  init(_ speed: Double, rate: Double = 1, turns: Double? = nil) {
    self.speed = speed
    self.rate = rate
    self.turns = turns
  }

  var seconds: Double { 100 + Double(count) / rate }

  mutating func next(saying said: Double?, off: Double = 0) -> Location {
    let step = count == 0 ? 0 : 1 / rate
    place.north += way.north * speed * step
    place.east += way.east * speed * step
    if let turns, seconds - turned >= turns {
      way = (way.east, -way.north)
      turned = seconds
    }
    let north = place.north + off + Double.random(in: -wobble...wobble, using: &dice)
    let east = place.east + Double.random(in: -wobble...wobble, using: &dice)
    // Around a place where a degree to the east is as long as one to the north.
    var location = Location(
      coordinate: Coordinate(latitude: north / 110_574, longitude: east / 111_320),
      horizontalAccuracy: accuracy,
      timestamp: Timestamp(microseconds: Int64((seconds * 1e6).rounded())))
    location.speed = said
    count += 1
    return location
  }
}

/// The fixes told of a drive, and the longest silence.
private struct Telling {
  var track = Track()
  var drive: Drive
  var told = 0
  /// The longest that fixes were withheld in a row: how many, and from the first to the last of them.
  var longest = (count: 0, seconds: 0.0)
  private var withheld = (count: 0, since: 0.0)

  init(_ drive: Drive) { self.drive = drive }

  @discardableResult
  mutating func hear(_ said: Double?, off: Double = 0) -> Track.Verdict {
    let seconds = drive.seconds
    let location = drive.next(saying: said, off: off)
    let verdict = track.accept(
      location, Point(location.coordinate), at: .start + .seconds(seconds), filtered: true)
    if verdict == .believed {
      told += 1
      withheld = (0, 0)
    } else {
      withheld = (withheld.count + 1, withheld.count == 0 ? seconds : withheld.since)
      longest = (
        max(longest.count, withheld.count), max(longest.seconds, seconds - withheld.since)
      )
    }
    return verdict
  }

  mutating func hear(_ count: Int, _ said: (Int, inout Dice) -> Double?) {
    var dice = Dice(seed: 11)
    for i in 0..<count { hear(said(i, &dice)) }
  }
}

@Suite("A said speed that is wrong") struct WrongSpeedTests {
  @Test(
    "withholds no more than the first four fixes",
    arguments: [(30.0, 1.0), (60, 1), (15, 0.5), (100, 1), (340, 1)])
  func zero(speed: Double, rate: Double) {
    var telling = Telling(Drive(speed, rate: rate))
    telling.hear(300) { _, _ in 0 }
    #expect(telling.told >= 296)
  }

  @Test("is not missed: of an airliner whose receiver says none, the fifth fix is told")
  func none() {
    var telling = Telling(Drive(250))
    telling.hear(190) { _, _ in nil }
    #expect(telling.told >= 186)
    #expect(telling.longest.count <= 4)
  }

  struct Claim: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var said: @Sendable (Double, Int, inout Dice) -> Double?
  }

  static let claims = [
    Claim(testDescription: "right") { speed, _, _ in speed },
    Claim(testDescription: "none") { _, _, _ in nil },
    Claim(testDescription: "zero") { _, _, _ in 0 },
    Claim(testDescription: "knots for m/s") { speed, _, _ in speed / 0.5144 },
    Claim(testDescription: "m/s for knots") { speed, _, _ in speed * 0.5144 },
    Claim(testDescription: "km/h for m/s") { speed, _, _ in speed * 3.6 },
    Claim(testDescription: "stuck at 15") { _, _, _ in 15 },
    Claim(testDescription: "stuck at 300") { _, _, _ in 300 },
    Claim(testDescription: "random") { _, _, dice in Double.random(in: 0...340, using: &dice) },
    Claim(testDescription: "now and then") { speed, i, _ in i % 3 == 0 ? 0 : nil },
    Claim(testDescription: "right, then zero") { speed, i, _ in i < 60 ? speed : 0 },
    Claim(testDescription: "zero by turns") { speed, i, _ in i / 40 % 2 == 0 ? 0 : speed },
  ]

  @Test(
    "never withholds five fixes that agree by their own movement and span a second",
    arguments: claims, [0.1, 0.5, 1, 5, 20])
  func always(claim: Claim, rate: Double) {
    for speed in [0.0, 5, 15, 30, 100, 250, 340] {
      for turns in speed <= 30 ? [nil, 20, 60] as [Double?] : [nil] {
        var telling = Telling(Drive(speed, rate: rate, turns: turns))
        let count = Int(max(100, 30 * rate))
        telling.hear(count) { i, dice in claim.said(speed, i, &dice) }
        let (withheld, seconds) = telling.longest
        // A turn that nothing but its speed explains begins the five anew.
        let most = turns == nil ? 4 : 9
        let comment: Comment =
          "\(speed) m/s, turns \(turns ?? 0): \(withheld) withheld, \(seconds) s, \(telling.told) told"
        #expect(withheld <= most || seconds < 1, comment)
        // Seldom fixes may be anywhere by then, and say little of the speed.
        #expect(telling.told >= count * (rate < 0.5 ? 2 : 7) / 10, comment)
      }
    }
  }

  @Test("outliers and bursts of them stay out", arguments: [1, 2, 4])
  func outliers(length: Int) {
    var telling = Telling(Drive(30))
    telling.hear(60) { _, _ in 0 }
    for _ in 0..<20 {
      for _ in 0..<length { #expect(telling.hear(0, off: 700) == .doubted) }
      for _ in 0..<10 { #expect(telling.hear(0) == .believed) }
    }
  }

  @Test("places that fit no movement stay out, whatever speed is said", arguments: [0, 40, 300])
  func scatter(said: Double) {
    var telling = Telling(Drive(0))
    telling.hear(60) { _, _ in 0 }
    var dice = Dice(seed: 3)
    // By and by it might be anywhere.
    for _ in 0..<30 {
      let off = Double.random(in: 3000...30_000, using: &dice)
      #expect(telling.hear(said, off: off) == .doubted)
    }
    #expect(telling.hear(0) == .believed)
  }

  @Test("a radio cell that is wrong stays out as long as ever", arguments: [300.0, 700])
  func cells(metres: Double) {
    var telling = Telling(Drive(0))
    telling.hear(60) { _, _ in 0 }
    var count = 0
    while telling.hear(nil, off: metres) != .believed, count < 1000 { count += 1 }
    #expect((80...100).contains(count))
  }

  @Test("is told no more once the movement contradicts it, and again once it agrees")
  func dropped() {
    for (speed, said) in [(30.0, 0.0), (10, 0), (10, 19.4), (0, 20)] {
      var harness = ServiceHarness(filtered: true)
      harness.call(.startUpdatingLocation(.init()))
      var drive = Drive(speed)
      var told: [Double?] = []
      for i in 0..<120 {
        harness.now = drive.seconds
        var location = drive.next(saying: i < 60 ? said : speed)
        location.speedAccuracy = 1
        location.course = 0
        for case .tell(_, .didUpdateLocations(let location, _)) in harness.handle(
          .reading(SourceID(0), .fix(Fix(location))))
        {
          told.append(location.speed)
          #expect((location.speed == nil) == (location.speedAccuracy == nil))
          #expect(location.course == 0)
        }
      }
      #expect(told.count >= 116)
      #expect(told[20..<56].allSatisfy { $0 == nil }, "\(speed) said as \(said)")
      #expect(told.suffix(25).allSatisfy { $0 == speed }, "\(speed) said as \(said)")
    }
  }

  @Test("unfiltered, it is told as it came")
  func unfiltered() {
    var harness = ServiceHarness()
    harness.call(.startUpdatingLocation(.init()))
    var drive = Drive(30)
    for _ in 0..<60 {
      harness.now = drive.seconds
      let outputs = harness.handle(.reading(SourceID(0), .fix(Fix(drive.next(saying: 0)))))
      for case .tell(_, .didUpdateLocations(let location, _)) in outputs {
        #expect(location.speed == 0)
      }
      #expect(outputs.told == [0])
    }
  }

  @Test("a speed that was right stays believed through a silence and fixes that say none")
  func silence() {
    var track = Track()
    // A walk, eight minutes indoors, and a fix by radio; the receiver is back a second later.
    let walk = (0..<15).map { (seconds: 25 * Double($0), metres: 30 * Double($0), 1.2 as Double?) }
    for (seconds, metres, said) in walk + [(860, 450, nil), (861, 450, nil), (862, 452, 0.5)] {
      var location = Location(
        coordinate: Coordinate(latitude: metres / 110_574, longitude: 0),
        horizontalAccuracy: said == nil ? 65 : 10,
        timestamp: Timestamp(microseconds: Int64(seconds * 1e6)))
      location.speed = said
      let verdict = track.accept(
        location, Point(location.coordinate), at: .start + .seconds(seconds), filtered: true)
      #expect(verdict == .believed)
      #expect(!track.isSpeedWrong, "after \(seconds) s")
    }
  }

  @Test("a speed that is right is told at every fix, however the machine drives")
  func right() {
    for rate in [0.1, 0.2, 0.5, 1, 5] {
      var telling = Telling(Drive(0, rate: rate, turns: 40))
      var before = 0.0
      for i in 0..<400 {
        // From one light to the next.
        let phase = (Double(i) / rate).truncatingRemainder(dividingBy: 90)
        let speed = phase < 30 ? 0 : min(14, (phase - 30) * 1.5, (90 - phase) * 1.5)
        telling.drive.speed = (before + speed) / 2
        telling.hear(speed)
        before = speed
        #expect(!telling.track.isSpeedWrong, "\(rate) a second, \(i)")
      }
      #expect(telling.told == 400)
    }
  }
}
