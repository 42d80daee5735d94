import AppleCode5
import Foundation
import LocationModel
import TestSupport
import Testing

@testable import MapKit

/// Hands out one renderer.
@MainActor private final class Drawer: NSObject, MKMapViewDelegate {
  let renderer: MKOverlayRenderer
  init(_ renderer: MKOverlayRenderer) { self.renderer = renderer }

  func mapView(_ mapView: MKMapView, rendererFor overlay: any MKOverlay) -> MKOverlayRenderer {
    renderer
  }
}

/// The renderers are an app's in Swift 5.
@MainActor @Suite("What an app draws of its overlays") struct DrawTests {
  private let rect = MKMapRect(x: 10_000, y: 20_000, width: 4000, height: 2000)
  private let map = MKMapView(frame: CGRect(x: 0, y: 0, width: 400, height: 200))

  private var line: MKPolyline {
    MKPolyline(
      points: [MKMapPoint(x: 10_000, y: 20_000), MKMapPoint(x: 14_000, y: 22_000)], count: 2)
  }

  /// As the page is told, with a tenth of a point for each of the map.
  private func drawn(_ renderer: MKOverlayRenderer) async throws -> [JSON] {
    let drawer = Drawer(renderer)
    map.delegate = drawer
    map.setVisibleMapRect(rect, animated: false)
    map.addOverlay(renderer.overlay)
    #expect(await until { map.renderer(for: renderer.overlay) != nil })
    return try #require(map.drawnOverlays().array)
  }

  private func corner(_ point: MKMapPoint) -> [Double] {
    [point.coordinate.latitude, point.coordinate.longitude]
  }

  private func numbers(_ json: JSON?) -> [[Double]] {
    (json?.array ?? []).map { ($0.array ?? []).compactMap(\.double) }
  }

  private func isNear(_ a: [[Double]], _ b: [[Double]]) -> Bool {
    a.count == b.count
      && zip(a.joined(), b.joined()).allSatisfy { ($0 - $1).magnitude < 1e-9 }
  }

  @Test("a picture lies where the app draws it, as wide and high")
  func picture() async throws {
    let image = try #require(UIImage(data: MapPicture.pink ?? Data()))
    let all = try await drawn(ParkPlanView(overlay: ParkPlan(rect), overlayImage: image))
    #expect(all.count == 1 && all[0]["kind"]?.string == "picture")
    #expect(all[0]["image"]?.integer == Int64(map.number(of: image)))
    let (first, last) = (MKMapPoint(x: 10_000, y: 20_000), MKMapPoint(x: 14_000, y: 22_000))
    #expect(isNear(numbers(all[0]["parts"]), [corner(first), corner(last)]))
    #expect(all[0]["alpha"]?.double == 1)
    let pushed = PushedPlanView(overlay: ParkPlan(rect))
    pushed.image = image
    map.removeOverlays(map.overlays)
    let others = try await drawn(pushed)
    #expect(others.count == 1 && others[0]["alpha"]?.double == 0.5)
    #expect(all[0]["blend"] == nil && others[0]["blend"]?.string == "multiply")
    #expect(isNear(numbers(others[0]["parts"]), numbers(all[0]["parts"])))
    #expect(UIGraphicsGetCurrentContext() == nil)
  }

  @Test("a border is drawn below the usual line, in points of the page")
  func border() async throws {
    let renderer = BorderedRenderer(polyline: line)
    (renderer.lineWidth, renderer.strokeColor) = (6, .systemBlue)
    let all = try await drawn(renderer)
    #expect(all.map { $0["width"]?.double } == [10, 6])
    #expect(all.map { $0["stroke"]?.string } == [UIColor.white.words, UIColor.systemBlue.words])
    #expect(all.map { $0["kind"]?.string } == ["lines", "lines"])
    #expect(all[0]["parts"] == all[1]["parts"])
  }

  @Test("a shadow has no effect, and the line is the usual one at any scale")
  func shadow() async throws {
    let renderer = ShadowRenderer(polyline: line)
    renderer.strokeColor = .black
    #expect(try await drawn(renderer).count == 1)
    #expect(map.drawn?.isApps == false)
  }

  @Test("what is drawn for a part and a scale is drawn again at others, once the app is ready")
  func again() async throws {
    let veil = VeilRenderer(overlay: ParkPlan(.world))
    veil.isReady = false
    #expect(try await drawn(veil).isEmpty)
    veil.isReady = true
    map.news = PageNews()
    veil.setNeedsDisplay()
    // After the map has heard of it, and before the turn that tells the page.
    let isHeard = await withCheckedContinuation { heard in
      DispatchQueue.main.async {
        MainActor.assumeIsolated { heard.resume(returning: map.news.areOverlaysNew) }
      }
    }
    #expect(isHeard)
    let all = try #require(map.drawnOverlays().array)
    #expect(all.map { $0["kind"]?.string } == ["areas", "lines"])
    // The whole with a hole, and a ring of the page's size.
    #expect(all[0]["parts"]?.array?.first?.array?.count == 2)
    #expect(all[0]["fill"]?.string == "rgba(0,0,0,0.5)" && all[1]["width"]?.double == 2)
    let ring = numbers(all[1]["parts"]?.array?.first)
    let wide = ring.compactMap(\.last)
    let width = ((wide.max() ?? 0) - (wide.min() ?? 0)) / 360 * MKMapSize.world.width
    #expect((width - 400).magnitude < 1)
    let drawn = try #require(veil.rects.last)
    #expect(drawn.contains(rect) && drawn.width < 5 * rect.width)
    // A little move is within what has been drawn; a longer one, and another scale, are not.
    for (moved, isNew) in [
      (rect.offsetBy(dx: 1000, dy: 0), false), (rect.offsetBy(dx: 6000, dy: 0), true),
      (rect.insetBy(dx: 1000, dy: 500), true),
    ] {
      map.news = PageNews()
      map.shown = MKCoordinateRegion(moved)
      map.drawAnewIfNeeded()
      #expect(map.news.areOverlaysNew == isNew, "\(moved)")
    }
  }

  @Test("an overlay that lies elsewhere is drawn by the app when it comes into sight")
  func elsewhere() async throws {
    let far = ParkPlan(rect.offsetBy(dx: 1e6, dy: 0))
    let veil = VeilRenderer(overlay: far)
    #expect(try await drawn(veil).isEmpty && veil.rects.isEmpty)
    map.news = PageNews()
    map.drawAnewIfNeeded()
    #expect(!map.news.areOverlaysNew)
    map.shown = MKCoordinateRegion(far.boundingMapRect)
    map.drawAnewIfNeeded()
    #expect(map.news.areOverlaysNew)
    #expect(map.drawnOverlays().array?.isEmpty == false && veil.rects.count == 1)
  }

  @Test("an overlay on the other side of the date line is drawn by the app, where it is seen")
  func dateLine() async throws {
    let world = MKMapSize.world.width
    let plan = ParkPlan(MKMapRect(x: 1000, y: 20_000, width: 4000, height: 2000))
    let veil = VeilRenderer(overlay: plan)
    _ = try await drawn(veil)
    map.shown = MKCoordinateRegion(MKMapRect(x: world - 2000, y: 20_000, width: 4000, height: 2000))
    map.drawAnewIfNeeded()
    #expect(map.drawnOverlays().array?.isEmpty == false)
    #expect(veil.rects.last.map(plan.boundingMapRect.contains) == true)
  }

  @Test("an overlay that the library draws is not told again when it comes into sight")
  func usual() async throws {
    let far = [MKMapPoint(x: 1_010_000, y: 20_000), MKMapPoint(x: 1_014_000, y: 22_000)]
    let renderer = MKPolylineRenderer(polyline: MKPolyline(points: far, count: 2))
    renderer.strokeColor = .blue
    #expect(try await drawn(renderer).count == 1)
    map.news = PageNews()
    map.shown = MKCoordinateRegion(renderer.overlay.boundingMapRect)
    map.drawAnewIfNeeded()
    #expect(!map.news.areOverlaysNew)
  }

  @Test("a path of UIKit's is turned and moved with the context")
  func head() async throws {
    let renderer = HeadRenderer(polyline: line)
    renderer.strokeColor = .blue
    let all = try await drawn(renderer)
    #expect(all.count == 2 && all[1]["fill"]?.string == UIColor.blue.words)
    let head = numbers(all[1]["parts"]?.array?.first?.array?.first)
    // Turned by a quarter with the clock, its point is on the right.
    let point = MKMapPoint(x: 14_000 + 80, y: 22_000)
    #expect(isNear([head.first ?? []], [corner(point)]))
  }

  @Test("a renderer draws its path with the properties that it has")
  func properties() async throws {
    let corners = [(10_000, 20_000), (14_000, 20_000), (14_000, 22_000)]
      .map { MKMapPoint(x: $0.0, y: $0.1) }
    let renderer = PropertyRenderer(polygon: MKPolygon(points: corners, count: 3))
    (renderer.strokeColor, renderer.fillColor) = (.black, .green)
    (renderer.lineDashPattern, renderer.lineCap) = ([6, 2], .butt)
    let all = try await drawn(renderer)
    #expect(all.map { $0["fill"]?.string } == [UIColor.green.words, nil])
    #expect(all.last?["width"]?.double == 3 && all.last?["cap"]?.string == "butt")
    #expect((all.last?["dash"]?.array ?? []).compactMap(\.double) == [6, 2])
    #expect(renderer.mapPoint(for: renderer.point(for: corners[1])).x == 14_000)
  }

  @Test("paths of UIKit's have their own style, and colours those of Core Graphics")
  func bezier() {
    let context = CGContext(MKOverlayRenderer(overlay: ParkPlan(rect)), zoomScale: 1)
    UIGraphicsPushContext(context)
    let path = UIBezierPath(roundedRect: CGRect(x: 0, y: 0, width: 20, height: 10), cornerRadius: 9)
    path.append(UIBezierPath(ovalIn: CGRect(x: 5, y: 2, width: 6, height: 6)))
    (path.lineWidth, path.lineCapStyle, path.lineJoinStyle) = (4, .square, .bevel)
    path.usesEvenOddFillRule = true
    #expect(path.contains(CGPoint(x: 15, y: 5)) && !path.contains(CGPoint(x: 8, y: 5)))
    #expect(!path.contains(CGPoint(x: 0.2, y: 0.2)), "a round corner")
    UIColor.red.set()
    path.fill()
    UIColor.blue.setStroke()
    path.stroke()
    UIGraphicsPopContext()
    #expect(context.drawings.map(\.fill) == [UIColor.red.words, nil])
    #expect(context.drawings.last?.width == 4 && context.drawings.last?.join == "bevel")
    path.apply(CGAffineTransform(translationX: 100, y: 0))
    #expect(path.bounds == CGRect(x: 100, y: 0, width: 20, height: 10))
    let copy = CGMutablePath()
    copy.addPath(path.cgPath)
    copy.addRoundedRect(
      in: CGRect(x: 0, y: 0, width: 4, height: 4), cornerWidth: 1, cornerHeight: 1)
    #expect(copy.parts.count == 3 && path.cgPath.parts.count == 2)
    path.removeAllPoints()
    #expect(path.isEmpty && context.drawings.last?.cap == "square")
    let color = CGColor(red: 1, green: 0, blue: 0, alpha: 0.5)
    #expect(UIColor(cgColor: color).words == "rgba(255,0,0,0.5)" && color.alpha == 0.5)
    #expect(color.copy(alpha: 1) == UIColor.red.cgColor && color.components == [1, 0, 0, 0.5])
    let image: CGImage? = UIImage(data: MapPicture.pink ?? Data())?.cgImage
    #expect(image?.width == 24 && image.map { UIImage(cgImage: $0).size.height } == 32)
    #expect(UIImage(systemName: "star")?.cgImage == nil)
  }

  @Test(
    "parts are filled as Core Graphics does: each by itself, and holes that go around the other way"
  )
  func rules() {
    let renderer = MKOverlayRenderer(overlay: ParkPlan(rect))
    let path = CGMutablePath()
    path.addRect(CGRect(x: 0, y: 0, width: 100, height: 100))
    path.addRect(CGRect(x: 50, y: 50, width: 100, height: 100))
    path.addArc(
      center: CGPoint(x: 30, y: 30), radius: 10, startAngle: 0, endAngle: 2 * .pi, clockwise: true,
      transform: .identity)
    // The arc's line leads from the second square.
    #expect(path.areas(by: renderer, .winding).count == 2)
    let ring = CGMutablePath()
    ring.addRect(CGRect(x: 0, y: 0, width: 100, height: 100))
    ring.move(to: CGPoint(x: 40, y: 30))
    ring.addArc(
      center: CGPoint(x: 30, y: 30), radius: 10, startAngle: 0, endAngle: 2 * .pi, clockwise: true)
    guard case .areas(let areas)? = ring.areas(by: renderer, .winding).first else {
      Issue.record("no area")
      return
    }
    #expect(areas.first?.interiorPolygons?.count == 1)
    #expect(ring.areas(by: renderer, .evenOdd).count == 1)
    #expect(CGMutablePath().areas(by: renderer, .winding).isEmpty)
    let nothing = CGMutablePath()
    nothing.addArc(
      center: CGPoint(), radius: 10, startAngle: 0, endAngle: .nan, clockwise: false)
    #expect(nothing.isEmpty)
  }

  @Test("lines of one look are told together, and others by themselves")
  func together() {
    let renderer = MKOverlayRenderer(overlay: ParkPlan(rect))
    let context = CGContext(renderer, zoomScale: 0.1)
    for x in 0..<1000 {
      context.move(to: CGPoint(x: x, y: 0))
      context.addLine(to: CGPoint(x: x, y: 10))
      context.strokePath()
    }
    #expect(context.drawings.count == 1 && context.isApps)
    context.setLineWidth(5)
    context.strokeLineSegments(between: [CGPoint(), CGPoint(x: 1, y: 1), CGPoint(x: 2, y: 2)])
    context.stroke(CGRect(x: 0, y: 0, width: 1, height: 1), width: 7)
    context.fill([CGRect(x: 0, y: 0, width: 1, height: 1)])
    context.strokeEllipse(in: CGRect(x: 0, y: 0, width: 1, height: 1))
    context.fillEllipse(in: CGRect(x: 0, y: 0, width: 1, height: 1))
    #expect(context.drawings.count == 6 && context.isPathEmpty && context.path == nil)
    #expect(context.drawings.prefix(3).map { ($0.width * 10).rounded() } == [1, 5, 7])
  }
}
