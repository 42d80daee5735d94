public import Foundation

/// How an overlay is drawn. This one draws nothing. Renderers are not bound to the main queue, as Apple's are not.
open class MKOverlayRenderer: NSObject {
  public let overlay: any MKOverlay
  open var alpha: CGFloat = 1 { didSet { changed() } }
  weak var map: MKMapView?

  public init(overlay: any MKOverlay) {
    self.overlay = overlay
  }

  /// Tells the page how it is to be drawn now.
  open func setNeedsDisplay() { changed() }

  final func changed() {
    guard let map else { return }
    DispatchQueue.main.async { MainActor.assumeIsolated { map.overlayChanged() } }
  }

  /// The shape that the page draws; nil for none.
  func drawing() -> OverlayDrawing? { nil }
}

/// Draws along a path, in the style that the app sets.
open class MKOverlayPathRenderer: MKOverlayRenderer {
  open var strokeColor: UIColor? { didSet { changed() } }
  open var fillColor: UIColor? { didSet { changed() } }
  /// In points; 0 for a usual line.
  open var lineWidth: CGFloat = 0 { didSet { changed() } }
  open var lineDashPattern: [NSNumber]? { didSet { changed() } }

  final override func drawing() -> OverlayDrawing? {
    guard strokeColor != nil || fillColor != nil else { return nil }
    return overlay.shape.map {
      OverlayDrawing(
        shape: $0, stroke: strokeColor?.words, fill: fillColor?.words,
        width: Self.width(lineWidth), dash: (lineDashPattern ?? []).map(\.doubleValue),
        alpha: min(max(Double(alpha), 0), 1))
    }
  }

  private static func width(_ width: CGFloat) -> Double {
    width > 0 && width <= 1000 ? Double(width) : 3
  }
}

open class MKPolylineRenderer: MKOverlayPathRenderer {
  public convenience init(polyline: MKPolyline) { self.init(overlay: polyline) }

  open var polyline: MKPolyline { (overlay as? MKPolyline) ?? MKPolyline(points: [], count: 0) }
}

open class MKMultiPolylineRenderer: MKOverlayPathRenderer {
  public convenience init(multiPolyline: MKMultiPolyline) { self.init(overlay: multiPolyline) }

  open var multiPolyline: MKMultiPolyline { (overlay as? MKMultiPolyline) ?? MKMultiPolyline([]) }
}

open class MKPolygonRenderer: MKOverlayPathRenderer {
  public convenience init(polygon: MKPolygon) { self.init(overlay: polygon) }

  open var polygon: MKPolygon { (overlay as? MKPolygon) ?? MKPolygon(points: [], count: 0) }
}

open class MKMultiPolygonRenderer: MKOverlayPathRenderer {
  public convenience init(multiPolygon: MKMultiPolygon) { self.init(overlay: multiPolygon) }

  open var multiPolygon: MKMultiPolygon { (overlay as? MKMultiPolygon) ?? MKMultiPolygon([]) }
}

open class MKCircleRenderer: MKOverlayPathRenderer {
  public convenience init(circle: MKCircle) { self.init(overlay: circle) }

  open var circle: MKCircle {
    (overlay as? MKCircle) ?? MKCircle(center: overlay.coordinate, radius: 0)
  }
}
