/// A decoder of foreign bytes, as fuzzers feed it.
struct Decoder: Sendable {
  let name: String
  /// Words of its language, for inputs that come further than chance.
  let words: [String]
  /// Inputs to begin with.
  let seeds: [[UInt8]]
  /// Decodes any bytes, and checks what comes of them.
  let decode: @Sendable ([UInt8]) -> Void

  static func all(recordings: Recordings) -> [Decoder] {
    [
      nmea(recordings), gpsd(recordings), lines(recordings), gpx, requests, geoJSON, configuration,
      bus, database, track, geocoders, engines, map, shapes, extract, roads,
      radios, share, web,
    ]
  }

  /// Numbers and dates at which arithmetic ends.
  static let extremes = [
    "9223372036854775807", "-9223372036854775808", "18446744073709551615", "2147483648", "-1",
    "4294967295", "1e308", "-1e308", "1e-320", "0.5", "99999999999", "0001-01-01T00:00:00Z",
    "9999-12-31T23:59:60.999999999+23:59", "1950-01-01T00:00:00Z", "2199-12-31T23:59:59.999999Z",
    "1601-01-01T00:00:00-12:00",
  ]
}

/// Where seeds come from.
struct Recordings: Sendable {
  /// The first bytes of a recording of this project.
  let beginning: @Sendable (_ name: String, _ most: Int) -> [UInt8]
}

extension [UInt8] {
  /// The byte that chooses how the rest is taken, and the rest.
  var choice: (UInt8, [UInt8]) { (first ?? 0, Array(dropFirst())) }

  init(_ choice: UInt8, _ text: String) { self = [choice] + text.utf8 }

  func forEachPiece(of count: Int, _ body: (UnsafeRawBufferPointer) -> Void) {
    withUnsafeBytes { all in
      for start in stride(from: 0, to: all.count, by: count) {
        body(UnsafeRawBufferPointer(rebasing: all[start..<Swift.min(start + count, all.count)]))
      }
    }
  }
}
