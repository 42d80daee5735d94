import CGeographic
package import LocationModel

extension Coordinate {
  /// Metres along the geodesic.
  package func distance(to other: Coordinate) -> Double {
    cgeographic_distance(latitude, longitude, other.latitude, other.longitude)
  }
}
