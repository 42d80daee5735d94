import Foundation
import LocationClient
import LocationModel

/// The standard service for one loop over updates.
final class LiveUpdates: Sendable {
  let backlog = UpdateBacklog()
  private let daemon: Daemon
  private let number: Int

  init(_ daemon: Daemon, _ configuration: CLLocationUpdate.LiveConfiguration) {
    self.daemon = daemon
    let backlog = backlog
    let last = LastLocation()
    let needsSession = daemon.info.needsExplicitSession
    number = daemon.subscribe(.stream) { delivery in
      if let update = Self.update(delivery.content, last, needsSession) {
        backlog.append(update)
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
    backlog.finish()
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

/// Updates that a loop has not taken yet. A slow loop misses the oldest of more than a hundred
/// locations; what else it is told stays, up to a bound that only a loop which never runs meets.
final class UpdateBacklog: Sendable {
  private struct Contents: Sendable {
    var updates: [CLLocationUpdate] = []
    var locations = 0

    mutating func remove(at index: Int?) {
      guard let index else { return }
      if updates.remove(at: index).isPlain { locations -= 1 }
    }
  }

  private static let mostLocations = 100
  private static let mostUpdates = 1000
  private let contents = Guarded(Contents())
  /// An element, where there are updates that were not there before.
  let news: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation

  init() {
    (news, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  func append(_ update: CLLocationUpdate) {
    contents.withLock { contents in
      contents.updates.append(update)
      if update.isPlain { contents.locations += 1 }
      if contents.locations > Self.mostLocations {
        contents.remove(at: contents.updates.firstIndex(where: \.isPlain))
      } else if contents.updates.count > Self.mostUpdates {
        contents.remove(at: 0)
      }
    }
    continuation.yield()
  }

  func removeFirst() -> CLLocationUpdate? {
    contents.withLock { contents in
      guard let first = contents.updates.first else { return nil }
      contents.remove(at: 0)
      return first
    }
  }

  func finish() { continuation.finish() }
}

extension CLLocationUpdate {
  /// A location and no more: the next one takes its place.
  fileprivate var isPlain: Bool { location != nil && !stationary && !saysWhy }
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
