import LocationModel
import ReceiverCore
import Testing

@testable import LocationCore

/// A service with a clock in the test's hand.
struct ServiceHarness {
  var service: LocationService
  var now: Double = 100
  var outputs: [Output] = []
  private var said = 0

  static let root = ClientID(1)

  init(
    sources: [(name: String, simulated: Bool)] = [("gps", false)],
    _ limits: LocationService.Limits = .init(), _ remembered: StoreSnapshot = .init(),
    use: UseRule = .connected, filtered: Bool = false
  ) {
    var settings = LocationService.Settings(
      version: "1", uid: 990,
      sources: sources.enumerated().map {
        SourceDescription(SourceID($0), name: $1.name, simulated: $1.simulated)
      })
    settings.limits = limits
    settings.use = use
    settings.isFiltered = filtered
    service = LocationService(settings, remembered, at: ServiceHarness.instant(100))
    connect(ServiceHarness.root)
  }

  static func instant(_ seconds: Double) -> Instant {
    Instant(
      boottime: .start + .seconds(seconds), utc: Timestamp(microseconds: Int64(seconds * 1e6)),
      utcTrusted: true)
  }

  @discardableResult
  mutating func handle(_ input: Input) -> [Output] {
    outputs.removeAll()
    service.handle(input, at: Self.instant(now), into: &outputs)
    // The agents of these tests tell no programs apart.
    for case .look(let caller) in outputs {
      guard let process = caller.process else { continue }
      service.handle(.looked(caller.uid, process, nil), at: Self.instant(now), into: &outputs)
    }
    return outputs
  }

  mutating func connect(_ id: ClientID, uid: UInt32 = 0) {
    handle(.connected(id, Caller(uid: uid, pid: 7, app: "user:\(uid)")))
  }

  @discardableResult
  mutating func call(
    _ request: Request, id: JSON? = .integer(1), manager: Int = 0, from client: ClientID = root
  ) -> [Output] {
    handle(.called(client, Call(id: id, manager: manager, request)))
  }

  /// A fix so many metres north of the start.
  @discardableResult
  mutating func fix(
    north metres: Double = 0, accuracy: Double = 5, from source: Int = 0
  ) -> [Output] {
    // No receiver says two places of one moment.
    defer { said += 1 }
    let moment = now + Double(said) * 1e-4
    return handle(
      .reading(
        SourceID(source),
        .fix(Fix(ServiceHarness.location(north: metres, accuracy: accuracy, at: moment)))))
  }

  static func location(north metres: Double, accuracy: Double = 5, at seconds: Double) -> Location {
    Location(
      coordinate: Coordinate(latitude: 45 + metres / 111_131.7, longitude: 7),
      horizontalAccuracy: accuracy, timestamp: Timestamp(microseconds: Int64(seconds * 1e6)))
  }
}

extension [Output] {
  /// The managers that are told a location, as numbers.
  var told: [Int] {
    flatMap { output -> [Int] in
      guard case .tell(let recipients, .didUpdateLocations) = output else { return [] }
      return recipients.map(\.manager)
    }
  }

  var replies: [Reply] {
    compactMap { if case .answer(_, _, let reply) = $0 { reply } else { nil } }
  }

  var refusals: [Refusal] {
    compactMap { if case .refuse(_, _, let refusal) = $0 { refusal } else { nil } }
  }

  var failures: [Refusal] {
    compactMap { if case .tell(_, .didFail(let refusal)) = $0 { refusal } else { nil } }
  }

  var located: Location? {
    for case .location(let location) in replies { return location }
    return nil
  }

  var opens: Int { count { if case .open = $0 { true } else { false } } }
  var closes: Int { count { if case .close = $0 { true } else { false } } }
  var hangUps: Int { count { if case .hangUp = $0 { true } else { false } } }

  /// The alarm asked for, in seconds; nil where none was, and 0 where it was taken back.
  var wake: Double? {
    for case .wake(let at) in reversed() { return at.map { $0.seconds(since: .start) } ?? 0 }
    return nil
  }
}

@Suite("LocationService") struct LocationServiceTests {
  @Test("a fix reaches every manager that updates, as one output")
  func oneOutput() {
    var harness = ServiceHarness()
    harness.call(.startUpdatingLocation(.init()), manager: 0)
    harness.call(.startUpdatingLocation(.init()), manager: 4)
    let outputs = harness.fix()
    #expect(outputs.told == [0, 4])
    #expect(outputs.count { if case .tell = $0 { true } else { false } } == 1)
  }

  @Test("a location carries its source's name and whether it is simulated")
  func naming() throws {
    var harness = ServiceHarness(sources: [("replay:a", true)])
    harness.call(.startUpdatingLocation(.init()))
    harness.fix()
    let location = try #require(harness.call(.location).located)
    #expect(location.source == "replay:a")
    #expect(location.simulated)
  }

  @Test("sources open for the first need and close some seconds after the last")
  func sources() {
    var harness = ServiceHarness(sources: [("a", false), ("b", false)])
    #expect(harness.call(.startUpdatingLocation(.init())).opens == 2)
    #expect(harness.call(.startUpdatingLocation(.init()), manager: 1).opens == 0)
    harness.call(.stopUpdatingLocation)
    let outputs = harness.call(.stopUpdatingLocation, manager: 1)
    #expect(outputs.closes == 0)
    #expect(outputs.wake == 105)
    harness.now = 105
    #expect(harness.handle(.timer).closes == 2)
    #expect(harness.handle(.timer).isEmpty)
  }

  @Test("someone who comes back within those seconds finds the sources open")
  func linger() {
    var harness = ServiceHarness()
    harness.call(.startUpdatingLocation(.init()))
    harness.call(.stopUpdatingLocation)
    harness.now = 103
    let outputs = harness.call(.startUpdatingLocation(.init()))
    #expect(outputs.opens == 0)
    // Not to close them any more.
    #expect(outputs.wake != nil && outputs.wake != 105)
    harness.now = 110
    #expect(harness.handle(.timer).closes == 0)
  }

  @Test("a client that goes takes its services with it")
  func gone() {
    var harness = ServiceHarness()
    harness.call(.startUpdatingLocation(.init()))
    harness.call(.requestLocation(.init()), id: .integer(2))
    harness.handle(.gone(ServiceHarness.root))
    harness.now = 106
    #expect(harness.handle(.timer).closes == 1)
    #expect(harness.fix().isEmpty)
  }

  @Test("a new manager is told the newest location at once if it is fresh")
  func freshStart() {
    var harness = ServiceHarness()
    harness.call(.startUpdatingLocation(.init()))
    harness.fix()
    harness.now = 108
    let outputs = harness.call(.startUpdatingLocation(.init()), manager: 1)
    #expect(outputs.told == [1])
    #expect(outputs.replies.count == 1)
    harness.now = 130
    #expect(harness.call(.startUpdatingLocation(.init()), manager: 2).told.isEmpty)
  }

  @Test("the answer to a start comes before what it sets off")
  func answerFirst() {
    var harness = ServiceHarness()
    harness.call(.startUpdatingLocation(.init()))
    harness.fix()
    let outputs = harness.call(.startUpdatingLocation(.init()), manager: 1)
    guard case .answer = outputs.first, case .tell = outputs.last else {
      Issue.record("\(outputs)")
      return
    }
  }

  @Test("starting again changes the wish and tells nothing twice")
  func restart() {
    var harness = ServiceHarness()
    harness.call(.startUpdatingLocation(.init()))
    harness.fix()
    #expect(harness.call(.startUpdatingLocation(.init(distanceFilter: 100))).told.isEmpty)
    #expect(harness.fix(north: 50).told.isEmpty)
    #expect(harness.fix(north: 101).told == [0])
  }

  @Test("the newest location is known after the sources have closed")
  func newest() {
    var harness = ServiceHarness()
    #expect(harness.call(.location).located == nil)
    harness.call(.startUpdatingLocation(.init()))
    harness.fix(north: 10)
    harness.call(.stopUpdatingLocation)
    harness.now = 200
    harness.handle(.timer)
    #expect(harness.call(.location).located == ServiceHarness.named(north: 10, at: 100))
  }

  @Test("an impossible fix is counted and told to nobody")
  func impossible() {
    var harness = ServiceHarness()
    harness.call(.startUpdatingLocation(.init()))
    var fix = Fix(ServiceHarness.location(north: 0, at: 100))
    for spoil in [
      { (fix: inout Fix) in fix.location.coordinate.latitude = 90.1 },
      { $0.location.coordinate.longitude = .nan }, { $0.location.horizontalAccuracy = 0 },
      { $0.location.horizontalAccuracy = .infinity }, { $0.location.speed = .nan },
    ] {
      fix = Fix(ServiceHarness.location(north: 0, at: 100))
      spoil(&fix)
      #expect(harness.handle(.reading(SourceID(0), .fix(fix))).isEmpty)
    }
    #expect(harness.status?.counters?.refused == 5)
  }

  @Test("when all sources have failed, clients are told once, and new ones at once")
  func allFailed() {
    var harness = ServiceHarness(sources: [("a", false), ("b", false)])
    harness.call(.startUpdatingLocation(.init()))
    #expect(harness.handle(.failed(SourceID(0), "x")).failures.isEmpty)
    #expect(harness.handle(.failed(SourceID(1), "y")).failures.map(\.code) == [.locationUnknown])
    #expect(harness.handle(.failed(SourceID(1), "z")).failures.isEmpty)
    #expect(harness.call(.startUpdatingLocation(.init()), manager: 1).failures.count == 1)
    #expect(harness.fix(from: 1).told == [0, 1])
  }

  @Test("a client that has finished asking is let go when nothing more is owed to it")
  func finished() {
    var harness = ServiceHarness()
    harness.call(.requestLocation(.init()))
    #expect(harness.handle(.finished(ServiceHarness.root)).hangUps == 0)
    #expect(harness.fix().hangUps == 1)

    harness.connect(ClientID(2))
    #expect(harness.handle(.finished(ClientID(2))).hangUps == 1)
  }
}

extension ServiceHarness {
  static func named(north metres: Double, at seconds: Double) -> Location {
    var location = location(north: metres, at: seconds)
    location.source = "gps"
    return location
  }

  var status: Status? {
    mutating get {
      guard case .status(let status)? = call(.status).replies.first else { return nil }
      return status
    }
  }
}
