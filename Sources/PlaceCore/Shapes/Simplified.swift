extension Shape {
  /// With no point further from the old line than `tolerance`, in millionths of a degree.
  package func simplified(_ tolerance: Double) -> Shape {
    Shape(rings: rings.map { Self.simplified($0, tolerance) })
  }

  private static func simplified(_ ring: [GridPoint], _ tolerance: Double) -> [GridPoint] {
    guard ring.count > 8 else { return ring }
    var isKept = [Bool](repeating: false, count: ring.count)
    isKept[0] = true
    isKept[ring.count - 1] = true
    // Halfway, so that a closed ring has a line to begin with.
    isKept[ring.count / 2] = true
    var rest = [(0, ring.count / 2), (ring.count / 2, ring.count - 1)]
    while let (first, last) = rest.popLast() {
      guard last - first > 1 else { continue }
      var (furthest, at) = (0.0, first)
      let (dx, dy) = (Double(ring[last].x - ring[first].x), Double(ring[last].y - ring[first].y))
      let length = max((dx * dx + dy * dy).squareRoot(), 1)
      for i in first + 1..<last {
        let (px, py) = (Double(ring[i].x - ring[first].x), Double(ring[i].y - ring[first].y))
        let distance = abs(px * dy - py * dx) / length
        if distance > furthest { (furthest, at) = (distance, i) }
      }
      guard furthest > tolerance else { continue }
      isKept[at] = true
      rest.append((first, at))
      rest.append((at, last))
    }
    return zip(ring, isKept).filter(\.1).map(\.0)
  }
}
