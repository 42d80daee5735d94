import Testing

@testable import LocationModel

@Suite("Arithmetic on foreign numbers") struct ClampingTests {
  @Test("what does not fit becomes the nearest number that does")
  func clamps() {
    #expect(Int64.max.adding(clamping: 1) == .max)
    #expect(Int64.min.adding(clamping: -1) == .min)
    #expect(Int64.min.subtracting(clamping: 1) == .min)
    #expect(Int64.max.subtracting(clamping: .min) == .max)
    #expect(Int64.max.multiplied(clamping: -2) == .min)
    #expect(Int64.min.multiplied(clamping: -1) == .max)
    #expect(Int64(7).adding(clamping: -9).subtracting(clamping: 3).multiplied(clamping: -2) == 10)
  }

  @Test(
    "seconds of any size become nanoseconds",
    arguments: [
      (1.5, 1_500_000_000), (-2, -2_000_000_000), (.infinity, .max), (-.infinity, .min),
      (.nan, 0), (1e308, .max), (-1e308, .min), (9_223_372_036.854775807, .max),
    ] as [(Double, Int64)])
  func nanoseconds(seconds: Double, expected: Int64) {
    #expect(Duration(clamping: seconds) == .nanoseconds(expected))
  }

  @Test("moments end at the first and the last there is, and can be written")
  func moments() {
    let (first, last) = (Timestamp(microseconds: .min), Timestamp(microseconds: .max))
    let step = Duration.microseconds(1)
    #expect(last + step == last)
    #expect(first - step == first)
    #expect(last - first == .microseconds(Int64.max))
    #expect(first - last == .microseconds(Int64.min))
    for moment in [first, last, first + step, last - step * 499, first + .seconds(86_400)] {
      var text = TextBuffer()
      text.append(moment)
      #expect(text.count > 24)
      #expect(Timestamp(iso8601: String(decoding: text.bytes, as: UTF8.self)) == nil)
    }
  }

  @Test(
    "a date that stands for none is none",
    arguments: [
      "0000-01-01T00:00:00Z", "0001-01-01T00:00:00Z", "1601-01-01T00:00:00Z",
      "1900-01-01T00:00:00Z", "1949-12-31T23:59:59.999Z", "2200-01-01T00:00:00Z",
      "2199-12-31T23:59:60Z", "2199-12-31T23:59:59.9995Z", "9999-12-31T23:59:59.999999Z",
    ])
  func noDate(text: String) {
    #expect(Timestamp(iso8601: text) == nil)
  }

  @Test("between plausible moments lie less nanoseconds than can be counted")
  func plausible() throws {
    let first = try #require(Timestamp(iso8601: "1950-01-01T00:00:00Z"))
    let last = try #require(Timestamp(iso8601: "2199-12-31T23:59:59.999499Z"))
    #expect(first.isPlausible && last.isPlausible)
    #expect(!(first - .microseconds(1)).isPlausible && !(last + .microseconds(1)).isPlausible)
    #expect((last - first).nanoseconds < .max)
  }
}
