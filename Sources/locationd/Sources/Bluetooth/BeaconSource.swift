import DBus
import LocationCore
import LocationModel
import Platform
import ReceiverCore

/// The beacons that a Bluetooth adapter of this machine hears, as bluetoothd has them. It performs what
/// `BluetoothMachine` says; closed, it asks nobody anything.
final class BeaconSource: Source {
  private let context: SourceContext
  private let bus: BusConnection?
  private var machine = BluetoothMachine()
  private var timer: EventLoop.Timer?
  private var subscriptions: [BusSubscription] = []
  private var listing: BusCall?
  private var listsAgain = false
  private var filtering: BusCall?
  private var starting: BusCall?
  /// The reports since the last batch.
  private var reports: [BeaconReport] = []
  private var batch: EventLoop.Timer?
  private var isBatchComing = false
  /// The frames of devices, for signals that only say how strongly one is heard.
  private var frames: [String: BeaconFrame] = [:]

  /// Reports go to the service together, so that thousands a second cost little.
  private static let pause: Duration = .milliseconds(100)
  private static let mostReports = 4096
  private static let mostFrames = 1024

  init(in context: SourceContext, _ bus: BusConnection?) throws(SystemError) {
    self.context = context
    self.bus = bus
    timer = try EventLoop.Timer(slack: .milliseconds(100), on: context.loop) { [unowned self] in
      handle(.timer)
    }
    batch = try EventLoop.Timer(slack: .milliseconds(20), on: context.loop) { [unowned self] in
      send()
    }
  }

  func open(for _: SourceDemand) {
    guard let bus else { return context.reportFailure("no bus is used, so there is no Bluetooth") }
    handle(.wanted(true))
    let objects = BusSubscription.Filter(interface: Self.manager)
    do throws(BusError) {
      subscriptions = [
        try bus.listen(to: BluetoothWords.name, .properties()) { [unowned self] in
          if case .signal(let signal) = $0 { handleChange(signal) }
        },
        try bus.listen(to: BluetoothWords.name, objects) { [unowned self] in
          switch $0 {
          case .owner(let owner):
            handle(.service(isThere: owner != nil))
            if owner == nil { listing = nil } else { list() }
          case .signal(let signal): handleObject(signal)
          }
        },
      ]
    } catch {
      context.reportFailure("\(error)")
    }
  }

  func close() {
    handle(.wanted(false))
    subscriptions = []
    (listing, filtering, starting) = (nil, nil, nil)
    (reports, frames) = ([], [:])
    isBatchComing = false
    batch?.set(nil)
    machine = BluetoothMachine()
  }

  private func handle(_ input: BluetoothMachine.Input) {
    var steps: [BluetoothMachine.Step] = []
    machine.handle(input, at: Clock.boottime, into: &steps)
    timer?.set(machine.wakesAt)
    for step in steps { perform(step) }
  }
}

// MARK: - Steps

extension BeaconSource {
  private static let manager = "org.freedesktop.DBus.ObjectManager"
  private static let adapter = "\(BluetoothWords.adapter)"

  private func perform(_ step: BluetoothMachine.Step) {
    switch step {
    case .listen(let path):
      let filter: [String: BusValue] = ["Transport": .string("le"), "DuplicateData": .bool(true)]
      filtering = call(path, "SetDiscoveryFilter", [.dictionary(filter)]) { [unowned self] in
        filtering = nil
        guard case .failure(let error) = $0 else { return start(path) }
        handle(.answered(trouble: error.message))
      }
    case .stop(let path):
      guard
        let message = try? BusMessage(
          to: BluetoothWords.name, path, Self.adapter, "StopDiscovery")
      else { return }
      message.forgoReply()
      bus?.send(message)
    case .found: context.reportFound()
    case .fail(let reason):
      (reports, frames) = ([], [:])
      context.reportFailure(reason)
    }
  }

  private func start(_ path: String) {
    starting = call(path, "StartDiscovery", []) { [unowned self] in
      starting = nil
      guard case .failure(let error) = $0, !error.name.hasSuffix(".InProgress") else {
        return handle(.answered(trouble: nil))
      }
      handle(.answered(trouble: error.message))
    }
  }

  private func call(
    _ path: String, _ member: String, _ arguments: [BusValue],
    completion: @escaping (Result<[BusValue], BusError>) -> Void
  ) -> BusCall? {
    bus?.call(
      BluetoothWords.name, path, Self.adapter, member, arguments, starts: false,
      completion: completion)
  }

  /// Lists once at a time, and once more where something has changed meanwhile.
  private func list() {
    guard listing == nil else {
      listsAgain = true
      return
    }
    guard
      let message = try? BusMessage(
        to: BluetoothWords.name, "/", Self.manager, "GetManagedObjects")
    else { return }
    listing = bus?.call(message) { [unowned self] answer in
      listing = nil
      if case .success(let reply) = answer {
        handle(.adapters(BluetoothWords.adapters(in: reply)))
      }
      guard listsAgain else { return }
      listsAgain = false
      list()
    }
  }
}

// MARK: - Signals

extension BeaconSource {
  /// The properties of a device or an adapter change.
  private func handleChange(_ signal: BusMessage) {
    signal.read { interface in
      if interface.isText(BluetoothWords.device) {
        var properties = interface
        guard properties.advance() else { return }
        take(BluetoothWords.Said(properties), of: signal)
      } else if interface.isText(BluetoothWords.adapter) {
        list()
      }
    }
  }

  /// A device or an adapter comes or goes.
  private func handleObject(_ signal: BusMessage) {
    if signal.member == "InterfacesRemoved" {
      signal.read { path in
        var interfaces = path
        guard interfaces.advance(), let path = path.string else { return }
        frames[path] = nil
        if interfaces.holdsText(BluetoothWords.adapter) { list() }
      }
      return
    }
    signal.read { path in
      var interfaces = path
      guard interfaces.advance(), let path = path.string else { return }
      interfaces.forEachEntry { interface, properties in
        if interface.isText(BluetoothWords.device) {
          take(BluetoothWords.Said(properties), at: path)
        } else if interface.isText(BluetoothWords.adapter) {
          list()
        }
      }
    }
  }

  private func take(_ said: BluetoothWords.Said, of signal: BusMessage) {
    // Most say both, of a device whose frame is none of interest here.
    guard said.frame != nil || said.rssi != nil, let path = signal.path else { return }
    take(said, at: path)
  }

  private func take(_ said: BluetoothWords.Said, at path: String) {
    if let frame = said.frame {
      if frames[path] != frame, frames[path] != nil || frames.count < Self.mostFrames {
        frames[path] = frame
      }
    }
    guard let frame = said.frame ?? frames[path], reports.count < Self.mostReports else { return }
    reports.append(BeaconReport(frame, rssi: said.rssi))
    guard !isBatchComing else { return }
    isBatchComing = true
    batch?.set(Clock.boottime + Self.pause)
  }

  private func send() {
    isBatchComing = false
    guard !reports.isEmpty else { return }
    let scan = BeaconScan(reports, timestamp: Clock.utc)
    reports.removeAll(keepingCapacity: true)
    context.report(.beacons(scan))
  }

  var details: SourceDetails {
    var details = SourceDetails()
    details.language = "BlueZ"
    return details
  }
}
