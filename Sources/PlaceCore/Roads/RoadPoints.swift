/// The inner points of a chain: each number says what is added to the one before it, latitude and longitude by turns. The
/// first are added to the place of the chain's tail.
///
/// A number has seven bits a byte, the lowest first, and its sign in the lowest.
package struct RoadPoints {
  package typealias Point = (latitude: Int32, longitude: Int32)

  private let bytes: RoadTable<UInt8>
  private var left: Range<UInt32>
  private var last: Point

  init(_ bytes: RoadTable<UInt8>, _ range: Range<UInt32>, from start: Point) {
    (self.bytes, left, last) = (bytes, range, start)
  }

  mutating func next() -> Point? {
    guard !left.isEmpty else { return nil }
    last.latitude &+= number()
    last.longitude &+= number()
    return last
  }

  private mutating func number() -> Int32 {
    var (bits, shift) = (UInt32(0), UInt32(0))
    while let place = left.first {
      let byte = bytes[place]
      left = (place + 1)..<left.upperBound
      bits |= UInt32(byte & 0x7F) << shift
      shift += 7
      if byte < 0x80 || shift > 28 { break }
    }
    return Int32(bitPattern: bits >> 1) ^ -Int32(bitPattern: bits & 1)
  }

  /// The bytes of a point behind another.
  package static func bytes(of point: Point, after last: Point) -> [UInt8] {
    var bytes: [UInt8] = []
    for step in [point.latitude &- last.latitude, point.longitude &- last.longitude] {
      var bits = UInt32(bitPattern: step << 1 ^ step >> 31)
      while bits > 0x7F {
        bytes.append(UInt8(truncatingIfNeeded: bits) | 0x80)
        bits >>= 7
      }
      bytes.append(UInt8(bits))
    }
    return bytes
  }
}
