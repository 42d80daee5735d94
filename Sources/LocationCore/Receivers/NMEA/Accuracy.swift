import LocationModel

/// Errors that a receiver states of itself, each already brought to a radius (or half width) of 68 %.
struct StatedErrors {
  /// The lower the more trusted.
  enum Origin: Int { case gst, receiver, gbs, none }

  private(set) var origin = Origin.none
  private(set) var horizontal: Double?
  private(set) var vertical: Double?
  var speed: Double?
  var course: Double?

  /// Takes over what others say where this says nothing, or less sure.
  mutating func add(_ others: StatedErrors) {
    add(others.origin, horizontal: others.horizontal, vertical: others.vertical)
    speed = speed ?? others.speed
    course = course ?? others.course
  }

  mutating func add(_ origin: Origin, horizontal: Double?, vertical: Double?) {
    guard origin.rawValue < self.origin.rawValue, let horizontal, horizontal > 0 else { return }
    self.origin = origin
    self.horizontal = horizontal
    self.vertical = vertical.flatMap { $0 > 0 ? $0 : nil }
  }
}

/// How a stated error of another probability becomes one of 68 %, for errors spread normally.
enum Accuracy {
  /// Two standard deviations along two axes: √(−2 ln 0.32)/√2 of their root sum of squares.
  static func ofDeviations(_ first: Double?, _ second: Double?) -> Double? {
    guard let first, let second else { return nil }
    return 1.07 * (first * first + second * second).squareRoot()
  }
  /// The factors of a radius, or half width, that holds half of all places.
  static let ofHalf = (horizontal: 1.28, vertical: 1.48)
  /// The factors of a radius, or half width, that holds 95 %.
  static let of95 = (horizontal: 0.617, vertical: 0.507)

  /// Metres for each unit of dilution.
  static func metres(_ kind: Fix.Kind) -> Double {
    switch kind {
    case .autonomous, .manual, .simulated: 5
    case .differential, .precise: 2
    case .rtkFloat: 0.5
    case .rtkFixed: 0.03
    case .estimated: 20
    }
  }

  /// Taken where the receiver says none.
  static let usualDilution = 4.0
  /// Vertical dilution as a multiple of horizontal, where only that is said.
  static let usualVerticalRatio = 1.5
  /// Metres, where nothing at all is said.
  static let usual = 20.0
  static let least = 0.001
}
