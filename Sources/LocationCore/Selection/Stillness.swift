import LocationModel

/// How long a source has stood on the spot, to the last digit.
struct Stillness {
  private var coordinate: Coordinate?
  private var since = Timestamp(microseconds: 0)
  private var count = 0

  var isLong: Bool { count >= 2 }

  /// Whether a fix repeats a place that, by its own speed, it has long left.
  mutating func isBroken(by location: Location) -> Bool {
    guard let coordinate, location.coordinate == coordinate else {
      self.coordinate = location.coordinate
      since = location.timestamp
      count = 0
      return false
    }
    count += 1
    let seconds = location.timestamp.seconds(since: since)
    let way = (location.speed ?? 0) * seconds
    return way > max(Self.wayOff, location.horizontalAccuracy / 2)
  }

  private static let wayOff = 5.0
}
