import LocationModel

/// Where a machine is by its fixes, if it moves in some manner: a Kalman filter.
///
/// A receiver that is 40 metres off is off by much the same some seconds later, so ten fixes in a row
/// say little more than one does. That error is guessed along with the place, in units of what each
/// fix says of its own accuracy; it fades within a minute or so.
struct MotionModel {
  /// A fix, as it adds to knowledge.
  struct Measurement {
    var point: Point
    /// On each axis, in metres.
    var deviation: Double
  }

  let manner: MotionMode
  /// How much it is believed against the others.
  var weight: Double
  private(set) var place: Point
  private var velocity = Point.zero
  private var error = Point.zero
  private(set) var spread = Covariance()

  /// Knowing one fix, and at most how fast it goes.
  init(_ manner: MotionMode, weight: Double, at look: Measurement, pace: Double) {
    self.manner = manner
    self.weight = weight
    place = look.point
    spread.place = look.deviation * look.deviation + Self.jitter(look)
    spread.placeError = -look.deviation
    let pace = manner == .riding ? max(pace, manner.pace) : manner.pace
    spread.velocity = pace * pace
    spread.error = 1
  }

  /// The sum of the models that may have gone over to this manner; the shares add up to 1.
  init(_ manner: MotionMode, weight: Double, from others: [MotionModel], shares: [Double]) {
    self.manner = manner
    self.weight = weight
    place = .zero
    let others = others.map { $0.turned(to: manner) }
    for (other, share) in zip(others, shares) {
      place = place + other.place * share
      velocity = velocity + other.velocity * share
      error = error + other.error * share
    }
    for (other, share) in zip(others, shares) {
      spread.add(other.spread, share)
      spread.add(other.distance(to: self), share)
    }
  }

  /// A device that begins to move otherwise does so at any velocity.
  private func turned(to manner: MotionMode) -> MotionModel {
    guard manner != self.manner else { return self }
    var turned = self
    turned.velocity = .zero
    turned.spread.velocity = manner.pace * manner.pace
    turned.spread.placeVelocity = 0
    turned.spread.velocityError = 0
    return turned
  }

  /// On each of the two axes along the ground.
  private func distance(to other: MotionModel) -> Covariance {
    let (place, velocity, error) = (
      self.place - other.place, self.velocity - other.velocity, self.error - other.error
    )
    return Covariance(
      place: place.dot(place) / 2, placeVelocity: place.dot(velocity) / 2,
      placeError: place.dot(error) / 2, velocity: velocity.dot(velocity) / 2,
      velocityError: velocity.dot(error) / 2, error: error.dot(error) / 2)
  }

  mutating func predict(_ seconds: Double) {
    let fading = manner.persistence / (manner.persistence + seconds)
    let lasting = Self.errorLasts / (Self.errorLasts + seconds)
    place = place + velocity * (seconds * fading)
    velocity = velocity * fading
    error = error * lasting
    spread.grow(seconds, as: manner, fading: fading, lasting: lasting)
  }

  /// Takes a fix, and is believed the less the farther off that is. The result is how far, squared,
  /// in units of how far it is likely to be.
  mutating func learn(_ look: Measurement) -> Double {
    let byPlace = spread.place + look.deviation * spread.placeError
    let byVelocity = spread.placeVelocity + look.deviation * spread.velocityError
    let byError = spread.placeError + look.deviation * spread.error
    let expected = byPlace + look.deviation * byError + Self.jitter(look)
    let off = look.point - place - error * look.deviation
    place = place + off * (byPlace / expected)
    velocity = velocity + off * (byVelocity / expected)
    error = error + off * (byError / expected)
    spread.add(
      Covariance(
        place: byPlace * byPlace, placeVelocity: byPlace * byVelocity,
        placeError: byPlace * byError, velocity: byVelocity * byVelocity,
        velocityError: byVelocity * byError, error: byError * byError), -1 / expected)
    let surprise = off.dot(off) / expected
    // Student's distribution: receivers are far off more often than Gauss has it.
    let once = 1 / (1 + surprise / Self.freedom)
    let twice = once * once
    weight *= twice * twice * twice * twice / expected
    return surprise
  }

  /// The error that is new in each fix: a part of its deviation, and a metre.
  private static func jitter(_ look: Measurement) -> Double {
    newPart * look.deviation * look.deviation + leastNew
  }

  private static let errorLasts = 60.0
  /// Squares: a quarter of the deviation, and a metre.
  private static let newPart = 0.0625
  private static let leastNew = 1.0
  private static let freedom = 14.0
}
