/// How far off a guess of a place, a velocity and an error of fixes may be, and how much together:
/// variances and covariances, the same on each axis.
struct Covariance {
  var place = 0.0
  var placeVelocity = 0.0
  var placeError = 0.0
  var velocity = 0.0
  var velocityError = 0.0
  var error = 0.0

  /// After some seconds, of which `fading` is left of the velocity and `lasting` of the error.
  mutating func grow(_ seconds: Double, as manner: MotionMode, fading: Double, lasting: Double) {
    let reach = seconds * fading
    place += reach * (2 * placeVelocity + reach * velocity)
    placeVelocity = fading * (placeVelocity + reach * velocity)
    placeError = lasting * (placeError + reach * velocityError)
    velocityError *= fading * lasting
    let push = manner.pace * manner.pace * (1 - fading * fading)
    place += push * seconds * seconds / 3 + manner.wandering * seconds
    placeVelocity += push * seconds / 2
    velocity = velocity * fading * fading + push
    error = error * lasting * lasting + 1 - lasting * lasting
  }

  mutating func add(_ other: Covariance, _ share: Double) {
    place += other.place * share
    placeVelocity += other.placeVelocity * share
    placeError += other.placeError * share
    velocity += other.velocity * share
    velocityError += other.velocityError * share
    error += other.error * share
  }
}
