import LocationModel

/// RMC, GGA, GNS and GLL: the sentences that say where, and whether to believe it.
extension NMEADecoder {
  static let knot = 1852.0 / 3600

  mutating func rmc(_ fields: inout Fields, _ sentence: Sentence, _ readings: inout [Reading]) {
    let time = fields.time()
    let status = fields.letter()
    let place = fields.place()
    let knots = fields.number()
    let course = fields.number()
    let isWhole = sentence.isChecked || !fields.isAtEnd
    let day = fields.date().map { repaired($0, sentence.now) }
    let variation = fields.variation()
    let mode = fields.letter()
    guard !fields.isMalformed, isWhole, sentence.isChecked || day != nil || status != Self.active
    else { return cut(fields) }
    guard let time else { return lose(sentence.now, &readings) }
    guard joins(time, sentence, &readings) else { return }
    if status == Self.active, mode != UInt8(ascii: "N") {
      epoch.isFix = true
      epoch.add(place)
      epoch.add(Fix.Kind(mode: mode))
      epoch.day = day
      epoch.setMotion(speed: knots.map { $0 * Self.knot }, course: course, byRMC: true)
      if let variation { self.variation = variation }
    } else {
      epoch.isRefused = true
    }
    added(sentence, &readings)
  }

  mutating func gga(_ fields: inout Fields, _ sentence: Sentence, _ readings: inout [Reading]) {
    let time = fields.time()
    let place = fields.place()
    let quality = fields.integer()
    let satellites = fields.integer()
    let dilution = fields.number()
    let altitude = fields.number()
    let unit = fields.letter()
    let separation = fields.number()
    guard !fields.isMalformed, sentence.isChecked || unit != 0 else { return cut(fields) }
    guard let time else { return lose(sentence.now, &readings) }
    guard joins(time, sentence, &readings) else { return }
    epoch.add(quality: quality)
    if let kind = quality.flatMap({ Fix.Kind(quality: $0) }) {
      if kind.isMeasured { epoch.isFix = true }
      epoch.add(kind)
      epoch.add(place)
      epoch.setSky(satellites: satellites, dilution: dilution)
      epoch.setAltitude(altitude, separation: separation)
    }
    added(sentence, &readings)
  }

  mutating func gns(_ fields: inout Fields, _ sentence: Sentence, _ readings: inout [Reading]) {
    let time = fields.time()
    let place = fields.place()
    let kind = fields.bestMode()
    let satellites = fields.integer()
    let dilution = fields.number()
    let altitude = fields.number()
    let separation = fields.number()
    guard !fields.isMalformed, sentence.isChecked || !fields.isAtEnd else { return cut(fields) }
    guard let time else { return lose(sentence.now, &readings) }
    guard joins(time, sentence, &readings) else { return }
    // With several constellations each may add one of its own that says no place.
    if let place, let kind {
      if kind.isMeasured { epoch.isFix = true }
      epoch.add(kind)
      epoch.add(place)
      epoch.setSky(satellites: satellites, dilution: dilution)
      epoch.setAltitude(altitude, separation: separation)
    }
    added(sentence, &readings)
  }

  mutating func gll(_ fields: inout Fields, _ sentence: Sentence, _ readings: inout [Reading]) {
    let place = fields.place()
    let time = fields.time()
    let status = fields.letter()
    let mode = fields.letter()
    guard !fields.isMalformed, sentence.isChecked || status != 0 else { return cut(fields) }
    guard let time else {
      // The oldest ones say a place and no time: it cannot be used.
      return place == nil ? lose(sentence.now, &readings) : ()
    }
    guard joins(time, sentence, &readings) else { return }
    if status == Self.active, mode != UInt8(ascii: "N") {
      epoch.isFix = true
      epoch.add(place)
      epoch.add(Fix.Kind(mode: mode))
    } else {
      epoch.isRefused = true
    }
    added(sentence, &readings)
  }

  static var active: UInt8 { UInt8(ascii: "A") }

  /// A live receiver's day with its lost weeks put back, where the system's clock may say so.
  func repaired(_ day: Int, _ now: Instant) -> Int {
    guard options.live, now.utcTrusted else { return day }
    return ReceiverClock.repaired(day: day, today: now.utc.dayNumber)
  }

  /// Counts a sentence that is not whole; a malformed one is counted where all are.
  mutating func cut(_ fields: Fields) {
    if !fields.isMalformed { counters.cut &+= 1 }
  }
}

extension Fields {
  /// The variation of the compass, east positive.
  mutating func variation() -> Double? {
    let degrees = number()
    let letter = letter()
    guard let degrees else { return nil }
    return letter == UInt8(ascii: "W") ? -degrees : degrees
  }

  /// GNS has a mode letter for each constellation: the one that says most.
  mutating func bestMode() -> Fix.Kind? {
    var best: Fix.Kind?
    while let letter = character() {
      guard let kind = Fix.Kind(mode: letter) else { continue }
      if best.map({ $0.weight < kind.weight }) ?? true { best = kind }
    }
    return best
  }
}

extension Epoch {
  /// RMC says speed and course together with its time; VTG only follows, and may be of another epoch.
  mutating func setMotion(speed: Double?, course: Double?, byRMC: Bool) {
    if movesByRMC, !byRMC { return }
    movesByRMC = byRMC
    let speed = speed.flatMap { $0 >= 0 ? $0 : nil }
    self.speed = speed ?? self.speed
    if let course, (0...360).contains(course) { self.course = course == 360 ? 0 : course }
  }

  mutating func setSky(satellites: Int?, dilution: Double?) {
    satellitesUsed = satellites ?? satellitesUsed
    if let dilution, dilution > 0 { horizontalDilution = dilution }
  }

  mutating func setAltitude(_ altitude: Double?, separation: Double?) {
    guard self.altitude == nil else { return }
    self.altitude = altitude
    self.separation = separation
  }
}
