import Testing

@testable import LocationModel

@Suite("A region from GeoJSON") struct RegionGeoJSONTests {
  private static let yard = """
    {"type":"Polygon","coordinates":[[[7,45],[7.1,45],[7.1,45.1],[7,45]],[[7.05,45.02],[7.06,45.02],[7.06,45.03]]]}
    """

  @Test("the first polygon of a collection is taken with its holes, past lines and bare points")
  func polygon() throws {
    let region = try Region(
      geoJSON: Array(
        """
        {"type":"FeatureCollection","features":[
        {"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]},"properties":null},
        {"type":"Feature","geometry":{"type":"LineString","coordinates":[[1,2],[3,4]]}},
        {"type":"Feature","geometry":\(Self.yard),"properties":{"notifyOnExit":false}}]}
        """.utf8), identifier: "yard")
    guard case .polygon(let outer, let holes) = region.shape else {
      Issue.record("it is no polygon")
      return
    }
    #expect(outer.count == 4 && holes.map(\.count) == [3])
    #expect(outer.first == Coordinate(latitude: 45, longitude: 7))
    #expect(region.identifier == "yard" && region.notifyOnEntry && !region.notifyOnExit)
  }

  @Test("a geometry alone will do, and a point with a radius is a circle")
  func alone() throws {
    let polygon = try Region(geoJSON: Array(Self.yard.utf8), identifier: "yard")
    guard case .polygon = polygon.shape else {
      Issue.record("it is no polygon")
      return
    }
    let circle = try Region(
      geoJSON: Array(
        #"{"type":"Feature","geometry":{"type":"Point","coordinates":[7,45]},"properties":{"radius":90}}"#
          .utf8), identifier: "gate")
    #expect(circle.shape == .circle(Coordinate(latitude: 45, longitude: 7), radius: 90))
  }

  @Test(
    "what is no region says why",
    arguments: [
      ("{\n\n\"type\":", "line 3"),
      (#"{"type":"FeatureCollection","features":[]}"#, "neither a Polygon"),
      (#"{"type":"Polygon","coordinates":[[[7,45],[8,45]]]}"#, "three corners"),
      (#"{"type":"Polygon","coordinates":[[[7,45],[8,45],[8,null]]]}"#, "three corners"),
      (#"{"type":"Polygon","coordinates":[[[7,45],[8,45],[8,95]]]}"#, "three corners"),
      (
        #"{"type":"Feature","geometry":{"type":"Point","coordinates":[7,45]},"properties":{"radius":0}}"#,
        "radius in metres"
      ),
    ])
  func mistakes(text: String, words: String) {
    do throws(GeoJSONError) {
      _ = try Region(geoJSON: Array(text.utf8), identifier: "yard")
      Issue.record("it is taken")
    } catch {
      #expect(error.reason.contains(words), "\(error.reason)")
    }
  }
}
