import Geodesy
import LocationModel
import Testing

@testable import TrackCore

@Suite("What is never kept of a track") struct PrivacyTests {
  typealias Step = TrackRecorder.Step

  private static let home = Coordinate(latitude: 46, longitude: 7)
  /// A Tuesday.
  private static let noon = Timestamp(
    year: 2026, month: 11, day: 24, microsecondsOfDay: 43_200_000_000)

  private static func place(
    _ metres: Double, _ seconds: Int = 0, towards direction: Double = 90, accuracy: Double = 5
  ) -> Location {
    Location(
      coordinate: home.moved(metres, towards: direction), horizontalAccuracy: accuracy,
      timestamp: noon + .seconds(seconds))
  }

  /// A recorder whose disk takes all at once, and what is on it.
  private struct World {
    var book = WaypointBook()
    var recorder = TrackRecorder(LineKeeper.Rule(), lastEvent: .init(0))
    var disk: [TrackEntry] = []
    var acts: [TrackEntry] = []
    var acknowledged: [UInt64] = []
    var now = Instant(boottime: .start, utc: noon, utcTrusted: true)

    init(_ keep: Zone.Keep = .no, secret: UInt64 = 5) {
      book.zones = Zones([Zone(name: "home", home, radius: 100, keep: keep)], secret: secret)
    }

    mutating func handle(_ input: TrackRecorder.Input) {
      var steps = recorder.handle(input, book, Circumstances(), at: now)
      while !steps.isEmpty {
        switch steps.removeFirst() {
        case .append(let addition):
          disk += addition.entries
          steps += recorder.handle(
            .written(addition, addition.entries), book, Circumstances(), at: now)
        case .act(let entry, _): acts.append(entry)
        case .acknowledge(let number): acknowledged.append(number)
        default: break
        }
      }
    }

    /// Drives through the middle of home, from 1 km in the west to 1 km in the east.
    mutating func driveThrough() {
      for i in 0...200 { handle(.location(place(Double(i) * 10 - 1000, i))) }
      handle(.rests)
    }

    var nearest: Double { disk.map { home.distance(to: $0.coordinate) }.min() ?? .infinity }
  }

  @Test("a zone's edge lies outside of its circle by half the radius at most, and tells no middle")
  func edge() {
    var offsets: Set<Double> = []
    for secret in UInt64(1)...500 {
      let zone = Zone(name: "home", Self.home, radius: 100)
      let moved = zone.moved(by: secret)
      let offset = Self.home.distance(to: moved.centre)
      #expect(moved.radius - offset >= 99.99 && moved.radius + offset <= 150.01)
      #expect(moved == zone.moved(by: secret))
      offsets.insert(offset)
      var other = zone
      other.name = "work"
      #expect(other.moved(by: secret).centre != moved.centre)
    }
    #expect(offsets.count > 490 && offsets.reduce(0, +) / Double(offsets.count) > 15)
  }

  @Test("no place in a zone is kept, and the line is whole up to its edge on both sides")
  func drive() {
    for secret in UInt64(1)...20 {
      var world = World(secret: secret)
      world.driveThrough()
      #expect((100...160).contains(world.nearest))
      let distances = world.disk.map { Self.home.distance(to: $0.coordinate) }
      #expect(distances.count { $0 < 175 } == 2)
      #expect(world.disk.allSatisfy { $0.kind == .place })
    }
  }

  @Test("a vague place that may lie in a zone is not kept either")
  func vague() {
    var world = World()
    world.handle(.location(Self.place(220, accuracy: 90)))
    #expect(world.disk.isEmpty && world.recorder.position == nil)
    world.handle(.location(Self.place(220, 1)))
    #expect(world.disk.count == 1)
  }

  @Test("neither visits nor regions, heartbeats nor commands tell a place in a zone")
  func otherWays() {
    var world = World()
    let circle = Region.Shape.circle(Self.home.moved(20, towards: 0), radius: 80)
    world.book = {
      var book = WaypointBook([
        Waypoint(owner: nil, id: "door", name: "door", made: Self.noon, circle),
        Waypoint(owner: "fleet", id: "7", name: "seven", made: Self.noon, circle),
      ])
      book.zones = world.book.zones
      return book
    }()
    #expect(world.book.shown(to: "other").isEmpty, "a circle tells its middle")
    #expect(world.book.shown(to: "fleet").map(\.name) == ["seven"], "its server knows it")
    #expect(world.book.found(by: "fleet").isEmpty, "others read what is there to be found")
    world.handle(.location(Self.place(-400)))
    let known = world.recorder.position
    world.handle(.location(Self.place(0, 60)))
    #expect(world.recorder.position == known, "heartbeats tell the last place outside")
    world.handle(.reportLocation)
    let visit = Visit(
      coordinate: Self.home, horizontalAccuracy: 30, arrivalDate: Self.noon, departureDate: nil)
    world.handle(.numbered(.didVisit(visit), 1))
    world.handle(.numbered(.didEnterRegion(identifier: "door", Self.noon), 2))
    world.handle(.numbered(.didExitRegion(identifier: "fleet/7", Self.noon), 3))
    world.handle(
      .numbered(.didUpdateLocations(Self.place(30, 70), .significant), 4))
    #expect(world.disk.count == 1 && world.acknowledged == [1, 2, 3, 4])
    // The action is started: its event tells the zone, under the daemon's number.
    #expect(world.acts.map(\.number) == [2, 3])
    #expect(world.acts.allSatisfy { $0.coordinate == world.book.zones.all[0].centre })
    world.book.note(true, "door")
    #expect(world.book.inside.isEmpty)
    world.handle(.location(Self.place(400, 120)))
    #expect(world.disk.last?.inside == [])
  }

  @Test("Keep=inside tells that the device comes and goes, at places outside")
  func inside() {
    var world = World(.inside)
    world.driveThrough()
    let edges = world.disk.filter { $0.kind != .place }
    #expect(edges.map(\.kind) == [.enter, .leave] && edges.allSatisfy { $0.region == "home" })
    #expect(world.nearest > 100)
    #expect(world.disk.map(\.timestamp) == world.disk.map(\.timestamp).sorted())
    // A program that starts at home knows no place outside.
    var started = World(.inside)
    started.handle(.location(Self.place(0)))
    #expect(started.disk.isEmpty)
  }

  @Test("a zone that is new hides the newest place, too, and what waits to be kept")
  func newZone() {
    var world = World()
    let zones = world.book.zones
    world.book.zones = Zones()
    world.handle(.location(Self.place(-40)))
    world.handle(.location(Self.place(-20, 2)))
    #expect(world.disk.count == 1)
    world.book.zones = zones
    world.handle(.rests)
    world.handle(.reportLocation)
    #expect(world.disk.count == 1 && world.recorder.position == nil)
  }

  @Test("the condition in SQL holds what the zone may hold, and little more")
  func condition() {
    let zone = Zone(name: "home", Self.home, radius: 100)
    #expect(zone.condition.contains("<= (101.0 + accuracy / 100.0) * (101.0 + accuracy / 100.0)"))
  }

  // MARK: - Silence

  @Test("a pause ends by itself or by a person, and nothing that is dated in it is kept later")
  func pause() {
    var world = World()
    world.handle(.location(Self.place(-900)))
    world.handle(.location(Self.place(-880, 1)))
    var silence = Silence()
    silence.pause = .init(from: Self.noon + .seconds(2), until: Self.noon + .seconds(3600))
    world.now.utc = Self.noon + .seconds(2)
    world.handle(.silence(silence, .zero))
    #expect(world.disk.count == 2, "the line is whole up to the pause")
    #expect(
      silence.reason(at: world.now.utc, .zero)
        == .pause(until: Self.noon + .seconds(3600)))
    world.handle(.location(Self.place(-800, 5)))
    world.handle(.reportLocation)
    func visit(_ from: Int, _ to: Int?) -> Event {
      .didVisit(
        Visit(
          coordinate: Self.place(900).coordinate, horizontalAccuracy: 30,
          arrivalDate: Self.noon + .seconds(from),
          departureDate: to.map { Self.noon + .seconds($0) }))
    }
    world.handle(.numbered(visit(600, nil), 1))
    world.now.utc = Self.noon + .seconds(3700)
    world.handle(.location(Self.place(-700, 3000)))
    #expect(
      world.disk.count == 2 && world.acknowledged == [1], "the daemon's newest is of the pause")
    world.handle(.numbered(visit(600, 3650), 2))
    #expect(world.disk.count == 3 && world.disk[2].arrivalDate == nil)
    world.handle(.location(Self.place(-600, 3700)))
    #expect(world.disk.count == 4)
    silence.pause = .init(from: Self.noon + .seconds(3700), until: nil)
    #expect(silence.reason(at: Self.noon + .seconds(9_000_000), .zero) == .pause(until: nil))
    // A board without a clock of its own starts in 1970.
    #expect(silence.reason(at: .epoch, .zero) == .pause(until: nil))
  }

  @Test("hours of local time, by days of the week, also over midnight")
  func hours() throws {
    let work = try #require(Hours(text: "07:00-19:00 Mon-Fri"))
    let midnight = Self.noon - .seconds(43_200)
    func moment(_ day: Int, _ hour: Double) -> Timestamp {
      midnight + .seconds(Double(day) * 86_400 + hour * 3600)
    }
    // Tuesday is day 0; local time is two hours ahead.
    let offset = Duration.seconds(7200)
    #expect(!work.contains(moment(0, 4.99), offset) && work.contains(moment(0, 5), offset))
    #expect(work.contains(moment(0, 16.99), offset) && !work.contains(moment(0, 17), offset))
    #expect(work.contains(moment(3, 8), offset) && !work.contains(moment(4, 8), offset))
    #expect(!work.contains(moment(5, 8), offset) && work.contains(moment(6, 8), offset))
    let night = try #require(Hours(text: "22:00-06:00 Fri,sat"))
    #expect(night.contains(moment(4, 3), .zero) && night.contains(moment(5, 3), .zero))
    #expect(!night.contains(moment(3, 3), .zero) && !night.contains(moment(6, 3), .zero))
    var silence = Silence()
    silence.hours = [work, night]
    #expect(silence.reason(at: moment(3, 8), offset) == nil)
    #expect(silence.reason(at: moment(3, 18), offset) == .hours(until: moment(3, 20)))
    #expect(silence.reason(at: moment(5, 10), offset) == .hours(until: moment(6, 5)))
    for text in [
      "", "7-19", "07:00", "07:00-07:00", "25:00-26:00", "07:60-08:00", "07:00-19:00 Mo",
      "07:00-19:00 Mon- Fri", "07:00-19:00 Mon,", "24:00-25:00", "٠٧:00-19:00",
    ] {
      #expect(Hours(text: text) == nil, "\(text)")
    }
    #expect(Hours(text: "00:00-24:00")?.contains(moment(2, 23.99), .zero) == true)
  }

  @Test("outside of its hours a track falls silent, and the line before is whole")
  func fallsSilent() throws {
    var world = World()
    var silence = Silence()
    silence.hours = [try #require(Hours(text: "07:00-12:01"))]
    world.handle(.silence(silence, .zero))
    world.handle(.location(Self.place(-900)))
    world.handle(.location(Self.place(-880, 50)))
    world.now.utc = Self.noon + .seconds(61)
    world.handle(.location(Self.place(-860, 61)))
    #expect(world.disk.map(\.timestamp) == [0, 50].map { Self.noon + .seconds($0) })
    world.handle(.numbered(.didUpdateLocations(Self.place(900, 59), .significant), 7))
    #expect(world.disk.count == 2 && world.acknowledged == [7])
  }
}
