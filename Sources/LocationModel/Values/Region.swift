/// A part of the Earth, or the surroundings of beacons, that an app wants to know it enters or leaves.
package struct Region: Equatable, Sendable {
  package enum Shape: Equatable, Sendable {
    case circle(Coordinate, radius: Double)
    /// Edges are the shortest lines; the inside is the smaller part. Holes lie outside.
    case polygon([Coordinate], holes: [[Coordinate]])
    /// Wherever such a beacon is heard.
    case beacon(BeaconConstraint)
  }

  /// Metres: a quarter of the way around the Earth.
  package static let longestRadius = 1e7

  package var identifier: String
  package var shape: Shape
  package var notifyOnEntry: Bool
  package var notifyOnExit: Bool

  package init(
    identifier: String, _ shape: Shape, notifyOnEntry: Bool = true, notifyOnExit: Bool = true
  ) {
    self.identifier = identifier
    self.shape = shape
    self.notifyOnEntry = notifyOnEntry
    self.notifyOnExit = notifyOnExit
  }
}

package enum RegionState: String, Sendable {
  case inside, outside, unknown
}
