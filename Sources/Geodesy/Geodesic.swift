import CGeographic
package import LocationModel

extension Coordinate {
  /// Metres along the geodesic.
  package func distance(to other: Coordinate) -> Double {
    cgeographic_distance(latitude, longitude, other.latitude, other.longitude)
  }

  /// Degrees from north, from 0 up to 360, in which the geodesic to another place begins.
  package func direction(to other: Coordinate) -> Double {
    let degrees = cgeographic_direction(latitude, longitude, other.latitude, other.longitude)
    return degrees < 0 ? degrees + 360 : degrees
  }

  /// The place so many metres away in a direction, degrees from north.
  package func moved(_ metres: Double, towards direction: Double) -> Coordinate {
    var place = Coordinate(latitude: 0, longitude: 0)
    cgeographic_direct(
      latitude, longitude, direction, metres, &place.latitude, &place.longitude)
    return place
  }

  /// Metres from the Earth's centre.
  package var geocentric: (x: Double, y: Double, z: Double) {
    var (x, y, z) = (0.0, 0.0, 0.0)
    cgeographic_to_geocentric(latitude, longitude, &x, &y, &z)
    return (x, y, z)
  }

  package init(geocentric x: Double, _ y: Double, _ z: Double) {
    self.init(latitude: 0, longitude: 0)
    cgeographic_from_geocentric(x, y, z, &latitude, &longitude)
  }
}
