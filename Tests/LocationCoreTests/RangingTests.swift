import LocationModel
import ReceiverCore
import TestSupport
import Testing

@testable import LocationCore

/// A service with a Bluetooth radio, by a made-up clock.
private final class BeaconWorld {
  private var service: LocationService
  private var disk = StoreSnapshot()
  private let settings: LocationService.Settings
  private(set) var now = 1000.0
  private(set) var told: [(Recipient, Event)] = []
  private(set) var refused: [Refusal] = []
  private(set) var isOpen = false
  private(set) var receiversOpened = 0
  private var wakeAt: Boottime?
  private var inbox: [Input] = []

  static let radio = SourceID(1)
  static let client = ClientID(1)
  static let uuid = BeaconUUID(0xE2C5, 7)

  init() {
    var settings = LocationService.Settings(
      version: "1", uid: 990,
      sources: [
        SourceDescription(SourceID(0), name: "gps", simulated: false),
        SourceDescription(Self.radio, name: "beacons", simulated: false, kind: .beacons),
      ])
    settings.linger = .zero
    self.settings = settings
    service = LocationService(settings, at: Self.instant(1000))
    connect()
  }

  private func connect() {
    handle(.connected(Self.client, Caller(uid: 0, pid: 7, app: "user:root")))
  }

  private static func instant(_ seconds: Double) -> Instant {
    Instant(
      boottime: .start + .seconds(seconds), utc: Timestamp(microseconds: Int64(seconds * 1e6)),
      utcTrusted: true)
  }

  /// As after kill -9.
  func restart() {
    isOpen = false
    service = LocationService(settings, disk, at: Self.instant(now))
    connect()
  }

  func handle(_ input: Input) {
    inbox.append(input)
    guard inbox.count == 1 else { return }
    while let next = inbox.first {
      perform(next)
      inbox.removeFirst()
    }
  }

  private func perform(_ input: Input) {
    var outputs: [Output] = []
    service.handle(input, at: Self.instant(now), into: &outputs)
    for output in outputs {
      switch output {
      case .tell(let recipients, let event): for one in recipients { told.append((one, event)) }
      case .report(let recipients, let event, _):
        for one in recipients { told.append((one, event)) }
      case .refuse(_, _, let refusal): refused.append(refusal)
      case .open(Self.radio, _):
        isOpen = true
        if isThere { handle(.found(Self.radio)) }
      case .open: receiversOpened += 1
      case .close(Self.radio): isOpen = false
      case .wake(let at): wakeAt = at
      case .commit(let changes, let id):
        for case .put(let app, let kind, let key, let bytes) in changes {
          disk.records[.init(app: app, kind: kind, key: key)] = bytes
        }
        for case .permission(let app, let permission) in changes {
          disk.permissions[app] = permission
        }
        handle(.committed(id))
      default: break
      }
    }
  }

  var isThere = true

  func call(_ request: Request, manager: Int = 0, from client: ClientID = client) {
    handle(.called(client, Call(id: .integer(1), manager: manager, request)))
  }

  func range(major: UInt16? = nil, manager: Int = 0) {
    call(.startRangingBeacons(BeaconConstraint(Self.uuid, major: major)), manager: manager)
  }

  func watch(_ identifier: String = "cow", major: UInt16? = nil) {
    call(
      .startMonitoring([
        Region(identifier: identifier, .beacon(BeaconConstraint(Self.uuid, major: major)))
      ]))
  }

  func hear(_ minor: UInt16, rssi: Int? = -60, major: UInt16 = 1, uuid: BeaconUUID = uuid) {
    let frame = BeaconFrame(BeaconIdentity(uuid, major: major, minor: minor), measuredPower: -59)
    handle(
      .reading(
        Self.radio,
        .beacons(
          BeaconScan([BeaconReport(frame, rssi: rssi)], timestamp: Self.instant(now).utc))))
  }

  /// Time passes, in tenths of a second.
  func pass(_ seconds: Double, _ each: () -> Void = {}) {
    let end = now + seconds
    while now < end - 1e-9 {
      now += 0.1
      each()
      if let due = wakeAt, due <= Self.instant(now).boottime {
        wakeAt = nil
        handle(.timer)
      }
    }
  }

  func forgetTold() { told = [] }

  var lists: [[Beacon]] {
    told.compactMap { if case .didRangeBeacons(_, let beacons) = $0.1 { beacons } else { nil } }
  }

  var failures: [Refusal] {
    told.compactMap { if case .rangingDidFail(_, let refusal) = $0.1 { refusal } else { nil } }
  }

  var crossings: [String] {
    told.compactMap {
      switch $0.1 {
      case .didEnterRegion(let identifier, _): "enter \(identifier)"
      case .didExitRegion(let identifier, _): "exit \(identifier)"
      default: nil
      }
    }
  }

  func set(_ authorization: Authorization?, _ accuracy: AccuracyAuthorization? = nil) {
    var change = PermissionChange(app: "user:root")
    change.authorization = authorization
    change.accuracy = accuracy
    call(.permissionsSet(change), from: Self.administrator)
  }

  static let administrator = ClientID(2)
}

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

  @Test("a thousand beacons are kept at most, whatever is sent")
  func bound() {
    let world = BeaconWorld()
    world.range()
    for minor in 0..<UInt16(1500) { world.hear(minor) }
    world.pass(1.1)
    #expect(world.lists.last?.count == 1000)
  }
}

@Suite("Who may know which beacons are near") struct RangingAccessTests {
  private func world() -> BeaconWorld {
    let world = BeaconWorld()
    world.handle(
      .connected(BeaconWorld.administrator, Caller(uid: 0, pid: 8, app: "unit:admin.service")))
    return world
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
    world.pass(3) { world.hear(1) }
    // The client has to ask again.
    #expect(world.lists.isEmpty)
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
