import Geodesy
package import LocationModel

/// A circle in which no place is kept or told.
package struct Zone: Equatable, Sendable {
  package enum Keep: String, CaseIterable, Sendable {
    /// Nothing, or only that the device is in it.
    case no, inside
  }

  package var name: String
  package var centre: Coordinate
  /// Metres.
  package var radius: Double
  package var keep: Keep

  package init(name: String, _ centre: Coordinate, radius: Double, keep: Keep = .no) {
    (self.name, self.centre, self.radius, self.keep) = (name, centre, radius, keep)
  }

  /// The zone with its edge moved outwards, by half its radius at most. Tracks that end on a circle give its middle:
  /// this one's is another, and stays the same for ever.
  func moved(by secret: UInt64) -> Zone {
    var dice = ZoneDice(secret, name)
    let offset = radius / 4 * dice.roll().squareRoot()
    var zone = self
    zone.centre = centre.moved(offset, towards: 360 * dice.roll())
    zone.radius = radius + offset + (radius / 2 - 2 * offset) * dice.roll()
    return zone
  }

  /// A place of this accuracy may lie in it.
  func mayContain(_ place: Coordinate, accuracy: Double) -> Bool {
    centre.distance(to: place) <= radius + max(accuracy, 0)
  }

  func contains(_ place: Coordinate) -> Bool { mayContain(place, accuracy: 0) }

  package static let longestRadius = 20_000.0

  /// The condition in SQL by which an entry may lie in it: on the plane, with a hundredth more, as SQLite knows no
  /// geodesic.
  package var condition: String {
    func scaled(_ degrees: Double) -> Int64 { Int64((degrees * 1e7).rounded()) }
    let north = "((latitude - \(scaled(centre.latitude))) * \(LocalPlane.perDegree / 1e7))"
    let turn = "abs(longitude - \(scaled(centre.longitude)))"
    let narrow = LocalPlane.cosine(centre.latitude) * LocalPlane.perDegree / 1e7
    let east = "(min(\(turn), 3600000000 - \(turn)) * \(narrow))"
    let far = "(\(radius * 1.01) + accuracy / 100.0)"
    return "\(north) * \(north) + \(east) * \(east) <= \(far) * \(far)"
  }
}

/// Numbers from 0 to 1 that follow from a secret and a name, by SplitMix64.
private struct ZoneDice {
  private var state: UInt64

  init(_ secret: UInt64, _ name: String) {
    state = secret
    for byte in name.utf8 {
      state ^= UInt64(byte)
      state = next()
    }
  }

  private mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }

  mutating func roll() -> Double { Double(next() >> 11) * 0x1p-53 }
}

/// The zones of the configuration, with their edges where the secret puts them.
package struct Zones: Equatable, Sendable {
  package let all: [Zone]

  package init(_ zones: [Zone] = [], secret: UInt64 = 0) {
    all = zones.map { $0.moved(by: secret) }
  }

  package subscript(name: String) -> Zone? { all.first { $0.name == name } }

  func first(where isIt: (Zone) -> Bool) -> Zone? { all.first(where: isIt) }

  /// A place that may lie in a zone is neither kept nor told.
  package func hide(_ entry: TrackEntry) -> Bool {
    all.contains { $0.mayContain(entry.coordinate, accuracy: entry.horizontalAccuracy) }
  }

  /// A circle tells its middle, and crossings of its edge do, too.
  func hide(_ region: Region) -> Bool { first(hiding: region) != nil }

  func first(hiding region: Region) -> Zone? {
    region.middle.flatMap { place, _ in all.first { $0.contains(place) } }
  }

  /// The zone of which it is told that the device is in it.
  func told(at place: Coordinate) -> Zone? {
    all.first { $0.keep == .inside && $0.contains(place) }
  }
}
