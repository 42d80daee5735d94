import LocationModel
import ReceiverCore
import TestSupport
import Testing

@testable import LocationCore

@Suite("Beacons that are near") struct RangingTests {
  @Test(
    "a list is told once a second, the nearest first, and the radio is open for that time alone")
  func lists() {
    let world = BeaconWorld()
    #expect(!world.isOpen)
    world.range()
    #expect(world.isOpen && world.receiversOpened == 0)
    world.pass(10.05) {
      world.hear(1, rssi: -70)
      world.hear(2, rssi: -50)
      world.hear(3, rssi: 127)
      world.hear(9, uuid: BeaconUUID(1, 1))
    }
    #expect(world.lists.count == 10)
    for list in world.lists {
      #expect(list.map(\.identity.minor) == [2, 1, 3])
      #expect(list.map(\.proximity) == [.immediate, .near, .unknown])
    }
    world.call(.stopRangingBeacons(BeaconConstraint(BeaconWorld.uuid)))
    #expect(!world.isOpen)
    world.forgetTold()
    world.pass(5)
    #expect(world.told.isEmpty)
  }

  @Test("managers with other constraints have their own lists; a client that goes closes the radio")
  func managers() {
    let world = BeaconWorld()
    world.range(major: 1, manager: 1)
    world.range(major: 2, manager: 2)
    world.pass(1.1) {
      world.hear(1, major: 1)
      world.hear(2, major: 2)
    }
    let told = world.told.compactMap { told -> String? in
      guard case .didRangeBeacons(_, let beacons) = told.1 else { return nil }
      return "\(told.0.manager): \(beacons.map(\.identity.minor))"
    }
    #expect(told == ["1: [1]", "2: [2]"])
    world.handle(.gone(BeaconWorld.client))
    #expect(!world.isOpen)
  }

  @Test("a silent beacon is of unknown distance after 5 s, and not listed after 10")
  func silence() {
    let world = BeaconWorld()
    world.range()
    world.pass(2) { world.hear(1) }
    world.forgetTold()
    world.pass(12)
    let told = world.lists.map { $0.first.map { $0.proximity == .unknown ? "unknown" : "near" } }
    #expect(told.first == "near" && told.last == .some(nil))
    #expect((4...6).contains(told.count { $0 == "near" }))
    #expect((4...6).contains(told.count { $0 == "unknown" }))
  }

  @Test("without a radio ranging fails and says why, and goes on once there is one")
  func noRadio() {
    let world = BeaconWorld()
    world.isThere = false
    world.range()
    world.handle(.failed(BeaconWorld.radio, "the Bluetooth adapter is off"))
    #expect(world.failures.map(\.code) == [.rangingUnavailable])
    world.pass(3)
    #expect(world.lists.isEmpty)
    // Another that begins now is told at once.
    world.range(major: 5, manager: 3)
    #expect(world.failures.count == 2)
    world.handle(.found(BeaconWorld.radio))
    world.pass(1.1) { world.hear(1) }
    #expect(world.lists.map { $0.map(\.identity.minor) } == [[1], []])
  }

  @Test("a thousand beacons are kept for a user at most, which takes none from another")
  func bound() {
    let world = BeaconWorld()
    world.range(major: 1)
    for minor in 0..<UInt16(1500) { world.hear(minor) }
    world.connectOthers()
    world.set(.authorizedAlways, app: "unit:other.service")
    world.call(
      .startRangingBeacons(BeaconConstraint(BeaconWorld.uuid, major: 2)),
      from: BeaconWorld.stranger)
    for minor in 0..<UInt16(10) { world.hear(minor, major: 2) }
    world.pass(1.1)
    #expect(Set(world.lists.map(\.count)) == [1000, 10])
  }

  @Test("beacons of a constraint that has stopped are forgotten, and make room")
  func forgotten() {
    let world = BeaconWorld()
    world.range(major: 1)
    world.range(major: 2)
    for minor in 0..<UInt16(1000) { world.hear(minor) }
    world.hear(1, major: 2)
    world.pass(1.1)
    #expect(Set(world.lists.map(\.count)) == [1000, 0])
    world.call(.stopRangingBeacons(BeaconConstraint(BeaconWorld.uuid, major: 1)))
    world.hear(1, major: 2)
    world.forgetTold()
    world.pass(1)
    #expect(world.lists.map(\.count) == [1])
  }

  @Test("status says that beacons are needed, for whom, and how their radio fares")
  func status() throws {
    let world = BeaconWorld()
    world.range()
    world.handle(.failed(BeaconWorld.radio, "the Bluetooth adapter is off"))
    world.call(.status)
    let status = try #require(world.status)
    #expect(status.need?.ranging == 1 && status.clients?.map(\.ranging) == [1])
    #expect(
      status.sources?.first { $0.name == "beacons" }?.state
        == .failed("the Bluetooth adapter is off"))
  }

  @Test("how near beacons are is asked of a radio for lists alone, not for regions")
  func demand() {
    let world = BeaconWorld()
    world.watch()
    #expect(world.isOpen && world.ranges == false)
    world.range()
    #expect(world.ranges == true)
    world.call(.stopRangingBeacons(BeaconConstraint(BeaconWorld.uuid)))
    #expect(world.isOpen && world.ranges == false)
  }
}

@Suite("Who may know which beacons are near") struct RangingAccessTests {
  private func world() -> BeaconWorld {
    let world = BeaconWorld()
    world.connectOthers()
    return world
  }

  @Test(
    "without leave no radio is opened and nothing is told, whichever way it is asked",
    arguments: [
      "undecided", "denied", "restricted", "reduced", "whenInUse", "reset", "revoked",
      "switchedOff",
    ], ["ranging", "region"])
  func gated(state: String, way: String) {
    let world = world()
    let app = "unit:other.service"
    switch state {
    case "denied": world.set(.denied, app: app)
    case "restricted": world.set(.restricted, app: app)
    case "reduced": world.set(.authorizedAlways, .reduced, app: app)
    // A service of the system is never in use.
    case "whenInUse": world.set(.authorizedWhenInUse, app: app)
    case "reset", "revoked", "switchedOff": world.set(.authorizedAlways, app: app)
    default: break
    }
    world.forgetTold()
    let constraint = BeaconConstraint(BeaconWorld.uuid)
    world.call(
      way == "ranging"
        ? .startRangingBeacons(constraint)
        : .startMonitoring([Region(identifier: "cow", .beacon(constraint))]),
      from: BeaconWorld.stranger)
    switch state {
    case "revoked": world.set(.denied, app: app)
    case "reset":
      world.call(
        .permissionsReset(AppSelection(app: app, uid: 7)), from: BeaconWorld.administrator)
    case "switchedOff": world.call(.servicesSet(enabled: false), from: BeaconWorld.administrator)
    default: break
    }
    #expect(!world.isOpen)
    world.pass(5) { world.hear(1) }
    #expect(!world.isOpen && world.lists.isEmpty && world.crossings.isEmpty)
  }

  @Test("a denied client is refused, and no radio is opened")
  func denied() {
    let world = world()
    world.set(.denied)
    world.range()
    #expect(world.refused.map(\.code) == [.denied])
    world.pass(3) { world.hear(1) }
    #expect(!world.isOpen && world.lists.isEmpty && world.failures.isEmpty)
  }

  @Test("a revocation ends it, and closes the radio at once")
  func revoked() {
    let world = world()
    world.range()
    world.pass(2) { world.hear(1) }
    #expect(world.lists.count == 1 || world.lists.count == 2)
    world.set(.denied)
    #expect(!world.isOpen && world.failures.map(\.code) == [.denied])
    world.forgetTold()
    world.set(.authorizedAlways)
    #expect(world.isOpen)
    world.pass(1.1) { world.hear(1) }
    // As locations do, lists come again.
    #expect(world.lists.count == 1)
  }

  @Test("reduced accuracy is told of no beacon, and of all again with full accuracy")
  func reduced() {
    let world = world()
    world.set(.authorizedAlways, .reduced)
    world.range()
    world.watch()
    world.pass(3) { world.hear(1) }
    #expect(!world.isOpen && world.lists.isEmpty && world.crossings.isEmpty)
    #expect(world.failures.map(\.code) == [.denied])
    world.set(nil, .full)
    #expect(world.isOpen)
    world.pass(1.1) { world.hear(1) }
    #expect(world.lists.count == 1 && world.crossings == ["enter cow"])
  }
}

@Suite("Regions around beacons") struct BeaconRegionTests {
  @Test("the first report enters it, 30 s of none leave it, and no receiver is opened for it")
  func crossings() {
    let world = BeaconWorld()
    world.watch()
    #expect(world.isOpen && world.receiversOpened == 0)
    world.pass(40)
    #expect(world.crossings.isEmpty)
    world.hear(1, rssi: 127)
    #expect(world.crossings == ["enter cow"])
    world.pass(60) { world.hear(1) }
    world.pass(29)
    #expect(world.crossings == ["enter cow"])
    world.pass(2)
    #expect(world.crossings == ["enter cow", "exit cow"])
    world.hear(2)
    #expect(world.crossings.last == "enter cow" && world.crossings.count == 3)
    world.call(.stopMonitoring(identifiers: ["cow"]))
    #expect(!world.isOpen)
  }

  @Test("a region of a major is not entered by another")
  func majors() {
    let world = BeaconWorld()
    world.watch("one", major: 1)
    world.watch("two", major: 2)
    world.hear(5, major: 2)
    #expect(world.crossings == ["enter two"])
  }

  @Test("a beacon that others hear already is none that is entered")
  func inside() {
    let world = BeaconWorld()
    world.range()
    world.watch("first")
    world.hear(1)
    world.watch("second")
    world.hear(1)
    #expect(world.crossings == ["enter first"])
    world.pass(31)
    #expect(Set(world.crossings.dropFirst()) == ["exit first", "exit second"])
  }

  @Test("silence counts while a radio listens")
  func deaf() {
    let world = BeaconWorld()
    world.watch()
    world.hear(1)
    world.handle(.failed(BeaconWorld.radio, "the Bluetooth adapter is off"))
    world.pass(300)
    #expect(world.crossings == ["enter cow"])
    world.handle(.found(BeaconWorld.radio))
    world.pass(29)
    #expect(world.crossings == ["enter cow"])
    world.pass(2)
    #expect(world.crossings == ["enter cow", "exit cow"])
  }

  @Test("after a restart it is still inside, or left once there was time to hear it")
  func restart() {
    let world = BeaconWorld()
    world.watch()
    world.hear(1)
    world.restart()
    #expect(world.isOpen)
    world.call(.hello(.init()))
    world.forgetTold()
    world.hear(1)
    #expect(world.crossings.isEmpty)
    world.pass(31)
    #expect(world.crossings == ["exit cow"])
  }
}
