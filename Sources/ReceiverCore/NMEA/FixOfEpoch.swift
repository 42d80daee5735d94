import LocationModel

extension NMEADecoder {
  /// The fix that an epoch's sentences make together. Its numbers are possible: fields see to that.
  func fix(at coordinate: Coordinate, _ moment: Timestamp) -> Fix {
    let kind = epoch.kind ?? .autonomous
    let metres = Accuracy.metres(kind)
    var dilution = sky.dilution
    if let newer = epoch.horizontalDilution { dilution.horizontal = newer }
    var errors = epoch.errors
    if let stated = sky.statedErrors {
      errors.add(.receiver, horizontal: stated.horizontal, vertical: stated.vertical)
    }
    let horizontal = errors.horizontal ?? metres * (dilution.horizontal ?? Accuracy.usualDilution)
    var fix = Fix(
      Location(
        coordinate: coordinate, horizontalAccuracy: max(horizontal, Accuracy.least),
        timestamp: moment, simulated: kind.isSimulated),
      kind: kind)
    if options.live, epoch.saysItsDate { fix.received = epoch.heard }
    fix.satellitesUsed = epoch.satellitesUsed
    fix.satellitesInView = sky.satellitesInView
    fix.dilution = dilution
    fix.deviations = errors.deviations

    fix.location.altitude = epoch.altitude
    if let altitude = epoch.altitude, let separation = epoch.separation {
      fix.location.ellipsoidalAltitude = altitude + separation
    } else {
      fix.location.ellipsoidalAltitude = epoch.ellipsoidalAltitude
    }
    // With three satellites the altitude is a guess that is held: nothing is known of its error.
    let hasAltitude = epoch.altitude != nil || epoch.ellipsoidalAltitude != nil
    if hasAltitude, !sky.isFlat {
      let usual = (dilution.horizontal ?? Accuracy.usualDilution) * Accuracy.usualVerticalRatio
      let vertical = errors.vertical ?? metres * (dilution.vertical ?? usual)
      fix.location.verticalAccuracy = max(vertical, Accuracy.least)
    }
    fix.location.speed = epoch.speed
    fix.location.speedAccuracy = epoch.speed == nil ? nil : errors.speed
    fix.location.course = epoch.course
    fix.location.courseAccuracy = epoch.course == nil ? nil : errors.course
    return fix
  }
}

/// Errors that a receiver states of itself, each already brought to a radius (or half width) of 68 %.
struct StatedErrors {
  /// The lower the more trusted.
  enum Origin: Int { case gst, receiver, gbs, none }

  private(set) var origin = Origin.none
  private(set) var horizontal: Double?
  private(set) var vertical: Double?
  var speed: Double?
  var course: Double?
  /// GST itself.
  private(set) var deviations: Deviations?

  /// Takes over what others say where this says nothing, or less sure.
  mutating func add(_ others: StatedErrors) {
    add(others.origin, horizontal: others.horizontal, vertical: others.vertical)
    speed = speed ?? others.speed
    course = course ?? others.course
    deviations = deviations ?? others.deviations
  }

  mutating func add(_ deviations: Deviations) {
    self.deviations = deviations
    add(
      .gst,
      horizontal: Accuracy.ofDeviations(deviations.latitude, deviations.longitude)
        ?? Accuracy.ofDeviations(deviations.major, deviations.minor),
      vertical: deviations.altitude)
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
