package import LocationModel

// The reports of gpsd 3.22, without their line ends. What is unknown is left out.
extension TextBuffer {
  /// A time, a position and a velocity. gpsd states errors of 95 %, of one axis each.
  mutating func appendPosition(of epoch: SharedEpoch) {
    let location = epoch.fix.location
    append("{\"class\":\"TPV\",\"device\":\"")
    append(GpsdSession.device)
    append("\",\"mode\":")
    append(location.verticalAccuracy == nil ? "2" : "3")
    if let status = epoch.fix.kind.gpsdStatus {
      append(",\"status\":")
      append(integer: status)
    }
    append(",\"time\":\"")
    append(location.timestamp)
    append("\",\"ept\":0.005,\"lat\":")
    append(fixed: location.coordinate.latitude, places: 9)
    append(",\"lon\":")
    append(fixed: location.coordinate.longitude, places: 9)
    append(",\"altHAE\":", location.ellipsoidalAltitude, places: 4)
    append(",\"altMSL\":", location.altitude, places: 4)
    append(",\"alt\":", location.altitude ?? location.ellipsoidalAltitude, places: 4)
    let horizontal = location.horizontalAccuracy
    append(",\"epx\":", horizontal * Self.axisOf68, places: 3)
    append(",\"epy\":", horizontal * Self.axisOf68, places: 3)
    append(",\"epv\":", location.verticalAccuracy.map { $0 * Self.lineOf68 }, places: 3)
    append(",\"track\":", location.course, places: 4)
    append(",\"speed\":", location.speed, places: 3)
    append(",\"eps\":", location.speedAccuracy.map { $0 * Self.lineOf68 }, places: 2)
    append(",\"epd\":", location.courseAccuracy.map { $0 * Self.lineOf68 }, places: 4)
    if let above = location.altitude, let ellipsoidal = location.ellipsoidalAltitude {
      append(",\"geoidSep\":", ellipsoidal - above, places: 3)
    }
    append(",\"eph\":", horizontal * Self.radiusOf68, places: 3)
    append(UInt8(ascii: "}"))
  }

  /// There is no fix.
  mutating func appendNoPosition() {
    append("{\"class\":\"TPV\",\"device\":\"")
    append(GpsdSession.device)
    append("\",\"mode\":1}")
  }

  /// From a radius of 68 % to one of 95 %, and to 95 % of one of two axes; from 68 % of a line to 95 %. Errors are
  /// spread normally.
  private static let radiusOf68 = 1.621
  private static let axisOf68 = 1.298
  private static let lineOf68 = 1.96

  mutating func appendDeviations(_ deviations: Deviations, of fix: Fix) {
    append("{\"class\":\"GST\",\"device\":\"")
    append(GpsdSession.device)
    append("\",\"time\":\"")
    append(fix.location.timestamp)
    append(UInt8(ascii: "\""))
    append(",\"rms\":", deviations.ranges, places: 3)
    append(",\"major\":", deviations.major, places: 3)
    append(",\"minor\":", deviations.minor, places: 3)
    append(",\"orient\":", deviations.orientation, places: 3)
    append(",\"lat\":", deviations.latitude, places: 3)
    append(",\"lon\":", deviations.longitude, places: 3)
    append(",\"alt\":", deviations.altitude, places: 3)
    append(UInt8(ascii: "}"))
  }

  mutating func appendSky(_ satellites: [Satellite], of fix: Fix) {
    append("{\"class\":\"SKY\",\"device\":\"")
    append(GpsdSession.device)
    append("\",\"time\":\"")
    append(fix.location.timestamp)
    append(UInt8(ascii: "\""))
    append(",\"vdop\":", fix.dilution.vertical, places: 2)
    append(",\"hdop\":", fix.dilution.horizontal, places: 2)
    append(",\"pdop\":", fix.dilution.position, places: 2)
    append(",\"nSat\":")
    append(integer: Int64(satellites.count))
    append(",\"uSat\":")
    append(integer: Int64(satellites.count(where: \.isUsed)))
    append(",\"satellites\":[")
    for (i, one) in satellites.enumerated() {
      if i > 0 { append(UInt8(ascii: ",")) }
      append(one)
    }
    append("]}")
  }

  private mutating func append(_ satellite: Satellite) {
    let number = satellite.numbers
    append("{\"PRN\":")
    append(integer: Int64(number.gpsd))
    append(",\"el\":", satellite.elevation, places: 1)
    append(",\"az\":", satellite.azimuth, places: 1)
    append(",\"ss\":", satellite.signal ?? 0, places: 1)
    append(satellite.isUsed ? ",\"used\":true" : ",\"used\":false")
    if let system = satellite.system.gnss {
      append(",\"gnssid\":")
      append(integer: system)
      append(",\"svid\":")
      append(integer: Int64(number.own))
    }
    append(UInt8(ascii: "}"))
  }

  package mutating func appendAttitude(_ heading: Heading) {
    append("{\"class\":\"ATT\",\"device\":\"")
    append(GpsdSession.device)
    append("\",\"time\":\"")
    append(heading.timestamp)
    append(UInt8(ascii: "\""))
    append(",\"heading\":", heading.trueHeading, places: 3)
    append(",\"mheading\":", heading.magneticHeading, places: 3)
    append(UInt8(ascii: "}"))
  }

  private mutating func append(_ name: StaticString, _ value: Double?, places: Int) {
    guard let value else { return }
    append(name)
    append(decimal: value, places: places)
  }
}

extension Fix.Kind {
  /// gpsd says no usual fix.
  fileprivate var gpsdStatus: Int64? {
    switch self {
    case .autonomous, .precise, .manual: nil
    case .differential: 2
    case .rtkFixed: 3
    case .rtkFloat: 4
    case .estimated: 5
    case .simulated: 8
    }
  }
}
