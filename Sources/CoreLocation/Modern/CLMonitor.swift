public import Foundation
import LocationModel

/// Something that a monitor watches for.
public protocol CLCondition: Codable, Sendable {}

/// Conditions under a name, which stay over restarts of the app: it makes the monitor anew and goes on
/// with its events.
///
/// Monitors of the same name in one process are one: they have the same conditions and are told the
/// same events.
public actor CLMonitor {
  private let store: MonitorStore

  public init(_ name: String) async {
    store = await MonitorStore.open(name, .current)
    events = Events(store: store)
  }

  /// All changes of state, those of the past that nobody has seen yet first. Every loop is told, and a change
  /// counts as seen when every loop that it was told to has it.
  public nonisolated let events: Events

  public var identifiers: [String] { store.identifiers }

  /// Returns when the condition is on the disk, or after a second where the disk is slow.
  public func add(_ condition: any CLCondition, identifier: String) async {
    await store.add(condition, identifier, assuming: .unknown)
  }

  /// The first event comes when the state is another than the assumed one.
  public func add(
    _ condition: any CLCondition, identifier: String, assuming state: Event.State
  ) async {
    await store.add(condition, identifier, assuming: state)
  }

  public func remove(_ identifier: String) async {
    await store.remove(identifier)
  }

  public func record(for identifier: String) -> Record? { store.record(identifier) }

  public struct Record: Sendable {
    public let lastEvent: Event
    public let condition: any CLCondition
  }

  public struct Event: Sendable {
    public enum State: UInt, Hashable, Sendable {
      case unknown = 0
      case satisfied = 1
      case unsatisfied = 2
      /// It is not watched; the flags say why.
      case unmonitored = 3
    }

    /// A narrower condition that is met; always nil.
    public internal(set) var refinement: (any CLCondition)?
    public internal(set) var identifier: String
    public internal(set) var state: State
    public internal(set) var date: Date
    public internal(set) var authorizationDenied = false
    public internal(set) var authorizationDeniedGlobally = false
    public internal(set) var authorizationRestricted = false
    public internal(set) var insufficientlyInUse = false
    public internal(set) var accuracyLimited = false
    public internal(set) var conditionUnsupported = false
    public internal(set) var conditionLimitExceeded = false
    public internal(set) var persistenceUnavailable = false
    public internal(set) var serviceSessionRequired = false
    public internal(set) var authorizationRequestInProgress = false
  }

  public struct Events: AsyncSequence, Sendable {
    public typealias Element = Event
    let store: MonitorStore

    public func makeAsyncIterator() -> Iterator { Iterator(store) }

    public struct Iterator: AsyncIteratorProtocol {
      private let store: MonitorStore
      private let loop: Int
      private var notes: AsyncStream<MonitorStore.Note>.Iterator

      init(_ store: MonitorStore) {
        self.store = store
        let (loop, stream) = store.notes()
        self.loop = loop
        notes = stream.makeAsyncIterator()
      }

      public mutating func next() async throws -> Event? {
        try Task.checkCancellation()
        guard let note = await notes.next(isolation: #isolation) else { return nil }
        store.acknowledge(note, by: loop)
        return note.event
      }
    }
  }

  public struct CircularGeographicCondition: CLCondition {
    public let center: CLLocationCoordinate2D
    public let radius: CLLocationDistance

    public init(center: CLLocationCoordinate2D, radius: CLLocationDistance) {
      self.center = center
      self.radius = radius
    }

    private enum Key: String, CodingKey { case latitude, longitude, radius }

    public init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: Key.self)
      center = CLLocationCoordinate2D(
        latitude: try values.decode(Double.self, forKey: .latitude),
        longitude: try values.decode(Double.self, forKey: .longitude))
      radius = try values.decode(Double.self, forKey: .radius)
    }

    public func encode(to encoder: any Encoder) throws {
      var values = encoder.container(keyedBy: Key.self)
      try values.encode(center.latitude, forKey: .latitude)
      try values.encode(center.longitude, forKey: .longitude)
      try values.encode(radius, forKey: .radius)
    }
  }

  /// Some beacons are heard; met until none has been heard for 30 s.
  public struct BeaconIdentityCondition: CLCondition, Hashable {
    public let uuid: UUID
    public let major: CLBeaconMajorValue?
    public let minor: CLBeaconMinorValue?

    public init(uuid: UUID) {
      self.uuid = uuid
      (major, minor) = (nil, nil)
    }

    public init(uuid: UUID, major: CLBeaconMajorValue) {
      self.uuid = uuid
      self.major = major
      minor = nil
    }

    public init(uuid: UUID, major: CLBeaconMajorValue, minor: CLBeaconMinorValue) {
      self.uuid = uuid
      self.major = major
      self.minor = minor
    }
  }
}

extension CLCondition {
  /// Nil for a condition of another kind.
  var shape: Region.Shape? {
    switch self {
    case let circle as CLMonitor.CircularGeographicCondition:
      .circle(Coordinate(circle.center), radius: circle.radius)
    case let beacon as CLMonitor.BeaconIdentityCondition:
      .beacon(BeaconConstraint(BeaconUUID(beacon.uuid), major: beacon.major, minor: beacon.minor))
    default: nil
    }
  }
}

@available(*, unavailable)
extension CLMonitor.Events.Iterator: Sendable {}

public typealias CLCircularGeographicCondition = CLMonitor.CircularGeographicCondition
public typealias CLBeaconIdentityCondition = CLMonitor.BeaconIdentityCondition
