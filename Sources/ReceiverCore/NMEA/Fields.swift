import LocationModel

/// The fields of one sentence, read from left to right where they lie. The byte after the last one is neither a
/// digit nor a comma: no number runs past its end. Fields that the sentence does not have read as empty ones.
struct Fields {
  private let bytes: UnsafeRawBufferPointer
  private var at: Int
  private let end: Int
  /// Whether a checksum vouches for the sentence; else it must be seen to be whole.
  let isChecked: Bool
  /// Whether a field read so far was not what it should be.
  var isMalformed = false

  init(_ bytes: UnsafeRawBufferPointer, from first: Int, to end: Int, isChecked: Bool) {
    self.isChecked = isChecked
    self.bytes = bytes
    at = first
    self.end = end
  }

  /// Whether there may be more to come of a sentence that nothing vouches for.
  @inline(__always)
  var isCut: Bool { !isChecked && at >= end }

  /// True where no field follows the one at hand.
  var isLast: Bool { !bytes[at..<end].contains(UInt8(ascii: ",")) }

  /// Reads what the rest of the sentence does not depend on: damaged, it is unknown, and a checksum
  /// still vouches for the rest.
  @inline(__always)
  mutating func detail<Value>(_ read: (inout Fields) -> Value?) -> Value? {
    let before = isMalformed
    let value = read(&self)
    let isDamaged = isMalformed && !before
    if isChecked { isMalformed = before }
    return isDamaged ? nil : value
  }

  /// Passes the comma after a field; a field with more in it than was read is malformed.
  @inline(__always)
  private mutating func pass() {
    if bytes[at] == UInt8(ascii: ",") {
      at &+= 1
    } else if at < end {
      isMalformed = true
      skip()
    }
  }

  @inline(__always)
  mutating func skip() {
    while at < end {
      at &+= 1
      if bytes[at &- 1] == UInt8(ascii: ",") { return }
    }
  }

  mutating func skip(_ count: Int) {
    var left = count
    while left > 0, at < end {
      left &-= bytes[at] == UInt8(ascii: ",") ? 1 : 0
      at &+= 1
    }
  }

  /// A field of one character; 0 if it is empty.
  @inline(__always)
  mutating func letter() -> UInt8 {
    guard at < end, bytes[at] != UInt8(ascii: ",") else {
      pass()
      return 0
    }
    at &+= 1
    let result = bytes[at &- 1]
    pass()
    return result
  }

  /// The next character of a field that is no number; nil after the last, once the comma is passed.
  @inline(__always)
  mutating func character() -> UInt8? {
    guard at < end else { return nil }
    at &+= 1
    let result = bytes[at &- 1]
    return result == UInt8(ascii: ",") ? nil : result
  }

  /// Back before the character just read.
  mutating func back() { at &-= 1 }

  /// The sentence's first field, its letters packed with the last one lowest; 0 if it is none.
  @inline(__always)
  mutating func address() -> UInt64 {
    guard at &+ 8 <= end else {
      skip()
      return 0
    }
    let word = SentenceBytes.word(bytes, at)
    let commas = SentenceBytes.marks(word, equal: UInt8(ascii: ","))
    guard commas != 0 else {
      skip()
      return 0
    }
    let letters = commas.trailingZeroBitCount >> 3
    at &+= letters &+ 1
    return letters == 0 ? 0 : word.byteSwapped &>> UInt64(64 &- letters &* 8)
  }

  /// A number as it is written: a whole one over a power of ten.
  struct Decimal {
    var mantissa: Int64 = 0
    var scale: Int64 = 1
    var isNegative = false

    @inline(__always)
    var value: Double {
      let magnitude = Double(mantissa) / Double(scale)
      return isNegative ? -magnitude : magnitude
    }
  }

  /// Digits with at most one point among them, or nil where the field is empty.
  @inline(__always)
  mutating func decimal() -> Decimal? {
    var result = Decimal()
    guard at < end, bytes[at] != UInt8(ascii: ",") else {
      pass()
      return nil
    }
    if bytes[at] == UInt8(ascii: "-") || bytes[at] == UInt8(ascii: "+") {
      result.isNegative = bytes[at] == UInt8(ascii: "-")
      at &+= 1
    }
    var digits = 0
    while true {
      let digit = bytes[at] &- UInt8(ascii: "0")
      guard digit < 10 else { break }
      result.mantissa = result.mantissa &* 10 &+ Int64(digit)
      digits &+= 1
      at &+= 1
    }
    guard digits <= Self.mostDigits else {
      isMalformed = true
      skip()
      return nil
    }
    if bytes[at] == UInt8(ascii: ".") {
      at &+= 1
      while true {
        let digit = bytes[at] &- UInt8(ascii: "0")
        guard digit < 10 else { break }
        if digits < Self.mostDigits {
          result.mantissa = result.mantissa &* 10 &+ Int64(digit)
          result.scale &*= 10
        }
        digits &+= 1
        at &+= 1
      }
    }
    let isWhole = digits > 0 && (at >= end || bytes[at] == UInt8(ascii: ","))
    isMalformed = isMalformed || !isWhole
    pass()
    return isWhole ? result : nil
  }

  /// More before the point make no number that a receiver says; more after it add nothing.
  private static let mostDigits = 16

  @inline(__always)
  mutating func number() -> Double? { decimal()?.value }

  /// A number with no decimals.
  @inline(__always)
  mutating func integer() -> Int? {
    guard let decimal = decimal() else { return nil }
    isMalformed = isMalformed || decimal.scale > 1
    return Int(decimal.isNegative ? -decimal.mantissa : decimal.mantissa)
  }
}

/// Fields with a form of their own.
extension Fields {
  /// `hhmmss` with any decimals, since midnight; second 60 is a leap second.
  @inline(__always)
  mutating func time() -> Duration? {
    guard let decimal = decimal() else { return nil }
    let whole = decimal.mantissa / decimal.scale
    let (hours, minutes, seconds) = (whole / 10_000, whole / 100 % 100, whole % 100)
    guard !decimal.isNegative, hours < 24, minutes < 60, seconds <= 60 else {
      isMalformed = true
      return nil
    }
    let fraction = Double(decimal.mantissa - whole * decimal.scale) / Double(decimal.scale)
    return .microseconds(
      (hours * 3600 + minutes * 60 + seconds) * 1_000_000 + Int64(fraction * 1e6 + 0.5))
  }

  /// Days since the Unix epoch; a day that no calendar has is malformed, and so is one so late that the
  /// days after it may be implausible.
  mutating func day(year: Int, month: Int, _ day: Int) -> Int? {
    guard (1980..<2199).contains(year), (1...12).contains(month), (1...31).contains(day) else {
      isMalformed = true
      return nil
    }
    return Timestamp.days(year: year, month: month, day: day)
  }

  /// A place, and the scale of its minutes: the power of ten that they are given to.
  struct Place {
    var coordinate: Coordinate
    var scale: Int64
  }

  /// `ddmm.mm,N,dddmm.mm,E`: nil where nothing is in them.
  @inline(__always)
  mutating func place() -> Place? {
    let latitude = angle(positive: UInt8(ascii: "N"), negative: UInt8(ascii: "S"), most: 90)
    let longitude = angle(positive: UInt8(ascii: "E"), negative: UInt8(ascii: "W"), most: 180)
    guard let latitude, let longitude else { return nil }
    return Place(
      coordinate: Coordinate(latitude: latitude.degrees, longitude: longitude.degrees),
      scale: min(latitude.scale, longitude.scale))
  }

  /// Degrees and minutes with the half they lie in; a sign beside the letter must not contradict it.
  @inline(__always)
  private mutating func angle(
    positive: UInt8, negative: UInt8, most: Double
  ) -> (degrees: Double, scale: Int64)? {
    let decimal = decimal()
    let letter = letter()
    guard let decimal else {
      isMalformed = isMalformed || (letter != 0 && letter != positive && letter != negative)
      return nil
    }
    let degree = decimal.scale * 100
    let whole = decimal.mantissa / degree
    let minutes = Double(decimal.mantissa - whole * degree) / Double(decimal.scale)
    let degrees = Double(whole) + minutes / 60
    guard minutes <= 60, degrees <= most,
      letter == negative || (letter == positive && !decimal.isNegative)
    else {
      isMalformed = true
      return nil
    }
    return (letter == negative ? -degrees : degrees, decimal.scale)
  }
}
