extension Timestamp {
  /// Reads `2026-11-20T20:27:01.250Z`, also without decimals, with an offset, and with second 60.
  package init?(iso8601 text: String) {
    var text = text
    let parsed = text.withUTF8 { Self.parse(UnsafeRawBufferPointer($0)) }
    guard let parsed else { return nil }
    self = parsed
  }

  private static func parse(_ text: UnsafeRawBufferPointer) -> Timestamp? {
    func digits(_ range: Range<Int>) -> Int? {
      guard range.upperBound <= text.count else { return nil }
      var value = 0
      for byte in text[range] {
        guard (0x30...0x39).contains(byte) else { return nil }
        value = value * 10 + Int(byte - 0x30)
      }
      return value
    }
    func byte(_ at: Int) -> UInt8? { at < text.count ? text[at] : nil }

    guard byte(4) == UInt8(ascii: "-"), byte(7) == UInt8(ascii: "-"),
      byte(10) == UInt8(ascii: "T") || byte(10) == UInt8(ascii: " "),
      byte(13) == UInt8(ascii: ":"), byte(16) == UInt8(ascii: ":"),
      let year = digits(0..<4), let month = digits(5..<7), let day = digits(8..<10),
      let hour = digits(11..<13), let minute = digits(14..<16), let second = digits(17..<19),
      (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second <= 60
    else { return nil }

    var at = 19
    var fraction: Int64 = 0
    if byte(at) == UInt8(ascii: ".") {
      at += 1
      let start = at
      var scale: Int64 = 100_000
      while let digit = byte(at), (0x30...0x39).contains(digit) {
        fraction += Int64(digit - 0x30) * scale
        scale /= 10
        at += 1
      }
      guard at > start else { return nil }
    }

    var offset = 0
    switch byte(at) {
    case UInt8(ascii: "Z") where text.count == at + 1: break
    case UInt8(ascii: "+"), UInt8(ascii: "-"):
      guard text.count == at + 6, byte(at + 3) == UInt8(ascii: ":"),
        let hours = digits(at + 1..<at + 3), let minutes = digits(at + 4..<at + 6)
      else { return nil }
      offset = (hours * 60 + minutes) * (byte(at) == UInt8(ascii: "-") ? -60 : 60)
    default: return nil
    }
    let seconds = Int64(hour * 3600 + minute * 60 + second - offset)
    let result = Timestamp(
      year: year, month: month, day: day, microsecondsOfDay: seconds * 1_000_000 + fraction)
    // A day that the month does not have becomes one of the next month: refused.
    guard Timestamp(year: year, month: month, day: day, microsecondsOfDay: 0).date.day == day
    else { return nil }
    return result
  }
}
