import Geodesy
import LocationModel
import ReceiverCore
import TestSupport
import Testing

@testable import LocationCore

/// Receivers in Berlin and on the Riviera, 1,060 km apart, each at its own pace and with its own pauses.
private struct TwoPlaces {
  struct Receiver {
    var place: Coordinate
    /// Seconds between its fixes.
    var period = 1.0
    var accuracies = 5.0...5.0
    /// Metres by which its fixes wander; 0 is one that holds its place to the last digit.
    var wobble = 1.0
    /// The seconds in which it is heard.
    var heard = 0.0..<Double.infinity
    /// It pauses now and then for up to so many seconds, as on a machine that has much else to do.
    var pause = 0.0
    fileprivate var next = 0.0
  }

  static let berlin = Coordinate(latitude: 52.5, longitude: 13.4)
  static let riviera = Coordinate(latitude: 43.7, longitude: 7.4)

  var harness: ServiceHarness
  var receivers: [Receiver]
  private(set) var told: [Location] = []
  private var dice = Dice(seed: 39)

  init(_ receivers: [Receiver]) {
    self.receivers = receivers
    harness = ServiceHarness(
      sources: receivers.indices.map { ("\($0)", false) }, filtered: true)
    harness.call(.startUpdatingLocation(.init()))
    for i in receivers.indices {
      self.receivers[i].next = receivers[i].heard.lowerBound + Double(i) * 0.4
    }
  }

  /// How often the told place changes from one receiver's to another's.
  var switches: Int {
    zip(told, told.dropFirst()).count { $0.coordinate.distance(to: $1.coordinate) > 100_000 }
  }

  var last: String? { told.last?.source }

  mutating func hear(until end: Double) {
    while let i = receivers.indices.min(by: { receivers[$0].next < receivers[$1].next }),
      receivers[i].next < end
    {
      let receiver = receivers[i]
      if receiver.heard.contains(receiver.next) { say(receiver, from: i) }
      let pauses = receiver.pause > 0 && Double.random(in: 0...1, using: &dice) < 0.02
      receivers[i].next +=
        receiver.period + (pauses ? .random(in: 0...receiver.pause, using: &dice) : 0)
    }
  }

  private mutating func say(_ receiver: Receiver, from source: Int) {
    harness.now = 100 + receiver.next
    let metres = Double.random(in: -1...1, using: &dice) * receiver.wobble
    var location = Location(
      coordinate: Coordinate(
        latitude: receiver.place.latitude + metres / 111_131.7,
        longitude: receiver.place.longitude),
      horizontalAccuracy: .random(in: receiver.accuracies, using: &dice),
      timestamp: Timestamp(microseconds: Int64(harness.now * 1e6)))
    location.speed = 0
    for case .tell(_, .didUpdateLocations(let one, _)) in harness.handle(
      .reading(SourceID(source), .fix(Fix(location))))
    {
      told.append(one)
    }
  }

  /// Which source contradicts which, and by how many kilometres.
  mutating func said() -> [String] {
    harness.call(.status).replies.flatMap { reply -> [String] in
      guard case .status(let status) = reply else { return [] }
      return (status.sources ?? []).compactMap { source in
        source.contradiction.map { "\(source.name): \($0.name), \(Int($0.metres / 1000)) km" }
      }
    }
  }
}

@Suite("Sources that contradict each other") struct ContradictionTests {
  private typealias Receiver = TwoPlaces.Receiver

  private static func pair(
    _ change: (inout Receiver, inout Receiver) -> Void = { _, _ in }
  ) -> [Receiver] {
    var (one, other) = (Receiver(place: TwoPlaces.berlin), Receiver(place: TwoPlaces.riviera))
    change(&one, &other)
    return [one, other]
  }

  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    fileprivate var receivers: [TwoPlaces.Receiver]
  }

  static let rows = [
    Row(testDescription: "in turn, once a second", receivers: pair()),
    Row(testDescription: "the other five times a second", receivers: pair { $1.period = 0.2 }),
    Row(
      testDescription: "the first five times a second",
      receivers: pair { one, _ in one.period = 0.2 }),
    Row(
      testDescription: "the other far more accurate", receivers: pair { $1.accuracies = 2.5...3 }),
    Row(
      testDescription: "accuracies that vary",
      receivers: pair {
        ($0.accuracies, $1.accuracies) = (3...15, 3...15)
      }),
    Row(
      testDescription: "the first holds its place to the last digit",
      receivers: pair { one, other in
        (one.wobble, other.heard) = (0, 60..<Double.infinity)
      }),
    Row(
      testDescription: "the other holds its place to the last digit",
      receivers: pair {
        $1.wobble = 0
      }),
    Row(
      testDescription: "both pause for some seconds",
      receivers: pair {
        ($0.pause, $1.pause) = (6, 6)
      }),
  ]

  @Test("for an hour the place is that of the first, which the track is of", arguments: rows)
  func steady(row: Row) {
    var places = TwoPlaces(row.receivers)
    places.hear(until: 3600)
    #expect(places.switches == 0)
    #expect(places.last == "0")
    #expect(places.told.count > 3000)
  }

  @Test("the track of before decides, though the one that it is of is heard again later")
  func track() {
    // The first is silent while the second begins; a third is of the first's place all along.
    var places = TwoPlaces(Self.pair() + [Receiver(place: TwoPlaces.berlin, period: 3)])
    places.hear(until: 600)
    #expect(places.switches == 0)
  }

  @Test("one that falls silent is left for the other, once, and it stays so when it is heard again")
  func silence() {
    var places = TwoPlaces(Self.pair { one, _ in one.heard = 0..<300 })
    places.hear(until: 330)
    #expect(places.last == "1" && places.switches == 1)
    #expect(places.told.contains { $0.source == "1" && $0.timestamp.microseconds < 415_000_000 })
    places.receivers[0].heard = 0..<Double.infinity
    places.hear(until: 3600)
    #expect(places.last == "1" && places.switches == 1)
  }

  @Test("one that cannot be read any more is left at once")
  func failure() {
    var places = TwoPlaces(Self.pair { one, _ in one.heard = 0..<300 })
    places.hear(until: 300)
    places.harness.handle(.failed(SourceID(0), "unplugged"))
    places.hear(until: 304)
    #expect(places.last == "1")
  }

  @Test("a third one that agrees with one of them decides")
  func third() {
    for place in [TwoPlaces.berlin, TwoPlaces.riviera] {
      var third = Receiver(place: place)
      third.heard = 300..<Double.infinity
      var places = TwoPlaces(Self.pair() + [third])
      places.hear(until: 299)
      #expect(places.last == "0")
      places.hear(until: 3600)
      #expect(places.told.suffix(100).allSatisfy { $0.coordinate.distance(to: place) < 1000 })
      #expect(places.switches == (place == TwoPlaces.berlin ? 0 : 1))
    }
  }

  @Test("a true jump of a receiver that is alone is believed after five fixes")
  func jump() {
    var places = TwoPlaces([Receiver(place: TwoPlaces.berlin)])
    places.hear(until: 300)
    places.receivers[0].place = TwoPlaces.riviera
    places.hear(until: 306)
    #expect(places.switches == 1)
  }

  @Test("both jump, one after the other: the place goes over once, and no contradiction is left")
  func together() {
    var places = TwoPlaces([
      Receiver(place: TwoPlaces.berlin), Receiver(place: TwoPlaces.berlin),
    ])
    places.hear(until: 300)
    places.receivers[0].place = TwoPlaces.riviera
    places.hear(until: 330)
    places.receivers[1].place = TwoPlaces.riviera
    places.hear(until: 600)
    #expect(places.switches == 1)
    #expect(places.told.suffix(200).allSatisfy { $0.coordinate.latitude < 44 })
    #expect(places.said().isEmpty)
  }

  @Test(
    "the one that is not believed says which it contradicts, after some seconds and until it agrees"
  )
  func said() {
    var places = TwoPlaces(Self.pair())
    places.hear(until: 4)
    #expect(places.said().isEmpty)
    places.hear(until: 60)
    #expect(places.said() == ["1: 0, 1074 km"])
    places.receivers[1].place = TwoPlaces.berlin
    places.hear(until: 90)
    #expect(places.said().isEmpty)
    // One that is silent contradicts nobody.
    places.receivers[1].place = TwoPlaces.riviera
    places.hear(until: 120)
    #expect(places.said().count == 1)
    places.receivers[1].heard = 0..<0
    places.hear(until: 150)
    #expect(places.said().isEmpty)
  }
}
