import LocationModel

/// Sentences of makers: Garmin's PGRME, u-blox's PUBX,00, Ashtech's PASHR, SiRF's PSRFEPE.
extension NMEADecoder {
  /// Estimated errors that hold half of all places; it has no time, and may lead its epoch.
  mutating func pgrme(_ fields: inout Fields, _ sentence: Sentence, _ readings: inout [Reading]) {
    let horizontal = fields.number()
    fields.skip()
    let vertical = fields.number()
    guard !fields.isMalformed, !fields.isCut else { return refuse(fields) }
    sky.add(
      stated: horizontal.flatMap { horizontal in
        guard horizontal > 0 else { return nil }
        return (
          horizontal * Accuracy.ofHalf.horizontal, vertical.map { $0 * Accuracy.ofHalf.vertical }
        )
      })
    added(sentence, &readings)
  }

  /// Place, errors, speed and course at once; its altitude is over the ellipsoid.
  mutating func pubx(_ fields: inout Fields, _ sentence: Sentence, _ readings: inout [Reading]) {
    guard fields.integer() == 0 else { return }
    let time = fields.time()
    let place = fields.place()
    let altitude = fields.number()
    let status = fields.letters()
    let (horizontal, vertical) = (fields.number(), fields.number())
    let (kilometres, course) = (fields.number(), fields.number())
    fields.skip(2)
    let dilution = fields.number()
    fields.skip(2)
    let satellites = fields.integer()
    guard !fields.isMalformed, fields.isChecked || satellites != nil else { return refuse(fields) }
    guard let time else { return send(sentence.now, &readings) }
    guard joins(time, as: .maker, sentence, &readings) else { return }
    if let kind = Fix.Kind(status: status), place != nil {
      epoch.vote(.maker, isFix: true)
      epoch.add(kind)
      epoch.add(place)
      epoch.ellipsoidalAltitude = altitude
      epoch.setSky(satellites: satellites, dilution: dilution)
      epoch.setMotion(speed: kilometres.map { $0 / 3.6 }, course: course, byRMC: false)
      epoch.errors.add(.receiver, horizontal: horizontal, vertical: vertical)
    }
    added(sentence, &readings)
  }

  mutating func pashr(_ fields: inout Fields, _ sentence: Sentence, _ readings: inout [Reading]) {
    guard let first = fields.character() else { return }
    if first == UInt8(ascii: "P") {
      ashtechPlace(&fields, sentence, &readings)
    } else if (0x30...0x39).contains(first) {
      fields.back()
      attitude(&fields, sentence, &readings)
    }
  }

  /// `PASHR,POS`.
  private mutating func ashtechPlace(
    _ fields: inout Fields, _ sentence: Sentence, _ readings: inout [Reading]
  ) {
    guard fields.character() == UInt8(ascii: "O"), fields.character() == UInt8(ascii: "S") else {
      return
    }
    fields.skip()
    let mode = fields.integer()
    let satellites = fields.integer()
    let time = fields.time()
    let place = fields.place()
    let altitude = fields.number()
    fields.skip()
    let (course, knots) = (fields.number(), fields.number())
    fields.skip(2)
    let dilution = fields.number()
    let isCut = fields.isCut
    guard !fields.isMalformed, !isCut else { return refuse(fields) }
    guard let time, joins(time, as: .maker, sentence, &readings) else { return }
    let kinds: [Fix.Kind] = [.autonomous, .differential, .rtkFloat, .rtkFixed]
    if let mode, kinds.indices.contains(mode), place != nil {
      epoch.vote(.maker, isFix: true)
      epoch.add(kinds[mode])
      epoch.add(place)
      epoch.ellipsoidalAltitude = altitude
      epoch.setSky(satellites: satellites, dilution: dilution)
      epoch.setMotion(speed: knots.map { $0 * Self.knot }, course: course, byRMC: false)
    }
    added(sentence, &readings)
  }

  /// Estimated errors that hold 95 %.
  mutating func psrfepe(_ fields: inout Fields, _ sentence: Sentence, _ readings: inout [Reading]) {
    let time = fields.time()
    let status = fields.letter()
    fields.skip()
    let (horizontal, vertical) = (fields.number(), fields.number())
    let (speed, course) = (fields.number(), fields.number())
    guard !fields.isMalformed, fields.isChecked || course != nil else { return refuse(fields) }
    guard let time, status == Self.active else { return }
    var errors = StatedErrors()
    errors.add(
      .receiver, horizontal: horizontal.map { $0 * Accuracy.of95.horizontal },
      vertical: vertical.map { $0 * Accuracy.of95.vertical })
    if let speed, speed > 0 { errors.speed = speed * Accuracy.of95.vertical }
    // 180 is how it says that it knows nothing of its course.
    if let course, course > 0, course < 180 { errors.course = course * Accuracy.of95.vertical }
    add(errors, at: time, sentence, &readings)
  }
}

extension Fix.Kind {
  /// The kind by PUBX,00's two letters of status; nil for no fix, and for time alone.
  fileprivate init?(status: (first: UInt8, second: UInt8)) {
    switch status {
    case (UInt8(ascii: "G"), _): self = .autonomous
    case (UInt8(ascii: "D"), UInt8(ascii: "R")): self = .estimated
    case (UInt8(ascii: "D"), _): self = .differential
    case (UInt8(ascii: "R"), UInt8(ascii: "K")): self = .estimated
    default: return nil
    }
  }
}

extension Fields {
  /// A field of two characters; 0 where one is missing.
  fileprivate mutating func letters() -> (first: UInt8, second: UInt8) {
    guard let first = character() else { return (0, 0) }
    guard let second = character() else { return (first, 0) }
    skip()
    return (first, second)
  }
}
