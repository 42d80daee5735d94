/// A place in degrees times ten million.
struct Spot: Equatable {
  var latitude: Int32
  var longitude: Int32

  static func mean(of shape: [Spot]) -> Spot {
    let all = Int64(max(shape.count, 1))
    return Spot(
      latitude: Int32(clamping: shape.reduce(Int64(0)) { $0 + Int64($1.latitude) } / all),
      longitude: Int32(clamping: shape.reduce(Int64(0)) { $0 + Int64($1.longitude) } / all))
  }

  /// Of the area within a ring.
  static func middle(of ring: [Spot]) -> Spot {
    guard let first = ring.first else { return mean(of: ring) }
    var (area, y, x) = (0.0, 0.0, 0.0)
    var last = (y: 0.0, x: 0.0)
    for spot in ring.dropFirst() {
      let next = (
        y: Double(spot.latitude) - Double(first.latitude),
        x: Double(spot.longitude) - Double(first.longitude)
      )
      let cross = last.x * next.y - next.x * last.y
      area += cross
      y += (last.y + next.y) * cross
      x += (last.x + next.x) * cross
      last = next
    }
    guard area.magnitude > 1,
      let north = Int32(exactly: (Double(first.latitude) + y / (3 * area)).rounded()),
      let east = Int32(exactly: (Double(first.longitude) + x / (3 * area)).rounded())
    else { return mean(of: ring) }
    return Spot(latitude: north, longitude: east)
  }

  /// Four bytes each, the lowest first.
  static func bytes(_ shape: [Spot]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(shape.count * 8)
    for number in shape.lazy.flatMap({ [$0.latitude, $0.longitude] }) {
      for i in 0..<4 { bytes.append(UInt8(truncatingIfNeeded: number >> (8 * i))) }
    }
    return bytes
  }

  /// South, north, west and east of what the bytes say.
  static func box(_ bytes: [UInt8]) -> (Int32, Int32, Int32, Int32)? {
    guard bytes.count >= 8 else { return nil }
    func number(_ at: Int) -> Int32 {
      Int32(
        bitPattern: (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[at + $1]) << UInt32(8 * $1) })
    }
    var box = (Int32.max, Int32.min, Int32.max, Int32.min)
    for at in stride(from: 0, to: bytes.count - 7, by: 8) {
      let (y, x) = (number(at), number(at + 4))
      box = (min(box.0, y), max(box.1, y), min(box.2, x), max(box.3, x))
    }
    return box
  }
}
