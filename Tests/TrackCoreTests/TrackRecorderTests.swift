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

  private var recorder = TrackRecorder(LineKeeper.Rule(), lastEvent: .init(7))
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
    _ = handle(.written(first, []))
    #expect(handle(.location(Self.place(10))).isEmpty)
    #expect(recorder.position?.timestamp == Self.noon + .seconds(10))
    let rest = try addition(handle(.rests))
    #expect(rest.entries.count == 1)
    _ = handle(.written(rest, []))
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

  @Test(
    "a crossing lies at the newest place where that is of its time, and else in the region",
    arguments: [0, 60, 61, 600, -60, -61])
  mutating func crossingPlace(seconds: Int) throws {
    let fix = Self.place(0)
    _ = handle(.written(try addition(handle(.location(fix))), []))
    let date = Self.noon + .seconds(seconds)
    let asked = try addition(
      handle(.numbered(.didEnterRegion(identifier: "home", date), 8)))
    let entry = try #require(asked.entries.first)
    let isFresh = abs(seconds) <= 60
    #expect(entry.coordinate.latitude == (isFresh ? 46 : 45) && entry.timestamp == date)
    #expect(entry.horizontalAccuracy == (isFresh ? 5 : 100))
  }

  @Test("numbers of another ledger are other events, also while one of the old is being written")
  mutating func ledgers() throws {
    let event = TrackRecorder.Input.numbered(
      .didEnterRegion(identifier: "home", Self.noon), 5)
    #expect(handle(event) == [.acknowledge(5)])
    _ = handle(.ledger(1))
    let old = try addition(handle(event))
    #expect(old.event == .init(5, in: 1))
    _ = handle(.ledger(2))
    #expect(handle(event).isEmpty)
    let steps = handle(.written(old, []))
    #expect(!steps.contains(.acknowledge(5)))
    guard case .append(let new) = steps.last else { throw Unusable(what: "\(steps)") }
    #expect(new.event == .init(5, in: 2))
    #expect(handle(.written(new, [])).contains(.acknowledge(5)))
    _ = handle(.ledger(2))
    #expect(handle(event) == [.acknowledge(5)])
  }

  @Test("an event that comes again while it is being written is written once")
  mutating func again() throws {
    let event = TrackRecorder.Input.numbered(
      .didEnterRegion(identifier: "home", Self.noon), 8)
    let asked = try addition(handle(event))
    #expect(handle(event).isEmpty)
    #expect(handle(.written(asked, asked.entries)).contains(.acknowledge(8)))
    #expect(handle(event) == [.acknowledge(8)])
  }

  @Test("an event without a place of its own is written, and acknowledged, too")
  mutating func events() throws {
    let asked = try addition(
      handle(.numbered(.didExitRegion(identifier: "elsewhere", Self.noon), 9)))
    #expect(asked == .init(entries: [], event: .init(9), crossing: nil))
    #expect(handle(.written(asked, [])) == [.acknowledge(9)])
  }

  @Test(
    "what cannot be written is tried again as it was, in order, events too; trouble is said once")
  mutating func unwritten() throws {
    circumstances.battery = 50
    let asked = try addition(handle(.location(Self.place(0))))
    let retry = Step.wake(at: Self.now.boottime + .seconds(10))
    let complaint = Step.log(.error("the track cannot be written: full; it is tried again"))
    #expect(handle(.unwritten(asked, reason: "full")) == [retry, complaint])
    #expect(recorder.unwrittenCount == 1)
    #expect(handle(.numbered(.didEnterRegion(identifier: "home", Self.noon), 8)).isEmpty)
    #expect(handle(.location(Self.place(400))).isEmpty && recorder.unwrittenCount == 3)
    #expect(handle(.numbered(.didEnterRegion(identifier: "home", Self.noon), 8)).isEmpty)
    circumstances.battery = 10
    let again = try addition(handle(.timer))
    #expect(again == asked && recorder.unwrittenCount == 2)
    #expect(handle(.unwritten(again, reason: "full")) == [retry] && recorder.unwrittenCount == 3)
    #expect(try addition(handle(.timer)) == asked)
    let steps = handle(.written(asked, []))
    #expect(steps.first == .log(.notice("the track can be written again")))
    guard case .append(let event) = steps.last else { throw Unusable(what: "\(steps)") }
    #expect(event.event?.number == 8 && event.entries.map(\.kind) == [.enter])
    let last = handle(.written(event, []))
    #expect(last.contains(.acknowledge(8)))
    guard case .append(let place) = last.last else { throw Unusable(what: "\(last)") }
    #expect(place.entries.map(\.timestamp) == [Self.noon + .seconds(400)])
  }

  @Test(
    "a disk that is full for a while has all in the order of its dates, whatever it does meanwhile")
  mutating func order() throws {
    var dice = Numbers(seed: 3)
    for _ in 0..<50 {
      recorder = TrackRecorder(LineKeeper.Rule(), lastEvent: .init(7))
      var (disk, underWay) = ([TrackEntry](), [TrackRecorder.Addition]())
      var seconds = 0
      while seconds < 60 || recorder.unwrittenCount > 0 || !underWay.isEmpty {
        var steps: [Step] = []
        switch Int.random(in: 0..<4, using: &dice) {
        case 0 where seconds < 60:
          seconds += 1
          steps = handle(.location(Self.place(seconds * 400)))
        case 1: steps = handle(.timer)
        default:
          guard !underWay.isEmpty else { continue }
          let addition = underWay.removeFirst()
          if seconds < 60, Bool.random(using: &dice) {
            steps = handle(.unwritten(addition, reason: "full"))
          } else {
            disk += addition.entries
            steps = handle(.written(addition, addition.entries))
          }
        }
        for case .append(let addition) in steps { underWay.append(addition) }
      }
      #expect(disk.map(\.timestamp) == (1...60).map { Self.noon + .seconds($0 * 400) })
    }
  }

  @Test("of too many that cannot be written every second one goes")
  mutating func thinning() throws {
    let entries = (0...TrackRecorder.mostUnwritten).map { Self.place($0 * 400) }
    _ = handle(.unwritten(try addition(handle(.location(entries[0]))), reason: "full"))
    for location in entries.dropFirst() { _ = handle(.location(location)) }
    let kept = try addition(handle(.timer)).entries.map(\.timestamp)
    #expect(kept == stride(from: 1, to: entries.count, by: 2).map { entries[$0].timestamp })
  }

  @Test(
    "what is forgotten is forgotten in memory, too: the place that is told, the line's, and what waits"
  )
  mutating func forgotten() throws {
    let first = try addition(handle(.location(Self.place(0))))
    _ = handle(.written(first, []))
    _ = handle(.location(Self.place(10)))
    let full = try addition(handle(.location(Self.place(400))))
    _ = handle(.unwritten(full, reason: "full"))
    _ = handle(.numbered(.didEnterRegion(identifier: "home", Self.noon + .seconds(400)), 8))
    let waiting = recorder.unwrittenCount
    #expect(handle(.forgotten(Self.noon...Self.noon + .seconds(5))).isEmpty)
    #expect(recorder.unwrittenCount == waiting && recorder.position != nil)
    #expect(handle(.forgotten(Self.noon...Self.noon + .seconds(500))).isEmpty)
    #expect(recorder.unwrittenCount == 0 && recorder.position == nil)
    // The daemon's event is acknowledged all the same.
    let event = try addition(handle(.timer))
    #expect(event.entries.isEmpty && event.event?.number == 8)
    _ = handle(.written(event, []))
    #expect(handle(.rests).isEmpty && handle(.reportLocation).isEmpty)
    #expect(try addition(handle(.location(Self.place(600)))).entries.count == 1)
  }
}
