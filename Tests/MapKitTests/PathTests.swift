import AppleCode5
import Foundation
import Testing

@testable import MapKit

private func place(_ latitude: Double, _ longitude: Double) -> CLLocationCoordinate2D {
  CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
}

/// The renderers are an app's in Swift 5.
@MainActor @Suite("Paths of renderers") struct PathTests {
  private let points = [MKMapPoint(x: 1000, y: 2000), MKMapPoint(x: 1400, y: 2000)]

  @Test("an area and a circle say what lies in them, holes left out by the even-odd rule")
  func inside() {
    let corners = [place(43, 7), place(43, 8), place(44, 8), place(44, 7)]
    let hole = [place(43.4, 7.4), place(43.4, 7.6), place(43.6, 7.6), place(43.6, 7.4)]
    let area = MKPolygon(
      coordinates: corners, count: 4,
      interiorPolygons: [MKPolygon(coordinates: hole, count: 4)])
    #expect(area.contains(place(43.2, 7.5)) && !area.contains(place(42.9, 7.5)))
    #expect(!area.contains(place(43.5, 8.1)) && area.contains(place(43.5, 7.5)))
    let renderer = MKPolygonRenderer(polygon: area)
    let middle = renderer.point(for: MKMapPoint(place(43.5, 7.5)))
    #expect(!renderer.path.contains(middle, using: .evenOdd))
    #expect(abs(renderer.path.boundingBox.width - area.boundingMapRect.width) < 1)
    let circle = MKCircle(center: place(43.5, 7.5), radius: 1000)
    #expect(circle.contains(place(43.508, 7.5)) && !circle.contains(place(43.51, 7.5)))
    #expect(!circle.contains(place(43.5075, 7.511)), "a corner of its square")
  }

  @Test("a path has its parts in order, and a closed one goes on from its first point")
  func parts() {
    let path = CGMutablePath()
    #expect(path.isEmpty && path.boundingBox.isNull && path.currentPoint == CGPoint())
    path.addRect(CGRect(x: 1, y: 2, width: 3, height: 4))
    path.addLine(to: CGPoint(x: 9, y: 9))
    #expect(path.parts.count == 2 && path.parts[1].points.first == CGPoint(x: 1, y: 2))
    #expect(path.boundingBox == CGRect(x: 1, y: 2, width: 8, height: 7))
    let other = CGMutablePath()
    other.move(to: CGPoint())
    other.addCurve(
      to: CGPoint(x: 8, y: 0), control1: CGPoint(x: 0, y: 8), control2: CGPoint(x: 8, y: 8))
    other.addPath(path)
    #expect(other.parts.count == 3 && other.parts[0].points.last == CGPoint(x: 8, y: 0))
    #expect(other.parts[0].points.map(\.y).max() == 6)
    let square = CGMutablePath()
    square.addLines(between: [
      CGPoint(), CGPoint(x: 2, y: 0), CGPoint(x: 2, y: 2), CGPoint(x: 0, y: 2),
    ])
    square.closeSubpath()
    let moved = CGAffineTransform(translationX: 10, y: 0)
    #expect(square.contains(CGPoint(x: 11, y: 1), transform: moved))
    #expect(!square.contains(CGPoint(x: 1, y: 1), transform: moved))
  }

  @Test("rings around one another are inside by the winding rule, and a hole by the other")
  func rules() {
    let rings = CGMutablePath()
    rings.addEllipse(in: CGRect(x: -10, y: -10, width: 20, height: 20))
    rings.addEllipse(in: CGRect(x: -5, y: -5, width: 10, height: 10))
    let path: CGPath = rings
    #expect(path.contains(CGPoint(), using: CGPathFillRule.winding))
    #expect(!path.contains(CGPoint(), using: .evenOdd))
    #expect(path.contains(CGPoint(x: 7, y: 0), using: .evenOdd))
    #expect(!path.contains(CGPoint(x: 7.5, y: 7.5)))
  }

  @Test("the app's own path is drawn in place of its overlay, until it is made again")
  func own() throws {
    let arrow = ArrowRenderer(polyline: MKPolyline(points: points, count: 2))
    arrow.strokeColor = .systemRed
    guard case .lines(let lines)? = arrow.drawing()?.shape else {
      Issue.record("no lines")
      return
    }
    #expect(lines.count == 2 && lines[0].points()[1].x == 1400 && lines[1].points()[0].x == 1390)
    arrow.fillColor = .systemRed
    guard case .areas(let areas)? = arrow.drawing()?.shape else {
      Issue.record("no areas")
      return
    }
    #expect(areas.count == 2)
    let arc = ArcRenderer(polyline: MKPolyline(points: points, count: 2))
    arc.strokeColor = .systemRed
    _ = arc.drawing()
    _ = arc.drawing()
    #expect(arc.made == 1)
    arc.invalidatePath()
    guard case .lines(let bent)? = arc.drawing()?.shape else {
      Issue.record("no arc")
      return
    }
    #expect(bent.first?.boundingMapRect.height == 50 && arc.made == 2)
    let corner = CGMutablePath()
    corner.addRect(CGRect(x: 1, y: 2, width: 3, height: 4))
    #expect(corner.currentPoint == CGPoint(x: 1, y: 2))
    let plain = MKPolylineRenderer(polyline: MKPolyline(points: points, count: 2))
    plain.strokeColor = .systemRed
    #expect(plain.path.boundingBox.width == 400)
    guard case .lines(let straight)? = plain.drawing()?.shape else {
      Issue.record("no line")
      return
    }
    #expect(straight.first === plain.polyline)
  }

  @Test(
    "an app that makes no path yet is asked again when the page draws, and no more once it has made one"
  )
  func late() throws {
    let late = LateRenderer(polyline: MKPolyline(points: points, count: 2))
    late.strokeColor = .systemRed
    func corner() -> Double? {
      guard case .lines(let lines)? = late.drawing()?.shape else { return nil }
      return lines.last?.points()[1].y
    }
    #expect(corner() == 2000 && corner() == 2000 && late.asked == 2)
    late.corner = MKMapPoint(x: 1400, y: 2300)
    #expect(corner() == 2300 && corner() == 2300 && late.asked == 3)
    late.invalidatePath()
    #expect(corner() == 2300 && late.asked == 4)
  }

  @Test("the page draws a line without a path of its own, and places none of its points for it")
  func plain() {
    let plain = CountingRenderer(polyline: MKPolyline(points: points, count: 2))
    plain.strokeColor = .systemRed
    _ = plain.drawing()
    _ = plain.drawing()
    #expect(plain.placed == 0)
    _ = plain.path
    let once = plain.placed
    _ = plain.drawing()
    _ = plain.path
    #expect(once > 0 && plain.placed == once)
  }
}
