import LocationModel
import Testing

@testable import TrackCore

@Suite("What becomes an entry of the track") struct TrackRecorderTests {
  typealias Step = TrackRecorder.Step

  private static let noon = Timestamp(microseconds: 1_772_359_200_000_000)
  private static let now = Instant(boottime: .start, utc: noon, utcTrusted: true)
  private static let circle = Region.Shape.circle(
    Coordinate(latitude: 45, longitude: 7), radius: 100)
  private static let book = WaypointBook([
    Waypoint(owner: nil, id: "home", name: "home", made: noon, circle)
  ])

  private static func place(_ seconds: Int, north: Double = 0) -> Location {
    Location(
      coordinate: Coordinate(latitude: 46 + north, longitude: 7), horizontalAccuracy: 5,
      timestamp: noon + .seconds(seconds))
  }

  private var recorder = TrackRecorder(LineKeeper.Rule(), lastEvent: 7)
  private var circumstances = Circumstances()

  private mutating func handle(_ input: TrackRecorder.Input) -> [Step] {
    recorder.handle(input, Self.book, circumstances, at: Self.now)
  }

  /// The one addition of these steps.
  private func addition(_ steps: [Step]) throws -> TrackRecorder.Addition {
    guard case .append(let addition) = try #require(steps.first) else {
      throw Unusable(what: "\(steps)")
    }
    return addition
  }

  @Test(
    "a place is kept with battery and network as they are, and the newest when the device rests")
  mutating func places() throws {
    circumstances.battery = 50
    let first = try addition(handle(.location(Self.place(0))))
    #expect(first.entries.map(\.timestamp) == [Self.noon])
    #expect(first.entries[0].circumstances.battery == 50 && first.event == nil)
    #expect(handle(.location(Self.place(10))).isEmpty)
    #expect(recorder.position?.timestamp == Self.noon + .seconds(10))
    #expect(try addition(handle(.rests)).entries.count == 1)
    #expect(handle(.rests).isEmpty && handle(.rule(LineKeeper.Rule())).isEmpty)
    #expect(try addition(handle(.reportLocation)).entries[0].timestamp == Self.noon + .seconds(10))
  }

  @Test(
    "an edge is crossed once the disk has it: the book, the daemon, the action and the uplinks follow"
  )
  mutating func crossing() throws {
    let asked = try addition(
      handle(.numbered(.didEnterRegion(identifier: "home", Self.noon), 8)))
    var entry = try #require(asked.entries.first)
    #expect(entry.kind == .enter && entry.region == "home" && entry.horizontalAccuracy == 100)
    #expect(entry.inside == [.init(name: "home", id: "home")], "it says where it leads")
    entry.number = 3
    let crossing = try #require(asked.crossing)
    let waypoint = try #require(Self.book["home"])
    #expect(
      handle(.written(asked, [entry])) == [
        .cross(crossing), .acknowledge(8), .act(entry, of: waypoint), .extend([entry]),
      ])
    #expect(
      handle(.numbered(.didExitRegion(identifier: "home", Self.noon), 8)) == [.acknowledge(8)])
  }

  @Test("an event without a place of its own is written, and acknowledged, too")
  mutating func events() throws {
    let asked = try addition(
      handle(.numbered(.didExitRegion(identifier: "elsewhere", Self.noon), 9)))
    #expect(asked == .init(entries: [], event: 9, crossing: nil))
    #expect(handle(.written(asked, [])) == [.acknowledge(9)])
  }

  @Test(
    "what cannot be written is tried again as it was, an event by the daemon; trouble is said once")
  mutating func unwritten() throws {
    circumstances.battery = 50
    let asked = try addition(handle(.location(Self.place(0))))
    let retry = Step.wake(at: Self.now.boottime + .seconds(10))
    let complaint = Step.log(.error("the track cannot be written: full; it is tried again"))
    #expect(handle(.unwritten(asked, reason: "full")) == [retry, complaint])
    #expect(recorder.unwrittenCount == 1)
    let event = try addition(handle(.numbered(.didEnterRegion(identifier: "home", Self.noon), 8)))
    #expect(handle(.unwritten(event, reason: "full")).isEmpty && recorder.unwrittenCount == 1)
    circumstances.battery = 10
    let again = try addition(handle(.timer))
    #expect(again == asked && recorder.unwrittenCount == 0)
    #expect(handle(.written(again, [])) == [.log(.notice("the track can be written again"))])
  }

  @Test("of too many that cannot be written every second one goes")
  mutating func thinning() throws {
    let entries = (0...TrackRecorder.mostUnwritten).map { TrackEntry(.place, Self.place($0)) }
    for entry in entries { _ = handle(.unwritten(.init(entries: [entry]), reason: "full")) }
    let kept = try addition(handle(.timer)).entries
    #expect(kept == stride(from: 1, to: entries.count, by: 2).map { entries[$0] })
  }
}
