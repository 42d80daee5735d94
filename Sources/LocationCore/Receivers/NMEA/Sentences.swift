import LocationModel

/// A sentence, apart from its fields.
struct Sentence {
  /// The address's letters, the last one lowest.
  var address: UInt64
  var now: Instant
}

extension NMEADecoder {
  /// Reads a sentence of any kind.
  @inline(__always)
  mutating func decode(
    _ whole: Fields, _ now: Instant, _ readings: inout [Reading]
  ) {
    var fields = whole
    let address = fields.address()
    let sentence = Sentence(address: address, now: now)
    // Five letters: two of the talker, whoever it is, and three of the kind.
    let isStandard = address >> 32 != 0 && address >> 40 == 0 && address >> 32 != letters("P")
    let isRead =
      isStandard
      ? standard(address & 0xFF_FFFF, &fields, sentence, &readings)
      : proprietary(&fields, sentence, &readings)
    if !isRead { counters.unused &+= 1 }
  }

  @inline(__always)
  private mutating func standard(
    _ kind: UInt64, _ fields: inout Fields, _ sentence: Sentence, _ readings: inout [Reading]
  ) -> Bool {
    switch kind {
    case letters("GSV"): gsv(&fields, sentence)
    case letters("RMC"): rmc(&fields, sentence, &readings)
    case letters("GGA"): gga(&fields, sentence, &readings)
    case letters("GSA"): gsa(&fields, sentence, &readings)
    case letters("VTG"): vtg(&fields, sentence, &readings)
    case letters("GLL"): gll(&fields, sentence, &readings)
    case letters("GNS"): gns(&fields, sentence, &readings)
    case letters("GST"): gst(&fields, sentence, &readings)
    case letters("ZDA"): zda(&fields, sentence, &readings)
    case letters("GBS"): gbs(&fields, sentence, &readings)
    case letters("HDT"): hdt(&fields, sentence, &readings)
    case letters("HDM"): hdm(&fields, sentence, &readings)
    case letters("HDG"): hdg(&fields, sentence, &readings)
    default: return false
    }
    return true
  }

  private mutating func proprietary(
    _ fields: inout Fields, _ sentence: Sentence, _ readings: inout [Reading]
  ) -> Bool {
    switch sentence.address {
    case letters("PGRME"): pgrme(&fields, sentence, &readings)
    case letters("PUBX"): pubx(&fields, sentence, &readings)
    case letters("PASHR"): pashr(&fields, sentence, &readings)
    case letters("PSRFEPE"): psrfepe(&fields, sentence, &readings)
    default: return false
    }
    return true
  }
}

/// The letters of a sentence's name as `Sentence.address` has them: a constant to the compiler.
@inline(__always)
private func letters(_ name: StaticString) -> UInt64 {
  name.withUTF8Buffer { $0.reduce(0) { $0 << 8 | UInt64($1) } }
}
