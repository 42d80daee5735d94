/// Why a GeoJSON text gives no region.
package struct GeoJSONError: Error, Equatable, CustomStringConvertible {
  package var reason: String

  package var description: String { reason }
}

/// Regions as GeoJSON has them: points with a radius, and polygons.
extension Region {
  /// Each feature of a collection, under its identifier.
  package static func all(geoJSON text: [UInt8]) throws(GeoJSONError) -> [Region] {
    let json = try parse(text)
    guard json["type"] == "FeatureCollection", let features = json["features"]?.array else {
      throw GeoJSONError(reason: "it is no GeoJSON FeatureCollection")
    }
    var regions: [Region] = []
    for (i, feature) in features.enumerated() {
      guard let identifier = feature["properties"]?["identifier"]?.string,
        let region = Region(feature: feature, identifier)
      else {
        throw GeoJSONError(
          reason: "feature \(i + 1) is neither a Point with properties identifier and radius nor a"
            + " Polygon with an identifier")
      }
      regions.append(region)
    }
    return regions
  }

  /// The first region of a collection, or the only one: a feature, or a geometry alone. What else a
  /// collection has, such as lines, is passed over.
  package init(geoJSON text: [UInt8], identifier: String) throws(GeoJSONError) {
    let json = try Self.parse(text)
    let features: [JSON] =
      switch json["type"]?.string {
      case "FeatureCollection": json["features"]?.array ?? []
      case "Feature": [json]
      default: [["type": "Feature", "geometry": json]]
      }
    for feature in features {
      switch feature["geometry"]?["type"]?.string {
      case "Polygon":
        guard let region = Region(feature: feature, identifier) else {
          throw GeoJSONError(
            reason: "its polygon wants rings of at least three corners, each as"
              + " [longitude, latitude]")
        }
        self = region
        return
      case "Point" where feature["properties"]?["radius"] != nil:
        guard let region = Region(feature: feature, identifier) else {
          throw GeoJSONError(reason: "its point wants a place on the Earth and a radius in metres")
        }
        self = region
        return
      default: continue
      }
    }
    throw GeoJSONError(reason: "it has neither a Polygon nor a Point with a radius")
  }

  private static func parse(_ text: [UInt8]) throws(GeoJSONError) -> JSON {
    do throws(JSONError) {
      return try JSON(parsing: String(decoding: text, as: UTF8.self))
    } catch {
      let line = text.prefix(error.offset).count { $0 == UInt8(ascii: "\n") } + 1
      throw GeoJSONError(reason: "\(error.reason) (line \(line))")
    }
  }

  private init?(feature: JSON, _ identifier: String) {
    let properties = feature["properties"]
    guard let coordinates = feature["geometry"]?["coordinates"] else { return nil }
    let shape: Shape
    switch feature["geometry"]?["type"]?.string {
    case "Point":
      guard let centre = Self.place(coordinates), let radius = properties?["radius"]?.double,
        radius > 0, radius <= Self.longestRadius
      else { return nil }
      shape = .circle(centre, radius: radius)
    case "Polygon":
      var rings: [[Coordinate]] = []
      for ring in coordinates.array ?? [] {
        guard let ring = Self.ring(geoJSON: ring) else { return nil }
        rings.append(ring)
      }
      guard let outer = rings.first else { return nil }
      shape = .polygon(outer, holes: Array(rings.dropFirst()))
    default: return nil
    }
    self.init(
      identifier: identifier, shape,
      notifyOnEntry: properties?["notifyOnEntry"]?.bool ?? true,
      notifyOnExit: properties?["notifyOnExit"]?.bool ?? true)
  }

  private static func ring(geoJSON json: JSON) -> [Coordinate]? {
    guard let corners = json.array, corners.count >= 3 else { return nil }
    let places = corners.compactMap(place)
    return places.count == corners.count ? places : nil
  }

  /// GeoJSON has the longitude first.
  private static func place(_ json: JSON) -> Coordinate? {
    guard let numbers = json.array, numbers.count >= 2, let longitude = numbers[0].double,
      let latitude = numbers[1].double
    else { return nil }
    let place = Coordinate(latitude: latitude, longitude: longitude)
    return place.isValid ? place : nil
  }
}
