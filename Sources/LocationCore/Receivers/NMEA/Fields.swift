/// The fields of one sentence, read from left to right where they lie.
///
/// The fields of a sentence. The byte after the last one is neither a digit nor a comma: no number runs
/// past its end.
/// Fields that the sentence does not have read as empty ones.
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
