import LocationModel

/// RMC, GGA, GNS and GLL: the sentences that say where, and whether to believe it.
extension NMEADecoder {
  static let knot = 1852.0 / 3600

  mutating func rmc(_ fields: inout Fields, _ sentence: Sentence, _ readings: inout [Reading]) {
    let time = fields.time()
    let status = fields.letter()
    // Without a fix some write what is no place.
    let place = status == Self.active ? fields.place() : fields.noPlace()
    let knots = fields.detail { $0.number() }
    let course = fields.detail { $0.number() }
    let isCut = fields.isCut
    let said = fields.date()
    let day = said.map { repaired($0, sentence.now) }
    let variation = fields.detail { $0.variation() }
    let mode = fields.detail { $0.letter() } ?? 0
    guard !fields.isMalformed, !isCut, fields.isChecked || day != nil || status != Self.active
    else { return refuse(fields) }
    let isValid = status == Self.active && mode != UInt8(ascii: "N")
    guard joins(time, as: .rmc, isPlace: isValid && place != nil, sentence, &readings) else {
      // Too late for its place, and still the one that says the date.
      if isValid, let day, let time {
        clock.set(day: day, time: time, heard: sentence.now.boottime)
      }
      return
    }
    epoch.vote(.rmc, isFix: isValid)
    if isValid {
      epoch.add(place)
      epoch.add(Fix.Kind(mode: mode))
      epoch.day = day ?? epoch.day
      epoch.isRepaired = epoch.isRepaired || day != said
      epoch.setMotion(speed: knots.map { $0 * Self.knot }, course: course, byRMC: true)
      if let variation { self.variation = variation }
    }
    added(sentence, &readings)
  }

  mutating func gga(_ fields: inout Fields, _ sentence: Sentence, _ readings: inout [Reading]) {
    let time = fields.time()
    let place = fields.place()
    let quality = fields.integer()
    let sky = fields.sky()
    let isCut = fields.isCut
    fields.skip()
    let separation = fields.detail { $0.number() }
    guard !fields.isMalformed, !isCut else { return refuse(fields) }
    let kind = quality.flatMap { Fix.Kind(quality: $0) }
    let isPlace = kind != nil && place != nil
    guard joins(time, as: .gga, isPlace: isPlace, sentence, &readings) else { return }
    if quality == 0 || kind != nil { epoch.vote(.gga, isFix: kind != nil) }
    if let kind {
      epoch.add(kind, place, sky, separation: separation)
    }
    added(sentence, &readings)
  }

  mutating func gns(_ fields: inout Fields, _ sentence: Sentence, _ readings: inout [Reading]) {
    let time = fields.time()
    let place = fields.place()
    let kind = fields.bestMode()
    let sky = fields.sky()
    let separation = fields.detail { $0.number() }
    guard !fields.isMalformed, !fields.isCut else { return refuse(fields) }
    let isPlace = kind != nil && place != nil
    guard joins(time, as: .gns, isPlace: isPlace, sentence, &readings) else { return }
    // With several constellations each may add one of its own that says no place.
    if let place, let kind {
      epoch.vote(.gns, isFix: true)
      epoch.add(kind, place, sky, separation: separation)
    }
    added(sentence, &readings)
  }

  mutating func gll(_ fields: inout Fields, _ sentence: Sentence, _ readings: inout [Reading]) {
    let place = fields.place()
    let time = fields.time()
    let status = fields.letter()
    let mode = fields.detail { $0.letter() } ?? 0
    guard !fields.isMalformed, fields.isChecked || status != 0 else { return refuse(fields) }
    let isValid = status == Self.active && mode != UInt8(ascii: "N")
    guard joins(time, as: .gll, isPlace: place != nil, sentence, &readings) else { return }
    epoch.vote(.gll, isFix: isValid)
    if isValid {
      epoch.add(place)
      epoch.add(Fix.Kind(mode: mode))
    }
    added(sentence, &readings)
  }

  static var active: UInt8 { UInt8(ascii: "A") }

  /// A live receiver's day with its lost weeks put back: by the system's clock where that is trusted,
  /// else so that it is not before this program.
  func repaired(_ day: Int, _ now: Instant) -> Int {
    guard options.live else { return day }
    return now.utcTrusted
      ? ReceiverClock.repaired(day: day, today: now.utc.dayNumber)
      : ReceiverClock.repaired(day: day, notBefore: ReceiverClock.earliest.dayNumber)
  }

  /// Counts a sentence that is malformed, or else not whole.
  mutating func refuse(_ fields: Fields) {
    if fields.isMalformed { counters.malformed &+= 1 } else { counters.cut &+= 1 }
  }
}

extension Epoch {
  /// RMC says speed and course together with its time; VTG only follows, and may be of another epoch.
  mutating func setMotion(speed: Double?, course: Double?, byRMC: Bool) {
    if movesByRMC, !byRMC { return }
    movesByRMC = byRMC && speed != nil
    let speed = speed.flatMap { $0 >= 0 ? $0 : nil }
    self.speed = speed ?? self.speed
    self.course = course.flatMap(\.direction) ?? self.course
  }

  mutating func setSky(satellites: Int?, dilution: Double?) {
    satellitesUsed = satellites ?? satellitesUsed
    if let dilution, dilution > 0 { horizontalDilution = dilution }
  }

  /// GGA and GNS say all of these.
  mutating func add(
    _ kind: Fix.Kind, _ place: Fields.Place?,
    _ sky: (satellites: Int?, dilution: Double?, altitude: Double?), separation: Double?
  ) {
    add(kind)
    add(place)
    setSky(satellites: sky.satellites, dilution: sky.dilution)
    altitude = altitude ?? sky.altitude
    self.separation = self.separation ?? separation
  }
}

extension Fields {
  /// `ddmmyy` as days since the Unix epoch; nil where it is empty or all zeros.
  mutating func date() -> Int? {
    guard let number = integer(), number != 0 else { return nil }
    let year = number % 100
    return day(
      year: year < 80 ? 2000 + year : 1900 + year, month: number / 100 % 100, number / 10_000)
  }

  /// Passes the fields of a place.
  mutating func noPlace() -> Place? {
    skip(4)
    return nil
  }

  /// GGA and GNS say these in a row.
  mutating func sky() -> (satellites: Int?, dilution: Double?, altitude: Double?) {
    (detail { $0.integer() }, detail { $0.number() }, detail { $0.number() })
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
