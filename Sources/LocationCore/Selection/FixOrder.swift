import LocationModel

/// Whether a fix comes after those before it, by the time that its source says.
struct FixOrder {
  enum Place {
    case next, again
    /// Before the last one, or so far ahead of it that its time was misread.
    case astray
    /// The source's clock was set: its new time has shown to go on.
    case anew
  }

  private struct Moment {
    var timestamp: Timestamp
    var arrival: Boottime

    /// By how much more than has passed here since.
    func leap(to next: Moment) -> Duration {
      next.timestamp - timestamp - (next.arrival - arrival)
    }
  }

  private var last: Moment?
  private var coordinate = Coordinate(latitude: 0, longitude: 0)
  /// So many are astray in a row and go on from each other, up to this one.
  private var astray: (count: Int, newest: Moment)?
  /// Whether the source's clock stands still while its fixes go on.
  private var isStanding = false

  mutating func place(_ location: Location, at arrival: Boottime) -> Place {
    let next = Moment(timestamp: location.timestamp, arrival: arrival)
    // A recording has its own time, and may be played faster.
    let leaps = !location.simulated
    guard let last, next.timestamp <= last.timestamp || leaps && last.leap(to: next) > Self.farthest
    else {
      keep(next, location.coordinate)
      isStanding = false
      return .next
    }
    let isSame = next.timestamp == last.timestamp
    if isSame, location.coordinate == coordinate { return .again }
    if isSame, isStanding {
      keep(next, location.coordinate)
      return .anew
    }
    // Fixes that run on, or a clock that stands still.
    if let (count, newest) = astray, next.timestamp >= newest.timestamp,
      !leaps || newest.leap(to: next) <= Self.farthest
    {
      astray = (count + 1, next)
    } else {
      astray = (1, next)
    }
    guard let astray, astray.count >= Self.enough else { return .astray }
    isStanding = isSame
    keep(next, location.coordinate)
    return .anew
  }

  private mutating func keep(_ moment: Moment, _ coordinate: Coordinate) {
    last = moment
    self.coordinate = coordinate
    astray = nil
  }

  private static let enough = 3
  /// Fixes come late and in bursts, but not by ten minutes.
  private static let farthest: Duration = .seconds(600)
}
