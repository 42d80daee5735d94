import Geodesy
import LocationModel
import ReceiverCore
import Testing

@testable import LocationCore

@Suite("StandardSession") struct StandardSessionTests {
  private func session(accuracy: Double = -1, filter: Double = -1) -> StandardSession {
    StandardSession(
      Recipient(client: ClientID(1), manager: 0),
      StandardRequest(desiredAccuracy: accuracy, distanceFilter: filter))
  }

  private func at(_ metres: Double, _ accuracy: Double = 5) -> Location {
    ServiceHarness.location(north: metres, accuracy: accuracy, at: 0)
  }

  @Test("without a wish every fix is told")
  func everything() {
    var session = session()
    for metres in [0.0, 0, 1, 0.5] { #expect(session.admits(at(metres)) == true) }
  }

  @Test("the distance is measured from the last one told, not from the last fix")
  func distance() {
    var session = session(filter: 100)
    let told = [0.0, 40, 80, 99, 101, 150, 202].map { session.admits(at($0)) }
    #expect(told == [true, false, false, false, true, false, true])
  }

  @Test("a fix that is no better is not told before the distance is reached, however accurate")
  func noException() {
    var session = session(filter: 50)
    #expect(session.admits(at(0, 500)) == true)
    #expect(session.admits(at(10, 2)) == false)
  }

  @Test("the first is told however coarse, then those that meet the wish or better it")
  func accuracy() {
    var session = session(accuracy: 10)
    #expect(session.admits(at(0, 80)) == true)
    #expect(session.admits(at(1, 90)) == false)
    #expect(session.admits(at(1, 40)) == true)
    #expect(session.admits(at(2, 9)) == true)
    #expect(session.admits(at(2, 10)) == true)
    #expect(session.admits(at(2, 11)) == false)
  }

  @Test("someone who moves is not left behind by a receiver that never meets the wish")
  func moving() {
    var session = session(accuracy: 10)
    #expect(session.admits(at(0, 15)) == true)
    #expect(session.admits(at(8, 15)) == false)
    #expect(session.admits(at(16, 15)) == true)
  }
}

extension StandardSession {
  fileprivate mutating func admits(_ location: Location) -> Bool {
    admits(location, Point(location.coordinate))
  }
}

@Suite("OneShot") struct OneShotTests {
  private func ask(_ harness: inout ServiceHarness, accuracy: Double = -1, timeout: Double = 10)
    -> [Output]
  {
    harness.call(.requestLocation(.init(desiredAccuracy: accuracy, timeout: timeout)))
  }

  @Test("the first fix that meets the wish is the answer")
  func met() {
    var harness = ServiceHarness()
    #expect(ask(&harness, accuracy: 20).opens == 1)
    #expect(harness.fix(accuracy: 30).replies.isEmpty)
    #expect(harness.fix(accuracy: 18).located?.horizontalAccuracy == 18)
    #expect(harness.fix(accuracy: 5).replies.isEmpty)
  }

  @Test("when time is up the best so far is the answer")
  func best() {
    var harness = ServiceHarness()
    #expect(ask(&harness, accuracy: 1, timeout: 4).wake == 104)
    harness.fix(accuracy: 30)
    harness.fix(accuracy: 12)
    harness.fix(accuracy: 25)
    harness.now = 104
    #expect(harness.handle(.timer).located?.horizontalAccuracy == 12)
  }

  @Test("when nothing came, that is said")
  func nothing() {
    var harness = ServiceHarness()
    _ = ask(&harness, timeout: 4)
    harness.now = 104
    #expect(harness.handle(.timer).refusals.map(\.code) == [.locationUnknown])
  }

  @Test("without a wish a good fix is taken at once, others until they get no better")
  func improving() {
    var harness = ServiceHarness()
    _ = ask(&harness)
    #expect(harness.fix(accuracy: 9).located != nil)

    harness.now = 110
    _ = ask(&harness)
    #expect(harness.fix(accuracy: 80).replies.isEmpty)
    #expect(harness.fix(accuracy: 40).replies.isEmpty)
    #expect(harness.fix(accuracy: 39).located?.horizontalAccuracy == 39)
  }

  @Test("a location of just now is the answer at once; an older one is not")
  func fresh() {
    var harness = ServiceHarness()
    harness.call(.startUpdatingLocation(.init()))
    harness.fix()
    harness.now = 101.5
    #expect(ask(&harness).located != nil)
    harness.now = 103
    #expect(ask(&harness).replies.isEmpty)
  }

  @Test("an answer that nobody wants to read is not made, and the wait still ends")
  func noID() {
    var harness = ServiceHarness()
    harness.call(.requestLocation(.init()), id: nil)
    #expect(harness.fix().replies.isEmpty)
    harness.now = 120
    harness.handle(.timer)
    #expect(harness.status?.client.waiting == 0)
  }
}

@Suite("SourceTable") struct SourceTableTests {
  private func harness() -> ServiceHarness {
    var harness = ServiceHarness(sources: [("a", false), ("b", false)])
    harness.call(.startUpdatingLocation(.init()))
    return harness
  }

  @Test("of two sources the better one is believed, and a slightly better one changes nothing")
  func hysteresis() {
    var harness = harness()
    #expect(harness.fix(accuracy: 5, from: 0).told == [0])
    #expect(harness.fix(accuracy: 4, from: 1).told.isEmpty)
    harness.fix(accuracy: 3, from: 1)
    #expect(harness.fix(accuracy: 3, from: 1).told == [0])
    #expect(harness.fix(accuracy: 5, from: 0).told.isEmpty)
    #expect(harness.fix(accuracy: 2.5, from: 0).told.isEmpty)
  }

  @Test("a source that falls silent is left after a few of its own periods")
  func silent() {
    var harness = harness()
    for second in 0..<3 {
      harness.now = 100 + Double(second)
      harness.fix(accuracy: 5, from: 0)
      #expect(harness.fix(accuracy: 20, from: 1).told.isEmpty)
    }
    harness.now = 105.5
    #expect(harness.fix(accuracy: 20, from: 1).told == [0])
  }

  @Test("the status says of each source how it fares and since when")
  func status() throws {
    var harness = harness()
    harness.now = 101
    harness.fix(accuracy: 5, from: 0)
    harness.handle(.failed(SourceID(1), "gone"))
    harness.now = 103
    let sources = try #require(harness.status?.sources)
    #expect(sources.map(\.state) == [.running, .failed("gone")])
    #expect(sources.map(\.stateAge) == [2, 2])
    #expect(sources[0].lastFixAge == 2)
    #expect(sources[0].fixes == 1)
    #expect(sources[1].lastFixAge == nil)
  }

  @Test("a fix from a source that is closed is not believed")
  func closed() {
    var harness = ServiceHarness()
    #expect(harness.fix().isEmpty)
    #expect(harness.call(.location).located == nil)
  }
}

@Suite("Geodesy") struct GeodesyTests {
  @Test(
    "distances are the geodesic's",
    arguments: [
      (0.0, 0.0, 0.0, 1.0, 111_319.491), (90, 0, -90, 0, 20_003_931.459),
      (0, 179.5, 0, -179.5, 111_319.491),
      (37.5, 127, 37.5, 127, 0),
    ])
  func distance(lat1: Double, lon1: Double, lat2: Double, lon2: Double, metres: Double) {
    let a = Coordinate(latitude: lat1, longitude: lon1)
    let b = Coordinate(latitude: lat2, longitude: lon2)
    #expect(abs(a.distance(to: b) - metres) < 0.001)
  }
}
