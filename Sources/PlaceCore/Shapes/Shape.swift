package import LocationModel

/// A point in millionths of a degree: a tenth of a metre.
package struct GridPoint: Hashable, Sendable, BitwiseCopyable {
  package var x: Int
  package var y: Int

  package init(x: Int, y: Int) {
    self.x = x
    self.y = y
  }

  package init(_ place: Coordinate) {
    self.init(
      x: Int((place.longitude * 1e6).rounded()), y: Int((place.latitude * 1e6).rounded()))
  }
}

/// Rings, outer and inner alike: inside is what an odd number of them surrounds.
package struct Shape: Equatable, Sendable {
  package var rings: [[GridPoint]]

  package init(rings: [[GridPoint]]) { self.rings = rings }

  package struct Box: Equatable, Sendable {
    package var minX = Int.max
    package var maxX = Int.min
    package var minY = Int.max
    package var maxY = Int.min

    package init() {}

    package init(x: ClosedRange<Int>, y: ClosedRange<Int>) {
      (minX, maxX, minY, maxY) = (x.lowerBound, x.upperBound, y.lowerBound, y.upperBound)
    }
  }

  package var box: Box {
    var box = Box()
    for point in rings.joined() {
      box.minX = min(box.minX, point.x)
      box.maxX = max(box.maxX, point.x)
      box.minY = min(box.minY, point.y)
      box.maxY = max(box.maxY, point.y)
    }
    return box
  }

  package func contains(_ p: GridPoint) -> Bool {
    var isInside = false
    for ring in rings {
      guard var a = ring.last else { continue }
      for b in ring {
        if (a.y > p.y) != (b.y > p.y) {
          let cross = Double(b.x - a.x) * Double(p.y - a.y) / Double(b.y - a.y) + Double(a.x)
          if Double(p.x) < cross { isInside.toggle() }
        }
        a = b
      }
    }
    return isInside
  }

  /// The square of the distance to the nearest edge, where a degree of longitude is `scale` of one of latitude.
  package func squaredDistance(to p: GridPoint, scale: Double) -> Double {
    var best = Double.infinity
    for ring in rings {
      guard var a = ring.last else { continue }
      for b in ring {
        let (dx, dy) = (Double(b.x - a.x) * scale, Double(b.y - a.y))
        let (px, py) = (Double(p.x - a.x) * scale, Double(p.y - a.y))
        let length = dx * dx + dy * dy
        let t = length > 0 ? max(0, min(1, (px * dx + py * dy) / length)) : 0
        let (ex, ey) = (px - t * dx, py - t * dy)
        best = min(best, ex * ex + ey * ey)
        a = b
      }
    }
    return best
  }
}

extension Shape {
  /// Parts of few points each: what is looked at for one place is small.
  package func pieces(of most: Int) -> [Shape] {
    var done: [Shape] = []
    var rest = [self]
    while let shape = rest.popLast() {
      let count = shape.rings.reduce(0) { $0 + $1.count }
      let box = shape.box
      guard count > most, max(box.maxX - box.minX, box.maxY - box.minY) > 1000 else {
        if count > 2 { done.append(shape) }
        continue
      }
      let byX = box.maxX - box.minX > box.maxY - box.minY
      let middle = byX ? (box.minX + box.maxX) / 2 : (box.minY + box.maxY) / 2
      for below in [true, false] {
        let rings = shape.rings.compactMap { ring in
          let half = Self.half(ring, byX: byX, at: middle, below: below)
          return half.count > 2 ? half : nil
        }
        if !rings.isEmpty { rest.append(Shape(rings: rings)) }
      }
    }
    return done
  }

  /// The part that lies in a box.
  package func clipped(_ box: Box) -> Shape {
    let sides = [
      (true, box.minX, false), (true, box.maxX, true), (false, box.minY, false),
      (false, box.maxY, true),
    ]
    let rest = rings.map { ring in
      sides.reduce(ring) { Self.half($0, byX: $1.0, at: $1.1, below: $1.2) }
    }
    return Shape(rings: rest.filter { $0.count > 2 })
  }

  static func half(
    _ ring: [GridPoint], byX: Bool, at middle: Int, below: Bool
  ) -> [GridPoint] {
    guard var a = ring.last else { return [] }
    func isIn(_ p: GridPoint) -> Bool {
      let value = byX ? p.x : p.y
      return below ? value <= middle : value >= middle
    }
    var result: [GridPoint] = []
    for b in ring {
      if isIn(a) != isIn(b) {
        let (from, to) = byX ? (a.x, b.x) : (a.y, b.y)
        let t = Double(middle - from) / Double(to - from)
        let x = byX ? middle : a.x + Int((Double(b.x - a.x) * t).rounded())
        let y = byX ? a.y + Int((Double(b.y - a.y) * t).rounded()) : middle
        result.append(GridPoint(x: x, y: y))
      }
      if isIn(b) { result.append(b) }
      a = b
    }
    return result
  }
}

extension Shape {
  /// Rings as the steps from point to point, each in as few bytes as it needs.
  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    func put(_ number: Int) {
      var rest = UInt64(bitPattern: Int64((number << 1) ^ (number >> 63)))
      while rest >= 0x80 {
        bytes.append(UInt8(rest & 0x7F) | 0x80)
        rest >>= 7
      }
      bytes.append(UInt8(rest))
    }
    var last = GridPoint(x: 0, y: 0)
    for ring in rings {
      put(ring.count)
      for point in ring {
        put(point.x - last.x)
        put(point.y - last.y)
        last = point
      }
    }
    return bytes
  }

  /// Nil where the bytes are none of a shape.
  package init?(_ bytes: [UInt8]) {
    var place = 0
    func take() -> Int? {
      var value: UInt64 = 0
      var shift: UInt64 = 0
      while place < bytes.count, shift < 63 {
        let byte = bytes[place]
        place += 1
        value |= UInt64(byte & 0x7F) << shift
        if byte < 0x80 { return Int(value >> 1) ^ -Int(value & 1) }
        shift += 7
      }
      return nil
    }
    rings = []
    var last = GridPoint(x: 0, y: 0)
    while place < bytes.count {
      guard let count = take(), count > 0, count <= bytes.count else { return nil }
      var ring: [GridPoint] = []
      ring.reserveCapacity(count)
      for _ in 0..<count {
        guard let dx = take(), let dy = take() else { return nil }
        last = GridPoint(x: last.x &+ dx, y: last.y &+ dy)
        guard abs(last.x) <= 400_000_000, abs(last.y) <= 400_000_000 else { return nil }
        ring.append(last)
      }
      rings.append(ring)
    }
  }
}
