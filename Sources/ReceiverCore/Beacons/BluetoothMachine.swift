package import LocationModel

/// Decides which Bluetooth adapter listens for beacons or is one, how, and when: a value that others perform.
///
/// An adapter does so from the answer to its start on, until its stop is answered, the adapter is off, or bluetoothd
/// goes. A start and a stop wait for each other's answers: bluetoothd refuses a stop while it starts. What fails is
/// tried again.
package struct BluetoothMachine: Sendable {
  /// How beacons are heard, or that one is sent.
  package enum Way: Sendable {
    /// Each report, in a discovery.
    case discovery
    /// bluetoothd says which beacons come and go, and spares a discovery.
    case monitor
    /// The adapter says that it is a beacon.
    case advertisement
  }

  package struct Adapter: Equatable, Sendable {
    package var path: String
    package var isPowered: Bool
    /// A switch or the system keeps it off.
    package var isBlocked: Bool
    /// Some client of bluetoothd's has it listen.
    package var isDiscovering: Bool
    package var hasMonitors: Bool

    package init(
      _ path: String, isPowered: Bool, isBlocked: Bool = false, isDiscovering: Bool = false,
      hasMonitors: Bool = false
    ) {
      self.path = path
      self.isPowered = isPowered
      self.isBlocked = isBlocked
      self.isDiscovering = isDiscovering
      self.hasMonitors = hasMonitors
    }
  }

  /// The answer to a start or a stop.
  package enum Answer: Sendable {
    case done
    /// Another start or stop of ours is still on its way at bluetoothd, or was never answered.
    case busy(String)
    case failed(String)
  }

  package enum Input {
    /// `.monitor` where it does to hear which beacons come and go; nil where no client wants any.
    case wanted(Way?)
    /// bluetoothd is on the bus, or not.
    case service(isThere: Bool)
    case adapters([Adapter])
    /// bluetoothd does not list its adapters.
    case unlisted(String)
    case started(Answer)
    case stopped(Answer)
    /// bluetoothd gives the monitor or advertisement up.
    case released
    case timer
  }

  package enum Step: Equatable {
    /// Is answered by `started`.
    case start(Way, String)
    /// Is answered by `stopped`.
    case stop(Way, String)
    /// Asks for the adapters again.
    case list
    case found
    case fail(String)
  }

  private enum Phase: Equatable {
    case idle
    case starting(Way, String)
    case listening(Way, String)
    case stopping(Way, String)
  }

  private var wanted: Way?
  /// Nil as long as the bus has not said.
  private var isThere: Bool?
  /// Nil as long as bluetoothd has not listed them.
  private var adapters: [Adapter]?
  private var phase = Phase.idle
  private var hasBegun = false
  private var refusesMonitors = false
  private var trouble: String?
  /// The clients know that it goes well.
  private var isFound = false
  /// When what failed is tried again.
  package private(set) var wakesAt: Boottime?

  private static let pause: Duration = .seconds(5)
  private static let pauseBeforeStop: Duration = .milliseconds(500)

  package init() {}

  /// No client wants anything, and bluetoothd does nothing for it.
  package var isOver: Bool { wanted == nil && phase == .idle }

  package mutating func handle(_ input: Input, at now: Boottime, into steps: inout [Step]) {
    switch input {
    case .wanted(let way):
      wanted = way
      trouble = nil
      // Nothing is heard of bluetoothd as long as no client wants beacons.
      if way == nil { (isThere, adapters, isFound) = (nil, nil, false) }
      // A list that was refused is asked for again, whatever is wanted.
      if isThere != true || adapters != nil { wakesAt = nil }
    case .service(let isThere):
      // The first word of it may come while it answers a stop.
      if self.isThere != nil || !isThere { (phase, refusesMonitors) = (.idle, false) }
      self.isThere = isThere
      adapters = nil
      wakesAt = nil
    case .adapters(let adapters): note(adapters)
    case .unlisted(let reason):
      guard isThere == true else { return }
      adapters = nil
      wakesAt = now + Self.pause
      fail("BlueZ: \(reason)", into: &steps)
      return
    case .started(let answer): started(answer, at: now, into: &steps)
    case .stopped(let answer): stopped(answer, at: now)
    case .released:
      // Its start is answered nevertheless, and the monitor stopped then.
      if case .starting(.monitor, _) = phase { refusesMonitors = true }
      guard case .listening(let way, _) = phase, way != .discovery else { break }
      phase = .idle
      refusesMonitors = true
      if way == .advertisement {
        wakesAt = now + Self.pause
        fail("BlueZ does not send it any more", into: &steps)
      }
    case .timer:
      guard let due = wakesAt, due <= now else { return }
      wakesAt = nil
      if isThere == true, adapters == nil { steps.append(.list) }
    }
    review(into: &steps)
  }

  private mutating func started(_ answer: Answer, at now: Boottime, into steps: inout [Step]) {
    guard case .starting(let way, let path) = phase else { return }
    switch answer {
    case .done:
      phase = .listening(way, path)
      hasBegun = false
    case .busy(let reason):
      // Its end is known, unlike its beginning.
      phase = .stopping(way, path)
      steps.append(.stop(way, path))
      wakesAt = now + Self.pause
      fail("BlueZ: \(reason)", into: &steps)
    case .failed(let reason):
      phase = .idle
      // A discovery hears the beacons instead.
      guard way != .monitor else {
        refusesMonitors = true
        return
      }
      wakesAt = now + Self.pause
      fail("BlueZ: \(reason)", into: &steps)
    }
  }

  private mutating func stopped(_ answer: Answer, at now: Boottime) {
    guard case .stopping(let way, let path) = phase else { return }
    guard case .busy = answer else {
      phase = .idle
      return
    }
    phase = .listening(way, path)
    wakesAt = now + Self.pauseBeforeStop
  }

  private mutating func note(_ adapters: [Adapter]) {
    self.adapters = adapters
    switch phase {
    case .idle: break
    case .starting(.discovery, let path), .stopping(.discovery, let path):
      if adapter(path)?.isPowered != true { phase = .idle }
    case .listening(.discovery, let path):
      // Once it has begun, its end is the end.
      let isDiscovering = adapter(path)?.isDiscovering == true
      if adapter(path)?.isPowered != true || hasBegun && !isDiscovering { phase = .idle }
      if isDiscovering { hasBegun = true }
    // The others outlast the power of their adapter.
    case .starting(_, let path), .listening(_, let path), .stopping(_, let path):
      if adapter(path) == nil { phase = .idle }
    }
  }

  private func adapter(_ path: String) -> Adapter? { adapters?.first { $0.path == path } }

  private func isRight(_ way: Way, on path: String) -> Bool {
    guard let adapter = adapter(path), adapter.isPowered else { return adapters == nil }
    return way == self.way(on: adapter)
  }

  private func way(on adapter: Adapter) -> Way {
    guard wanted != .advertisement else { return .advertisement }
    return wanted == .monitor && adapter.hasMonitors && !refusesMonitors ? .monitor : .discovery
  }

  private mutating func review(into steps: inout [Step]) {
    switch phase {
    case .starting, .stopping: return
    case .listening(let way, let path):
      if wanted != nil, isRight(way, on: path) { return find(into: &steps) }
      guard wakesAt == nil else { return }
      phase = .stopping(way, path)
      steps.append(.stop(way, path))
      return
    case .idle: break
    }
    guard wanted != nil, let isThere else { return }
    guard isThere else { return fail(.noService, into: &steps) }
    guard let adapters, wakesAt == nil else { return }
    guard let first = adapters.first else { return fail(.noAdapter, into: &steps) }
    guard let adapter = adapters.first(where: \.isPowered) else {
      return fail(first.isBlocked ? .blocked : .off, into: &steps)
    }
    phase = .starting(way(on: adapter), adapter.path)
    hasBegun = false
    steps.append(.start(way(on: adapter), adapter.path))
  }

  /// The adapter may have another state as long as a list is awaited.
  private mutating func find(into steps: inout [Step]) {
    guard !isFound, isThere != true || adapters != nil else { return }
    isFound = true
    trouble = nil
    steps.append(.found)
  }

  private mutating func fail(_ trouble: BluetoothTrouble, into steps: inout [Step]) {
    fail(trouble.rawValue, into: &steps)
  }

  private mutating func fail(_ reason: String, into steps: inout [Step]) {
    isFound = false
    guard wanted != nil, trouble != reason else { return }
    trouble = reason
    steps.append(.fail(reason))
  }
}
