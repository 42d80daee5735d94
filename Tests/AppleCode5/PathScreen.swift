// Areas that know what lies in them, and lines of an app's own shape, in the manner of the answers that people find, in
// Swift 5.

import MapKit

extension MKPolygon {
  package func contains(_ coordinate: CLLocationCoordinate2D) -> Bool {
    let renderer = MKPolygonRenderer(polygon: self)
    let point = renderer.point(for: MKMapPoint(coordinate))
    return renderer.path.contains(point)
  }
}

extension MKCircle {
  package func contains(_ coordinate: CLLocationCoordinate2D) -> Bool {
    let renderer = MKCircleRenderer(circle: self)
    return renderer.path.contains(renderer.point(for: MKMapPoint(coordinate)), using: .evenOdd)
  }
}

/// A line with a head at its end.
package final class ArrowRenderer: MKPolylineRenderer {
  override package func createPath() {
    let path = CGMutablePath()
    for i in 0..<polyline.pointCount {
      let point = self.point(for: polyline.points()[i])
      if i == 0 { path.move(to: point) } else { path.addLine(to: point) }
    }
    let end = path.currentPoint
    path.addLines(between: [
      CGPoint(x: end.x - 10, y: end.y - 5), end, CGPoint(x: end.x - 10, y: end.y + 5),
    ])
    self.path = path
  }
}

/// A curve from the first place of a line to its last.
package final class ArcRenderer: MKPolylineRenderer {
  package private(set) var made = 0

  override package func createPath() {
    made += 1
    let (first, last) = (polyline.points()[0], polyline.points()[polyline.pointCount - 1])
    let (start, end) = (point(for: first), point(for: last))
    let path = CGMutablePath()
    path.move(to: start)
    path.addQuadCurve(to: end, control: CGPoint(x: (start.x + end.x) / 2, y: start.y + 100))
    self.path = path
  }
}

/// A line whose shape comes later, from a server as it were.
package final class LateRenderer: MKPolylineRenderer {
  package var corner: MKMapPoint?
  package private(set) var asked = 0

  override package func createPath() {
    asked += 1
    guard let corner else { return }
    let path = CGMutablePath()
    path.move(to: point(for: polyline.points()[0]))
    path.addLine(to: point(for: corner))
    self.path = path
  }
}

/// A line as it is, which counts the points that are placed for it.
package final class CountingRenderer: MKPolylineRenderer {
  package private(set) var placed = 0

  override package func point(for mapPoint: MKMapPoint) -> CGPoint {
    placed += 1
    return super.point(for: mapPoint)
  }
}
