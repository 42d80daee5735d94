import DBus
import LocationModel
import Platform
import ReceiverCore

/// The beacons that this machine is: each is an advertisement that bluetoothd sends.
final class BeaconAdvertiser {
  private let loop: EventLoop
  private let bus: BusConnection?
  private let handler: (BeaconFrame, String?) -> Void
  private var advertisements: [BeaconFrame: BeaconAdvertisement] = [:]
  private var lastNumber = 0

  /// `handler`: the beacon is sent, or is not, and why.
  init(
    on bus: BusConnection?, _ loop: EventLoop, handler: @escaping (BeaconFrame, String?) -> Void
  ) {
    self.bus = bus
    self.loop = loop
    self.handler = handler
  }

  /// Sends these frames, and no others any more.
  func advertise(_ frames: [BeaconFrame]) {
    for (frame, advertisement) in advertisements where !frames.contains(frame) {
      advertisement.end()
    }
    for frame in frames {
      do { try begin(frame) } catch { handler(frame, "\(error)") }
    }
  }

  private func begin(_ frame: BeaconFrame) throws {
    if let before = advertisements[frame] { return try before.begin() }
    guard let bus else { return handler(frame, "no bus is used, so there is no Bluetooth") }
    lastNumber &+= 1
    let advertisement = try BeaconAdvertisement(frame, lastNumber, on: bus, loop) {
      [unowned self] in
      switch $0 {
      case .sent: handler(frame, nil)
      case .failed(let reason): handler(frame, reason)
      case .ended: advertisements[frame] = nil
      }
    }
    advertisements[frame] = advertisement
    try advertisement.begin()
  }
}

/// A beacon that this machine is. It performs what `BluetoothMachine` says.
final class BeaconAdvertisement {
  enum Event {
    case sent
    case failed(String)
    /// bluetoothd knows nothing of it any more.
    case ended
  }

  private let frame: BeaconFrame
  private let path: String
  private let bus: BusConnection
  private let handler: (Event) -> Void
  private var machine = BluetoothMachine()
  private var timer: EventLoop.Timer?
  private lazy var adapters = BluetoothAdapters(on: bus) { [unowned self] in handle($0) }
  private var change: BusCall?
  private var object: BusObject?

  init(
    _ frame: BeaconFrame, _ number: Int, on bus: BusConnection, _ loop: EventLoop,
    handler: @escaping (Event) -> Void
  ) throws(SystemError) {
    self.frame = frame
    self.bus = bus
    self.handler = handler
    path = "/org/locationd/advertisement/\(number)"
    timer = try EventLoop.Timer(slack: .milliseconds(100), on: loop) { [unowned self] in
      handle(.timer)
    }
  }

  deinit { removeObject() }

  /// Does nothing where it has begun already.
  func begin() throws(BusError) {
    guard !adapters.isFollowed else { return }
    handle(.wanted(.advertisement))
    try adapters.follow()
  }

  func end() {
    adapters.rest()
    handle(.wanted(nil))
  }

  private func handle(_ input: BluetoothMachine.Input) {
    var steps: [BluetoothMachine.Step] = []
    machine.handle(input, at: Clock.boottime, into: &steps)
    timer?.set(machine.wakesAt)
    for step in steps { perform(step) }
    if machine.isOver { handler(.ended) }
  }

  private func perform(_ step: BluetoothMachine.Step) {
    switch step {
    case .start(_, let adapter): register(on: adapter)
    case .stop(_, let adapter):
      change = call(adapter, "UnregisterAdvertisement", [.path(path)]) { [unowned self] in
        removeObject()
        handle(.stopped($0))
      }
    case .list: adapters.list()
    case .found: handler(.sent)
    case .fail(let reason): handler(.failed(reason))
    }
  }

  private func register(on adapter: String) {
    do throws(BusError) {
      guard let owner = adapters.owner else { throw .failed("bluetoothd has gone") }
      removeObject()
      let object = BusObject(path, owner: owner, target: self, [Self.table])
      try bus.export(object)
      self.object = object
    } catch {
      return handle(.started(.failed(error.message)))
    }
    change = call(adapter, "RegisterAdvertisement", [.path(path), .dictionary([:])]) {
      [unowned self] in handle(.started($0))
    }
  }

  private func call(
    _ adapter: String, _ member: String, _ arguments: [BusValue],
    completion: @escaping (BluetoothMachine.Answer) -> Void
  ) -> BusCall {
    bus.call(
      BluetoothWords.name, adapter, BluetoothWords.advertisements, member, arguments, starts: false
    ) { completion(BluetoothWords.answer($0)) }
  }

  private func removeObject() {
    if let object { bus.remove(object) }
    object = nil
  }

  /// A beacon takes no connections, so that its type is broadcast.
  private static let table = BusInterface(
    BluetoothWords.advertisement,
    methods: [
      BusMethod("Release") { (advertisement: BeaconAdvertisement, _) in
        advertisement.handle(.released)
        return []
      }
    ],
    properties: [
      BusProperty("Type", "s", .constant) { (_: BeaconAdvertisement) in .string("broadcast") },
      BusProperty("ManufacturerData", "a{qv}", .constant) { (advertisement: BeaconAdvertisement) in
        let bytes = BusValue.array(of: "y", advertisement.frame.bytes.map { .byte($0) })
        return .array(
          of: "{qv}", [.entry(.uint16(BeaconFrame.company), .variant(bytes))])
      },
    ])
}
