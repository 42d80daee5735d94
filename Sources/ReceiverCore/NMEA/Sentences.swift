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

/// Eight bytes at a time through a sentence, and from one to the next.
enum SentenceBytes {
  static let start = UInt8(ascii: "$")
  static let checksumMark = UInt8(ascii: "*")

  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let tops: UInt64 = 0x8080_8080_8080_8080

  /// A word whose lowest set bit lies in its first byte equal to `byte`; 0 if there is none.
  @inline(__always)
  static func marks(_ word: UInt64, equal byte: UInt8) -> UInt64 {
    let rest = word ^ (ones &* UInt64(byte))
    return (rest &- ones) & ~rest & tops
  }

  /// Eight bytes, the first one lowest.
  @inline(__always)
  static func word(_ bytes: UnsafeRawBufferPointer, _ at: Int) -> UInt64 {
    UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self))
  }

  /// As `marks`, for every byte that ends a sentence.
  @inline(__always)
  private static func stops(_ word: UInt64) -> UInt64 {
    let controls = (word &- ones &* 0x20) & ~word & tops
    return marks(word, equal: checksumMark) | marks(word, equal: start) | controls | word & tops
  }

  /// The index of the byte that ends the sentence (`*`, the next `$`, or anything that is not
  /// printable ASCII), or the count; and the exclusive or of those before it.
  @inline(never)
  static func end(
    in bytes: UnsafeRawBufferPointer, from first: Int
  ) -> (index: Int, checksum: UInt8) {
    var at = first
    var sum: UInt64 = 0
    while at &+ 16 <= bytes.count {
      let (one, two) = (word(bytes, at), word(bytes, at &+ 8))
      if stops(one) | stops(two) != 0 { break }
      sum ^= one ^ two
      at &+= 16
    }
    while at &+ 8 <= bytes.count {
      let word = word(bytes, at)
      let stops = stops(word)
      if stops != 0 {
        let bits = UInt64(stops.trailingZeroBitCount & ~7)
        sum ^= word & ((1 &<< bits) &- 1)
        return (at &+ Int(bits >> 3), folded(sum))
      }
      sum ^= word
      at &+= 8
    }
    var last = folded(sum)
    while at < bytes.count {
      let byte = bytes[at]
      if byte == checksumMark || byte == start || byte < 0x20 || byte >= 0x80 { break }
      last ^= byte
      at &+= 1
    }
    return (at, last)
  }

  /// The index of the next `$`, or the count.
  @inline(__always)
  static func next(in bytes: UnsafeRawBufferPointer, from first: Int) -> Int {
    var at = first
    while at &+ 8 <= bytes.count {
      let starts = marks(word(bytes, at), equal: start)
      if starts != 0 { return at &+ starts.trailingZeroBitCount >> 3 }
      at &+= 8
    }
    while at < bytes.count, bytes[at] != start { at &+= 1 }
    return at
  }

  @inline(__always)
  private static func folded(_ word: UInt64) -> UInt8 {
    let half = word ^ (word >> 32)
    let quarter = half ^ (half >> 16)
    return UInt8(truncatingIfNeeded: quarter ^ (quarter >> 8))
  }

  /// The value of a hexadecimal digit in either case, or nil.
  @inline(__always)
  static func hexadecimal(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte &- 0x30
    case 0x41...0x46: byte &- 0x37
    case 0x61...0x66: byte &- 0x57
    default: nil
    }
  }
}
