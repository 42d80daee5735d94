import LocationModel

/// Joins the reports that gpsd makes of one epoch of one device into one fix.
struct GpsdEpochs {
  private var device: String?
  private var time: Timestamp?
  /// Of the epoch before, to know a straggler by.
  private var previous: Timestamp?
  /// Whether the fix of the epoch at hand has left, if it is one.
  private var isSent = true
  private var mode: Int64 = 0
  /// What has been said of the epoch, by gpsd's names.
  private var said: [String: Double] = [:]
  /// What GST says, of the epoch at hand and of the one that it leads.
  private var errors: StatedErrors?
  private var ahead: (time: Timestamp, errors: StatedErrors)?
  /// Of the last report that had one, for those that have none.
  private var last: Timestamp?
  private var dilution = Dilution()
  private(set) var satellites: (used: Int?, inView: Int?)
  private var end = EpochEnd()
  /// Whether the last report was the one that this gpsd ends an epoch of this receiver with.
  private(set) var isComplete = false
  /// The fix before.
  private var before: Location?
  /// How many places in a row came without a time.
  private var timeless = 0
  /// How often another report of an epoch came after its fix had left.
  private(set) var stragglers = 0

  /// The kinds of report that an epoch is made of, for `EpochEnd`.
  private static let place: UInt64 = 1
  private static let noise: UInt64 = 2
  /// At the start many have a place before they have a date.
  private static let mostTimeless = 10

  private static let names = [
    "lat", "lon", "altMSL", "alt", "altHAE", "eph", "epx", "epy", "epv", "speed", "track", "status",
  ]

  /// `now`: where the receiver is heard as it speaks.
  mutating func take(
    _ name: String, _ report: JSON, now: Instant? = nil, into readings: inout [Reading]
  ) {
    let clock = now.flatMap { $0.utcTrusted ? $0.utc : nil }
    switch name {
    case "TPV": takePlace(report, clock, into: &readings)
    case "SKY":
      dilution = Dilution(
        horizontal: report["hdop"]?.double ?? dilution.horizontal,
        vertical: report["vdop"]?.double ?? dilution.vertical,
        position: report["pdop"]?.double ?? dilution.position)
      if let all = report["satellites"]?.array {
        satellites = (all.count { $0["used"]?.bool == true }, all.count)
      }
    case "GST":
      guard let time = Timestamp(recorded: report["time"]) else { return }
      var errors = StatedErrors()
      errors.add(
        .gst,
        horizontal: Accuracy.ofDeviations(report["lat"]?.double, report["lon"]?.double)
          ?? Accuracy.ofDeviations(report["major"]?.double, report["minor"]?.double),
        vertical: report["alt"]?.double)
      if time == self.time {
        self.errors = errors
        isComplete = end.note(Self.noise)
      } else {
        ahead = (time, errors)
      }
    case "ATT":
      // A compass that is nothing else never says a time.
      guard let time = Timestamp(recorded: report["time"]) ?? clock ?? last ?? now?.utc else {
        return
      }
      let heading = Heading(
        trueHeading: report["heading"]?.double.flatMap(\.direction),
        magneticHeading: report["mheading"]?.double.flatMap(\.direction),
        timestamp: time)
      guard heading.trueHeading != nil || heading.magneticHeading != nil else { return }
      readings.append(.heading(heading))
    default: break
    }
  }

  private mutating func takePlace(
    _ report: JSON, _ clock: Timestamp?, into readings: inout [Reading]
  ) {
    // A report with neither a time nor a place, as at the start, ends what was pending.
    var time = Timestamp(recorded: report["time"])
    timeless = time == nil && report["lat"] != nil ? timeless + 1 : 0
    // Whose clock gpsd does not know.
    if timeless > Self.mostTimeless { time = clock }
    let device = report["device"]?.string
    if time != self.time || device != self.device {
      if time != nil, time == previous, device == self.device { return }
      send(into: &readings)
      begin(time, device)
    } else if isSent, time != nil {
      stragglers += 1
    }
    isComplete = end.note(Self.place)
    last = time ?? last
    mode = report["mode"]?.integer ?? mode
    for name in Self.names {
      if let value = report[name]?.double { said[name] = value }
    }
  }

  private mutating func begin(_ time: Timestamp?, _ device: String?) {
    previous = device == self.device ? self.time : nil
    (self.time, self.device) = (time, device)
    said.removeAll(keepingCapacity: true)
    mode = 0
    isSent = false
    errors = ahead.flatMap { $0.time == time ? $0.errors : nil }
    end.begin(with: Self.place)
  }

  /// Whether what is pending makes a fix.
  var isFix: Bool {
    !isSent && mode >= 2 && time != nil && said["lat"] != nil && said["lon"] != nil
  }

  /// The fix of what is pending, if it is one.
  mutating func send(into readings: inout [Reading]) {
    guard isFix, let time, let latitude = said["lat"], let longitude = said["lon"] else { return }
    isSent = true
    let kind = Fix.Kind(gpsd: said["status"])
    let metres = Accuracy.metres(kind)
    let horizontal =
      errors?.horizontal
      ?? Accuracy.ofGpsd(
        said["eph"] ?? diagonal, of95: Accuracy.of95.horizontal, dilution.horizontal, metres: 19,
        kind)
      ?? (dilution.horizontal ?? Accuracy.usualDilution) * metres
    var location = Location(
      coordinate: Coordinate(latitude: latitude, longitude: longitude),
      horizontalAccuracy: max(horizontal, Accuracy.least), timestamp: time)
    location.altitude = said["altMSL"] ?? said["alt"]
    location.ellipsoidalAltitude = said["altHAE"]
    if mode == 3, location.altitude != nil || location.ellipsoidalAltitude != nil {
      location.verticalAccuracy =
        errors?.vertical ?? Accuracy.ofGpsd(
          said["epv"], of95: Accuracy.of95.vertical, dilution.vertical, metres: 23, kind)
        ?? horizontal * Accuracy.usualVerticalRatio
    }
    location.speed = measuredSpeed(at: location)
    before = location
    location.course = said["track"].flatMap(\.direction)
    guard location.isValid else { return }
    var fix = Fix(location, kind: kind)
    fix.dilution = dilution
    fix.satellitesUsed = satellites.used
    fix.satellitesInView = satellites.inView
    readings.append(.fix(fix))
  }

  /// Where a receiver says no speed, gpsd makes one up of the way between two fixes.
  private func measuredSpeed(at location: Location) -> Double? {
    guard let speed = said["speed"], said["track"] == nil, let before else { return said["speed"] }
    let seconds = Double(location.timestamp - before.timestamp) / 1e6
    let way = location.coordinate.distance(to: before.coordinate)
    let isMadeUp = way > 0.01 && abs(way - speed * seconds) < 0.002 + way * 0.005
    return isMadeUp ? nil : speed
  }

  private var diagonal: Double? {
    guard let x = said["epx"], let y = said["epy"] else { return nil }
    return (x * x + y * y).squareRoot()
  }
}

extension Accuracy {
  /// An error of 95 % as gpsd states it; where that is nothing but a dilution times its own `metres`
  /// (a quarter of them with corrections), the dilution says it better.
  static func ofGpsd(
    _ error: Double?, of95 factor: Double, _ dilution: Double?, metres: Double, _ kind: Fix.Kind
  ) -> Double? {
    guard let error, error > 0 else { return nil }
    if let dilution, dilution > 0 {
      let ratio = error / dilution
      for each in [metres, metres / 4] where abs(ratio / each - 1) < 0.12 {
        return dilution * Self.metres(kind)
      }
    }
    return error * factor
  }
}

extension Fix.Kind {
  fileprivate init(gpsd status: Double?) {
    switch status {
    case 2: self = .differential
    case 3: self = .rtkFixed
    case 4: self = .rtkFloat
    case 5, 6: self = .estimated
    case 8: self = .simulated
    default: self = .autonomous
    }
  }
}
