import Foundation

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
      private var news: AsyncStream<Void>.Iterator

      init(_ service: LiveUpdates) {
        self.service = service
        news = service.backlog.news.makeAsyncIterator()
      }

      public mutating func next() async throws -> CLLocationUpdate? {
        repeat {
          try Task.checkCancellation()
          if let update = service.backlog.removeFirst() { return update }
        } while await news.next(isolation: #isolation) != nil
        return nil
      }
    }
  }
}

@available(*, unavailable)
extension CLLocationUpdate.Updates.Iterator: Sendable {}
