public import CoreLocation
public import Foundation

/// An app gets no picture of a map: a browser draws the page, and there is none in the app.
open class MKMapSnapshotter: NSObject {
  open class Options: NSObject, NSCopying {
    open var region = MKCoordinateRegion()
    open var mapRect = MKMapRect.world
    open var camera = MKMapCamera()
    open var size = CGSize(width: 256, height: 256)
    open var scale: CGFloat = 1
    open var mapType = MKMapType.standard
    open var preferredConfiguration: MKMapConfiguration = MKStandardMapConfiguration()
    open var pointOfInterestFilter: MKPointOfInterestFilter?
    open var showsBuildings = true
    open var showsPointsOfInterest = true
    open var traitCollection = UITraitCollection.current
    public override init() {}

    open func copy(with zone: NSZone? = nil) -> Any {
      let copy = Options()
      (copy.region, copy.mapRect, copy.size, copy.scale) = (region, mapRect, size, scale)
      copy.camera = camera.copy() as? MKMapCamera ?? camera
      copy.mapType = mapType
      copy.preferredConfiguration =
        preferredConfiguration.copy() as? MKMapConfiguration ?? preferredConfiguration
      copy.pointOfInterestFilter = pointOfInterestFilter
      (copy.showsBuildings, copy.showsPointsOfInterest) = (showsBuildings, showsPointsOfInterest)
      return copy
    }
  }

  public typealias CompletionHandler = (Snapshot?, (any Error)?) -> Void

  public final class Snapshot: NSObject, Sendable {
    public let image: UIImage
    init(image: UIImage) { self.image = image }

    public func point(for coordinate: CLLocationCoordinate2D) -> CGPoint {
      CGPoint(x: CGFloat.nan, y: CGFloat.nan)
    }
  }

  public init(options: Options) {}
  public override init() {}

  open var isLoading: Bool { false }
  open func cancel() {}

  /// Fails with `serverFailure`.
  open func start(completionHandler: @escaping CompletionHandler) {
    start(with: .main, completionHandler: completionHandler)
  }

  open func start(
    with queue: DispatchQueue, completionHandler: @escaping CompletionHandler
  ) {
    let callback = Callback(completionHandler)
    queue.async { callback.call(nil, Self.error) }
  }

  open func start() async throws -> Snapshot { throw Self.error }

  private static var error: MKError {
    MKError(
      .serverFailure,
      "There is no picture of a map without a browser: an MKMapView shows it on its page.")
  }
}
