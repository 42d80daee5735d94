import LocationModel
import PlaceCore
import Testing

/// A world whose zones are bands of longitude: A until 10°, B until 20°, C then.
private struct Traveller {
  var follower = ZoneFollower()
  var now = Boottime.start
  var machine: String? = "A"
  private(set) var set: [String] = []
  private(set) var asked: [Boottime] = []
  private var due: Boottime?
  /// The longitude and accuracy of the place; nil where none comes.
  var place: (longitude: Double, accuracy: Double)?
  var source = "nmea:auto"
  /// Minutes for which a place stays the same.
  var grain = 0
  var isRefused = false

  mutating func give(_ input: ZoneFollower.Input) {
    for step in follower.handle(input, at: now) {
      switch step {
      case .wake(let moment): due = moment
      case .locate:
        asked.append(now)
        give(.located(location))
      case .lookUp(let places):
        give(.found(places.map { zone(at: $0.longitude) }, machine: machine))
      case .set(let zone, let old):
        #expect(old == machine)
        if isRefused { give(.refused) } else { (machine, set) = (zone, set + [zone]) }
      }
    }
  }

  private func zone(at longitude: Double) -> String {
    longitude < 10 ? "A" : longitude < 20 ? "B" : "C"
  }

  private var location: Location? {
    place.map {
      let minutes = now.nanoseconds / 60_000_000_000
      let since = grain == 0 ? now.nanoseconds : minutes / Int64(grain)
      return Location(
        coordinate: Coordinate(latitude: 48, longitude: $0.longitude),
        horizontalAccuracy: $0.accuracy, timestamp: Timestamp(microseconds: since), source: source)
    }
  }

  mutating func go(to longitude: Double, accuracy: Double = 3000) { place = (longitude, accuracy) }

  /// Time passes, to the second.
  mutating func wait(minutes: Double) {
    let end = now + Duration(clamping: minutes * 60)
    while now < end {
      now = min(end, max(now, due ?? end))
      if let due, due <= now { give(.timer) }
      if due == nil { now = end }
    }
  }
}

@Suite("The time zone follows the place") struct ZoneFollowerTests {
  private func begun(at longitude: Double) -> Traveller {
    var traveller = Traveller()
    traveller.go(to: longitude)
    traveller.give(.moved)
    return traveller
  }

  @Test("a journey over a border sets the zone once, after ten minutes there")
  func journey() {
    var traveller = begun(at: 9)
    traveller.wait(minutes: 45)
    #expect(traveller.set.isEmpty)
    traveller.go(to: 11)
    traveller.wait(minutes: 16)
    #expect(traveller.set.isEmpty)
    traveller.wait(minutes: 10)
    #expect(traveller.set == ["B"])
    traveller.wait(minutes: 600)
    #expect(traveller.set == ["B"])
    // The follower asks each half hour then.
    #expect((27...29).contains(traveller.asked.count), "\(traveller.asked.count)")
  }

  @Test(
    "a place is looked for at the start, after sleep and in another network, and not more often")
  func moved() {
    var traveller = begun(at: 9)
    #expect(traveller.asked.count == 1)
    for _ in 0..<20 { traveller.give(.moved) }
    #expect(traveller.asked.count == 1)
    traveller.wait(minutes: 1)
    #expect(traveller.asked.count == 2)
    traveller.give(.moved)
    #expect(traveller.asked.count == 3)
  }

  @Test("a border that is walked to and fro sets nothing", arguments: [1.0, 3, 5, 9])
  func toAndFro(minutes: Double) {
    var traveller = begun(at: 9.9)
    for turn in 0..<200 {
      traveller.wait(minutes: minutes)
      traveller.go(to: turn % 2 == 0 ? 10.1 : 9.9)
      traveller.give(.moved)
    }
    #expect(traveller.set.isEmpty)
  }

  @Test("nor does one that is crossed by less than the place may be off")
  func nearBorder() {
    var traveller = begun(at: 9.99)
    traveller.go(to: 10.02)
    traveller.wait(minutes: 600)
    #expect(traveller.set.isEmpty)
    // A zone that is surely left is left, for the one of the place itself.
    traveller.go(to: 20.01)
    traveller.wait(minutes: 60)
    #expect(traveller.set == ["C"])
  }

  @Test(
    "a place that was set, remembered or guessed counts for nothing",
    arguments: ["set:", "set:/etc/geolocation", "last:nmea:auto", "zone:Asia/Seoul"])
  func weak(source: String) {
    var traveller = begun(at: 9)
    traveller.source = source
    traveller.go(to: 15)
    traveller.wait(minutes: 600)
    #expect(traveller.set.isEmpty)
  }

  @Test("beside a set place, receivers are asked for better")
  func beyondSet() {
    var follower = ZoneFollower()
    let now = Boottime.start
    _ = follower.handle(.moved, at: now)
    let set = Location(
      coordinate: Coordinate(latitude: 48, longitude: 9), horizontalAccuracy: 50,
      timestamp: Timestamp(microseconds: 0), source: "set:")
    #expect(follower.handle(.located(set), at: now) == [.locate(desiredAccuracy: -1)])
    #expect(follower.handle(.located(set), at: now) == [.wake(now + .seconds(1800))])
  }

  @Test("without a place, or with one that may be anywhere, nothing happens")
  func vague() {
    var traveller = begun(at: 9)
    traveller.place = nil
    traveller.wait(minutes: 300)
    traveller.go(to: 15, accuracy: 400_000)
    traveller.wait(minutes: 300)
    #expect(traveller.set.isEmpty)
  }

  @Test("the same coarse place, told again, is no second look")
  func sameAgain() {
    var traveller = begun(at: 9)
    traveller.grain = 15
    traveller.wait(minutes: 46)
    traveller.go(to: 11)
    traveller.give(.moved)
    // The machine is back before it is seen there again.
    traveller.wait(minutes: 13)
    #expect(traveller.set.isEmpty)
    traveller.go(to: 9)
    traveller.wait(minutes: 120)
    #expect(traveller.set.isEmpty)
    traveller.go(to: 11)
    traveller.wait(minutes: 61)
    #expect(traveller.set == ["B"])
  }

  @Test("after a movement it looks until a place comes that was not told before")
  func placeOfBefore() {
    var traveller = begun(at: 9)
    traveller.grain = 15
    traveller.wait(minutes: 32)
    traveller.go(to: 11)
    traveller.give(.moved)
    traveller.wait(minutes: 27)
    #expect(traveller.set.isEmpty)
    traveller.wait(minutes: 3)
    #expect(traveller.set == ["B"])
    // A receiver that has stopped says the same for ever.
    traveller.grain = 100_000
    traveller.give(.moved)
    let before = traveller.asked.count
    traveller.wait(minutes: 600)
    #expect((20...35).contains(traveller.asked.count - before), "\(traveller.asked.count - before)")
  }

  @Test("a zone that another has set stays until the machine is in a further one")
  func overruled() {
    var traveller = begun(at: 9)
    traveller.wait(minutes: 5)
    traveller.machine = "C"
    traveller.wait(minutes: 300)
    #expect(traveller.set.isEmpty)
    traveller.go(to: 15)
    traveller.wait(minutes: 60)
    #expect(traveller.set == ["B"])
  }

  @Test("a zone that is wrong from the start is set, be it by who installed the machine")
  func wrongAtFirst() {
    var traveller = Traveller()
    traveller.machine = "Etc/UTC"
    traveller.go(to: 9)
    traveller.give(.moved)
    traveller.wait(minutes: 11)
    #expect(traveller.set == ["A"])
  }

  @Test("what could not be set is tried again with the next looks")
  func refused() {
    var traveller = begun(at: 15)
    traveller.isRefused = true
    traveller.wait(minutes: 60)
    traveller.isRefused = false
    #expect(traveller.set.isEmpty)
    traveller.wait(minutes: 60)
    #expect(traveller.set == ["B"])
  }

  @Test("while a desktop sets the zone nothing is even asked")
  func yields() {
    var traveller = begun(at: 9)
    traveller.give(.yields(true))
    traveller.go(to: 15)
    let before = traveller.asked.count
    traveller.wait(minutes: 300)
    traveller.give(.moved)
    #expect(traveller.set.isEmpty && traveller.asked.count == before)
    traveller.give(.yields(false))
    traveller.wait(minutes: 11)
    #expect(traveller.set == ["B"])
  }

  @Test("answers that nobody has asked for change nothing")
  func uninvited() {
    var follower = ZoneFollower()
    let place = Location(
      coordinate: Coordinate(latitude: 0, longitude: 0), horizontalAccuracy: 5,
      timestamp: Timestamp(microseconds: 0), source: "nmea:auto")
    #expect(follower.handle(.located(place), at: .start).isEmpty)
    #expect(follower.handle(.found(["A"], machine: "B"), at: .start).isEmpty)
    #expect(follower.handle(.timer, at: .start).isEmpty)
  }
}
