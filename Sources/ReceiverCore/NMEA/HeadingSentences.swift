import LocationModel

/// HDT, HDM, HDG and PASHR: which way the receiver points.
extension NMEADecoder {
  mutating func hdt(_ fields: inout Fields, _ sentence: Sentence, _ readings: inout [Reading]) {
    let heading = fields.number()
    let letter = fields.letter()
    guard !fields.isMalformed, fields.isChecked || letter != 0 else { return refuse(fields) }
    point(true: heading, magnetic: nil, accuracy: nil, sentence, &readings)
  }

  mutating func hdm(_ fields: inout Fields, _ sentence: Sentence, _ readings: inout [Reading]) {
    let heading = fields.number()
    let letter = fields.letter()
    guard !fields.isMalformed, fields.isChecked || letter != 0 else { return refuse(fields) }
    point(true: nil, magnetic: heading, accuracy: nil, sentence, &readings)
  }

  mutating func hdg(_ fields: inout Fields, _ sentence: Sentence, _ readings: inout [Reading]) {
    let heading = fields.number()
    let deviation = fields.variation()
    let isCut = fields.isCut
    let variation = fields.variation()
    guard !fields.isMalformed, !isCut else { return refuse(fields) }
    if let variation { self.variation = variation }
    point(
      true: nil, magnetic: heading.map { $0 + (deviation ?? 0) }, accuracy: nil, sentence, &readings
    )
  }

  /// `PASHR` with a time: heading, roll, pitch, heave and their errors.
  mutating func attitude(
    _ fields: inout Fields, _ sentence: Sentence, _ readings: inout [Reading]
  ) {
    fields.skip()
    let heading = fields.number()
    let letter = fields.letter()
    fields.skip(5)
    let accuracy = fields.number()
    guard !fields.isMalformed, !fields.isCut else { return refuse(fields) }
    guard letter == UInt8(ascii: "T") else { return }
    point(true: heading, magnetic: nil, accuracy: accuracy, sentence, &readings)
  }

  /// The variation that the receiver last said joins the two norths.
  private mutating func point(
    true trueHeading: Double?, magnetic: Double?, accuracy: Double?, _ sentence: Sentence,
    _ readings: inout [Reading]
  ) {
    guard trueHeading != nil || magnetic != nil, let moment = moment(sentence.now) else { return }
    var heading = Heading(timestamp: moment)
    heading.trueHeading = (trueHeading ?? shifted(magnetic, by: variation)).map(\.turned)
    heading.magneticHeading =
      (magnetic ?? shifted(trueHeading, by: variation.map { -$0 })).map(\.turned)
    heading.accuracy = accuracy.flatMap { $0 > 0 ? $0 : nil }
    counters.headings &+= 1
    readings.append(.heading(heading))
  }

  private func shifted(_ heading: Double?, by variation: Double?) -> Double? {
    guard let heading, let variation else { return nil }
    return heading + variation
  }

  /// These sentences have no time: live it is now, in a recording that of the epoch.
  private func moment(_ now: Instant) -> Timestamp? {
    if options.live, now.utcTrusted { return now.utc }
    guard let last = clock.last else { return options.live ? now.utc : nil }
    return epoch.isBegun ? ReceiverClock.nearest(time: epoch.time, to: last) : last
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
}
