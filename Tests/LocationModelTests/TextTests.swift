import Testing

@testable import LocationModel

private func written(_ body: (inout TextBuffer) -> Void) -> String {
  var buffer = TextBuffer()
  body(&buffer)
  return String(decoding: buffer.bytes, as: UTF8.self)
}

@Suite("Count") struct CountTests {
  @Test(
    "one is no plural",
    arguments: [
      (0, "fix", "0 fixes"), (1, "fix", "1 fix"), (2, "fix", "2 fixes"), (1, "update", "1 update"),
      (Int64.max, "byte", "9223372036854775807 bytes"),
    ])
  func plural(number: Int64, noun: String, text: String) {
    #expect("\(Count(number, noun))" == text)
  }
}

@Suite("TextBuffer") struct TextBufferTests {
  @Test(
    "a decimal is rounded to its places and ends without zeros",
    arguments: [
      (0.0, "0"), (-0.0, "0"), (1.5, "1.5"), (-1.25, "-1.25"), (37.5663528, "37.5663528"),
      (0.0000000004, "0"), (-0.0000000006, "-0.000000001"), (179.999999999, "179.999999999"),
      (0.1 + 0.2, "0.3"), (1234567.000000001, "1234567.000000001"),
    ])
  func decimals(value: Double, text: String) {
    #expect(written { $0.append(decimal: value, places: 9) } == text)
  }

  @Test("what is no number is null, and what is huge is still a number")
  func notNumbers() {
    #expect(written { $0.append(decimal: .nan, places: 3) } == "null")
    #expect(written { $0.append(decimal: -.infinity, places: 3) } == "null")
    #expect(Double(written { $0.append(decimal: 1e300, places: 3) }) == 1e300)
  }

  @Test("integers of every size", arguments: [0, 7, -7, 10, 99, 100, Int64.max, Int64.min])
  func integers(value: Int64) {
    #expect(written { $0.append(integer: value) } == "\(value)")
  }

  @Test("a string is quoted so that it stays one line of JSON")
  func quoted() throws {
    let text = "a\"b\\c\n\t\u{1}\u{7F}é한"
    let line = written { $0.append(quoted: text) }
    #expect(!line.contains("\n"))
    #expect(try JSON(parsing: line) == .string(text))
  }

  @Test("it grows as needed and gives back its first bytes")
  func grows() {
    let long = String(repeating: "0123456789", count: 1000)
    #expect(
      written {
        $0.append("x")
        $0.append(long)
        $0.removeFirst(1)
      } == long)
  }
}

@Suite("Timestamp") struct TimestampTests {
  @Test(
    "a moment is written and read as ISO 8601",
    arguments: [
      ("1970-01-01T00:00:00.000Z", 0), ("2026-11-20T20:27:01.250Z", 1_795_206_421_250_000),
      ("2000-02-29T23:59:59.999Z", 951_868_799_999_000), ("1969-12-31T23:59:59.999Z", -1000),
    ])
  func iso(text: String, microseconds: Int64) {
    #expect(Timestamp(iso8601: text)?.microseconds == microseconds)
    #expect(written { $0.append(Timestamp(microseconds: microseconds)) } == text)
  }

  @Test("half a millisecond is rounded, also across a new year")
  func rounding() {
    let last = Timestamp(year: 2026, month: 12, day: 31, microsecondsOfDay: 86_399_999_500)
    #expect(written { $0.append(last) } == "2027-01-01T00:00:00.000Z")
  }

  @Test("offsets, missing decimals and the leap second are understood")
  func variants() {
    #expect(
      Timestamp(iso8601: "2026-11-20T21:27:01+01:00") == Timestamp(iso8601: "2026-11-20T20:27:01Z"))
    #expect(
      Timestamp(iso8601: "2016-12-31T23:59:60Z") == Timestamp(iso8601: "2017-01-01T00:00:00Z"))
  }

  @Test(
    "what is no date is refused",
    arguments: [
      "", "2026", "2026-11-20", "2026-13-01T00:00:00Z", "2026-02-30T00:00:00Z",
      "2026-11-20T24:00:00Z", "2026-11-20T20:27:01", "2026-11-20T20:27:01.Z",
      "x026-11-20T20:27:01Z",
      "2026-11-20T20:27:01.250Zjunk", "2026-11-20T20:27:01+1:00",
    ])
  func refused(text: String) {
    #expect(Timestamp(iso8601: text) == nil)
  }
}

@Suite("JSON") struct JSONTests {
  @Test(
    "values come out as they went in",
    arguments: [
      "null", "true", "[]", "{}", "[1,-2,3.5,\"a\",null,{\"b\":[false]}]", "9223372036854775807",
      "{\"z\":1,\"a\":2}",
    ])
  func roundTrip(text: String) throws {
    #expect(try JSON(parsing: text).text == text)
  }

  @Test(
    "what RFC 8259 refuses is refused, with the place",
    arguments: [
      "", " ", "{", "[1,", "[1 2]", "{\"a\"}", "{\"a\":1,}", "[,]", "01", "+1", ".5", "1.", "1e",
      "-", "nul", "\"", "\"\\x\"", "\"\\u12\"", "\"\\ud800\"", "\"a\nb\"", "1 2", "NaN", "Infinity",
      "1e999", "'a'", "{a:1}", "\u{FEFF}1",
    ])
  func refused(text: String) {
    #expect(throws: JSONError.self) { try JSON(parsing: text) }
  }

  @Test("nesting is bounded, so that hostile text cannot end the program")
  func nesting() throws {
    #expect(throws: JSONError.self) {
      try JSON(parsing: String(repeating: "[", count: 60_000))
    }
    let deep = String(repeating: "[", count: 32) + String(repeating: "]", count: 32)
    #expect(try JSON(parsing: deep).text == deep)
  }

  @Test("a string that is no UTF-8 is refused")
  func notUTF8() {
    let bytes: [UInt8] = [0x22, 0xC3, 0x28, 0x22]
    #expect(throws: JSONError.self) {
      try bytes.withUnsafeBytes { raw in _ = try JSON(parsing: raw) }
    }
  }

  @Test("escapes are read, surrogate pairs too")
  func escapes() throws {
    #expect(try JSON(parsing: #""\u00e9\ud83d\ude00\/\b""#) == .string("é😀/\u{8}"))
  }

  @Test("of two members with one name the last counts")
  func duplicates() throws {
    #expect(try JSON(parsing: #"{"a":1,"a":2}"#)["a"] == .integer(2))
  }

  @Test("random bytes never crash it", arguments: 0..<8)
  func noise(seed: UInt64) {
    var generator = Seeded(seed)
    let alphabet = Array("{}[]\",:0123456789.eE+-truefalsn\\u \u{0}é".utf8)
    for _ in 0..<5000 {
      let bytes = (0..<Int.random(in: 0..<40, using: &generator)).map { _ in
        alphabet.randomElement(using: &generator) ?? 0
      }
      bytes.withUnsafeBytes { raw in _ = try? JSON(parsing: raw) }
    }
  }
}

/// Random numbers that are the same in every run.
struct Seeded: RandomNumberGenerator {
  private var state: UInt64
  init(_ seed: UInt64) { state = seed &+ 0x9E37_79B9_7F4A_7C15 }
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
