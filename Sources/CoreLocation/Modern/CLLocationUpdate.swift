import Foundation
import LocationClient
import LocationModel

/// A location as a sequence tells it, or the reason why there is none.
public struct CLLocationUpdate: Sendable {
  /// Nil where the update says something else.
  public internal(set) var location: CLLocation?
  /// The device rests: updates go on when it moves.
  public internal(set) var stationary = false
  @available(*, deprecated, renamed: "stationary")
  public var isStationary: Bool { stationary }

  public internal(set) var authorizationDenied = false
  /// The administrator has turned location services off.
  public internal(set) var authorizationDeniedGlobally = false
  public internal(set) var authorizationRestricted = false
  /// The app may know the location while in use, and is not in use.
  public internal(set) var insufficientlyInUse = false
  public internal(set) var locationUnavailable = false
  /// The app is told reduced places.
  public internal(set) var accuracyLimited = false
  /// The app says that it asks for permission by a CLServiceSession, and there is none.
  public internal(set) var serviceSessionRequired = false
  public internal(set) var authorizationRequestInProgress = false

  public enum LiveConfiguration: Int, Hashable, Sendable {
    case `default` = 0
    case automotiveNavigation = 1
    case otherNavigation = 2
    case fitness = 3
    case airborne = 4
  }

  /// Locations as they come, as accurate as there are, until the loop or its task ends. Each iterator
  /// is updated on its own. The first asks the person for permission, where nobody has decided.
  public static func liveUpdates(_ configuration: LiveConfiguration = .default) -> Updates {
    Updates(daemon: .current, configuration: configuration)
  }

  public struct Updates: AsyncSequence, Sendable {
    public typealias Element = CLLocationUpdate
    let daemon: Daemon
    let configuration: LiveConfiguration

    public func makeAsyncIterator() -> Iterator {
      Iterator(LiveUpdates(daemon, configuration))
    }

    public struct Iterator: AsyncIteratorProtocol {
      // It ends its service when the iterator goes.
      private let service: LiveUpdates
      private var updates: AsyncStream<CLLocationUpdate>.Iterator

      init(_ service: LiveUpdates) {
        self.service = service
        updates = service.stream.makeAsyncIterator()
      }

      public mutating func next() async throws -> CLLocationUpdate? {
        try Task.checkCancellation()
        return await updates.next(isolation: #isolation)
      }
    }
  }
}

@available(*, unavailable)
extension CLLocationUpdate.Updates.Iterator: Sendable {}

/// The standard service for one loop over updates.
final class LiveUpdates: Sendable {
  let stream: AsyncStream<CLLocationUpdate>
  private let continuation: AsyncStream<CLLocationUpdate>.Continuation
  private let daemon: Daemon
  private let number: Int

  init(_ daemon: Daemon, _ configuration: CLLocationUpdate.LiveConfiguration) {
    self.daemon = daemon
    // A loop that is slow sees the newest; the unread past is bounded.
    let (stream, continuation) = AsyncStream.makeStream(
      of: CLLocationUpdate.self, bufferingPolicy: .bufferingNewest(1000))
    self.stream = stream
    self.continuation = continuation
    let last = LastLocation()
    let needsSession = daemon.info.needsExplicitSession
    number = daemon.subscribe(.stream) { parcel in
      if let update = Self.update(parcel.delivery, last, needsSession) {
        continuation.yield(update)
      }
    }
    var request = StandardRequest()
    request.activityType = configuration.activity
    request.pausesAutomatically = true
    daemon.setStandard(request, of: number)
    if !needsSession { daemon.requestAuthorization(.authorizedWhenInUse) }
  }

  deinit {
    daemon.unsubscribe(number)
    continuation.finish()
  }

  private final class LastLocation: Sendable {
    let location = Guarded<Location?>(nil)
    /// Whether a person was being asked when the loop was told last.
    let wasAsking = Guarded(false)
  }

  /// Nil where the loop need not know.
  private static func update(
    _ delivery: Delivery, _ last: LastLocation, _ needsSession: Bool
  ) -> CLLocationUpdate? {
    var update = CLLocationUpdate()
    switch delivery {
    case .updated(let location, _):
      last.location.withLock { $0 = location }
      update.location = CLLocation(location)
    case .paused:
      update.location = last.location.withLock { $0 }.map { CLLocation($0) }
      update.stationary = true
    case .authorizationChanged(let situation):
      update.authorizationDenied = situation.isDenied
      update.authorizationDeniedGlobally = !situation.isEnabled
      update.authorizationRestricted = situation.standing.authorization == .restricted
      update.insufficientlyInUse = situation.isInsufficientlyInUse
      update.accuracyLimited = situation.isLimited
      update.authorizationRequestInProgress = situation.isAsking
      update.serviceSessionRequired = situation.needsSession && needsSession
      let wasAsking = last.wasAsking.withLock { wasAsking in
        defer { wasAsking = situation.isAsking }
        return wasAsking
      }
      // Nobody was there to be asked, or nobody answered.
      if wasAsking, situation.needsSession { update.locationUnavailable = true }
      guard update.saysWhy else { return nil }
    case .failed(let error):
      // A denial is told with the authorization.
      guard error.code != .denied else { return nil }
      update.locationUnavailable = true
    default: return nil
    }
    return update
  }
}

extension CLLocationUpdate {
  fileprivate var saysWhy: Bool {
    authorizationDenied || authorizationDeniedGlobally || authorizationRestricted
      || insufficientlyInUse || accuracyLimited || authorizationRequestInProgress
      || serviceSessionRequired || locationUnavailable
  }
}

extension CLLocationUpdate.LiveConfiguration {
  fileprivate var activity: ActivityType {
    switch self {
    case .default: .other
    case .automotiveNavigation: .automotiveNavigation
    case .otherNavigation: .otherNavigation
    case .fitness: .fitness
    case .airborne: .airborne
    }
  }
}

// Sequences say these of a situation.
extension Situation {
  var isDenied: Bool { standing.authorization == .denied }
  var isRestricted: Bool { standing.authorization == .restricted }
  var isLimited: Bool {
    standing.accuracy == .reduced && CLAuthorizationStatus(standing.authorization).isAuthorized
  }
  var isInsufficientlyInUse: Bool {
    standing.authorization == .authorizedWhenInUse && !isInUse
  }
  var needsSession: Bool { standing.authorization == .notDetermined && !isAsking }
}
