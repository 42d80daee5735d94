import LocationModel
import ReceiverCore

@testable import LocationCore

/// A service with a Bluetooth radio, by a made-up clock.
final class BeaconWorld {
  private var service: LocationService
  private var disk = StoreSnapshot()
  private let settings: LocationService.Settings
  private(set) var now = 1000.0
  private(set) var told: [(Recipient, Event)] = []
  private(set) var refused: [Refusal] = []
  private(set) var isOpen = false
  private(set) var ranges = false
  private(set) var advertised: [BeaconFrame] = []
  private(set) var status: Status?
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
    settings.use = .logind
    self.settings = settings
    service = LocationService(settings, at: Self.instant(1000))
    connect()
  }

  private func connect() {
    handle(.connected(Self.client, Caller(uid: 0, pid: 7, app: "user:root")))
  }

  /// An administrator's client, and one of another user's whose app nobody has decided about.
  func connectOthers() {
    handle(.connected(Self.administrator, Caller(uid: 0, pid: 8, app: "unit:admin.service")))
    handle(.connected(Self.stranger, Caller(uid: 7, pid: 9, app: "unit:other.service")))
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
      case .advertise(let frames): advertised = frames
      case .answer(_, _, .status(let status)): self.status = status
      case .demand(Self.radio, let demand): ranges = demand.ranging
      case .open(Self.radio, let demand):
        isOpen = true
        ranges = demand.ranging
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

  func set(
    _ authorization: Authorization?, _ accuracy: AccuracyAuthorization? = nil,
    app: String = "user:root", by client: ClientID = administrator
  ) {
    var change = PermissionChange(app: app)
    change.authorization = authorization
    change.accuracy = accuracy
    change.uid = app == "user:root" ? nil : 7
    call(.permissionsSet(change), from: client)
  }

  static let administrator = ClientID(2)
  static let stranger = ClientID(3)
}
