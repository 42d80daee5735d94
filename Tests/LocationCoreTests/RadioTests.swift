import Geodesy
import LocationModel
import TestSupport
import Testing

@testable import LocationCore

@Suite("Wi-Fi networks, live") struct RadioTests {
  private static let boxes = RadioWorld.boxes(60, within: 170, seed: 3)

  /// A world whose streets were walked on three days.
  private func learnt(learns: Bool = true) -> RadioWorld {
    let world = RadioWorld(networks: Self.boxes, learns: learns)
    for _ in 0..<3 { world.walkStreets() }
    world.forgetTold()
    return world
  }

  @Test("indoors the networks give the place back, as evidence that teaches nothing")
  func place() throws {
    let world = learnt()
    let before = world.rows
    #expect(before.count > 30)
    world.place = Spot(north: 30, east: 20)
    world.call(.startUpdatingLocation(.init()))
    world.pass(3600)
    let places = world.places.filter { $0.kind == .wifi }
    #expect(places.count >= 50)
    for place in places {
      #expect(place.coordinate.distance(to: world.place.coordinate) < 100)
      #expect(place.source == "wifi:" && !place.simulated && place.kind.isEvidence)
    }
    world.handle(.ending)
    #expect(world.rows == before)
  }

  @Test("scans are asked for at most once in half a minute, and not at all while nobody asks")
  func sparing() {
    let world = learnt()
    let before = world.asked.count
    world.pass(600)
    #expect(world.asked.count == before)
    world.call(.startUpdatingLocation(.init()))
    world.pass(600)
    let asked = world.asked.dropFirst(before)
    #expect((15...20).contains(asked.count))
    #expect(zip(asked, asked.dropFirst()).allSatisfy { $1 - $0 >= 30 })
    world.call(.stopUpdatingLocation)
    world.pass(600)
    #expect(world.asked.count == before + asked.count)
  }

  @Test("where a good fix is at hand and the networks are known, none is asked for")
  func known() {
    let world = learnt()
    world.call(.startUpdatingLocation(.init()))
    world.place = Spot(north: 2, east: 10)
    for _ in 0..<120 {
      world.fix()
      world.pass(1)
    }
    let before = world.asked.count
    for _ in 0..<600 {
      world.fix()
      world.pass(1)
    }
    #expect(world.asked.count == before)
    // Elsewhere there is something to learn.
    world.walk(from: Spot(north: 400, east: 0), to: Spot(north: 700, east: 0))
    #expect(world.asked.count > before + 3)
  }

  @Test("a recording teaches nothing, nor does a vague fix")
  func teachers() {
    let world = RadioWorld(networks: Self.boxes)
    world.call(.startUpdatingLocation(.init()))
    for hour in 0..<8 {
      for _ in 0..<10 {
        if hour % 2 == 0 { world.fix(RadioWorld.replay) } else { world.fix(accuracy: 60) }
        world.pass(1)
        world.scan()
      }
      world.pass(3600)
    }
    world.handle(.ending)
    #expect(world.rows.isEmpty)
  }

  @Test("a receiver's fix is not disturbed by the networks, and wins where they are elsewhere")
  func better() throws {
    let world = learnt()
    world.call(.startUpdatingLocation(.init()))
    world.pass(60)
    #expect(world.places.last?.kind == .wifi)
    // Boxes that were carried off together.
    world.place = Spot(north: 5000, east: 0)
    world.networks = Self.boxes.map {
      var box = $0
      box.place = $0.place.map { $0 + Spot(north: 5000, east: 0) }
      return box
    }
    for second in 0..<300 {
      world.fix()
      world.pass(1)
      if second == 10 { world.forgetTold() }
    }
    #expect(world.places.count > 280 && world.places.allSatisfy { $0.source == "gps" })
  }

  @Test("what is learnt is written in batches, and is back after a restart")
  func restart() throws {
    let world = learnt()
    let batches = world.changes.count { if case .networks = $0 { true } else { false } }
    #expect((1...6).contains(batches))
    var disk = world.disk
    disk.hasNetworks = true
    let again = RadioWorld(networks: Self.boxes, remembering: disk, now: world.now)
    again.call(.startUpdatingLocation(.init()))
    again.pass(60)
    #expect(again.places.filter { $0.kind == .wifi }.isEmpty)
    again.handle(.networks(Array(world.rows.dropLast(5)), areAll: false))
    again.handle(.networks(world.rows.suffix(5), areAll: true))
    again.pass(180)
    #expect(again.places.last?.kind == .wifi)
  }

  @Test("networks whose secret is not there are taken from the disk")
  func noSecret() {
    let world = learnt()
    var disk = StoreSnapshot()
    disk.hasNetworks = true
    let again = RadioWorld(networks: Self.boxes, remembering: disk, now: world.now)
    again.handle(.networks(world.rows, areAll: true))
    #expect(again.changes.contains(.forgetNetworks))
    #expect(again.call(.wifiStatus)?.wifi?.networks == 0)
  }

  @Test(
    "forget, disable and LearnNetworks=no take networks and secret from the disk", arguments: 0...2)
  func forget(way: Int) throws {
    let world = learnt()
    #expect(try #require(world.call(.wifiStatus)?.wifi?.networks) > 30)
    let secret = world.disk.records[Radio.record]
    switch way {
    case 0: world.call(.forget)
    case 1: world.call(.servicesSet(enabled: false))
    default: world.handle(.configured(RadioWorld.settings(learns: false)))
    }
    #expect(world.rows.isEmpty && secret != nil && world.disk.records[Radio.record] == nil)
    #expect(world.changes.contains { $0 == .forgetNetworks && $0.erases })
    #expect(world.call(.wifiStatus)?.wifi?.networks == 0)
    world.call(.startUpdatingLocation(.init()), manager: 1)
    world.pass(300)
    #expect(world.places.filter { $0.kind == .wifi }.isEmpty)
    if way == 2 { #expect(world.call(.wifiStatus)?.wifi?.isLearning == false) }
    // Networks that are learnt from now on have another secret.
    guard way == 0 else { return }
    for _ in 0..<3 {
      world.walk(from: Spot(north: 0, east: -150), to: Spot(north: 0, east: 150))
      world.pass(3600)
    }
    #expect(world.disk.records[Radio.record] != nil)
    #expect(world.disk.records[Radio.record] != secret)
    #expect(!world.rows.isEmpty)
  }

  @Test("a full disk loses nothing: all is written anew once there is room")
  func fullDisk() {
    let world = RadioWorld(networks: Self.boxes)
    world.isFull = true
    world.call(.startUpdatingLocation(.init()))
    for _ in 0..<3 {
      world.walk(from: Spot(north: 0, east: -150), to: Spot(north: 0, east: 150))
      world.pass(3600)
    }
    #expect(world.rows.isEmpty)
    world.isFull = false
    world.pass(600)
    #expect(world.rows.count == world.call(.wifiStatus)?.wifi?.networks)
    #expect(world.disk.records[Radio.record] != nil)
  }

  @Test("a radio that refuses is asked seldom, and the scans of others do")
  func refused() {
    let world = learnt()
    world.scans = false
    world.call(.startUpdatingLocation(.init()))
    let before = world.asked.count
    for _ in 0..<10 {
      world.pass(60)
      world.scan()
    }
    #expect(world.asked.count - before <= 2)
    #expect(world.places.count { $0.kind == .wifi } == 10)
    #expect(world.call(.wifiStatus)?.wifi?.mayScan == false)
  }

  @Test("a radio that is off, or gone, is asked for nothing; back, it has a scan made")
  func comesAndGoes() {
    let world = learnt()
    world.call(.startUpdatingLocation(.init()))
    world.pass(60)
    world.handle(.failed(SourceID(RadioWorld.wifi), "the Wi-Fi radio is off"))
    let before = world.asked.count
    world.pass(300)
    #expect(world.asked.count == before)
    world.forgetTold()
    world.handle(.found(SourceID(RadioWorld.wifi)))
    world.pass(5)
    #expect(world.asked.count == before + 1)
    #expect(world.places.last?.kind == .wifi)
  }

  @Test("a list of long ago says no place, but that there was a scan")
  func oldList() {
    let world = learnt()
    world.call(.startUpdatingLocation(.init()))
    world.pass(10)
    world.forgetTold()
    world.scan(secondsAgo: 20)
    #expect(world.places.isEmpty)
  }

  @Test("a client that may not know the place is told no number and no scan of networks")
  func gated() throws {
    let world = learnt()
    let stranger = ClientID(9)
    world.handle(.connected(stranger, Caller(uid: 1000, pid: 8, app: "user:1000")))
    let status = try #require(world.call(.wifiStatus, from: stranger)?.wifi)
    #expect(status.networks == nil && status.scanAge == nil && status.isLearning)
    #expect(world.call(.wifiStatus)?.wifi?.scanAge != nil)
    #expect(world.notes.isEmpty)
  }

  @Test("a source that says nothing says why, and a set place need not wait for it")
  func mute() throws {
    let world = RadioWorld()
    world.call(.startUpdatingLocation(.init()))
    let sources = try #require(world.call(.status)?.status?.sources)
    #expect(sources[RadioWorld.wifi].details.remark?.contains("no network") == true)
    for source in [RadioWorld.gps, RadioWorld.other, RadioWorld.replay] {
      world.handle(.failed(SourceID(source), "gone"))
    }
    #expect(world.told.contains { if case .didFail = $0 { true } else { false } })
  }
}

@Suite("Nights of learnt Wi-Fi") struct WiFiNightTests {
  @Test(
    "twenty nights at home tell no departure, no exit and no change",
    arguments: 1...(isSoak ? 8 : 1) as ClosedRange<UInt64>)
  func nights(seed: UInt64) {
    var dice = Dice(seed: seed)
    let boxes = RadioWorld.boxes(40, within: 140, seed: seed + 100)
    let world = RadioWorld(seed: seed, networks: boxes)
    let home = Spot(north: 25, east: 15)
    for _ in 0..<4 { world.walkStreets() }
    world.place = home
    world.fix()
    world.call(.startMonitoringVisits)
    world.call(.startMonitoringSignificantLocationChanges)
    world.call(
      .startMonitoring(
        [150.0, 300].map { Region(identifier: "\($0)", .circle(home.coordinate, radius: $0)) }))
    for _ in 0..<20 { night(world, at: home, boxes, &dice) }
    let events = world.told
    #expect(!events.contains { if case .didExitRegion = $0 { true } else { false } })
    let visits = events.compactMap { if case .didVisit(let visit) = $0 { visit } else { nil } }
    #expect(visits.count == 1 && visits.allSatisfy { $0.departureDate == nil })
    let changes = events.count {
      if case .didUpdateLocations(_, .significant) = $0 { true } else { false }
    }
    #expect(changes <= 1)
  }

  /// Boxes are switched off and on; the receiver has vague fixes at times, another source coarse ones.
  private func night(
    _ world: RadioWorld, at home: Spot, _ boxes: [TownNetwork], _ dice: inout Dice
  ) {
    var vague = Spot()
    for minute in 0..<540 {
      if minute % 60 == 0 { world.networks = boxes.filter { _ in dice.chance(0.7) } }
      world.place = home
      if minute % 40 < 3, world.open.contains(RadioWorld.gps) {
        vague = minute % 40 == 0 ? dice.spot(0...60) : vague
        world.fix(accuracy: dice.number(40...70), off: vague)
      }
      if minute % 25 == 7, world.open.contains(RadioWorld.other) {
        world.fix(
          RadioWorld.other, accuracy: dice.number(400...900), off: dice.spot(100...500))
      }
      world.pass(60)
    }
  }
}
