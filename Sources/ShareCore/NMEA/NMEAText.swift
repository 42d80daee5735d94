import LocationModel

// Fields of NMEA 0183.
extension TextBuffer {
  /// A sentence around its fields.
  mutating func sentence(_ fields: (inout TextBuffer) -> Void) {
    append(UInt8(ascii: "$"))
    let start = count
    fields(&self)
    let sum = bytes[start...].reduce(UInt8(0), ^)
    append(UInt8(ascii: "*"))
    append(hex: sum >> 4)
    append(hex: sum & 15)
    append("\r\n")
  }

  private mutating func append(hex digit: UInt8) {
    append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "A") + digit - 10)
  }

  mutating func append(timeOf moment: Timestamp) {
    let milliseconds = UInt64(moment.toMillisecond.microsecondsOfDay / 1000)
    append(magnitude: milliseconds / 3_600_000, digits: 2)
    append(magnitude: milliseconds / 60_000 % 60, digits: 2)
    append(magnitude: milliseconds / 1000 % 60, digits: 2)
    append(UInt8(ascii: "."))
    append(magnitude: milliseconds % 1000, digits: 3)
  }

  /// Degrees and minutes, to 2 mm.
  mutating func append(_ place: Coordinate) {
    append(angle: place.latitude, digits: 2)
    append(place.latitude < 0 ? ",S," : ",N,")
    append(angle: place.longitude, digits: 3)
    append(place.longitude < 0 ? ",W" : ",E")
  }

  private mutating func append(angle: Double, digits: Int) {
    let millionths = UInt64((min(angle.magnitude, 360) * 60e6).rounded())
    append(magnitude: millionths / 60_000_000, digits: digits)
    append(magnitude: millionths / 1_000_000 % 60, digits: 2)
    append(UInt8(ascii: "."))
    append(magnitude: millionths % 1_000_000, digits: 6)
  }

  /// All decimals are written; nothing, where it is unknown.
  mutating func append(fixed value: Double?, places: Int) {
    guard let value, value.magnitude < 1e9 else { return }
    let scale = (0..<min(places, 9)).reduce(UInt64(1)) { power, _ in power * 10 }
    let whole = UInt64((value.magnitude * Double(scale)).rounded())
    if value < 0, whole > 0 { append(UInt8(ascii: "-")) }
    append(magnitude: whole / scale, digits: 1)
    append(UInt8(ascii: "."))
    append(magnitude: whole % scale, digits: min(places, 9))
  }

  mutating func append(whole value: Double?, digits: Int) {
    guard let value, value.magnitude < 1000 else { return }
    if value < 0 { append(UInt8(ascii: "-")) }
    append(magnitude: UInt64(value.magnitude.rounded()), digits: digits)
  }
}

extension Timestamp {
  /// Rounded as JSON writes it: a date and a time agree.
  var toMillisecond: Timestamp { self + .microseconds(500) }
}
