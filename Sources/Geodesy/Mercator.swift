internal import CGeographic

/// The square of web maps: from 0 to 1, counted from the north-west.
package enum Mercator {
  package static func across(_ longitude: Double) -> Double {
    min(max(longitude / 360 + 0.5, 0), 1)
  }

  package static func down(_ latitude: Double) -> Double {
    min(max(cgeographic_mercator(min(max(latitude, -89), 89)), 0), 1)
  }
}
