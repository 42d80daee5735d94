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

/// Makes a picture of a street for those who have a scene: nobody has one here.
public final class MKLookAroundSnapshotter: NSObject, Sendable {
  public final class Options: NSObject {
    public var size = CGSize(width: 256, height: 256)
    public var pointOfInterestFilter: MKPointOfInterestFilter?
    public var traitCollection = UITraitCollection.current
    public override init() {}
  }

  public final class Snapshot: NSObject, Sendable {
    public let image: UIImage
    init(image: UIImage) { self.image = image }
  }

  public init(scene: MKLookAroundScene, options: Options) {}

  public var isLoading: Bool { false }
  public func cancel() {}

  public func getSnapshotWithCompletionHandler(
    _ completionHandler: @escaping (Snapshot?, (any Error)?) -> Void
  ) {
    completionHandler(nil, Self.error)
  }

  public var snapshot: Snapshot {
    get async throws { throw Self.error }
  }

  private static var error: MKError {
    MKError(.serverFailure, "There are no pictures of streets.")
  }
}
