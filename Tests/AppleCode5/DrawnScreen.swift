// Renderers that draw by themselves, in the manner of the tutorials and answers that people find, in Swift 5: a plan of
// a park over the map, a border around a line, a veil, rings, arrows.

import MapKit

package final class ParkPlan: NSObject, MKOverlay {
  package let coordinate: CLLocationCoordinate2D
  package let boundingMapRect: MKMapRect

  package init(_ rect: MKMapRect) {
    boundingMapRect = rect
    coordinate = MKMapPoint(x: rect.midX, y: rect.midY).coordinate
  }
}

package final class ParkPlanView: MKOverlayRenderer {
  let overlayImage: UIImage

  package init(overlay: MKOverlay, overlayImage: UIImage) {
    self.overlayImage = overlayImage
    super.init(overlay: overlay)
  }

  override package func draw(
    _ mapRect: MKMapRect, zoomScale: MKZoomScale, in context: CGContext
  ) {
    guard let imageReference = overlayImage.cgImage else { return }

    let rect = self.rect(for: overlay.boundingMapRect)
    context.scaleBy(x: 1.0, y: -1.0)
    context.translateBy(x: 0.0, y: -rect.size.height)
    context.draw(imageReference, in: rect)
  }
}

package final class PushedPlanView: MKOverlayRenderer {
  package var image: UIImage?

  override package func draw(
    _ mapRect: MKMapRect, zoomScale: MKZoomScale, in context: CGContext
  ) {
    UIGraphicsPushContext(context)
    image?.draw(in: rect(for: overlay.boundingMapRect), blendMode: .multiply, alpha: 0.5)
    UIGraphicsPopContext()
  }
}

package final class BorderedRenderer: MKPolylineRenderer {
  override package func draw(
    _ mapRect: MKMapRect, zoomScale: MKZoomScale, in context: CGContext
  ) {
    context.setLineWidth((lineWidth + 4) / zoomScale)
    context.setLineJoin(.round)
    context.setLineCap(.round)
    context.addPath(path)
    context.setStrokeColor(UIColor.white.cgColor)
    context.strokePath()
    super.draw(mapRect, zoomScale: zoomScale, in: context)
  }
}

/// Sets a shadow, which has no effect, and draws the usual line.
package final class ShadowRenderer: MKPolylineRenderer {
  override package func draw(
    _ mapRect: MKMapRect, zoomScale: MKZoomScale, in context: CGContext
  ) {
    context.saveGState()
    context.setShadow(
      offset: .zero, blur: 4, color: UIColor.black.withAlphaComponent(0.5).cgColor)
    super.draw(mapRect, zoomScale: zoomScale, in: context)
    context.restoreGState()
  }
}

/// The screen is veiled, but for a hole; a ring of the screen's size lies around that.
package final class VeilRenderer: MKOverlayRenderer {
  package private(set) var rects: [MKMapRect] = []
  package var isReady = true

  override package func canDraw(_ mapRect: MKMapRect, zoomScale: MKZoomScale) -> Bool { isReady }

  override package func draw(
    _ mapRect: MKMapRect, zoomScale: MKZoomScale, in context: CGContext
  ) {
    rects.append(mapRect)
    let veil = rect(for: mapRect)
    let hole = CGRect(x: veil.midX - 100, y: veil.midY - 100, width: 200, height: 200)
    context.setFillColor(red: 0, green: 0, blue: 0, alpha: 0.5)
    context.addRect(veil)
    context.addEllipse(in: hole)
    context.fillPath(using: .evenOdd)
    context.setStrokeColor(UIColor.red.cgColor)
    context.setLineWidth(2 / zoomScale)
    context.addArc(
      center: CGPoint(x: hole.midX, y: hole.midY), radius: 20 / zoomScale, startAngle: 0,
      endAngle: .pi * 2, clockwise: true)
    context.strokePath()
  }
}

/// Draws its path itself, with the properties that it has.
package final class PropertyRenderer: MKPolygonRenderer {
  override package func draw(
    _ mapRect: MKMapRect, zoomScale: MKZoomScale, in context: CGContext
  ) {
    applyFillProperties(to: context, atZoomScale: zoomScale)
    fillPath(path, in: context)
    applyStrokeProperties(to: context, atZoomScale: zoomScale)
    if lineWidth == 0 { context.setLineWidth(MKRoadWidthAtZoomScale(zoomScale)) }
    strokePath(path, in: context)
  }
}

/// A head of an arrow at the end of a line, by a path of UIKit's.
package final class HeadRenderer: MKPolylineRenderer {
  override package func draw(
    _ mapRect: MKMapRect, zoomScale: MKZoomScale, in context: CGContext
  ) {
    super.draw(mapRect, zoomScale: zoomScale, in: context)
    guard polyline.pointCount > 0 else { return }
    let end = point(for: polyline.points()[polyline.pointCount - 1])
    let size = 8 / zoomScale
    context.saveGState()
    context.translateBy(x: end.x, y: end.y)
    context.rotate(by: .pi / 2)
    UIGraphicsPushContext(context)
    let head = UIBezierPath()
    head.move(to: CGPoint(x: 0, y: -size))
    head.addLine(to: CGPoint(x: size, y: size))
    head.addLine(to: CGPoint(x: -size, y: size))
    head.close()
    UIColor.blue.setFill()
    head.fill()
    UIGraphicsPopContext()
    context.restoreGState()
  }
}
