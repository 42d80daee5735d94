import LocationModel

/// Google's text of a line: differences of rounded degrees, five bits a letter.
enum EncodedPolyline {
  static func text(_ line: ArraySlice<Coordinate>, decimals: Int) -> String {
    let scale = decimals == 5 ? 1e5 : 1e6
    var letters: [UInt8] = []
    var last: (Int64, Int64) = (0, 0)
    for place in line {
      let next = (
        Int64((place.latitude * scale).rounded()), Int64((place.longitude * scale).rounded())
      )
      append(next.0 - last.0, &letters)
      append(next.1 - last.1, &letters)
      last = next
    }
    return String(decoding: letters, as: UTF8.self)
  }

  private static func append(_ difference: Int64, _ letters: inout [UInt8]) {
    var rest = UInt64(bitPattern: difference << 1)
    if difference < 0 { rest = ~rest }
    while rest >= 0x20 {
      letters.append(UInt8(truncatingIfNeeded: rest & 0x1F | 0x20) + 63)
      rest >>= 5
    }
    letters.append(UInt8(truncatingIfNeeded: rest) + 63)
  }

  /// The line of a text with six decimals; nil for another text.
  static func line(_ text: String) -> [Coordinate]? {
    var places: [Coordinate] = []
    var numbers: (Int64, Int64) = (0, 0)
    var (value, shift, isLongitude): (Int64, Int64, Bool) = (0, 0, false)
    for byte in text.utf8 {
      guard (63...126).contains(byte), shift <= 40 else { return nil }
      let piece = Int64(byte) - 63
      value |= (piece & 31) << shift
      shift += 5
      guard piece < 32 else { continue }
      let change = value & 1 == 1 ? ~(value >> 1) : value >> 1
      if isLongitude { numbers.1 += change } else { numbers.0 += change }
      guard numbers.0.magnitude <= 90_000_000, numbers.1.magnitude <= 180_000_000 else {
        return nil
      }
      if isLongitude {
        places.append(
          Coordinate(latitude: Double(numbers.0) / 1e6, longitude: Double(numbers.1) / 1e6))
      }
      (value, shift, isLongitude) = (0, 0, !isLongitude)
    }
    return shift == 0 && !isLongitude ? places : nil
  }
}
