import LocationModel

extension NMEADecoder {
  /// The fix that an epoch's sentences make together. Its numbers are possible: fields see to that.
  func fix(of epoch: Epoch, at coordinate: Coordinate, _ moment: Timestamp) -> Fix {
    let kind = epoch.kind ?? .autonomous
    let horizontalDilution = epoch.horizontalDilution ?? sky.horizontal
    var errors = epoch.errors
    if let stated = sky.statedErrors {
      errors.add(.receiver, horizontal: stated.horizontal, vertical: stated.vertical)
    }
    let metres = Accuracy.metres(kind)
    let dilution = horizontalDilution ?? Accuracy.usualDilution
    let horizontal = errors.horizontal ?? metres * dilution

    var location = Location(
      coordinate: coordinate, horizontalAccuracy: max(horizontal, Accuracy.least),
      timestamp: moment, simulated: kind == .simulated)
    location.altitude = epoch.altitude
    location.ellipsoidalAltitude = epoch.ellipsoidalAltitude
    if let altitude = epoch.altitude, let separation = epoch.separation {
      location.ellipsoidalAltitude = altitude + separation
    }
    // With three satellites the altitude is a guess that is held: nothing is known of its error.
    if location.altitude != nil || location.ellipsoidalAltitude != nil, !sky.isFlat {
      let ofDilution = (sky.vertical ?? dilution * Accuracy.usualVerticalRatio) * metres
      location.verticalAccuracy = max(errors.vertical ?? ofDilution, Accuracy.least)
    }
    location.speed = epoch.speed
    location.speedAccuracy = epoch.speed == nil ? nil : errors.speed
    location.course = epoch.course
    location.courseAccuracy = epoch.course == nil ? nil : errors.course

    var fix = Fix(location, kind: kind)
    fix.satellitesUsed = epoch.satellitesUsed
    fix.satellitesInView = sky.satellitesInView
    fix.horizontalDilution = horizontalDilution
    fix.verticalDilution = sky.vertical
    fix.positionDilution = sky.position
    return fix
  }
}
