import LocationModel
import Testing

@testable import LocationCore

@Suite("StandardSession") struct StandardSessionTests {
  private func session(accuracy: Double = -1, filter: Double = -1) -> StandardSession {
    StandardSession(
      Recipient(client: ClientID(1), manager: 0),
      StandardRequest(desiredAccuracy: accuracy, distanceFilter: filter))
  }

  private func at(_ metres: Double, _ accuracy: Double = 5) -> Location {
    Desk.location(north: metres, accuracy: accuracy, at: 0)
  }

  @Test("without a wish every fix is told")
  func everything() {
    var session = session()
    for metres in [0.0, 0, 1, 0.5] { #expect(session.takes(at(metres)) == true) }
  }

  @Test("the distance is measured from the last one told, not from the last fix")
  func distance() {
    var session = session(filter: 100)
    let told = [0.0, 40, 80, 99, 101, 150, 202].map { session.takes(at($0)) }
    #expect(told == [true, false, false, false, true, false, true])
  }

  @Test("a fix that is no better is not told before the distance is reached, however accurate")
  func noException() {
    var session = session(filter: 50)
    #expect(session.takes(at(0, 500)) == true)
    #expect(session.takes(at(10, 2)) == false)
  }

  @Test("the first is told however coarse, then those that meet the wish or better it")
  func accuracy() {
    var session = session(accuracy: 10)
    #expect(session.takes(at(0, 80)) == true)
    #expect(session.takes(at(1, 90)) == false)
    #expect(session.takes(at(1, 40)) == true)
    #expect(session.takes(at(2, 9)) == true)
    #expect(session.takes(at(2, 10)) == true)
    #expect(session.takes(at(2, 11)) == false)
  }

  @Test("someone who moves is not left behind by a receiver that never meets the wish")
  func moving() {
    var session = session(accuracy: 10)
    #expect(session.takes(at(0, 15)) == true)
    #expect(session.takes(at(8, 15)) == false)
    #expect(session.takes(at(16, 15)) == true)
  }
}

extension StandardSession {
  fileprivate mutating func takes(_ location: Location) -> Bool {
    takes(location, Point(location.coordinate))
  }
}

@Suite("OneShot") struct OneShotTests {
  private func ask(_ desk: inout Desk, accuracy: Double = -1, timeout: Double = 10) -> [Output] {
    desk.call(.requestLocation(.init(desiredAccuracy: accuracy, timeout: timeout)))
  }

  @Test("the first fix that meets the wish is the answer")
  func met() {
    var desk = Desk()
    #expect(ask(&desk, accuracy: 20).opens == 1)
    #expect(desk.fix(accuracy: 30).replies.isEmpty)
    #expect(desk.fix(accuracy: 18).located?.horizontalAccuracy == 18)
    #expect(desk.fix(accuracy: 5).replies.isEmpty)
  }

  @Test("when time is up the best so far is the answer")
  func best() {
    var desk = Desk()
    #expect(ask(&desk, accuracy: 1, timeout: 4).wake == 104)
    desk.fix(accuracy: 30)
    desk.fix(accuracy: 12)
    desk.fix(accuracy: 25)
    desk.now = 104
    #expect(desk.handle(.timer).located?.horizontalAccuracy == 12)
  }

  @Test("when nothing came, that is said")
  func nothing() {
    var desk = Desk()
    _ = ask(&desk, timeout: 4)
    desk.now = 104
    #expect(desk.handle(.timer).refusals.map(\.code) == [.locationUnknown])
  }

  @Test("without a wish a good fix is taken at once, others until they get no better")
  func improving() {
    var desk = Desk()
    _ = ask(&desk)
    #expect(desk.fix(accuracy: 9).located != nil)

    desk.now = 110
    _ = ask(&desk)
    #expect(desk.fix(accuracy: 80).replies.isEmpty)
    #expect(desk.fix(accuracy: 40).replies.isEmpty)
    #expect(desk.fix(accuracy: 39).located?.horizontalAccuracy == 39)
  }

  @Test("a location of just now is the answer at once; an older one is not")
  func fresh() {
    var desk = Desk()
    desk.call(.startUpdatingLocation(.init()))
    desk.fix()
    desk.now = 101.5
    #expect(ask(&desk).located != nil)
    desk.now = 103
    #expect(ask(&desk).replies.isEmpty)
  }

  @Test("an answer that nobody wants to read is not made, and the wait still ends")
  func noID() {
    var desk = Desk()
    desk.call(.requestLocation(.init()), id: nil)
    #expect(desk.fix().replies.isEmpty)
    desk.now = 120
    desk.handle(.timer)
    #expect(desk.status?.client.waiting == 0)
  }
}

@Suite("SourceTable") struct SourceTableTests {
  private func desk() -> Desk {
    var desk = Desk(sources: [("a", false), ("b", false)])
    desk.call(.startUpdatingLocation(.init()))
    return desk
  }

  @Test("of two sources the better one is believed, and a slightly better one changes nothing")
  func hysteresis() {
    var desk = desk()
    #expect(desk.fix(accuracy: 5, from: 0).told == [0])
    #expect(desk.fix(accuracy: 4, from: 1).told.isEmpty)
    desk.fix(accuracy: 3, from: 1)
    #expect(desk.fix(accuracy: 3, from: 1).told == [0])
    #expect(desk.fix(accuracy: 5, from: 0).told.isEmpty)
    #expect(desk.fix(accuracy: 2.5, from: 0).told.isEmpty)
  }

  @Test("a source that falls silent is left after a few of its own periods")
  func silent() {
    var desk = desk()
    for second in 0..<3 {
      desk.now = 100 + Double(second)
      desk.fix(accuracy: 5, from: 0)
      #expect(desk.fix(accuracy: 20, from: 1).told.isEmpty)
    }
    desk.now = 105.5
    #expect(desk.fix(accuracy: 20, from: 1).told == [0])
  }

  @Test("the status says of each source how it fares and since when")
  func status() throws {
    var desk = desk()
    desk.now = 101
    desk.fix(accuracy: 5, from: 0)
    desk.handle(.failed(SourceID(1), "gone"))
    desk.now = 103
    let sources = try #require(desk.status?.sources)
    #expect(sources.map(\.state) == [.running, .failed("gone")])
    #expect(sources.map(\.stateAge) == [2, 2])
    #expect(sources[0].lastFixAge == 2)
    #expect(sources[0].fixes == 1)
    #expect(sources[1].lastFixAge == nil)
  }

  @Test("a fix from a source that is closed is not believed")
  func closed() {
    var desk = Desk()
    #expect(desk.fix().isEmpty)
    #expect(desk.call(.location).located == nil)
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
