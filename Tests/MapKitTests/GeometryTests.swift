import CoreLocation
import Foundation
import LocationModel
import Testing

@testable import MapKit

private func place(_ latitude: Double, _ longitude: Double) -> CLLocationCoordinate2D {
  CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
}

private let world = MKMapSize.world.width

@Suite("Geometry of maps") struct GeometryTests {
  private func isNear(_ a: Double, _ b: Double, _ slack: Double = 1e-6) -> Bool {
    (a - b).magnitude <= slack
  }

  /// Figures that people have published of Apple's.
  @Test(
    "a map point has the metres of the meridian, within a ten-thousandth of Apple's",
    arguments: [
      (0, 0.14828977), (33.861315, 0.123522), (34.461315, 0.122659), (60, 0.07470109),
    ])
  func metres(latitude: Double, metres: Double) {
    #expect(isNear(MKMetersPerMapPointAtLatitude(latitude) / metres, 1, 1e-4))
    #expect(isNear(MKMapPointsPerMeterAtLatitude(latitude) * metres, 1, 1e-4))
  }

  @Test("the Earth's girth is as wide as the map")
  func girth() {
    let (a, b) = (MKMapPoint(place(0, 0)), MKMapPoint(place(0, 1)))
    #expect(isNear(a.distance(to: b), 111_319.49, 0.01))
    // As a tile of 256 pixels at zoom 20.
    #expect(world == 268_435_456 && MKMapPoint(place(85.05112878, -180)).y < 1)
    #expect(isNear(MKMapPoint(place(0, 180)).x, world))
  }

  @Test("rectangles are joined, cut, moved and shrunk; none stays none")
  func rectangles() {
    let rect = MKMapRect(x: 10, y: 20, width: 100, height: 50)
    #expect(rect.contains(MKMapPoint(x: 10, y: 20)) && !rect.contains(MKMapPoint(x: 9, y: 20)))
    let small = rect.insetBy(dx: 10, dy: 10)
    #expect(MKMapRectEqualToRect(small, MKMapRect(x: 20, y: 30, width: 80, height: 30)))
    #expect(rect.contains(small) && !small.contains(rect))
    #expect(rect.insetBy(dx: 51, dy: 0).isNull && MKMapRect.null.insetBy(dx: -1, dy: -1).isNull)
    #expect(rect.offsetBy(dx: 5, dy: -5).origin.y == 15)
    #expect(rect.intersection(MKMapRect(x: 200, y: 0, width: 1, height: 1)).isNull)
    #expect(MKMapRect.null.isEmpty && MKMapRect().isEmpty && !MKMapRect.world.isEmpty)
    #expect(MKMapRectEqualToRect(rect.union(.null), rect))
  }

  @Test("a rectangle over the date line has its remainder on the other side")
  func dateLine() {
    let east = MKMapRect(x: world - 100, y: 5, width: 150, height: 10)
    #expect(east.spans180thMeridian && !MKMapRect.world.spans180thMeridian)
    #expect(MKMapRectEqualToRect(east.remainder, MKMapRect(x: 0, y: 5, width: 50, height: 10)))
    let west = MKMapRect(x: -50, y: 5, width: 150, height: 10)
    #expect(
      MKMapRectEqualToRect(
        west.remainder, MKMapRect(x: world - 50, y: 5, width: 50, height: 10)))
    #expect(MKMapRect(x: 5, y: 5, width: 5, height: 5).remainder.isNull)
    let region = MKCoordinateRegion(east)
    #expect(region.center.longitude < 180 && region.center.longitude.magnitude > 179.9)
  }

  @Test("a region and its rectangle are one part of the map")
  func regions() {
    let region = MKCoordinateRegion(
      center: place(37.5, 127), span: MKCoordinateSpan(latitudeDelta: 0.2, longitudeDelta: 0.3))
    let again = MKCoordinateRegion(region.rect)
    #expect(isNear(again.span.latitudeDelta, 0.2) && isNear(again.span.longitudeDelta, 0.3))
    #expect(isNear(again.center.latitude, 37.5) && isNear(again.center.longitude, 127))
    #expect(MKCoordinateRegion(center: place(.nan, 0), span: MKCoordinateSpan()).rect.isNull)
    let around = MKCoordinateRegion(around: [
      Coordinate(latitude: 45, longitude: 0), Coordinate(latitude: 75, longitude: 30),
    ])
    let corner = MKMapPoint(place(75, 0))
    #expect(isNear(around.rect.minX, corner.x) && isNear(around.rect.minY, corner.y))
  }

  /// The centers are those of Apple's, from the tests of public projects.
  @Test(
    "the center of a rectangle's region is its middle on the flat map",
    arguments: [(49.94036241979892, 50.23837916855012, 50.08960244485897), (45, 75, 63.711516786)])
  func middle(south: Double, north: Double, center: Double) {
    let (a, b) = (MKMapPoint(place(south, 24)), MKMapPoint(place(north, 36)))
    let rect = MKMapRect(x: a.x, y: b.y, width: b.x - a.x, height: a.y - b.y)
    let region = MKCoordinateRegion(rect)
    #expect(isNear(region.center.latitude, center, 1e-9) && isNear(region.center.longitude, 30))
    #expect(isNear(region.span.latitudeDelta, north - south))
    #expect(isNear(region.rect.minY, rect.minY, 1e-3) && isNear(region.rect.maxY, rect.maxY, 1e-3))
    let back = MKMapRect(x: b.x, y: b.y, width: a.x - b.x, height: a.y - b.y)
    #expect(isNear(MKCoordinateRegion(back).span.longitudeDelta, 12))
  }

  @Test("a map shows a region with its center in the middle")
  @MainActor func centered() {
    let map = MKMapView(frame: CGRect(x: 0, y: 0, width: 400, height: 400))
    map.region = MKCoordinateRegion(
      center: place(60, 20), span: MKCoordinateSpan(latitudeDelta: 40, longitudeDelta: 40))
    let point = map.convert(place(60, 20), toPointTo: map)
    #expect(isNear(Double(point.x), 200, 1e-6) && isNear(Double(point.y), 200, 1e-6))
    #expect(isNear(map.convert(point, toCoordinateFrom: map).latitude, 60))
  }

  @Test("a polygon has its holes, its rectangle, and the middle of its area")
  func polygons() throws {
    let corners = [place(0, 0), place(0, 4), place(0.001, 4), place(0.001, 0)]
    let hole = MKPolygon(coordinates: Array(corners.prefix(3)), count: 3)
    let area = MKPolygon(coordinates: corners, count: 4, interiorPolygons: [hole])
    #expect(area.interiorPolygons?.count == 1 && area.pointCount == 4)
    #expect(isNear(area.coordinate.latitude, 0.0005) && isNear(area.coordinate.longitude, 2))
    #expect(isNear(area.boundingMapRect.width, world / 90, 1e-3))
    // Three quarters of what is beside the date line lie on its other side.
    let line = [place(0, 179), place(0, -177), place(1, -177), place(1, 179)]
    let across = MKPolygon(coordinates: line, count: 4)
    #expect(across.boundingMapRect.spans180thMeridian && isNear(across.coordinate.longitude, -179))
    #expect(!CLLocationCoordinate2DIsValid(MKPolygon(coordinates: [], count: 0).coordinate))
    let flat = MKPolygon(coordinates: [place(1, 1), place(1, 3), place(1, 1)], count: 3)
    #expect(isNear(flat.coordinate.longitude, 2))
    let both = MKMultiPolygon([area, across])
    #expect(both.polygons.count == 2 && both.boundingMapRect.contains(area.boundingMapRect))
  }

  @Test("a circle's rectangle touches it, at the poles and over the date line too")
  func circles() {
    let circle = MKCircle(center: place(60, 20), radius: 10_000)
    let rect = circle.boundingMapRect
    let side = MKMapPoint(x: rect.minX, y: MKMapPoint(place(60, 20)).y)
    #expect(isNear(side.distance(to: MKMapPoint(place(60, 20))), 10_000, 100))
    #expect(isNear(MKCoordinateRegion(rect).span.latitudeDelta, 0.1795, 0.0005))
    #expect(isNear(MKMapPoint(circle.coordinate).x, rect.midX, 1e-3))
    #expect(MKCircle(center: place(89.99, 0), radius: 5000).boundingMapRect.width == world)
    #expect(MKCircle(center: place(0, 179.99), radius: 5000).boundingMapRect.spans180thMeridian)
    for (center, radius) in [(place(.nan, 0), 1.0), (place(0, 0), .nan), (place(0, 0), -1)] {
      #expect(MKCircle(center: center, radius: radius).boundingMapRect.isNull)
    }
    let whole = MKCircle(center: place(10, 0), radius: 3e7).boundingMapRect
    #expect(MKMapRectEqualToRect(whole, .world))
    let inscribed = MKCircle(
      mapRect: MKMapRect(x: world / 2, y: world / 2, width: 200, height: 100))
    #expect(isNear(inscribed.radius, 14.83, 0.01))
  }

  @Test("the shortest way from Seoul to San Francisco goes by the north")
  func shortest() {
    let ends = [place(37.46, 126.44), place(37.62, -122.38)]
    let line = MKGeodesicPolyline(coordinates: ends, count: 2)
    let metres = MKMapPoint(ends[0]).distance(to: MKMapPoint(ends[1]))
    #expect(line.pointCount == Int((metres / 1000).rounded(.up)) + 1)
    // The page is told a few of them.
    for overlay in [line, MKMultiPolyline([line])] as [any MKOverlay] {
      guard case .lines(let lines)? = overlay.shape else {
        Issue.record("it is told as no line")
        continue
      }
      #expect((150...300).contains(lines[0].pointCount))
    }
    // As many as people have counted of Apple's.
    let degree = [place(0, 0), place(0, 1)]
    #expect(MKGeodesicPolyline(coordinates: degree, count: 2).pointCount == 113)
    let flight = [place(33.9424955, -118.4080684), place(40.6397511, -73.7789256)]
    #expect(MKGeodesicPolyline(coordinates: flight, count: 2).pointCount == 3984)
    let north = MKCoordinateRegion(line.boundingMapRect)
    #expect(north.center.latitude + north.span.latitudeDelta / 2 > 47)
    #expect(line.boundingMapRect.spans180thMeridian)
    var length = 0.0
    let points = UnsafeBufferPointer(start: line.points(), count: line.pointCount)
    for (a, b) in zip(points, points.dropFirst()) { length += a.onWorld.distance(to: b.onWorld) }
    let straight = MKMapPoint(ends[0]).distance(to: MKMapPoint(ends[1]))
    #expect(isNear(length / straight, 1, 1e-5))
    #expect(MKGeodesicPolyline(coordinates: [place(.nan, 1)], count: 1).pointCount == 0)
  }
}

@Suite("GeoJSON") struct GeoJSONTests {
  private func decode(_ text: String) throws -> [any MKGeoJSONObject] {
    try MKGeoJSONDecoder().decode(Data(text.utf8))
  }

  @Test("features have their shapes, their name, and their properties as the app wrote them")
  func features() throws {
    struct Art: Decodable {
      var title: String
      var year: Int
    }
    let objects = try decode(
      """
      {"type":"FeatureCollection","features":[
        {"type":"Feature","id":7,"properties":{"title":"\\uc11c\\uc6b8","year":1988},
         "geometry":{"type":"Point","coordinates":[127.0,37.5,12]}},
        {"type":"Feature","id":"x","properties":null,"geometry":null}]}
      """)
    let features = try #require(objects as? [MKGeoJSONFeature])
    #expect(features.map(\.identifier) == ["7", "x"])
    let art = try JSONDecoder().decode(Art.self, from: #require(features[0].properties))
    #expect(art.title == "서울" && art.year == 1988 && features[1].properties == nil)
    let pin = try #require(features[0].geometry.first as? MKPointAnnotation)
    #expect(pin.coordinate.latitude == 37.5 && features[1].geometry.isEmpty)
  }

  @Test("each geometry is the shape of its name")
  func shapes() throws {
    let square = "[[0,0],[4,0],[4,4],[0,4],[0,0]]"
    let hole = "[[1,1],[2,1],[2,2],[1,1]]"
    let parts = [
      #"{"type":"MultiPoint","coordinates":[[1,2],[3,4]]}"#,
      #"{"type":"LineString","coordinates":[[1,2],[3,4]]}"#,
      #"{"type":"MultiLineString","coordinates":[[[1,2],[3,4]],[[5,6],[7,8]]]}"#,
      #"{"type":"Polygon","coordinates":[\#(square),\#(hole)]}"#,
      #"{"type":"MultiPolygon","coordinates":[[\#(square)],[\#(square),\#(hole)]]}"#,
    ]
    let objects = try decode(
      #"{"type":"GeometryCollection","geometries":[\#(parts.joined(separator: ","))]}"#)
    #expect(objects.count == 5)
    #expect((objects[0] as? MKMultiPoint)?.pointCount == 2)
    #expect((objects[1] as? MKPolyline)?.pointCount == 2)
    #expect((objects[2] as? MKMultiPolyline)?.polylines.count == 2)
    let polygon = try #require(objects[3] as? MKPolygon)
    #expect(polygon.pointCount == 4 && polygon.interiorPolygons?.first?.pointCount == 3)
    #expect((objects[4] as? MKMultiPolygon)?.polygons.last?.interiorPolygons?.count == 1)
  }

  @Test("what is no GeoJSON fails to decode, and says why")
  func nonsense() {
    let texts = [
      "", "[]", "{}", "{\"type\":\"Point\"}", #"{"type":"Point","coordinates":[1]}"#,
      #"{"type":"Point","coordinates":["1","2"]}"#, #"{"type":"Point","coordinates":[1,91]}"#,
      #"{"type":"Circle","coordinates":[1,2]}"#, #"{"type":"Feature","properties":{}}"#,
      #"{"type":"LineString","coordinates":[[1,2]]}"#,
      #"{"type":"Polygon","coordinates":[[[0,0],[1,1],[0,0]]]}"#,
      #"{"type":"Polygon","coordinates":[]}"#, #"{"type":"FeatureCollection"}"#,
      #"{"type":"FeatureCollection","features":[1]}"#,
      String(repeating: #"{"type":"GeometryCollection","geometries":["#, count: 5000),
    ]
    for text in texts {
      #expect(throws: MKError.self, "\(text.prefix(60))") { try decode(text) }
      do { _ = try decode(text) } catch {
        #expect((error as? MKError)?.code == .decodingFailed)
        #expect(error.localizedDescription.hasPrefix("The data is no GeoJSON: "))
      }
    }
  }
}
