import LocationModel

/// What every kind of sentence needs besides its fields.
struct Sentence {
  /// The address's letters, the last one lowest.
  var address: UInt64
  var now: Instant
}

extension NMEADecoder {
  /// Reads a sentence of any kind.
  @inline(__always)
  mutating func take(
    _ whole: Fields, _ now: Instant, _ readings: inout [Reading]
  ) {
    var fields = whole
    let address = fields.address()
    let sentence = Sentence(address: address, now: now)
    // Five letters: two of the talker, whoever it is, and three of the kind.
    let isStandard = address >> 32 != 0 && address >> 40 == 0 && address >> 32 != 0x50
    let isRead =
      isStandard
      ? standard(Int(address & 0xFF_FFFF), &fields, sentence, &readings)
      : proprietary(&fields, sentence, &readings)
    if !isRead { counters.unused &+= 1 }
  }

  @inline(__always)
  private mutating func standard(
    _ kind: Int, _ fields: inout Fields, _ sentence: Sentence, _ readings: inout [Reading]
  ) -> Bool {
    // The letters, in ASCII.
    switch kind {
    case 0x475356: gsv(&fields, sentence)
    case 0x524D43: rmc(&fields, sentence, &readings)
    case 0x474741: gga(&fields, sentence, &readings)
    case 0x475341: gsa(&fields, sentence, &readings)
    case 0x565447: vtg(&fields, sentence, &readings)
    case 0x474C4C: gll(&fields, sentence, &readings)
    case 0x474E53: gns(&fields, sentence, &readings)
    case 0x475354: gst(&fields, sentence, &readings)
    case 0x5A4441: zda(&fields, sentence, &readings)
    case 0x474253: gbs(&fields, sentence, &readings)
    case 0x484454: hdt(&fields, sentence, &readings)
    case 0x48444D: hdm(&fields, sentence, &readings)
    case 0x484447: hdg(&fields, sentence, &readings)
    default: return false
    }
    return true
  }

  private mutating func proprietary(
    _ fields: inout Fields, _ sentence: Sentence, _ readings: inout [Reading]
  ) -> Bool {
    switch sentence.address {
    case 0x5047_524D45: pgrme(&fields, sentence, &readings)
    case 0x5055_4258: pubx(&fields, sentence, &readings)
    case 0x5041_534852: pashr(&fields, sentence, &readings)
    case 0x5053_5246_455045: psrfepe(&fields, sentence, &readings)
    default: return false
    }
    return true
  }
}
