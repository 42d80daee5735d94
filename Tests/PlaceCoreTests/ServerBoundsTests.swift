import LocationModel
import Testing

@testable import PlaceCore

@Suite("Bounds of what servers are asked") struct ServerBoundsTests {
  private static let seoul = Coordinate(latitude: 37.5664, longitude: 126.978)

  @Test("a public server is asked once a second, a server of one's own at once")
  func pace() {
    var shared = ServerRecord(isPublic: true)
    let start = Boottime(nanoseconds: 1_000_000_000_000)
    let moments = (0..<4).map { _ in shared.reserveSlot(at: start, before: start + .seconds(3)) }
    #expect(moments == [start, start + .seconds(1), start + .seconds(2), nil])
    var own = ServerRecord(isPublic: false)
    let all = (0..<100).map { _ in own.reserveSlot(at: start, before: start + .seconds(3)) }
    #expect(all.allSatisfy { $0 == start })
  }

  @Test("a server that fails rests longer each time, and as long as it wishes")
  func rest() {
    var record = ServerRecord(isPublic: false)
    var now = Boottime(nanoseconds: 1_000_000_000_000)
    for rest in [1, 2, 4, 8] {
      record.fail("x", at: now)
      let end = now + .seconds(rest)
      let early = record.reserveSlot(at: end - .milliseconds(1), before: end + .seconds(9))
      let then = record.reserveSlot(at: end, before: end + .seconds(3))
      #expect(early == nil && then == end)
      now = end
    }
    record.succeed()
    #expect(record.trouble == nil)
    record.fail("429", wait: .seconds(500), at: now)
    let early = record.reserveSlot(at: now + .seconds(499), before: now + .seconds(999))
    #expect(early == nil)
  }

  @Test("an app has a budget that fills again, and a user's apps have one together")
  func budget() {
    let now = Boottime(nanoseconds: 1_000_000_000_000)
    let app = Asker(uid: 1000, group: "a")
    var budget = Budget(perMinute: 10)
    func spent(_ count: Int, of asker: (Int) -> Asker, at moment: Boottime) -> Int {
      (0..<count).count { budget.spend(asker($0), at: moment) }
    }
    #expect(spent(12, of: { _ in app }, at: now) == 10)
    #expect(spent(1, of: { _ in Asker(uid: 1000, group: "b") }, at: now) == 1)
    #expect(spent(12, of: { _ in app }, at: now + .seconds(30)) == 5)
    budget = Budget(perMinute: 10)
    #expect(spent(5000, of: { Asker(uid: 1000, group: "\($0)") }, at: now) == 40)
    #expect(spent(1, of: { _ in Asker(uid: 1001, group: "a") }, at: now) == 1)
  }

  @Test("an answer is kept for its user, holds nearby for a minute, and the same place for a day")
  func cache() {
    var cache = AnswerCache<GeocodingServer>()
    let now = Boottime(nanoseconds: 1_000_000_000_000)
    let near = Coordinate(latitude: Self.seoul.latitude + 0.008, longitude: Self.seoul.longitude)
    let far = Coordinate(latitude: Self.seoul.latitude + 0.01, longitude: Self.seoul.longitude)
    func reverse(_ place: Coordinate) -> PlaceRequest { .reverseGeocode(ReverseRequest(place)) }
    cache.add([Placemark(Self.seoul)], to: reverse(Self.seoul), of: .uid(1000), at: now)
    func isKnown(_ place: Coordinate, _ seconds: Int, of user: Asker.User = .uid(1000)) -> Bool {
      cache.answer(to: reverse(place), of: user, at: now + .seconds(seconds)) != nil
    }
    #expect(isKnown(near, 59) && !isKnown(near, 60) && !isKnown(far, 1))
    #expect(
      isKnown(Self.seoul, 3600) && !isKnown(Self.seoul, 86_400)
        && !isKnown(Self.seoul, 1, of: .uid(1001))
    )
  }

  private func json(_ text: String) throws -> JSON {
    try Array(text.utf8).withUnsafeBytes { (buffer) throws(JSONError) in try JSON(parsing: buffer) }
  }

  @Test("the cache outlasts the service, and forgets by its dates")
  func keeps() throws {
    var cache = AnswerCache<GeocodingServer>()
    let now = Boottime(nanoseconds: 1_000_000_000_000)
    let date = Timestamp(microseconds: 1_700_000_000_000_000)
    let request = PlaceRequest.geocode(GeocodeRequest("명동"))
    cache.add([Placemark(Self.seoul)], to: request, of: .uid(1000), at: now)
    let kept = cache.json(at: now + .seconds(60), date + .seconds(60))
    func isKnown(_ seconds: Int, of user: Asker.User = .uid(1000), in json: JSON) -> Bool {
      var other = AnswerCache<GeocodingServer>()
      // The machine has started anew meanwhile.
      other.restore(json, at: .start, date + .seconds(seconds))
      return other.answer(to: request, of: user, at: .start) == [Placemark(Self.seoul)]
    }
    #expect(isKnown(3600, in: kept) && !isKnown(3600, of: .uid(1001), in: kept))
    #expect(!isKnown(86_400, in: kept) && !isKnown(-1, in: kept))
    for text in ["{}", #"{"answers":1}"#, #"{"answers":[{"user":-1}]}"#, #"{"answers":[1,"a"]}"#] {
      #expect(!isKnown(1, in: try json(text)))
    }
  }

  @Test("the cache is bounded for each user, and in users")
  func bound() {
    var cache = AnswerCache<GeocodingServer>(bytesPerUser: 10_000, mostUsers: 4)
    let now = Boottime(nanoseconds: 1_000_000_000_000)
    for i in 0..<2000 {
      let request = PlaceRequest.geocode(GeocodeRequest("place \(i)"))
      cache.add([Placemark(Self.seoul)], to: request, of: .uid(UInt32(i % 20)), at: now)
      #expect(cache.bytes <= 40_000)
    }
    let last = PlaceRequest.geocode(GeocodeRequest("place 1999"))
    #expect(cache.answer(to: last, of: .uid(19), at: now) != nil)
  }
}
