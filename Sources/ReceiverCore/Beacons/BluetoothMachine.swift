package import LocationModel

/// Decides which Bluetooth adapter listens for beacons, and when: a value that a source performs.
///
/// An adapter listens from the answer to its start on, until it is stopped, is switched off, or bluetoothd goes. What
/// fails is tried again.
package struct BluetoothMachine: Sendable {
  package struct Adapter: Equatable, Sendable {
    package var path: String
    package var isPowered: Bool
    /// A switch or the system keeps it off.
    package var isBlocked: Bool
    /// Some client of bluetoothd's has it listen.
    package var isDiscovering: Bool

    package init(
      _ path: String, isPowered: Bool, isBlocked: Bool = false, isDiscovering: Bool = false
    ) {
      self.path = path
      self.isPowered = isPowered
      self.isBlocked = isBlocked
      self.isDiscovering = isDiscovering
    }
  }

  package enum Input {
    case wanted(Bool)
    /// bluetoothd is on the bus, or not.
    case service(isThere: Bool)
    case adapters([Adapter])
    /// The answer to `listen`: why it does not, or nil.
    case answered(trouble: String?)
    case timer
  }

  package enum Step: Equatable {
    /// Has the adapter report each beacon, each time; is answered by `answered`.
    case listen(String)
    case stop(String)
    case found
    case fail(String)
  }

  private enum Phase: Equatable {
    case idle
    case starting(String)
    case listening(String)

    var path: String? {
      switch self {
      case .idle: nil
      case .starting(let path), .listening(let path): path
      }
    }
  }

  private var isWanted = false
  /// Nil as long as the bus has not said.
  private var isThere: Bool?
  /// Nil as long as bluetoothd has not listed them.
  private var adapters: [Adapter]?
  private var phase = Phase.idle
  private var hasBegun = false
  private var trouble: String?
  /// When what failed is tried again.
  package private(set) var wakesAt: Boottime?

  private static let pause: Duration = .seconds(5)

  package init() {}

  package mutating func handle(_ input: Input, at now: Boottime, into steps: inout [Step]) {
    switch input {
    case .wanted(let isWanted):
      self.isWanted = isWanted
      trouble = nil
      wakesAt = nil
    case .service(let isThere):
      self.isThere = isThere
      adapters = nil
      phase = .idle
      wakesAt = nil
    case .adapters(let adapters): note(adapters)
    case .answered(let trouble):
      guard case .starting(let path) = phase else { break }
      if let trouble {
        phase = .idle
        wakesAt = now + Self.pause
        fail("BlueZ: \(trouble)", into: &steps)
        return
      }
      phase = .listening(path)
      hasBegun = false
      self.trouble = nil
      steps.append(.found)
    case .timer:
      guard let due = wakesAt, due <= now else { return }
      wakesAt = nil
    }
    review(into: &steps)
  }

  private mutating func note(_ adapters: [Adapter]) {
    self.adapters = adapters
    let own = adapters.first { $0.path == phase.path }
    switch phase {
    case .idle: break
    case .starting: if own?.isPowered != true { phase = .idle }
    case .listening:
      // Once it has begun, its end is the end.
      let hasEnded = hasBegun && own?.isDiscovering != true
      if own?.isDiscovering == true { hasBegun = true }
      if own?.isPowered != true || hasEnded { phase = .idle }
    }
  }

  private mutating func review(into steps: inout [Step]) {
    guard isWanted else {
      if let path = phase.path { steps.append(.stop(path)) }
      phase = .idle
      return
    }
    guard let isThere else { return }
    guard isThere else { return fail("bluetoothd does not run", into: &steps) }
    guard let adapters, phase == .idle, wakesAt == nil else { return }
    guard let first = adapters.first else {
      return fail("there is no Bluetooth adapter", into: &steps)
    }
    guard let adapter = adapters.first(where: \.isPowered) else {
      return fail(
        first.isBlocked
          ? "the Bluetooth adapter is blocked" : "the Bluetooth adapter is off", into: &steps)
    }
    phase = .starting(adapter.path)
    hasBegun = false
    steps.append(.listen(adapter.path))
  }

  private mutating func fail(_ reason: String, into steps: inout [Step]) {
    guard trouble != reason else { return }
    trouble = reason
    steps.append(.fail(reason))
  }
}
