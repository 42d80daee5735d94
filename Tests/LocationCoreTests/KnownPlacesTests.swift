import LocationModel
import ReceiverCore
import Testing

@testable import LocationCore

private let seoul = ZoneCity(
  of: "Asia/Seoul", in: "# KR\nKR\t+3733+12658\tAsia/Seoul\nBR\t-235320-0463700\tX/Y\tSouth\n")
private let home = SetPlace(Coordinate(latitude: 45, longitude: 7))

extension ServiceHarness {
  fileprivate init(
    city: ZoneCity? = nil, file: SetPlace? = nil, here: SetPlace? = nil, remembers: Bool = true,
    records: [StoreSnapshot.Record: [UInt8]] = [:], after seconds: Double = 0
  ) {
    self.init()
    var settings = LocationService.Settings(
      version: "1", uid: 990,
      sources: [SourceDescription(SourceID(0), name: "gps", simulated: false)])
    settings.places = .init(set: file, file: "/etc/geolocation", city: city)
    settings.remembersPlace = remembers
    var remembered = StoreSnapshot()
    (remembered.here, remembered.records) = (here, records)
    now = 100 + seconds
    service = LocationService(settings, remembered, at: ServiceHarness.instant(now))
    connect(ServiceHarness.root)
  }

  fileprivate mutating func updates(_ accuracy: Double = -1, manager: Int = 0) -> [Location] {
    call(.startUpdatingLocation(.init(desiredAccuracy: accuracy)), manager: manager).places
  }

  /// The answer to a request after its time.
  fileprivate mutating func answer(_ accuracy: Double = -1) -> Location? {
    let soon = call(.requestLocation(.init(desiredAccuracy: accuracy, timeout: 5))).located
    now += 5
    return soon ?? handle(.timer).located
  }
}

extension [Output] {
  fileprivate var places: [Location] {
    compactMap {
      guard case .tell(_, .didUpdateLocations(let location, .standard)) = $0 else { return nil }
      return location
    }
  }

  fileprivate var records: [StoreSnapshot.Record: [UInt8]] {
    var records: [StoreSnapshot.Record: [UInt8]] = [:]
    for case .commit(let changes, _) in self {
      // An access to the place is written beside it.
      for case .put(let app, let kind, let key, let bytes) in changes where kind != "history" {
        records[.init(app: app, kind: kind, key: key)] = bytes
      }
    }
    return records
  }
}

@Suite("Places that are known without a source") struct KnownPlacesTests {
  @Test("the city of the zone is for those only that ask for 15 km or more, at once and in time")
  func city() throws {
    var harness = ServiceHarness(city: seoul)
    #expect(harness.updates(14_999).isEmpty)
    #expect(harness.updates(-1, manager: 1).isEmpty)
    let told = try #require(harness.updates(15_000, manager: 2).first)
    #expect(told.source == "zone:Asia/Seoul" && told.horizontalAccuracy == 300_000)
    #expect((told.coordinate.latitude - 37.55).magnitude < 1e-6)
    #expect(harness.answer(100) == nil)
    #expect(harness.answer(15_000)?.source == "zone:Asia/Seoul")
    // The fix is told to all, as if nothing had been told.
    #expect(harness.fix().told == [0, 1, 2])
  }

  @Test("UTC and zones of no city give none, and southern and western places have their signs")
  func zones() throws {
    let table = "BR,X\t-235320-0463700\tX/Y\tSouth\nZZ\tx\tBad/One\n"
    #expect(ZoneCity(of: "Etc/UTC", in: table) == nil)
    #expect(ZoneCity(of: "Bad/One", in: table) == nil)
    let city = try #require(ZoneCity(of: "X/Y", in: table)?.coordinate)
    #expect((city.latitude + 23.888_9).magnitude < 1e-3)
    #expect((city.longitude + 46.616_7).magnitude < 1e-3)
  }

  @Test("the set place is told meanwhile, and meets a wish that it is good enough for")
  func set() throws {
    var harness = ServiceHarness(here: home)
    let told = try #require(harness.updates().first)
    #expect(told.source == "set:" && told.horizontalAccuracy == 50 && !told.simulated)
    let wish = OneShotRequest(desiredAccuracy: 100, timeout: 5)
    #expect(harness.call(.requestLocation(wish)).located?.source == "set:")
    #expect(harness.answer(10)?.source == "set:")
    // A better one is not disturbed.
    harness.fix(accuracy: 5)
    #expect(harness.updates(-1, manager: 1).map(\.source) == ["gps"])
    #expect(harness.call(.location).located?.source == "gps")
  }

  @Test("receivers farther away than both radii set the place aside until they agree again")
  func setAside() {
    var harness = ServiceHarness(here: home, remembers: false)
    _ = harness.updates()
    harness.fix(north: 56, accuracy: 5)
    #expect(harness.service.sources.known.setPlace(at: ServiceHarness.instant(100)) == nil)
    harness.now += 400
    #expect(harness.updates(-1, manager: 1).isEmpty)
    harness.fix(north: 54, accuracy: 5)
    harness.now += 400
    #expect(harness.updates(-1, manager: 2).map(\.source) == ["set:"])
  }

  @Test("a person's word comes before a file's, is told to those who wait, and goes at once")
  func word() {
    var harness = ServiceHarness(file: SetPlace(Coordinate(latitude: 1, longitude: 2)))
    #expect(harness.updates().map(\.source) == ["set:/etc/geolocation"])
    let set = harness.call(.hereSet(home))
    #expect(set.replies.isEmpty && set.places.isEmpty)
    #expect(harness.write(set).places.map(\.source) == ["set:"])
    #expect(harness.call(.hereStatus).replies == [.here(HereStatus(home))])
    let forgotten = harness.call(.hereForget)
    #expect(harness.call(.hereStatus).replies.first?.here?.file == "/etc/geolocation")
    #expect(harness.write(forgotten).replies == [.done])
  }

  @Test("what cannot be written is not set")
  func unwritten() {
    var harness = ServiceHarness(remembers: true)
    let set = harness.call(.hereSet(home))
    for id in set.commits { harness.handle(.commitFailed(id, "full")) }
    #expect(harness.updates().isEmpty)
  }

  @Test("without a source that could say better, the set place is the answer at once")
  func settled() {
    var harness = ServiceHarness(here: home)
    #expect(harness.call(.requestLocation(.init())).located == nil)
    #expect(harness.handle(.failed(SourceID(0), "gone")).located?.source == "set:")
    #expect(harness.updates().count == 1)
  }

  @Test("the last place is told by its age, and answers only when nothing better came")
  func last() throws {
    var harness = ServiceHarness(remembers: true)
    _ = harness.updates()
    let records = harness.fix().records
    #expect(records.count == 1)
    #expect(harness.fix().records.isEmpty)

    var later = ServiceHarness(records: records, after: 3600)
    let told = try #require(later.updates().first)
    #expect(told.source == "last:gps" && told.timestamp == Timestamp(microseconds: 100_000_000))
    #expect((told.horizontalAccuracy - 30_005).magnitude < 1)
    #expect(later.call(.requestLocation(.init(timeout: 5))).located == nil)
    #expect(later.fix(north: 3000).located?.source == "gps")

    var waiting = ServiceHarness(records: records, after: 3600)
    #expect(waiting.answer()?.source == "last:gps")
    var old = ServiceHarness(records: records, after: 1e8)
    #expect(old.updates().first?.horizontalAccuracy == 500_000)
  }

  @Test("where receivers never rest, the fix of a moment ago is the place, not the last one kept")
  func neverRests() {
    var harness = ServiceHarness(remembers: true)
    var settings = harness.service.settings
    settings.duty.longestPause = .zero
    harness.handle(.configured(settings))
    _ = harness.updates()
    harness.fix()
    harness.now += 0.5
    #expect(harness.call(.location).located?.source == "gps")
  }

  @Test("a clock that is not set after a restart makes the last place unknown old")
  func unsetClock() {
    let bytes = StoredRecord.bytes(
      of: ServiceHarness.location(north: 0, at: 1), told: ServiceHarness.instant(500))
    var now = ServiceHarness.instant(20)
    now.utcTrusted = false
    let last = StoredRecord.json(bytes).flatMap { StoredRecord.lastPlace($0, at: now) }
    #expect(last.map { now.boottime.seconds(since: $0.arrival) } == 1e9)
  }

  @Test("disable, forget and RememberPlace=no take the last place from the disk", arguments: 0...2)
  func forget(way: Int) {
    var harness = ServiceHarness(remembers: true)
    _ = harness.updates()
    let records = harness.fix().records
    var after = ServiceHarness(remembers: way != 2, records: records, after: 60)
    let outputs =
      switch way {
      case 0: after.call(.servicesSet(enabled: false))
      case 1: after.call(.forget)
      default: after.outputs
      }
    let changes = outputs.flatMap { output -> [Change] in
      if case .commit(let changes, _) = output { changes } else { [] }
    }
    let isRemoved = changes.contains {
      $0 == .remove(StoredRecord.global, kind: StoredRecord.place, key: "") && $0.erases
    }
    #expect(isRemoved)
    after.write(outputs)
    #expect(after.updates(-1, manager: 1).isEmpty)
  }

  @Test("an ending daemon writes where the machine was last")
  func ending() {
    var harness = ServiceHarness(remembers: true)
    _ = harness.updates()
    harness.fix()
    harness.now += 60
    harness.fix(north: 100)
    #expect(harness.handle(.ending).records.count == 1)
    #expect(harness.handle(.ending).records.isEmpty)
  }

  @Test("what is known is evidence for no visit, region or significant change")
  func noEvidence() throws {
    var harness = ServiceHarness(city: seoul, here: home)
    harness.call(.startMonitoringSignificantLocationChanges)
    harness.call(.startMonitoringVisits)
    let region = Region(identifier: "r", .circle(home.coordinate, radius: 500))
    harness.call(.startMonitoring([region]))
    _ = harness.updates()
    for _ in 0..<100 {
      harness.now += 60
      let outputs = harness.handle(.timer)
      #expect(outputs.told.isEmpty)
      #expect(!outputs.contains { if case .report = $0 { true } else { false } })
    }
    let states = harness.call(.requestState(identifier: "r")).replies
    #expect(states.allSatisfy { $0.state != .inside })
  }

  @Test("an app of reduced accuracy is told a coarse place, which gives way to a fix at once")
  func reduced() throws {
    var harness = ServiceHarness(here: home)
    let told = try #require(harness.updates(StandardRequest.reduced).first)
    #expect(told.horizontalAccuracy == 3000 && told.coordinate != home.coordinate)
    #expect(harness.fix(north: 20_000).places.count == 1)
  }

  @Test("GeoClue's file is read as it is written, and rubbish is none")
  func file() {
    #expect(SetPlace(geolocation: home.geolocation) == home)
    let text = "# torch\n\n40.6893129   # latitude\n-74.0445531\n96 # altitude\n1.83  # radius\n"
    #expect(SetPlace(geolocation: text)?.horizontalAccuracy == 1.83)
    for text in ["", "1\n2\n3\n", "0\n0\n0\n0\n", "91\n0\n0\n5\n", "nan\n0\n0\n5\n", "x\ny\nz\nw"] {
      #expect(SetPlace(geolocation: text) == nil)
    }
  }
}
