/// Cuts shapes at the edges of tiles.
package enum GroundCut {
  /// Units that a piece reaches beyond its tile, so that no outline or casing ends at its edge.
  package static let margin = 96

  /// The pieces of a shape on its level, in units of their tiles. Lines stay open.
  package static func pieces<E: Error>(
    of shape: Shape, isArea: Bool, level: Int, margin: Int = margin,
    _ body: (GroundTile, Shape) throws(E) -> Void
  ) throws(E) {
    let box = shape.box
    guard box.minX <= box.maxX else { return }
    let columns = tiles(box.minX, box.maxX, level, margin)
    for x in columns {
      let band =
        columns.count == 1 ? shape : cut(shape, isArea, byX: true, units(x, margin))
      let rows = tiles(box.minY, box.maxY, level, margin)
      for y in rows {
        let piece =
          rows.count == 1 ? band : cut(band, isArea, byX: false, units(y, margin))
        guard !piece.rings.isEmpty else { continue }
        let tile = GroundTile(level: level, x: x, y: y)
        let corner = tile.corner
        try body(tile, Shape(rings: piece.rings.map { $0.map { $0 - corner } }))
      }
    }
  }

  private static func tiles(_ low: Int, _ high: Int, _ level: Int, _ margin: Int) -> Range<Int> {
    let all = 0..<1 << level
    let first = max((low - margin) >> 12, 0)
    return (first..<max(first, ((high + margin) >> 12) + 1)).clamped(to: all)
  }

  private static func units(_ tile: Int, _ margin: Int) -> ClosedRange<Int> {
    tile * GroundTile.side - margin...(tile + 1) * GroundTile.side + margin
  }

  private static func cut(
    _ shape: Shape, _ isArea: Bool, byX: Bool, _ range: ClosedRange<Int>
  ) -> Shape {
    Shape(
      rings: shape.rings.flatMap { ring -> [[GridPoint]] in
        guard isArea else { return parts(of: ring, byX: byX, range) }
        let above = Shape.half(ring, byX: byX, at: range.lowerBound, below: false)
        let piece = Shape.half(above, byX: byX, at: range.upperBound, below: true)
        return piece.count > 2 && doubleArea(piece) != 0 ? [piece] : []
      })
  }

  /// The parts of a line that lie in a band.
  static func parts(
    of line: [GridPoint], byX: Bool, _ range: ClosedRange<Int>
  ) -> [[GridPoint]] {
    guard line.count > 1 else {
      return line.filter { range.contains(byX ? $0.x : $0.y) }.map { [$0] }
    }
    var (parts, part) = ([[GridPoint]](), [GridPoint]())
    func finish() {
      if part.count > 1 { parts.append(part) }
      part.removeAll(keepingCapacity: true)
    }
    for (a, b) in zip(line, line.dropFirst()) {
      guard let (from, to) = clipped(a, b, byX: byX, range) else {
        finish()
        continue
      }
      if from != a { finish() }
      if part.isEmpty { part.append(from) }
      if part.last != to { part.append(to) }
      if to != b { finish() }
    }
    finish()
    return parts
  }

  private static func clipped(
    _ a: GridPoint, _ b: GridPoint, byX: Bool, _ range: ClosedRange<Int>
  ) -> (GridPoint, GridPoint)? {
    let (first, last) = byX ? (a.x, b.x) : (a.y, b.y)
    if range.contains(first), range.contains(last) { return (a, b) }
    guard max(first, last) >= range.lowerBound, min(first, last) <= range.upperBound else {
      return nil
    }
    func at(_ side: Int) -> GridPoint {
      let t = Double(side - first) / Double(last - first)
      return byX
        ? GridPoint(x: side, y: a.y + Int((Double(b.y - a.y) * t).rounded()))
        : GridPoint(x: a.x + Int((Double(b.x - a.x) * t).rounded()), y: side)
    }
    func inside(_ point: GridPoint, _ value: Int) -> GridPoint {
      value < range.lowerBound
        ? at(range.lowerBound) : value > range.upperBound ? at(range.upperBound) : point
    }
    return (inside(a, first), inside(b, last))
  }

  /// Twice the area that a ring surrounds: below 0 where the ring runs against the clock on a map with the north
  /// above.
  package static func doubleArea(_ ring: [GridPoint]) -> Int {
    guard var a = ring.last else { return 0 }
    var sum = 0
    for b in ring {
      sum &+= a.x &* b.y &- b.x &* a.y
      a = b
    }
    return sum
  }

  /// The ring in the direction that outer or inner ones have: what is drawn at once does not undo itself.
  package static func directed(_ ring: [GridPoint], isInner: Bool) -> [GridPoint] {
    (doubleArea(ring) > 0) == isInner ? ring : ring.reversed()
  }
}
