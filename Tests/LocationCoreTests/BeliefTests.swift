import Geodesy
import LocationModel
import ReceiverCore
import Testing

@testable import LocationCore

/// Driving north at 10 m/s, as two receivers see it, second by second; the first is a good one.
private struct Road {
  static let good = 8.0

  var harness: ServiceHarness
  var told: [Location] = []
  var switches = 0

  init(_ count: Int = 2) {
    harness = ServiceHarness(
      sources: [("good", false), ("other", false), ("third", false)].prefix(count).map { $0 },
      filtered: true)
    harness.call(.startUpdatingLocation(.init()))
  }

  /// Nil from `other` is silence.
  mutating func drive(_ seconds: Range<Int>, _ other: (Int) -> Location?) {
    for second in seconds {
      say(Road.place(second), from: 0, at: Double(second))
      if let location = other(second) { say(location, from: 1, at: Double(second) + 0.4) }
    }
  }

  mutating func say(_ location: Location, from source: Int, at seconds: Double) {
    harness.now = 100 + seconds
    for case .tell(_, .didUpdateLocations(let location, _)) in harness.handle(
      .reading(SourceID(source), .fix(Fix(location))))
    {
      if let last = told.last, last.source != location.source { switches += 1 }
      told.append(location)
    }
  }

  static func place(
    _ second: Int, ahead: Double = 0, accuracy: Double = Road.good, speed: Double? = 10,
    clock: Double = 0
  ) -> Location {
    var location = ServiceHarness.location(
      north: Double(second) * 10 + ahead, accuracy: accuracy, at: 100 + Double(second) + clock)
    location.speed = speed
    location.course = speed == nil ? nil : 0
    return location
  }

  /// How far what was told lay from where the car was.
  func worst(from second: Int = 0) -> Double {
    told.map { location in
      let seconds = (Double(location.timestamp.microseconds) / 1e6).rounded() - 100
      return Road.place(Int(seconds)).coordinate.distance(to: location.coordinate)
    }.max() ?? .infinity
  }
}

@Suite("One good fix out of many") struct BeliefTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var bound = Road.good
    var switches = 2
    var other: @Sendable (Int) -> Location?
  }

  /// The other one claims to be better, and for the first minute it is.
  static let rows = [
    Row(testDescription: "jumps and stays there") {
      Road.place($0, ahead: $0 < 60 ? 0 : 900, accuracy: 4)
    },
    Row(testDescription: "jumps and comes back", switches: 4) {
      Road.place($0, ahead: (60..<90).contains($0) ? 300 : 0, accuracy: 4)
    },
    Row(testDescription: "jumps about") {
      Road.place($0, ahead: $0 < 60 ? 0 : Double($0 * 7919 % 13) * 100, accuracy: 4)
    },
    Row(testDescription: "freezes, still saying its speed") {
      Road.place(min($0, 60), accuracy: 4, clock: Double(max(0, $0 - 60)))
    },
    Row(testDescription: "freezes, time and all") { Road.place(min($0, 60), accuracy: 4) },
    Row(testDescription: "freezes, and never said a speed", bound: 25) {
      Road.place(min($0, 60), accuracy: 4, speed: nil, clock: Double(max(0, $0 - 60)))
    },
    // Until it has left both their circles it may be true.
    Row(testDescription: "drifts off, slowly", bound: 45) {
      Road.place($0, ahead: $0 < 60 ? 0 : Double($0 - 60) * 2, accuracy: 4)
    },
    Row(testDescription: "says it is far better than it is") {
      Road.place($0, ahead: [25, -40, 10, 60, -15][$0 % 5], accuracy: 1)
    },
    Row(testDescription: "is elsewhere, and sure of it") {
      Road.place($0, ahead: 300, accuracy: 1)
    },
    Row(testDescription: "falls silent") { $0 < 60 ? Road.place($0, accuracy: 4) : nil },
    Row(testDescription: "comes and goes", switches: 12) {
      $0 / 20 % 2 == 0 ? Road.place($0, accuracy: 4) : nil
    },
    Row(testDescription: "hesitates", switches: 2) {
      $0 % 3 == 0 ? Road.place($0, accuracy: 4) : nil
    },
    Row(testDescription: "says now better accuracies, now worse ones", switches: 2) {
      Road.place($0, accuracy: $0 % 2 == 0 ? 5 : 12)
    },
  ]

  @Test("beside one that is not, the track stays with the good one", arguments: rows)
  func beside(row: Row) {
    var road = Road()
    road.drive(0..<240, row.other)
    #expect(road.worst() <= row.bound + 0.01)
    #expect(road.switches <= row.switches)
    #expect(road.told.count > 220)
  }

  @Test(
    "a clock that is wrong, or set while it runs, blocks nobody",
    arguments: [
      { _ in 5_000_000.0 }, { _ in -5_000_000 }, { $0 < 60 ? 0 : 3600 }, { $0 < 60 ? 0 : -3600 },
    ] as [@Sendable (Int) -> Double])
  func wrongClock(clock: @Sendable (Int) -> Double) {
    for accuracy in [4.0, 40] {
      var road = Road()
      for second in 0..<240 {
        road.say(Road.place(second), from: 0, at: Double(second))
        road.say(
          Road.place(second, accuracy: accuracy, clock: clock(second)), from: 1,
          at: Double(second) + 0.4)
        if let last = road.told.last {
          let off = last.coordinate.distance(to: Road.place(second).coordinate)
          #expect(off <= Road.good + 40)
        }
      }
      #expect(road.told.count > 220)
      #expect(road.switches <= 3)
      #expect(road.told.last?.source == (accuracy < Road.good ? "other" : "good"))
    }
  }

  @Test("two against one are believed, whatever the one claims")
  func majority() {
    var road = Road(3)
    for second in 0..<120 {
      // The one that comes first is wrong, and more sure of itself.
      road.say(Road.place(second, ahead: 400, accuracy: 5), from: 2, at: Double(second))
      road.say(Road.place(second), from: 0, at: Double(second) + 0.3)
      road.say(Road.place(second), from: 1, at: Double(second) + 0.6)
    }
    let late = road.told.suffix(100)
    #expect(late.allSatisfy { $0.source != "third" })
  }

  @Test("a place that is only said gives way to one that is measured, where both cannot be true")
  func said() {
    var harness = ServiceHarness(sources: [("static", true), ("gps", false)], filtered: true)
    harness.call(.startUpdatingLocation(.init()))
    var last: [Location] = []
    for second in 0..<20 {
      harness.now = 100 + Double(second)
      let place = ServiceHarness.location(north: 0, accuracy: 0.1, at: harness.now)
      harness.handle(.reading(SourceID(0), .fix(Fix(place, kind: .manual))))
      last =
        harness.handle(
          .reading(SourceID(1), .fix(Fix(Road.place(second, ahead: 5000, accuracy: 15))))
        ).locations
    }
    #expect(last.first?.source == "gps")
  }

  @Test("it returns when it is heard again, if it is better")
  func returns() {
    var road = Road()
    road.drive(0..<180) { (60..<120).contains($0) ? nil : Road.place($0, accuracy: 3) }
    #expect(road.told.last?.source == "other")
    #expect(road.switches <= 4)
  }

  @Test("the machine sleeps for an hour and is elsewhere: the first fix is believed")
  func suspend() {
    var road = Road()
    road.drive(0..<30) { Road.place($0, accuracy: 4) }
    let before = road.told.count
    var location = Road.place(3600, ahead: 80_000, accuracy: 4)
    location.timestamp = location.timestamp + .seconds(7)
    road.say(location, from: 1, at: 3607)
    #expect(road.told.count == before + 1)
  }

  @Test("a source that has left is no start for anybody")
  func removed() {
    var harness = ServiceHarness()
    harness.call(.startUpdatingLocation(.init()))
    harness.fix()
    harness.handle(.configured(.init(version: "1", uid: 990, sources: [])))
    #expect(harness.call(.startUpdatingLocation(.init()), manager: 1).told.isEmpty)
    #expect(harness.call(.location).located == nil)
  }
}

extension [Output] {
  fileprivate var locations: [Location] {
    compactMap { if case .tell(_, .didUpdateLocations(let one, _)) = $0 { one } else { nil } }
  }
}
