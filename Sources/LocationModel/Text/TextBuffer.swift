/// Bytes of text being written: one growing block, no String in between.
package struct TextBuffer: ~Copyable {
  private var base: UnsafeMutablePointer<UInt8>
  package private(set) var capacity: Int
  package private(set) var count = 0

  package init(capacity: Int = 512) {
    self.capacity = max(capacity, 64)
    base = .allocate(capacity: self.capacity)
  }

  deinit { base.deallocate() }

  package var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: count) }

  package mutating func removeAll() { count = 0 }

  package mutating func removeFirst(_ number: Int) {
    guard number > 0 else { return }
    count -= number
    base.update(from: base + number, count: count)
  }

  /// Room for `more` bytes, and a pointer to the first of them.
  @inline(__always)
  private mutating func room(_ more: Int) -> UnsafeMutablePointer<UInt8> {
    if capacity - count < more { grow(more) }
    return base + count
  }

  @inline(never)
  private mutating func grow(_ more: Int) {
    let larger = max(capacity * 2, count + more)
    let block = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
    block.update(from: base, count: count)
    base.deallocate()
    base = block
    capacity = larger
  }
}

extension TextBuffer {
  @inline(__always)
  package mutating func append(_ byte: UInt8) {
    room(1).pointee = byte
    count += 1
  }

  /// A literal, copied as it stands.
  @inline(__always)
  package mutating func append(_ text: StaticString) {
    let length = text.utf8CodeUnitCount
    room(length).update(from: text.utf8Start, count: length)
    count += length
  }

  package mutating func append(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress else { return }
    UnsafeMutableRawPointer(room(bytes.count)).copyMemory(from: start, byteCount: bytes.count)
    count += bytes.count
  }

  package mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
  }
}

extension TextBuffer {
  package mutating func append(integer value: Int64) {
    if value < 0 { append(UInt8(ascii: "-")) }
    append(magnitude: value.magnitude, digits: 1)
  }

  /// A whole number with leading zeros up to `digits`.
  @inline(__always)
  package mutating func append(magnitude: UInt64, digits: Int) {
    var length = 1
    var bound: UInt64 = 10
    while magnitude >= bound {
      length += 1
      let (next, over) = bound.multipliedReportingOverflow(by: 10)
      if over { break }
      bound = next
    }
    length = max(length, digits)
    let start = room(length)
    var rest = magnitude
    var i = length
    while i > 0 {
      i -= 1
      let tenth = rest / 10
      start[i] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest &- tenth &* 10)
      rest = tenth
    }
    count += length
  }

  /// A number rounded to `places` decimals, its trailing zeros left out; `null` if it is none.
  package mutating func append(decimal value: Double, places: Int) {
    let scale = Self.powersOfTen[places]
    let scaled = value.magnitude * Double(scale) + 0.5
    guard scaled < 9e15 else {
      if value.isFinite { append("\(value)") } else { append("null") }
      return
    }
    let whole = UInt64(scaled)
    if value < 0 && whole > 0 { append(UInt8(ascii: "-")) }
    append(magnitude: whole / scale, digits: 1)
    var fraction = whole % scale
    guard fraction > 0 else { return }
    var digits = places
    while fraction % 10 == 0 {
      fraction /= 10
      digits -= 1
    }
    append(UInt8(ascii: "."))
    append(magnitude: fraction, digits: digits)
  }

  private static let powersOfTen: [UInt64] = [
    1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000,
  ]
}

extension TextBuffer {
  /// ISO 8601 in UTC with milliseconds, as `2026-11-20T20:27:01.250Z`.
  package mutating func append(_ timestamp: Timestamp) {
    let rounded = Timestamp(microseconds: timestamp.microseconds.adding(clamping: 500))
    let (year, month, day) = rounded.date
    let milliseconds = UInt64(rounded.microsecondsOfDay / 1000)
    if year < 0 { append(UInt8(ascii: "-")) }
    append(magnitude: UInt64(year.magnitude), digits: 4)
    append(UInt8(ascii: "-"))
    append(magnitude: UInt64(month), digits: 2)
    append(UInt8(ascii: "-"))
    append(magnitude: UInt64(day), digits: 2)
    append(UInt8(ascii: "T"))
    append(magnitude: milliseconds / 3_600_000, digits: 2)
    append(UInt8(ascii: ":"))
    append(magnitude: milliseconds / 60_000 % 60, digits: 2)
    append(UInt8(ascii: ":"))
    append(magnitude: milliseconds / 1000 % 60, digits: 2)
    append(UInt8(ascii: "."))
    append(magnitude: milliseconds % 1000, digits: 3)
    append(UInt8(ascii: "Z"))
  }

  /// A JSON string with its quotes. What a terminal would obey or not show is escaped.
  package mutating func append(quoted text: String) {
    append(UInt8(ascii: "\""))
    if text.utf8.allSatisfy({ $0 < 0x80 }) {
      for byte in text.utf8 { append(escaped: byte) }
    } else {
      for scalar in text.unicodeScalars { append(escaped: scalar) }
    }
    append(UInt8(ascii: "\""))
  }

  private mutating func append(escaped scalar: Unicode.Scalar) {
    if scalar.isASCII { return append(escaped: UInt8(truncatingIfNeeded: scalar.value)) }
    if scalar.isPlain {
      for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter { append(byte) }
    } else {
      for unit in scalar.utf16 { append(escapedUnit: unit) }
    }
  }

  private mutating func append(escaped byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""): append("\\\"")
    case UInt8(ascii: "\\"): append("\\\\")
    case 0x0A: append("\\n")
    case 0x09: append("\\t")
    case 0x0D: append("\\r")
    case 0..<0x20, 0x7F: append(escapedUnit: UInt16(byte))
    default: append(byte)
    }
  }

  private mutating func append(escapedUnit unit: UInt16) {
    append("\\u")
    for shift in [12, 8, 4, 0] as [UInt16] {
      append(Self.hex(UInt8(truncatingIfNeeded: unit >> shift & 15)))
    }
  }

  private static func hex(_ nibble: UInt8) -> UInt8 {
    nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10
  }
}
