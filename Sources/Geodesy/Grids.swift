import CGeographic
package import LocationModel

extension Coordinate {
  /// A place in a zone of UTM; nil where the zone has no such place.
  package init?(utmZone zone: Int, isNorth: Bool, easting: Double, northing: Double) {
    self.init(latitude: 0, longitude: 0)
    guard (1...60).contains(zone),
      cgeographic_from_utm(
        Int32(zone), isNorth ? 1 : 0, easting, northing, &latitude, &longitude) == 1
    else { return nil }
  }

  /// The middle of a square of MGRS, and the metres to its sides; nil for any other text.
  package static func mgrs(_ text: String) -> (place: Coordinate, metres: Double)? {
    var place = Coordinate(latitude: 0, longitude: 0)
    var metres = 0.0
    guard cgeographic_from_mgrs(text, &place.latitude, &place.longitude, &metres) == 1 else {
      return nil
    }
    return (place, metres)
  }

  /// A place of Great Britain's national grid, to five metres.
  package init(britishEasting easting: Double, northing: Double) {
    self.init(latitude: 0, longitude: 0)
    cgeographic_from_british(easting, northing, &latitude, &longitude)
  }
}
