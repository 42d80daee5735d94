extension Timestamp {
  package var iso8601: String {
    var buffer = TextBuffer(capacity: 32)
    buffer.append(self)
    return String(decoding: buffer.bytes, as: UTF8.self)
  }

  /// As 2026-11-24.
  package var dayText: String { String(iso8601.prefix(10)) }

  /// Reads `2026-11-20T20:27:01.250Z`, also without decimals, with an offset, and with second 60; nil
  /// for a date that stands for none.
  package init?(iso8601 text: String) {
    var text = text
    let parsed = text.withUTF8 {
      var reader = TimestampReader(text: UnsafeRawBufferPointer($0))
      return reader.timestamp()
    }
    guard let parsed, parsed.isPlausible else { return nil }
    self = parsed
  }
}

/// Goes through the text of a date and time.
private struct TimestampReader {
  let text: UnsafeRawBufferPointer
  private var at = 0

  init(text: UnsafeRawBufferPointer) { self.text = text }

  mutating func timestamp() -> Timestamp? {
    guard let year = number(4), consume("-"), let month = number(2), consume("-"),
      let day = number(2),
      consume("T") || consume(" "), let hour = number(2), consume(":"), let minute = number(2),
      consume(":"), let second = number(2), let fraction = fraction(), let offset = offset(),
      at == text.count, (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60,
      second <= 60
    else { return nil }
    // A day that the month does not have becomes one of the next month: refused.
    guard Timestamp(year: year, month: month, day: day, microsecondsOfDay: 0).date.day == day
    else { return nil }
    let seconds = Int64(hour * 3600 + minute * 60 + second - offset)
    return Timestamp(
      year: year, month: month, day: day, microsecondsOfDay: seconds * 1_000_000 + fraction)
  }

  private mutating func consume(_ character: Unicode.Scalar) -> Bool {
    guard at < text.count, text[at] == UInt8(ascii: character) else { return false }
    at += 1
    return true
  }

  private mutating func digit() -> Int? {
    guard at < text.count, (0x30...0x39).contains(text[at]) else { return nil }
    defer { at += 1 }
    return Int(text[at] - 0x30)
  }

  /// Reads a number of exactly so many digits.
  private mutating func number(_ digits: Int) -> Int? {
    var value = 0
    for _ in 0..<digits {
      guard let digit = digit() else { return nil }
      value = value * 10 + digit
    }
    return value
  }

  /// Microseconds; 0 where none are said, nil where a point is followed by nothing.
  private mutating func fraction() -> Int64? {
    guard consume(".") else { return 0 }
    guard var fraction = digit().map({ Int64($0) * 100_000 }) else { return nil }
    var scale: Int64 = 10_000
    while let digit = digit() {
      fraction += Int64(digit) * scale
      scale /= 10
    }
    return fraction
  }

  /// Seconds east of Greenwich; nil where nothing says so.
  private mutating func offset() -> Int? {
    if consume("Z") { return 0 }
    let isEast = consume("+")
    guard isEast || consume("-"), let hours = number(2), consume(":"), let minutes = number(2)
    else {
      return nil
    }
    return (hours * 60 + minutes) * (isEast ? 60 : -60)
  }
}
