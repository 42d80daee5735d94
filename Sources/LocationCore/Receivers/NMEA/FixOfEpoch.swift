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
    fix.satellitesUsed = epoch.satellitesUsed
    fix.satellitesInView = sky.satellitesInView
    fix.dilution = dilution

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
