import Console
import Glibc
import LocationModel

/// Regions as people give them.
extension Region {
  /// `ID,LAT,LON,RADIUS`.
  init(option text: String) throws(Failure) {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    let numbers = parts.suffix(3).compactMap { Double($0) }
    let identifier = parts.dropLast(3).joined(separator: ",")
    guard !identifier.isEmpty, numbers.count == 3 else {
      throw Failure(.usage, "--region wants ID,LAT,LON,RADIUS, not '\(text)'")
    }
    self.init(
      identifier: identifier,
      .circle(Coordinate(latitude: numbers[0], longitude: numbers[1]), radius: numbers[2]))
  }

  /// The features of a GeoJSON file: points with a radius, and polygons.
  static func geoJSON(_ name: String) throws(Failure) -> [Region] {
    try geoJSON(try contents(of: name), of: name)
  }

  static func geoJSON(_ text: [UInt8], of name: String) throws(Failure) -> [Region] {
    let json: JSON
    do throws(JSONError) {
      json = try JSON(parsing: String(decoding: text, as: UTF8.self))
    } catch {
      throw Failure(.failed, "\(name): \(error.reason) (byte \(error.offset))")
    }
    guard json["type"] == "FeatureCollection", let features = json["features"]?.array else {
      throw Failure(.failed, "\(name) is no GeoJSON FeatureCollection")
    }
    var regions: [Region] = []
    for (i, feature) in features.enumerated() {
      guard let region = Region(feature: feature) else {
        throw Failure(
          .failed,
          "\(name): feature \(i + 1) is neither a Point with properties identifier and radius nor a"
            + " Polygon with an identifier")
      }
      regions.append(region)
    }
    return regions
  }

  private init?(feature: JSON) {
    let properties = feature["properties"]
    guard let identifier = properties?["identifier"]?.string,
      let coordinates = feature["geometry"]?["coordinates"]?.array
    else { return nil }
    let shape: Shape
    switch feature["geometry"]?["type"] {
    case "Point":
      guard let centre = Self.place(.array(coordinates)),
        let radius = properties?["radius"]?.double
      else { return nil }
      shape = .circle(centre, radius: radius)
    case "Polygon":
      let rings = coordinates.map { $0.array?.compactMap(Self.place) ?? [] }
      guard let outer = rings.first else { return nil }
      shape = .polygon(outer, holes: Array(rings.dropFirst()))
    default: return nil
    }
    self.init(
      identifier: identifier, shape,
      notifyOnEntry: properties?["notifyOnEntry"]?.bool ?? true,
      notifyOnExit: properties?["notifyOnExit"]?.bool ?? true)
  }

  /// GeoJSON has the longitude first.
  private static func place(_ json: JSON) -> Coordinate? {
    guard let numbers = json.array?.compactMap(\.double), numbers.count >= 2 else { return nil }
    return Coordinate(latitude: numbers[1], longitude: numbers[0])
  }

  private static func contents(of name: String) throws(Failure) -> [UInt8] {
    let descriptor = open(name, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw Failure(.failed, "\(name): \(String(cString: strerror(errno)))")
    }
    defer { close(descriptor) }
    var contents: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(descriptor, &block, block.count)
      if count > 0 { contents += block[..<count] }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else {
        throw Failure(.failed, "\(name): \(String(cString: strerror(errno)))")
      }
      if count == 0 { return contents }
    }
  }
}
