import DBus
import LocationCore
import LocationModel
import Platform
import ReceiverCore

/// The beacons that a Bluetooth adapter of this machine hears, as bluetoothd has them. It performs what
/// `BluetoothMachine` says; closed, it asks nobody anything but to stop.
final class BeaconSource: Source {
  private let context: SourceContext
  private let bus: BusConnection?
  private var machine = BluetoothMachine()
  private var timer: EventLoop.Timer?
  private lazy var adapters = bus.map { bus in
    BluetoothAdapters(on: bus, hear: { [unowned self] in hear($0) }) { [unowned self] in
      handle($0)
    }
  }
  /// The start or stop that is not answered yet.
  private var change: BusCall?
  private var monitor: BeaconMonitor?
  /// Questions for the frames of devices that a monitor has found.
  private var questions: [String: BusCall] = [:]
  private var reports = BeaconReports()
  private var batch: EventLoop.Timer?
  private var isBatchComing = false
  private var repeater: EventLoop.Timer?
  private var isRepeating = false

  /// Reports go to the service together, so that thousands a second cost little.
  private static let pause: Duration = .milliseconds(100)
  /// A monitor's beacons are said again before their regions are left.
  private static let period: Duration = .seconds(10)

  init(in context: SourceContext, _ bus: BusConnection?) throws(SystemError) {
    self.context = context
    self.bus = bus
    timer = try EventLoop.Timer(slack: .milliseconds(100), on: context.loop) { [unowned self] in
      handle(.timer)
    }
    batch = try EventLoop.Timer(slack: .milliseconds(20), on: context.loop) { [unowned self] in
      send()
    }
    repeater = try EventLoop.Timer(slack: .seconds(1), on: context.loop) { [unowned self] in
      isRepeating = false
      reports.repeatPresent()
      repeatLater()
      sendSoon()
    }
  }

  func open(for demand: SourceDemand) {
    guard let adapters else {
      return context.reportFailure("no bus is used, so there is no Bluetooth")
    }
    update(demand)
    do throws(BusError) { try adapters.follow() } catch { context.reportFailure("\(error)") }
  }

  func update(_ demand: SourceDemand) {
    if bus != nil { handle(.wanted(demand.ranging ? .discovery : .monitor)) }
  }

  func close() {
    handle(.wanted(nil))
    adapters?.rest()
    forgetReports()
  }

  private func handle(_ input: BluetoothMachine.Input) {
    var steps: [BluetoothMachine.Step] = []
    machine.handle(input, at: Clock.boottime, into: &steps)
    timer?.set(machine.wakesAt)
    for step in steps { perform(step) }
  }

  var details: SourceDetails {
    var details = SourceDetails()
    details.language = "BlueZ"
    return details
  }
}

// MARK: - Steps

extension BeaconSource {
  private func perform(_ step: BluetoothMachine.Step) {
    switch step {
    case .start(.discovery, let path):
      let filter: [String: BusValue] = ["Transport": .string("le"), "DuplicateData": .bool(true)]
      change = call(path, "SetDiscoveryFilter", [.dictionary(filter)]) { [unowned self] in
        guard case .done = $0 else { return handle(.started($0)) }
        change = call(path, "StartDiscovery") { [unowned self] in handle(.started($0)) }
      }
    case .stop(.discovery, let path):
      change = call(path, "StopDiscovery") { [unowned self] in handle(.stopped($0)) }
    case .start(.monitor, let path): startMonitor(path)
    case .start(.advertisement, _), .stop(.advertisement, _): break
    case .stop(.monitor, let path):
      change = call(
        path, "UnregisterMonitor", [.path(BeaconMonitor.root)], of: BluetoothWords.monitors
      ) { [unowned self] in
        endMonitor()
        handle(.stopped($0))
      }
    case .list: adapters?.list()
    case .found: context.reportFound()
    case .fail(let reason):
      forgetReports()
      context.reportFailure(reason)
    }
  }

  private func call(
    _ path: String, _ member: String, _ arguments: [BusValue] = [],
    of interface: StaticString = BluetoothWords.adapter,
    completion: @escaping (BluetoothMachine.Answer) -> Void
  ) -> BusCall? {
    bus?.call(
      BluetoothWords.name, path, "\(interface)", member, arguments, starts: false
    ) { completion(BluetoothWords.answer($0)) }
  }
}

// MARK: - Monitors

extension BeaconSource {
  private func startMonitor(_ path: String) {
    do throws(BusError) {
      guard let bus, let owner = adapters?.owner else { throw .failed("bluetoothd has gone") }
      monitor = try BeaconMonitor(on: bus, for: owner) { [unowned self] in handle($0) }
    } catch {
      return handle(.started(.failed(error.message)))
    }
    change = call(
      path, "RegisterMonitor", [.path(BeaconMonitor.root)], of: BluetoothWords.monitors
    ) { [unowned self] answer in
      if case .failed = answer { endMonitor() }
      handle(.started(answer))
    }
  }

  private func endMonitor() {
    monitor = nil
    questions = [:]
    reports.endMonitor()
    stopRepeating()
  }

  private func repeatLater() {
    guard !isRepeating, reports.hasPresent else { return }
    isRepeating = true
    repeater?.set(Clock.boottime + Self.period)
  }

  private func stopRepeating() {
    isRepeating = false
    repeater?.set(nil)
  }

  private func handle(_ event: BeaconMonitor.Event) {
    switch event {
    case .found(let path):
      if !reports.enter(path) { ask(about: path) }
      repeatLater()
    case .lost(let path): reports.leave(path)
    case .released:
      endMonitor()
      handle(BluetoothMachine.Input.released)
    }
    sendSoon()
  }

  private func ask(about path: String) {
    questions[path] = bus?.request(
      BluetoothWords.name, path, "org.freedesktop.DBus.Properties", "GetAll",
      [.string("\(BluetoothWords.device)")], starts: false
    ) { [unowned self] in
      questions[path] = nil
      guard case .success(let reply) = $0 else { return }
      reply.read { reports.take(BluetoothWords.Said($0), at: path) }
      sendSoon()
    }
  }
}

// MARK: - Signals

extension BeaconSource {
  /// A device comes, changes or goes.
  private func hear(_ signal: BusMessage) {
    signal.read { first in
      var rest = first
      guard rest.advance() else { return }
      guard signal.interface == BluetoothWords.manager else {
        guard first.isText(BluetoothWords.device), let path = signal.path else { return }
        return take(BluetoothWords.Said(rest), at: path)
      }
      guard let path = first.string else { return }
      if signal.member == "InterfacesRemoved" { return reports.forget(path) }
      rest.forEachEntry { interface, properties in
        guard interface.isText(BluetoothWords.device) else { return }
        take(BluetoothWords.Said(properties), at: path)
      }
    }
  }

  private func take(_ said: BluetoothWords.Said, at path: String) {
    guard said.frame != nil || said.isOther || said.rssi != nil else { return }
    reports.take(said, at: path)
    sendSoon()
  }

  private func sendSoon() {
    guard !isBatchComing, !reports.isEmpty else { return }
    isBatchComing = true
    batch?.set(Clock.boottime + Self.pause)
  }

  private func send() {
    isBatchComing = false
    guard !reports.isEmpty else { return }
    context.report(.beacons(reports.drain(at: Clock.utc)))
  }

  private func forgetReports() {
    reports.removeAll()
    isBatchComing = false
    batch?.set(nil)
    stopRepeating()
  }
}
