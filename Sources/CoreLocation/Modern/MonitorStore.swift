import Dispatch
import Foundation
import LocationClient
import LocationModel

/// The memory of a monitor of one name: its conditions, the last event of each, and the loops that are
/// told.
final class MonitorStore: Sendable {
  struct Note: Sendable {
    var event: CLMonitor.Event
    /// By which the daemon knows the event, if it keeps it for the app.
    var number: UInt64?
  }

  private struct State: Sendable {
    var conditions: [String: Condition] = [:]
    var loops: [Int: AsyncStream<Note>.Continuation] = [:]
    var lastLoop = 0
    /// Events that no loop has been told yet.
    var waiting: [Note] = []
    var isWritable = true
  }

  private struct Condition: Sendable {
    let condition: any CLCondition
    var event: CLMonitor.Event
    /// The last event that the app has, which is what is written down.
    var seen: CLMonitor.Event

    init(_ condition: any CLCondition, _ event: CLMonitor.Event) {
      self.condition = condition
      self.event = event
      seen = event
    }
  }

  private let name: String
  private let daemon: Daemon
  private let file: MonitorFile
  private let state = Guarded(State())
  private let number = Guarded(0)

  private struct Key: Hashable, Sendable {
    var daemon: ObjectIdentifier
    var name: String
  }

  private final class Weak: Sendable {
    let store: Guarded<Reference>
    struct Reference: Sendable { weak var store: MonitorStore? }
    init(_ store: MonitorStore) { self.store = Guarded(Reference(store: store)) }
  }

  private static let open = Guarded<[Key: Weak]>([:])

  static func open(_ name: String, _ daemon: Daemon) -> MonitorStore {
    let key = Key(daemon: ObjectIdentifier(daemon), name: name)
    return open.withLock { stores in
      if let store = stores[key]?.store.withLock({ $0.store }) { return store }
      let store = MonitorStore(name, daemon)
      stores[key] = Weak(store)
      return store
    }
  }

  private init(_ name: String, _ daemon: Daemon) {
    self.name = name
    self.daemon = daemon
    file = MonitorFile(name)
    for saved in file.read() {
      guard let condition = saved.condition else { continue }
      state.withLock {
        $0.conditions[saved.identifier] = Condition(
          condition,
          CLMonitor.Event(
            identifier: saved.identifier,
            state: CLMonitor.Event.State(rawValue: saved.state) ?? .unknown, date: saved.date))
      }
    }
    let subscription = daemon.subscribe(.monitor(name)) { [weak self] in self?.handle($0) }
    number.withLock { $0 = subscription }
    for identifier in identifiers { begin(identifier) }
  }

  deinit {
    // The last user may be the daemon's thread, in the middle of a delivery.
    let (daemon, number) = (daemon, number.withLock { $0 })
    DispatchQueue.global().async { daemon.unsubscribe(number) }
    for loop in state.withLock({ $0.loops }).values { loop.finish() }
  }
}

// MARK: - Conditions

extension MonitorStore {
  var identifiers: [String] { state.withLock { $0.conditions.keys.sorted() } }

  func record(_ identifier: String) -> CLMonitor.Record? {
    state.withLock { state in
      state.conditions[identifier].map {
        CLMonitor.Record(lastEvent: $0.event, condition: $0.condition)
      }
    }
  }

  func add(
    _ condition: any CLCondition, _ identifier: String, assuming assumed: CLMonitor.Event.State
  ) {
    state.withLock {
      $0.conditions[identifier] = Condition(
        condition,
        CLMonitor.Event(identifier: identifier, state: assumed, date: Date()))
      write(&$0)
    }
    begin(identifier)
  }

  func remove(_ identifier: String) {
    let isKnown = state.withLock { state in
      guard state.conditions.removeValue(forKey: identifier) != nil else { return false }
      state.waiting.removeAll { $0.event.identifier == identifier }
      write(&state)
      return true
    }
    if isKnown { daemon.stopMonitoring(MonitorName.region(identifier, of: name)) }
  }

  /// Watches for a condition, or says that it cannot.
  private func begin(_ identifier: String) {
    let region = state.withLock { state -> Region? in
      let circle = state.conditions[identifier]?.condition as? CLMonitor.CircularGeographicCondition
      guard let circle, CLLocationCoordinate2DIsValid(circle.center), circle.radius > 0,
        circle.radius <= Region.longestRadius
      else {
        change(identifier, to: .unmonitored, &state) { $0.conditionUnsupported = true }
        return nil
      }
      return Region(
        identifier: MonitorName.region(identifier, of: name),
        .circle(Coordinate(circle.center), radius: circle.radius))
    }
    guard let region else { return }
    let number = number.withLock { $0 }
    daemon.startMonitoring(region, of: number)
    daemon.requestState(region, of: number)
  }

  private func write(_ state: inout State) {
    let saved = state.conditions.map { SavedCondition($0.key, $0.value.condition, $0.value.seen) }
    state.isWritable = file.write(saved.sorted { $0.identifier < $1.identifier })
  }
}

// MARK: - Events

extension MonitorStore {
  private func handle(_ parcel: Parcel) {
    state.withLock { state in
      switch parcel.delivery {
      case .determined(let region, let known):
        guard let identifier = MonitorName.split(region.identifier)?.identifier else { return }
        let new: CLMonitor.Event.State =
          switch known {
          case .inside: .satisfied
          case .outside: .unsatisfied
          case .unknown: .unknown
          }
        guard new != .unknown else { return }
        change(identifier, to: new, number: parcel.number, &state)
      case .monitoringFailed(let region, let error):
        guard let region, let identifier = MonitorName.split(region.identifier)?.identifier,
          error.code != .regionMonitoringSetupDelayed
        else { return }
        change(identifier, to: .unmonitored, &state) {
          $0.conditionLimitExceeded = error.code == .regionMonitoringFailure
          $0.authorizationDenied = error.code != .regionMonitoringFailure
        }
      case .authorizationChanged(let situation):
        guard situation.isDenied || situation.isRestricted || !situation.isEnabled else { return }
        for identifier in state.conditions.keys.sorted() {
          change(identifier, to: .unmonitored, &state) {
            $0.authorizationDenied = situation.isDenied
            $0.authorizationDeniedGlobally = !situation.isEnabled
            $0.authorizationRestricted = situation.isRestricted
          }
        }
      default: break
      }
    }
  }

  /// An event is made where the state is a new one.
  private func change(
    _ identifier: String, to new: CLMonitor.Event.State, number: UInt64? = nil,
    _ state: inout State, _ explain: (inout CLMonitor.Event) -> Void = { _ in }
  ) {
    guard let before = state.conditions[identifier]?.event, before.state != new else {
      // Nothing is new to the app, which need not be told again.
      if let number { DispatchQueue.global().async { [daemon] in daemon.see(number) } }
      return
    }
    var event = CLMonitor.Event(identifier: identifier, state: new, date: Date())
    event.persistenceUnavailable = !state.isWritable
    explain(&event)
    state.conditions[identifier]?.event = event
    let note = Note(event: event, number: number)
    if state.loops.isEmpty {
      state.waiting.append(note)
      if state.waiting.count > Self.most { state.waiting.removeFirst() }
    } else {
      for loop in state.loops.values { loop.yield(note) }
    }
  }

  /// So many events wait for a loop at most.
  private static let most = 1000

  /// A new loop's events.
  func notes() -> AsyncStream<Note> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Note.self, bufferingPolicy: .bufferingNewest(Self.most))
    let loop = state.withLock { state in
      state.lastLoop += 1
      state.loops[state.lastLoop] = continuation
      for note in state.waiting { continuation.yield(note) }
      state.waiting = []
      return state.lastLoop
    }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { $0.loops[loop] = nil }
    }
    return stream
  }

  /// The app has the event: it is written down, and the daemon may forget it.
  func see(_ note: Note) {
    state.withLock { state in
      state.conditions[note.event.identifier]?.seen = note.event
      write(&state)
    }
    if let number = note.number { daemon.see(number) }
  }
}
