public import CoreLocation
public import Foundation

/// Pictures of a street. There are none here.
public final class MKLookAroundScene: NSObject, Sendable {
  private override init() {}
}

/// Asks for pictures of a street: the answer is nil, which is Apple's for a place without them.
public final class MKLookAroundSceneRequest: NSObject, Sendable {
  public let coordinate: CLLocationCoordinate2D
  public let mapItem: MKMapItem?

  public init(coordinate: CLLocationCoordinate2D) {
    self.coordinate = coordinate
    mapItem = nil
  }

  public init(mapItem: MKMapItem) {
    coordinate = mapItem.placemark.coordinate
    self.mapItem = mapItem
  }

  public var isLoading: Bool { false }
  public var isCancelled: Bool { false }
  public func cancel() {}

  public func getSceneWithCompletionHandler(
    _ completionHandler: @escaping (MKLookAroundScene?, (any Error)?) -> Void
  ) {
    completionHandler(nil, nil)
  }

  public var scene: MKLookAroundScene? {
    get async throws { nil }
  }
}
