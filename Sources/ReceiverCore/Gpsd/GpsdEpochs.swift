import Geodesy
import LocationModel

/// Joins the reports that gpsd makes of one epoch of one device into one fix.
struct GpsdEpochs {
  private var device: String?
  private var time: Timestamp?
  /// The time of the epoch before, to know a straggler by.
  private var previous: Timestamp?
  /// Whether the fix of the epoch at hand has left, if it is one.
  private var isSent = true
  /// The reports of this epoch, joined.
  private var said = GpsdReport.Position()
  /// The errors that GST states, of the epoch at hand and of the one that it leads.
  private var errors: StatedErrors?
  private var ahead: (time: Timestamp, errors: StatedErrors)?
  /// The time of the last report that had one, for those that have none.
  private var last: Timestamp?
  private var dilution = Dilution()
  private(set) var satellites: (used: Int?, inView: Int?)
  /// Each that is in view.
  private(set) var view: [Satellite] = []
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

  /// `now`: where the receiver is heard as it speaks.
  mutating func add(
    _ report: GpsdReport, of device: String?, now: Instant? = nil, into readings: inout [Reading]
  ) {
    let clock = now.flatMap { $0.utcTrusted ? $0.utc : nil }
    switch report {
    case .position(let position): add(position, of: device, clock, into: &readings)
    case .sky(let sky):
      dilution = Dilution(
        horizontal: sky.dilution.horizontal ?? dilution.horizontal,
        vertical: sky.dilution.vertical ?? dilution.vertical,
        position: sky.dilution.position ?? dilution.position)
      if let inView = sky.satellitesInView { satellites = (sky.satellitesUsed, inView) }
      if !sky.satellites.isEmpty { view = sky.satellites }
    case .noise(let noise): add(noise)
    case .attitude(let attitude):
      // A compass that is nothing else never says a time.
      guard let time = attitude.time ?? clock ?? last ?? now?.utc else { return }
      let heading = Heading(
        trueHeading: attitude.heading.flatMap(\.direction),
        magneticHeading: attitude.magneticHeading.flatMap(\.direction),
        timestamp: time)
      guard heading.trueHeading != nil || heading.magneticHeading != nil else { return }
      readings.append(.heading(heading))
    }
  }

  private mutating func add(_ noise: GpsdReport.Noise) {
    guard let time = noise.time else { return }
    var errors = StatedErrors()
    errors.add(noise.deviations)
    if time == self.time {
      self.errors = errors
      isComplete = end.note(Self.noise)
    } else {
      ahead = (time, errors)
    }
  }

  private mutating func add(
    _ position: GpsdReport.Position, of device: String?, _ clock: Timestamp?,
    into readings: inout [Reading]
  ) {
    // A report with neither a time nor a place, as at the start, ends what was pending.
    var time = position.time
    timeless = time == nil && position.latitude != nil ? timeless + 1 : 0
    // gpsd does not know the receiver's clock.
    if timeless > Self.mostTimeless { time = clock }
    if time != self.time || device != self.device {
      if time != nil, time == previous, device == self.device { return }
      send(into: &readings)
      begin(time, device)
    } else if isSent, time != nil {
      stragglers += 1
    }
    isComplete = end.note(Self.place)
    last = time ?? last
    said.merge(position)
  }

  private mutating func begin(_ time: Timestamp?, _ device: String?) {
    previous = device == self.device ? self.time : nil
    (self.time, self.device) = (time, device)
    said = GpsdReport.Position()
    isSent = false
    errors = ahead.flatMap { $0.time == time ? $0.errors : nil }
    end.begin(with: Self.place)
  }

  /// Whether what is pending makes a fix.
  var isFix: Bool {
    !isSent && said.mode.isFix && time != nil && said.latitude != nil && said.longitude != nil
  }

  /// The fix of what is pending, if it is one.
  mutating func send(into readings: inout [Reading]) {
    guard isFix, let time, let latitude = said.latitude, let longitude = said.longitude else {
      return
    }
    isSent = true
    let kind = said.kind ?? .autonomous
    let metres = Accuracy.metres(kind)
    let horizontal =
      errors?.horizontal
      ?? Accuracy.ofGpsd(
        said.horizontalError ?? diagonal, of95: Accuracy.of95.horizontal, dilution.horizontal,
        metres: 19, kind)
      ?? (dilution.horizontal ?? Accuracy.usualDilution) * metres
    var location = Location(
      coordinate: Coordinate(latitude: latitude, longitude: longitude),
      horizontalAccuracy: max(horizontal, Accuracy.least), timestamp: time)
    location.altitude = said.altitude
    location.ellipsoidalAltitude = said.ellipsoidalAltitude
    if said.mode == .in3D, location.altitude != nil || location.ellipsoidalAltitude != nil {
      location.verticalAccuracy =
        errors?.vertical ?? Accuracy.ofGpsd(
          said.verticalError, of95: Accuracy.of95.vertical, dilution.vertical, metres: 23, kind)
        ?? horizontal * Accuracy.usualVerticalRatio
    }
    location.speed = measuredSpeed(at: location)
    before = location
    location.course = said.course.flatMap(\.direction)
    guard location.isValid else { return }
    var fix = Fix(location, kind: kind)
    fix.dilution = dilution
    fix.deviations = errors?.deviations
    fix.satellitesUsed = satellites.used
    fix.satellitesInView = satellites.inView
    readings.append(.fix(fix))
  }

  /// Where a receiver says no speed, gpsd makes one up of the way between two fixes.
  private func measuredSpeed(at location: Location) -> Double? {
    guard let speed = said.speed, said.course == nil, let before else { return said.speed }
    let seconds = location.timestamp.seconds(since: before.timestamp)
    let way = location.coordinate.distance(to: before.coordinate)
    let isMadeUp = way > 0.01 && abs(way - speed * seconds) < 0.002 + way * 0.005
    return isMadeUp ? nil : speed
  }

  private var diagonal: Double? {
    guard let x = said.eastError, let y = said.northError else { return nil }
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
