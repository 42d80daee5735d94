public import Foundation

/// How an overlay is drawn. This one draws nothing, where no subclass does. Renderers are not bound to the main queue,
/// as Apple's are not.
open class MKOverlayRenderer: NSObject {
  open internal(set) var overlay: any MKOverlay
  open var alpha: CGFloat = 1 { didSet { changed() } }
  /// How its colours and the map's become one.
  open var blendMode = CGBlendMode.normal { didSet { changed() } }
  weak var map: MKMapView?

  public init(overlay: any MKOverlay) {
    self.overlay = overlay
  }

  /// A renderer of no overlay, for apps that have to return one.
  public convenience override init() { self.init(overlay: MKCircle()) }

  /// Tells the page how it is to be drawn now.
  open func setNeedsDisplay() { changed() }

  open func setNeedsDisplay(_ mapRect: MKMapRect) { changed() }

  open func setNeedsDisplay(_ mapRect: MKMapRect, zoomScale: MKZoomScale) { changed() }

  /// A point of the page is one of the renderer.
  open var contentScaleFactor: CGFloat { 1 }

  /// Points of a renderer are those of the world, from its overlay's corner.
  open func point(for mapPoint: MKMapPoint) -> CGPoint {
    let corner = overlay.boundingMapRect
    return CGPoint(x: mapPoint.x - corner.minX, y: mapPoint.y - corner.minY)
  }

  open func mapPoint(for point: CGPoint) -> MKMapPoint {
    let corner = overlay.boundingMapRect
    return MKMapPoint(x: Double(point.x) + corner.minX, y: Double(point.y) + corner.minY)
  }

  open func rect(for mapRect: MKMapRect) -> CGRect {
    CGRect(
      origin: point(for: MKMapPoint(x: mapRect.minX, y: mapRect.minY)),
      size: CGSize(width: mapRect.width, height: mapRect.height))
  }

  open func mapRect(for rect: CGRect) -> MKMapRect {
    let corner = mapPoint(for: rect.origin)
    return MKMapRect(
      x: corner.x, y: corner.y, width: Double(rect.width), height: Double(rect.height))
  }

  /// Draws what the page shows: here the overlay, in the renderer's style. Called on the main queue for the part that is
  /// shown and what lies around it, and again at another scale where a subclass draws by itself.
  open func draw(_ mapRect: MKMapRect, zoomScale: MKZoomScale, in context: CGContext) {
    context.drawUsual(drawings())
  }

  /// Asked before `draw`; after a no `setNeedsDisplay` lets the map ask again.
  open func canDraw(_ mapRect: MKMapRect, zoomScale: MKZoomScale) -> Bool { true }

  /// A path is being made, whose changes the page hears as soon as it is.
  final var isMaking = false

  final func changed() {
    guard let map, !isMaking else { return }
    DispatchQueue.main.async { MainActor.assumeIsolated { map.overlayChanged() } }
  }

  /// The shape that the page draws; nil for none.
  func drawing() -> OverlayDrawing? { nil }

  /// From the lowest to the highest.
  func drawings() -> [OverlayDrawing] { drawing().map { [$0] } ?? [] }
}

/// Draws along a path, in the style that the app sets.
open class MKOverlayPathRenderer: MKOverlayRenderer {
  open var strokeColor: UIColor? { didSet { changed() } }
  open var fillColor: UIColor? { didSet { changed() } }
  /// In points; 0 for a usual line.
  open var lineWidth: CGFloat = 0 { didSet { changed() } }
  open var lineDashPattern: [NSNumber]? { didSet { changed() } }
  /// Without an effect, as the two below are.
  open var lineDashPhase: CGFloat = 0
  open var miterLimit: CGFloat = 10
  open var shouldRasterize = false
  open var lineCap = CGLineCap.round { didSet { changed() } }
  open var lineJoin = CGLineJoin.round { didSet { changed() } }
  /// The part of a line that is drawn, from 0 to 1; of other shapes all is.
  open var strokeStart: CGFloat = 0 { didSet { changed() } }
  open var strokeEnd: CGFloat = 1 { didSet { changed() } }

  final override func drawing() -> OverlayDrawing? {
    guard strokeColor != nil || fillColor != nil else { return nil }
    makeOnce()
    let shape = isAppsPath ? made?.shape(by: self, isFilled: fillColor != nil) : overlay.shape
    return shape.map {
      line($0.part(from: Double(strokeStart), to: Double(strokeEnd)), strokeColor)
    }
  }

  final func line(_ shape: OverlayShape, _ color: UIColor?) -> OverlayDrawing {
    OverlayDrawing(
      shape: shape, stroke: color?.words, fill: fillColor?.words, width: Self.width(lineWidth),
      dash: (lineDashPattern ?? []).map(\.doubleValue), alpha: min(max(Double(alpha), 0), 1),
      cap: lineCap.words, join: lineJoin.words, blend: blendMode.words)
  }

  private final var made: CGPath?
  private final var isAppsPath = false
  private final var isMade = false

  /// Has the app make a path, once until the path is invalid; an app that made none is asked again the next time.
  private final func makeOnce() {
    guard !isMade, !isMaking else { return }
    isMaking = true
    createPath()
    isMaking = false
    isMade = isAppsPath
  }

  /// In points of the renderer. The app's own, which it sets in `createPath`, is drawn in place of its overlay.
  open var path: CGPath! {
    get {
      makeOnce()
      made = made ?? overlay.shape?.path(by: self)
      return made ?? CGPath()
    }
    set {
      (made, isAppsPath) = (newValue, newValue != nil)
      isMade = isAppsPath
      changed()
    }
  }

  /// For an app that makes a path of its own. That of the overlay is made when it is looked at.
  open func createPath() { if isAppsPath { (made, isAppsPath) = (nil, false) } }

  /// Lets the path be made again.
  open func invalidatePath() {
    (made, isAppsPath, isMade) = (nil, false, false)
    changed()
  }

  open func applyStrokeProperties(to context: CGContext, atZoomScale zoomScale: MKZoomScale) {
    context.setStrokeColor((strokeColor ?? .clear).cgColor)
    context.setLineWidth(CGFloat(Self.width(lineWidth)) / zoomScale)
    context.setLineCap(lineCap)
    context.setLineJoin(lineJoin)
    context.setLineDash(
      phase: 0, lengths: (lineDashPattern ?? []).map { CGFloat($0.doubleValue) / zoomScale })
  }

  open func applyFillProperties(to context: CGContext, atZoomScale zoomScale: MKZoomScale) {
    context.setFillColor((fillColor ?? .clear).cgColor)
  }

  open func strokePath(_ path: CGPath, in context: CGContext) {
    context.addPath(path)
    context.strokePath()
  }

  open func fillPath(_ path: CGPath, in context: CGContext) {
    context.addPath(path)
    context.fillPath()
  }

  private static func width(_ width: CGFloat) -> Double {
    width > 0 && width <= 1000 ? Double(width) : 3
  }
}

open class MKPolylineRenderer: MKOverlayPathRenderer {
  public override init(overlay: any MKOverlay) { super.init(overlay: overlay) }

  public init(polyline: MKPolyline) { super.init(overlay: polyline) }

  open var polyline: MKPolyline { (overlay as? MKPolyline) ?? MKPolyline(points: [], count: 0) }
}

open class MKMultiPolylineRenderer: MKOverlayPathRenderer {
  public override init(overlay: any MKOverlay) { super.init(overlay: overlay) }

  public init(multiPolyline: MKMultiPolyline) { super.init(overlay: multiPolyline) }

  open var multiPolyline: MKMultiPolyline { (overlay as? MKMultiPolyline) ?? MKMultiPolyline([]) }
}

open class MKPolygonRenderer: MKOverlayPathRenderer {
  public override init(overlay: any MKOverlay) { super.init(overlay: overlay) }

  public init(polygon: MKPolygon) { super.init(overlay: polygon) }

  open var polygon: MKPolygon { (overlay as? MKPolygon) ?? MKPolygon(points: [], count: 0) }
}

open class MKMultiPolygonRenderer: MKOverlayPathRenderer {
  public override init(overlay: any MKOverlay) { super.init(overlay: overlay) }

  public init(multiPolygon: MKMultiPolygon) { super.init(overlay: multiPolygon) }

  open var multiPolygon: MKMultiPolygon { (overlay as? MKMultiPolygon) ?? MKMultiPolygon([]) }
}

open class MKCircleRenderer: MKOverlayPathRenderer {
  public override init(overlay: any MKOverlay) { super.init(overlay: overlay) }

  public init(circle: MKCircle) { super.init(overlay: circle) }

  open var circle: MKCircle {
    (overlay as? MKCircle) ?? MKCircle(center: overlay.coordinate, radius: 0)
  }
}

public typealias MKZoomScale = CGFloat

/// The width of a usual line of the page, in points of the map.
// swift-format-ignore: AlwaysUseLowerCamelCase
public func MKRoadWidthAtZoomScale(_ zoomScale: MKZoomScale) -> CGFloat { 3 / zoomScale }
