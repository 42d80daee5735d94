import Foundation

// Views that an app lays beside its map. The page has such controls of its own; these switch them, where it has.

/// Without an effect: the page has north above, where Apple's compass hides as well.
@preconcurrency @MainActor open class MKCompassButton: UIView {
  open weak var mapView: MKMapView?
  open var compassVisibility = MKFeatureVisibility.adaptive

  public convenience init(mapView: MKMapView?) {
    self.init(frame: CGRect())
    self.mapView = mapView
  }
}

/// Shows the scale on the page.
@preconcurrency @MainActor open class MKScaleView: UIView {
  public enum Alignment: Int, Sendable {
    case leading = 0
    case trailing = 1
    case center = 2
  }

  open weak var mapView: MKMapView? { didSet { changed() } }
  open var scaleVisibility = MKFeatureVisibility.adaptive { didSet { changed() } }
  /// Without an effect.
  open var legendAlignment = Alignment.leading

  public convenience init(mapView: MKMapView?) {
    self.init(frame: CGRect())
    self.mapView = mapView
    changed()
  }

  override func changed() { mapView?.showsScale = scaleVisibility != .hidden && !isHidden }
}

/// Without an effect: the page has its button wherever the user's location is shown.
@preconcurrency @MainActor open class MKUserTrackingButton: UIView {
  open weak var mapView: MKMapView?

  public convenience init(mapView: MKMapView?) {
    self.init(frame: CGRect())
    self.mapView = mapView
  }
}
