import Dispatch
import Foundation
import LocationClient
import LocationModel

/// The memory of a monitor of one name: its conditions, the last event of each, and the loops that are
/// told.
final class MonitorStore: Sendable {
  struct Note: Sendable {
    var event: CLMonitor.Event
    fileprivate var number: Int
    /// Of the crossings that the daemon keeps for the app until it has this.
    fileprivate var receipts: [Receipt] = []
  }

  /// A note on its way to loops.
  private struct Sent {
    var note: Note
    /// Loops that do not have it yet.
    var pending: Set<Int>
    var isSeen = false
  }

  private struct State: HasOutbox {
    var outbox = Outbox()
    var isLoaded = false
    /// The daemon's number for this monitor.
    var subscription: Int?
    var conditions: [String: Condition] = [:]
    var loops: [Int: AsyncStream<Note>.Continuation] = [:]
    var lastLoop = 0
    var lastNote = 0
    /// Events that no loop has been told yet.
    var waiting: [Note] = []
    /// By their numbers.
    var sent: [Int: Sent] = [:]
    var isWritable = true
    var isWriteComing = false
    /// To be given once what was seen is written down.
    var receipts: [Receipt] = []
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

  private struct Key: Hashable, Sendable {
    var daemon: ObjectIdentifier
    var name: String
  }

  private struct Weak: Sendable {
    weak var store: MonitorStore?
  }

  private static let open = Guarded<[Key: Weak]>([:])

  /// Returns when the file has been read.
  static func open(_ name: String, _ daemon: Daemon) async -> MonitorStore {
    let key = Key(daemon: ObjectIdentifier(daemon), name: name)
    let new = MonitorStore(name, daemon)
    let store = open.withLock { stores in
      if let store = stores[key]?.store { return store }
      stores[key] = Weak(store: new)
      return new
    }
    await withCheckedContinuation { continuation in
      store.file.queue.async {
        store.load()
        continuation.resume()
      }
    }
    return store
  }

  private init(_ name: String, _ daemon: Daemon) {
    self.name = name
    self.daemon = daemon
    file = MonitorFile(name)
  }

  deinit {
    let (subscription, loops) = state.withLock { ($0.subscription, $0.loops) }
    if let subscription { daemon.unsubscribe(subscription) }
    for loop in loops.values { loop.finish() }
  }

  /// On the file's queue, the first time.
  private func load() {
    let isFirst = state.withLock { state in
      defer { state.isLoaded = true }
      return !state.isLoaded
    }
    guard isFirst else { return }
    let saved = file.read()
    state.withLock { state in
      for saved in saved {
        guard let condition = saved.condition else { continue }
        state.conditions[saved.identifier] = Condition(
          condition,
          CLMonitor.Event(
            identifier: saved.identifier,
            state: CLMonitor.Event.State(rawValue: saved.state) ?? .unknown, date: saved.date))
      }
    }
    let subscription = daemon.subscribe(.monitor(name)) { [weak self] in self?.handle($0) }
    state.withLock { $0.subscription = subscription }
    for identifier in identifiers { begin(identifier) }
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
  ) async {
    state.withLock {
      $0.conditions[identifier] = Condition(
        condition,
        CLMonitor.Event(identifier: identifier, state: assumed, date: Date()))
      write(&$0)
    }
    // The daemon is not to watch a region that this program would not know again.
    await settle()
    begin(identifier)
  }

  func remove(_ identifier: String) async {
    let isKnown = state.withLock { state in
      guard state.conditions.removeValue(forKey: identifier) != nil else { return false }
      // Its events concern nobody any more.
      let isOver = { (note: Note) in note.event.identifier == identifier }
      state.receipts += state.waiting.filter(isOver).flatMap(\.receipts)
      state.waiting.removeAll(where: isOver)
      write(&state)
      return true
    }
    guard isKnown else { return }
    daemon.stopMonitoring(MonitorName.region(identifier, of: name))
    await settle()
  }

  /// Watches for a condition, or says that it cannot.
  private func begin(_ identifier: String) {
    let wish = state.withLock { state -> (Region, Int)? in
      guard let condition = state.conditions[identifier], let subscription = state.subscription
      else { return nil }
      let region = condition.condition.shape.map {
        Region(identifier: MonitorName.region(identifier, of: name), $0)
      }
      guard let region, region.isPossible else {
        change(identifier, to: .unmonitored, &state) { $0.conditionUnsupported = true }
        return nil
      }
      return (region, subscription)
    }
    guard let (region, subscription) = wish else { return }
    daemon.startMonitoring(region, of: subscription)
    daemon.requestState(region, of: subscription)
  }
}

// MARK: - The file

extension MonitorStore {
  /// A slow disk is waited for so long.
  private static let patience = 1.0

  /// Has the file written: once, however many changes come before its turn.
  private func write(_ state: inout State) {
    guard !state.isWriteComing else { return }
    state.isWriteComing = true
    state.outbox.append { [self] in file.queue.async { self.write() } }
  }

  /// On the file's queue.
  private func write() {
    let (saved, receipts) = state.withLock { state in
      let saved = state.conditions.map { SavedCondition($0.key, $0.value.condition, $0.value.seen) }
      defer { (state.isWriteComing, state.receipts) = (false, []) }
      return (saved, state.receipts)
    }
    let isWritten = file.write(saved.sorted { $0.identifier < $1.identifier })
    state.withLock { $0.isWritable = isWritten }
    for receipt in receipts { daemon.acknowledge(receipt) }
  }

  /// Waits until what has been changed is written; a moment at most.
  private func settle() async {
    await withCheckedContinuation { continuation in
      let waiter = Guarded<CheckedContinuation<Void, Never>?>(continuation)
      let resume = { @Sendable in
        let waiting = waiter.withLock { waiter in
          defer { waiter = nil }
          return waiter
        }
        waiting?.resume()
      }
      file.queue.async(execute: resume)
      DispatchQueue.global().asyncAfter(deadline: .now() + Self.patience, execute: resume)
    }
  }
}

// MARK: - Events

extension MonitorStore {
  private func handle(_ delivery: NumberedDelivery) {
    state.withLock { state in
      observe(delivery.content, &state)
      guard let receipt = delivery.receipt else { return }
      switch delivery.content {
      case .entered(let region), .exited(let region):
        keep(receipt, until: MonitorName.split(region.identifier)?.identifier, &state)
      default: keep(receipt, until: nil, &state)
      }
    }
  }

  /// The state of a region is told beside its crossings: a crossing is had once the newest event of its condition is.
  private func keep(_ receipt: Receipt, until identifier: String?, _ state: inout State) {
    let newest = state.sent.filter { $0.value.note.event.identifier == identifier }.keys.max()
    if let index = state.waiting.lastIndex(where: { $0.event.identifier == identifier }) {
      state.waiting[index].receipts.append(receipt)
    } else if let newest {
      state.sent[newest]?.note.receipts.append(receipt)
    } else {
      state.receipts.append(receipt)
      write(&state)
    }
  }

  private func observe(_ delivery: Delivery, _ state: inout State) {
    switch delivery {
    case .determined(let region, let known):
      guard let identifier = MonitorName.split(region.identifier)?.identifier else { return }
      let new: CLMonitor.Event.State =
        switch known {
        case .inside: .satisfied
        case .outside: .unsatisfied
        case .unknown: .unknown
        }
      guard new != .unknown else { return }
      change(identifier, to: new, &state)
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

  /// An event is made where the state is a new one.
  private func change(
    _ identifier: String, to new: CLMonitor.Event.State, _ state: inout State,
    _ explain: (inout CLMonitor.Event) -> Void = { _ in }
  ) {
    guard let before = state.conditions[identifier]?.event, before.state != new else { return }
    var event = CLMonitor.Event(identifier: identifier, state: new, date: Date())
    event.persistenceUnavailable = !state.isWritable
    explain(&event)
    state.conditions[identifier]?.event = event
    state.lastNote += 1
    state.waiting.append(Note(event: event, number: state.lastNote))
    if state.waiting.count > Self.most { state.waiting.removeFirst() }
    sendWaiting(&state)
  }

  /// So many events wait for a loop at most.
  private static let most = 1000

  private func sendWaiting(_ state: inout State) {
    guard !state.loops.isEmpty else { return }
    for note in state.waiting {
      state.sent[note.number] = Sent(note: note, pending: Set(state.loops.keys))
      for (loop, stream) in state.loops {
        state.outbox.append { [weak self] in
          // A loop that is so far behind goes without its oldest.
          guard case .dropped(let lost) = stream.yield(note) else { return }
          self?.acknowledge(lost, by: loop)
        }
      }
    }
    state.waiting = []
  }

  /// A new loop's number and events.
  func notes() -> (loop: Int, stream: AsyncStream<Note>) {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Note.self, bufferingPolicy: .bufferingNewest(Self.most))
    let loop = state.withLock { state in
      state.lastLoop += 1
      state.loops[state.lastLoop] = continuation
      sendWaiting(&state)
      return state.lastLoop
    }
    continuation.onTermination = { [weak self] _ in self?.leave(loop) }
    return (loop, stream)
  }

  /// A loop has ended: what only it was to see waits for another.
  private func leave(_ loop: Int) {
    state.withLock { state in
      state.loops[loop] = nil
      for number in state.sent.keys.sorted() {
        guard state.sent[number]?.pending.remove(loop) != nil else { continue }
        conclude(number, &state)
      }
      state.waiting.sort { $0.number < $1.number }
      sendWaiting(&state)
    }
  }

  /// A loop has the event. When all have it, it is written down, and the daemon may forget it.
  func acknowledge(_ note: Note, by loop: Int) {
    state.withLock { state in
      state.sent[note.number]?.pending.remove(loop)
      state.sent[note.number]?.isSeen = true
      conclude(note.number, &state)
    }
  }

  private func conclude(_ number: Int, _ state: inout State) {
    guard let sent = state.sent[number], sent.pending.isEmpty else { return }
    state.sent[number] = nil
    guard sent.isSeen || state.conditions[sent.note.event.identifier] == nil else {
      return state.waiting.append(sent.note)
    }
    state.conditions[sent.note.event.identifier]?.seen = sent.note.event
    state.receipts += sent.note.receipts
    write(&state)
  }
}
