import LocationModel

/// VTG, GSA, GSV, GST, GBS and ZDA: what is said beside the place.
extension NMEADecoder {
  mutating func vtg(_ fields: inout Fields, _ sentence: Sentence, _ readings: inout [Reading]) {
    let course = fields.number()
    fields.skip(3)
    let knots = fields.number()
    fields.skip()
    let kilometres = fields.number()
    let unit = fields.letter()
    let mode = fields.letter()
    guard !fields.isMalformed, fields.isChecked || unit != 0 else { return refuse(fields) }
    if mode != UInt8(ascii: "N") {
      let speed = knots.map { $0 * Self.knot } ?? kilometres.map { $0 / 3.6 }
      if isOver {
        leading = (speed, course)
      } else {
        epoch.setMotion(speed: speed, course: course, byRMC: false)
      }
    }
    added(sentence, &readings)
  }

  mutating func gsa(_ fields: inout Fields, _ sentence: Sentence, _ readings: inout [Reading]) {
    fields.skip()
    let dimensions = fields.integer()
    // A recording is not looked at.
    var used: [Int] = []
    if options.live {
      for _ in 0..<12 { if let number = fields.integer() { used.append(number) } }
    } else {
      fields.skip(12)
    }
    let position = fields.number()
    let horizontal = fields.number()
    let isCut = fields.isCut
    let vertical = fields.number()
    guard !fields.isMalformed, !isCut else { return refuse(fields) }
    if options.live {
      let system = fields.isCut ? nil : fields.integer()
      sky.add(used: used, system: system, talker: UInt8(truncatingIfNeeded: sentence.address >> 24))
    }
    sky.add(
      dimensions: dimensions ?? 0,
      Dilution(horizontal: horizontal, vertical: vertical, position: position))
    added(sentence, &readings)
  }

  /// No fix waits for these: many receivers send them in some epochs only.
  mutating func gsv(_ fields: inout Fields, _ sentence: Sentence) {
    fields.skip()
    let (message, count) = (fields.integer(), fields.integer())
    guard !fields.isMalformed, !fields.isCut else { return refuse(fields) }
    let talker = UInt8(truncatingIfNeeded: sentence.address >> 24)
    if options.live, let message {
      var satellites: [Satellite] = []
      // A satellite has four fields: a last one by itself is the signal.
      for _ in 0..<4 where !fields.isLast {
        let number = fields.integer()
        let (elevation, azimuth, strength) = (fields.number(), fields.number(), fields.number())
        guard let number else { continue }
        satellites.append(
          Satellite(
            .init(talker: talker) ?? .init(number: number), number, elevation: elevation,
            azimuth: azimuth, signal: strength))
      }
      let signal = fields.detail { $0.letter() } ?? 0
      sky.add(satellites, message: message, talker: talker, signal: signal)
    }
    guard message == 1, let count else { return }
    sky.add(inView: count, talker: talker)
  }

  mutating func gst(_ fields: inout Fields, _ sentence: Sentence, _ readings: inout [Reading]) {
    let time = fields.time()
    var deviations = Deviations()
    deviations.ranges = fields.number()
    (deviations.major, deviations.minor) = (fields.number(), fields.number())
    deviations.orientation = fields.number()
    (deviations.latitude, deviations.longitude) = (fields.number(), fields.number())
    deviations.altitude = fields.number()
    guard !fields.isMalformed, fields.isChecked || deviations.altitude != nil else {
      return refuse(fields)
    }
    guard let time else { return }
    var errors = StatedErrors()
    errors.add(deviations)
    add(errors, at: time, sentence, &readings)
  }

  mutating func gbs(_ fields: inout Fields, _ sentence: Sentence, _ readings: inout [Reading]) {
    let time = fields.time()
    let (latitude, longitude) = (fields.number(), fields.number())
    let altitude = fields.number()
    guard !fields.isMalformed, !fields.isCut else { return refuse(fields) }
    guard let time else { return }
    let horizontal = Accuracy.ofDeviations(latitude, longitude)
    var errors = StatedErrors()
    errors.add(.gbs, horizontal: horizontal, vertical: altitude)
    add(errors, at: time, sentence, &readings)
  }

  /// Its time may run ahead of the place's: it makes no epoch, and says the date.
  mutating func zda(_ fields: inout Fields, _ sentence: Sentence, _ readings: inout [Reading]) {
    let time = fields.time()
    let (day, month, year) = (fields.integer(), fields.integer(), fields.integer())
    guard !fields.isMalformed, !fields.isCut else { return refuse(fields) }
    guard let time, let day, let month, let year else { return }
    guard let date = fields.day(year: year, month: month, day) else { return refuse(fields) }
    let whole = repaired(date, sentence.now)
    if epoch.time == time {
      if epoch.day == nil { epoch.day = whole }
      epoch.isRepaired = epoch.isRepaired || whole != date
      added(sentence, &readings)
    } else {
      clock.set(day: whole, time: time, heard: sentence.now.boottime)
    }
  }
}
