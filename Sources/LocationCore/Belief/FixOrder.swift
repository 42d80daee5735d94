import LocationModel

/// Whether a fix comes after those before it, by the time that its source says.
struct FixOrder {
  enum Place {
    case next, again, behind
    /// The source's clock was set back: its new time has shown to go on.
    case anew
  }

  private var behind = 0
  private var lastBehind: Timestamp?
  private var last: (timestamp: Timestamp, coordinate: Coordinate)?

  mutating func place(_ location: Location) -> Place {
    guard let last, location.timestamp <= last.timestamp else {
      keep(location)
      return .next
    }
    if location.timestamp == last.timestamp, location.coordinate == last.coordinate {
      return .again
    }
    // Those that run on, or a clock that stands still.
    behind = lastBehind.map { location.timestamp >= $0 } == true ? behind + 1 : 1
    lastBehind = location.timestamp
    guard behind >= Self.enough else { return .behind }
    keep(location)
    return .anew
  }

  private mutating func keep(_ location: Location) {
    last = (location.timestamp, location.coordinate)
    behind = 0
    lastBehind = nil
  }

  private static let enough = 3
}
