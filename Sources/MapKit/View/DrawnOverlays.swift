import Foundation
import LocationModel

/// The part of the map, and the scale, that apps have drawn their overlays for.
struct DrawnPart {
  let rect: MKMapRect
  /// Points of the page in one of the map.
  let scale: Double
  /// An app draws by itself.
  var isApps = false
  /// Overlays that no app was asked to draw, as they lie elsewhere.
  var elsewhere: [MKMapRect] = []

  init(of shown: MKMapRect, _ width: CGFloat) {
    rect = shown.insetBy(dx: -shown.width, dy: -shown.height)
    scale = Double(width) / max(shown.width, 1e-9)
  }

  func serves(_ shown: MKMapRect, _ width: CGFloat) -> Bool {
    let now = DrawnPart(of: shown, width).scale
    return !(isApps && (!rect.contains(shown) || (now / scale - 1).magnitude > 0.001))
      && !elsewhere.contains { $0.nearest(to: shown).intersects(shown) }
  }
}

extension MKMapView {
  private var width: CGFloat { (size ?? Self.usualSize).width }

  /// All overlays as they are drawn now, from the lowest to the highest.
  func drawnOverlays() -> JSON {
    var part = DrawnPart(of: shown.rect, width)
    let all = layers.enumerated().flatMap { index, layer in
      layer.drawings(&part).map { $0.json(at: index, layer.level) { number(of: $0) } }
    }
    drawn = part
    return .array(all)
  }

  /// Apps draw by themselves for a scale and a part of the map.
  func drawAnewIfNeeded() {
    if let drawn, !drawn.serves(shown.rect, width) { overlayChanged() }
  }
}

extension OverlayLayer {
  fileprivate func drawings(_ part: inout DrawnPart) -> [OverlayDrawing] {
    guard let renderer else { return [] }
    let own = overlay.boundingMapRect
    let near = own.nearest(to: part.rect)
    guard near.intersects(part.rect) else {
      if !renderer.isOurs { part.elsewhere.append(own) }
      return renderer.drawings()
    }
    let rect = near.intersection(part.rect).offsetBy(dx: own.minX - near.minX, dy: 0)
    let scale = MKZoomScale(part.scale)
    guard renderer.canDraw(rect, zoomScale: scale) else { return [] }
    let context = CGContext(renderer, zoomScale: scale)
    renderer.draw(rect, zoomScale: scale, in: context)
    if context.isApps { part.isApps = true }
    return context.drawings
  }
}

extension MKOverlayRenderer {
  /// A class of this library, which draws the same at any scale, and all of its overlay.
  fileprivate var isOurs: Bool { String(reflecting: type(of: self)).hasPrefix("MapKit.") }
}
