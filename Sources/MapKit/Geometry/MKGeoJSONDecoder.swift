import CoreLocation
public import Foundation
import LocationModel

/// A feature or a shape: GeoJSON holds both.
public protocol MKGeoJSONObject: NSObjectProtocol {}

/// Shapes, and what the file says of them.
open class MKGeoJSONFeature: NSObject, MKGeoJSONObject {
  open internal(set) var identifier: String?
  /// JSON, to be decoded as the app likes.
  open internal(set) var properties: Data?
  open internal(set) var geometry: [any MKShape & MKGeoJSONObject]

  init(identifier: String?, properties: Data?, geometry: [any MKShape & MKGeoJSONObject]) {
    self.identifier = identifier
    self.properties = properties
    self.geometry = geometry
  }
}

/// Reads GeoJSON (RFC 7946): features, or shapes where there are none around them.
open class MKGeoJSONDecoder: NSObject {
  public override init() {}

  /// Throws `MKError.decodingFailed`, whose text says what is wrong.
  open func decode(_ data: Data) throws -> [any MKGeoJSONObject] {
    let json: JSON
    do {
      json = try data.withUnsafeBytes { try JSON(parsing: $0) }
    } catch let error as JSONError {
      throw Self.failure("no JSON at byte \(error.offset): \(error.reason)")
    }
    switch json["type"]?.string {
    case "FeatureCollection":
      guard let features = json["features"]?.array else { throw Self.failure("no features") }
      return try features.map(Self.feature)
    case "Feature": return [try Self.feature(json)]
    default: return try Self.shapes(json)
    }
  }

  private static func failure(_ what: String) -> MKError {
    MKError(.decodingFailed, "The data is no GeoJSON: \(what).")
  }

  private static func feature(_ json: JSON) throws -> MKGeoJSONFeature {
    guard json["type"]?.string == "Feature", let geometry = json["geometry"] else {
      throw failure("a feature is none")
    }
    let identifier: String? =
      switch json["id"] {
      case .string(let text): text
      case .some(let number) where number.double != nil: number.text
      default: nil
      }
    let properties = json["properties"].flatMap { $0 == .null ? nil : Data($0.text.utf8) }
    return MKGeoJSONFeature(
      identifier: identifier, properties: properties,
      geometry: geometry == .null ? [] : try shapes(geometry))
  }

  private static func shapes(_ json: JSON) throws -> [any MKShape & MKGeoJSONObject] {
    guard let type = json["type"]?.string else { throw failure("an object has no type") }
    if type == "GeometryCollection" {
      guard let parts = json["geometries"]?.array else { throw failure("no geometries") }
      return try parts.flatMap(shapes)
    }
    guard let at = json["coordinates"] else { throw failure("\(type) has no coordinates") }
    switch type {
    case "Point": return [MKPointAnnotation(coordinate: try place(at))]
    case "MultiPoint": return [MKMultiPoint(try places(at).map { MKMapPoint($0) })]
    case "LineString": return [try line(at)]
    case "MultiLineString": return [MKMultiPolyline(try list(at).map(line))]
    case "Polygon": return [try polygon(at)]
    case "MultiPolygon": return [MKMultiPolygon(try list(at).map(polygon))]
    default: throw failure("there is no type \(type.plain(atMost: 40))")
    }
  }

  private static func list(_ json: JSON) throws -> [JSON] {
    guard let values = json.array else { throw failure("coordinates are no list") }
    return values
  }

  /// The longitude comes first.
  private static func place(_ json: JSON) throws -> CLLocationCoordinate2D {
    guard let numbers = json.array, numbers.count >= 2, let longitude = numbers[0].double,
      let latitude = numbers[1].double
    else { throw failure("a position is not two numbers") }
    let place = CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
    guard CLLocationCoordinate2DIsValid(place) else {
      throw failure("a position is not on the Earth")
    }
    return place
  }

  private static func places(_ json: JSON) throws -> [CLLocationCoordinate2D] {
    try list(json).map(place)
  }

  private static func line(_ json: JSON) throws -> MKPolyline {
    let places = try places(json)
    guard places.count > 1 else { throw failure("a line has fewer than two positions") }
    return MKPolyline(coordinates: places, count: places.count)
  }

  private static func polygon(_ json: JSON) throws -> MKPolygon {
    let rings = try list(json).map { ring in
      var places = try places(ring)
      guard places.count > 3 else { throw failure("a ring has fewer than four positions") }
      // The last is the first again.
      places.removeLast()
      return places
    }
    guard let outer = rings.first else { throw failure("a polygon has no ring") }
    let holes = rings.dropFirst().map { MKPolygon(coordinates: $0, count: $0.count) }
    return MKPolygon(
      coordinates: outer, count: outer.count, interiorPolygons: holes.isEmpty ? nil : holes)
  }
}
