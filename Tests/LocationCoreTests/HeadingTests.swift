import Geodesy
import LocationModel
import ReceiverCore
import Testing

@testable import LocationCore

@Suite("HeadingSession") struct HeadingSessionTests {
  private func told(_ filter: Double, _ headings: [Double]) -> [Bool] {
    var session = HeadingSession(
      Recipient(client: ClientID(1), manager: 0), HeadingRequest(headingFilter: filter))
    return headings.map {
      session.admits(Heading(magneticHeading: $0, timestamp: Timestamp(microseconds: 0)))
    }
  }

  @Test("a turn is measured from the heading told last, not from the last one")
  func filter() {
    #expect(told(5, [10, 13, 14.9, 15, 12, 10]) == [true, false, false, true, false, true])
  }

  @Test("across north a turn is as small as it is elsewhere")
  func north() {
    #expect(told(5, [359, 2, 4, 1, 358]) == [true, false, true, false, true])
    #expect(told(180, [0, 179, 180]) == [true, false, true])
  }

  @Test("without a filter every one is told", arguments: [-1.0, 0])
  func none(filter: Double) {
    #expect(told(filter, [10, 10, 10.1]) == [true, true, true])
  }

  @Test("the other north is something new, whatever the filter")
  func newKind() {
    var session = HeadingSession(
      Recipient(client: ClientID(1), manager: 0), HeadingRequest(headingFilter: 90))
    let moment = Timestamp(microseconds: 0)
    #expect(session.admits(Heading(magneticHeading: 10, timestamp: moment)) == true)
    #expect(session.admits(Heading(trueHeading: 12, timestamp: moment)) == true)
    #expect(
      session.admits(Heading(trueHeading: 13, magneticHeading: 11, timestamp: moment)) == false)
  }
}

@Suite("Compass") struct CompassTests {
  @Test("headings of a recording that lie a century apart are told")
  func apart() {
    var compass = Compass()
    for seconds in [0, 4_500_000_000, 4_500_000_001] as [Int64] {
      let now = Instant(
        boottime: .start + .seconds(seconds), utc: .epoch, utcTrusted: false)
      let heading = Heading(magneticHeading: 10, timestamp: Timestamp(microseconds: 0))
      #expect(compass.believe(heading, from: SourceID(0), near: nil, at: now) != nil)
    }
  }
}

@Suite("Headings") struct HeadingServiceTests {
  private func harness() -> ServiceHarness {
    ServiceHarness(sources: [("gps", false), ("compass", false)])
  }

  @Test("a manager that wants headings is told them, and locations only if it wants those")
  func told() {
    var harness = harness()
    #expect(harness.call(.startUpdatingHeading(.init()), manager: 3).opens == 2)
    #expect(harness.turn(magnetic: 90).headings == [.init(manager: 3, true: nil, magnetic: 90)])
    #expect(harness.fix().told.isEmpty)
    harness.call(.stopUpdatingHeading, manager: 3)
    #expect(harness.turn(magnetic: 120).headings.isEmpty)
  }

  @Test("where the place is known the other north is found, and the accuracy says so")
  func joined() throws {
    var harness = harness()
    harness.call(.startUpdatingHeading(.init()))
    harness.fix()
    let field = MagneticField(
      at: Coordinate(latitude: 45, longitude: 7), year: ServiceHarness.instant(100).utc.year)
    let declination = try #require(field.declination)
    let told = try #require(harness.turn(magnetic: 359.5, accuracy: 4).headings.first)
    #expect(abs(try #require(told.true) - (359.5 + declination - 360)) < 0.001)
    let heading = try #require(harness.outputs.said.first)
    #expect(try #require(heading.accuracy) > 4)
    let other = try #require(harness.turn(true: 1).headings.first)
    #expect(abs(try #require(other.magnetic) - (361 - declination)) < 0.001)
  }

  @Test("what a source says of both norths is its own")
  func own() {
    var harness = harness()
    harness.call(.startUpdatingHeading(.init()))
    harness.fix()
    #expect(
      harness.turn(true: 10, magnetic: 3).headings == [.init(manager: 0, true: 10, magnetic: 3)])
  }

  @Test("who may not know the place is told magnetic north alone")
  func permission() {
    var harness = harness()
    harness.connect(ClientID(5), uid: 1000)
    #expect(harness.call(.startUpdatingHeading(.init()), from: ClientID(5)).refusals.isEmpty)
    harness.call(.startUpdatingLocation(.init()))
    harness.fix()
    #expect(harness.turn(magnetic: 90).headings == [.init(manager: 0, true: nil, magnetic: 90)])
    #expect(
      harness.turn(true: 40, magnetic: 30).headings == [.init(manager: 0, true: nil, magnetic: 30)])
  }

  @Test("who may not know the place is told how far off a source said it was, and nothing derived")
  func underived() {
    var harness = harness()
    harness.connect(ClientID(5), uid: 1000)
    harness.call(.startUpdatingHeading(.init(headingFilter: -1)), from: ClientID(5))
    harness.call(.startUpdatingLocation(.init()))
    harness.fix()
    #expect(harness.turn(magnetic: 90, accuracy: 4).said.map(\.accuracy) == [4])
    // Magnetic north found by the model would say where the model was asked.
    #expect(harness.turn(true: 40).headings.isEmpty)
    let late = harness.call(.startUpdatingHeading(.init()), manager: 1, from: ClientID(5))
    #expect(late.headings.isEmpty)
  }

  @Test("who may know a coarse place is told the true north of that, also where a source says both")
  func coarse() throws {
    var harness = harness()
    harness.connectApp()
    harness.grant(.authorizedWhenInUse, accuracy: .reduced)
    harness.call(.startUpdatingHeading(.init(headingFilter: -1)), from: ServiceHarness.app)
    harness.fix()
    let place = try #require(harness.call(.location, from: ServiceHarness.app).located).coordinate
    let field = MagneticField(at: place, year: ServiceHarness.instant(100).utc.year)
    let declination = try #require(field.declination)
    for outputs in [
      harness.turn(magnetic: 90, accuracy: 4), harness.turn(true: 95, magnetic: 90, accuracy: 4),
    ] {
      let told = try #require(outputs.said.first)
      #expect(told.magneticHeading == 90)
      #expect(abs(try #require(told.trueHeading) - 90 - declination) < 1e-9)
    }
    let exact = MagneticField(
      at: Coordinate(latitude: 45, longitude: 7), year: ServiceHarness.instant(100).utc.year)
    #expect(abs(try #require(exact.declination) - declination) > 1e-4)
    let now = harness.call(.startUpdatingHeading(.init()), manager: 1, from: ServiceHarness.app)
    #expect(abs(try #require(now.said.first?.trueHeading) - 90 - declination) < 1e-9)
  }

  @Test("of two sources one is believed, until it falls silent or the other is clearly better")
  func choice() {
    var harness = harness()
    harness.call(.startUpdatingHeading(.init(headingFilter: -1)))
    #expect(harness.turn(magnetic: 10, accuracy: 8, from: 1).headings.count == 1)
    #expect(harness.turn(magnetic: 50, from: 0).headings.isEmpty)
    #expect(harness.turn(magnetic: 50, accuracy: 7, from: 0).headings.isEmpty)
    #expect(harness.turn(magnetic: 50, accuracy: 2, from: 0).headings.count == 1)
    harness.now = 110
    #expect(harness.turn(magnetic: 10, accuracy: 8, from: 1).headings.count == 1)
  }

  @Test("no heading is made of a course, nor of what is no direction")
  func never() {
    var harness = harness()
    harness.call(.startUpdatingHeading(.init()))
    var location = ServiceHarness.location(north: 0, at: 100)
    location.course = 40
    location.speed = 5
    #expect(harness.handle(.reading(SourceID(0), .fix(Fix(location)))).headings.isEmpty)
    for wrong in [-1, 360, .nan, .infinity] {
      #expect(harness.turn(magnetic: wrong).headings.isEmpty)
    }
    #expect(
      harness.handle(.reading(SourceID(0), .heading(Heading(timestamp: location.timestamp))))
        .isEmpty)
  }

  @Test("a receiver that says places only is let go of where only headings are needed")
  func headless() {
    var harness = harness()
    harness.call(.startUpdatingHeading(.init()))
    for _ in 0..<5 { harness.turn(magnetic: 10, from: 1) }
    for second in 0..<12 {
      harness.now = 100 + Double(second)
      harness.fix(from: 0)
    }
    harness.now = 120
    #expect(harness.handle(.timer).closes == 1)
    #expect(harness.call(.startUpdatingLocation(.init())).opens == 1)
  }

  @Test("a new manager is told the heading of just now at once")
  func fresh() {
    var harness = harness()
    harness.call(.startUpdatingHeading(.init()))
    harness.turn(magnetic: 10)
    let outputs = harness.call(.startUpdatingHeading(.init()), manager: 1)
    #expect(outputs.headings.map(\.manager) == [1])
    guard case .answer = outputs.first else {
      Issue.record("\(outputs)")
      return
    }
  }

  @Test("a client that goes takes its headings with it")
  func gone() {
    var harness = harness()
    harness.call(.startUpdatingHeading(.init()))
    harness.handle(.gone(ServiceHarness.root))
    harness.now = 106
    #expect(harness.handle(.timer).closes == 2)
    #expect(harness.turn(magnetic: 10).isEmpty)
  }
}

private struct Told: Equatable {
  var manager: Int
  var `true`: Double?
  var magnetic: Double?
}

extension ServiceHarness {
  @discardableResult
  fileprivate mutating func turn(
    true north: Double? = nil, magnetic: Double? = nil, accuracy: Double? = nil,
    from source: Int = 0
  ) -> [Output] {
    handle(
      .reading(
        SourceID(source),
        .heading(
          Heading(
            trueHeading: north, magneticHeading: magnetic, accuracy: accuracy,
            timestamp: ServiceHarness.instant(now).utc))))
  }
}

extension [Output] {
  fileprivate var said: [Heading] {
    compactMap { if case .tell(_, .didUpdateHeading(let heading)) = $0 { heading } else { nil } }
  }

  fileprivate var headings: [Told] {
    flatMap { output -> [Told] in
      guard case .tell(let recipients, .didUpdateHeading(let heading)) = output else { return [] }
      return recipients.map {
        Told(manager: $0.manager, true: heading.trueHeading, magnetic: heading.magneticHeading)
      }
    }
  }
}
