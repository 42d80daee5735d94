import LocationModel

/// Smooths vague fixes: where the machine seems to stay, what clients are told is the place that all of
/// them together speak for, and not one after the other.
///
/// How accurate they are stays as the receiver says: most are off by something that no time takes away.
/// It weighs whether the machine stays, walks or rides (interacting multiple models), so that who sets
/// off is let go at once. Good fixes, and those of receivers that measure a speed, pass as they are.
struct Whereabouts {
  /// One for each manner; none until a vague fix follows another fix.
  private var models: [MotionModel] = []
  private var newest:
    (look: MotionModel.Measurement, speed: Double?, time: Timestamp, source: SourceID)?

  /// The location as it is told, and its point; nil for one that needs no smoothing.
  mutating func smooth(
    _ location: Location, _ point: Point, from source: SourceID
  ) -> (location: Location, point: Point)? {
    let before = newest
    let look = MotionModel.Measurement(
      point: point, deviation: location.horizontalAccuracy / Self.radiusOfDeviation)
    newest = (look, location.speed, location.timestamp, source)
    guard location.speed == nil, location.horizontalAccuracy > TrackPoint.good,
      let before, before.source == source
    else {
      forget()
      return nil
    }
    let seconds = location.timestamp.seconds(since: before.time)
    guard 0...Self.longestGap ~= seconds else {
      forget()
      return nil
    }
    if models.isEmpty { begin(at: before.look, speed: before.speed) }
    predict(seconds)
    guard learn(look) else {
      forget()
      return nil
    }
    return told(location)
  }

  private mutating func forget() {
    if !models.isEmpty { models.removeAll(keepingCapacity: true) }
  }

  private mutating func begin(at look: MotionModel.Measurement, speed: Double?) {
    let isMoving = speed.map { $0 > TrackPoint.walk } ?? false
    models = MotionMode.allCases.map { manner in
      MotionModel(
        manner, weight: isMoving && manner == .staying ? Self.hardly : 1.0 / 3, at: look,
        pace: speed ?? 0)
    }
  }

  private mutating func predict(_ seconds: Double) {
    models = MotionMode.allCases.map { manner in
      let shares = models.map { $0.weight * $0.manner.becomes(manner, after: seconds) }
      let weight = shares.reduce(0, +)
      return MotionModel(
        manner, weight: weight, from: models, shares: shares.map { $0 / weight })
    }
    for i in models.indices { models[i].predict(seconds) }
  }

  /// Whether any of them can be true.
  private mutating func learn(_ look: MotionModel.Measurement) -> Bool {
    var least = Double.infinity
    for i in models.indices { least = min(least, models[i].learn(look)) }
    guard least < Self.impossible else { return false }
    let total = models.reduce(0) { $0 + $1.weight }
    for i in models.indices {
      models[i].weight = max(models[i].weight / total, Self.hardly)
    }
    return true
  }

  private func told(_ location: Location) -> (location: Location, point: Point)? {
    guard location.horizontalAccuracy > Self.vague else { return nil }
    let place = models.reduce(Point.zero) { $0 + $1.place * $1.weight }
    let variance = models.reduce(0) { sum, one in
      let off = one.place - place
      return sum + one.weight * (one.spread.place + off.dot(off) / 2)
    }
    let radius = max(variance, 0).squareRoot() * Self.radiusOfDeviation
    let stays = models.contains { $0.manner == .staying && $0.weight > 0.5 }
    guard stays || radius < location.horizontalAccuracy / 2 else { return nil }
    var told = location
    told.coordinate = place.coordinate
    return (told, place)
  }

  /// Metres that a fix is told to be off at least, before it is told otherwise than it came.
  private static let vague = 40.0
  /// 68 % of two Gaussian errors are within this many of their deviations.
  private static let radiusOfDeviation = 1.51
  /// After minutes without a fix it may be anywhere.
  private static let longestGap = 600.0
  private static let impossible = 25.0
  private static let hardly = 1e-6
}
