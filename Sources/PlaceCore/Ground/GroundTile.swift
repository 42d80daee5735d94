internal import Geodesy

/// A square of the ground, as web maps cut the world: at level 0 there is one, and each level halves the sides.
/// Places in it are counted in units from its north-west.
package struct GroundTile: Hashable, Sendable {
  package var level: Int
  package var x: Int
  package var y: Int

  /// Units of a side.
  package static let side = 4096
  /// The levels of an extract, the finest first.
  package static let levels = [14, 12, 9]
  /// The levels of the world.
  package static let worldLevels = [7, 3, 0]
  package static let highest = 20

  package init(level: Int, x: Int, y: Int) { (self.level, self.x, self.y) = (level, x, y) }

  /// Tiles are in order by their levels, then from the west to the east.
  package var number: UInt64 {
    UInt64(truncatingIfNeeded: level) << 58 | UInt64(truncatingIfNeeded: x) << 29
      | UInt64(truncatingIfNeeded: y)
  }

  package init(number: UInt64) {
    let mask = (UInt64(1) << 29) - 1
    self.init(level: Int(number >> 58), x: Int(number >> 29 & mask), y: Int(number & mask))
  }

  /// All of the tile.
  package static let square = Shape(rings: [
    [(0, 0), (0, side), (side, side), (side, 0)].map(GridPoint.init)
  ])

  /// Where a place lies on the whole of a level.
  package static func point(latitude: Double, longitude: Double, level: Int) -> GridPoint {
    let units = Double(side << level)
    return GridPoint(
      x: Int((Mercator.across(longitude) * units).rounded()),
      y: Int((Mercator.down(latitude) * units).rounded()))
  }

  /// The tile that holds a point of its level.
  package init(holding point: GridPoint, level: Int) {
    let last = 1 << level - 1
    func tile(_ units: Int) -> Int { min(max(units / Self.side, 0), last) }
    self.init(level: level, x: tile(point.x), y: tile(point.y))
  }

  package var corner: GridPoint { GridPoint(x: x * Self.side, y: y * Self.side) }

  /// The tile beside it; nil at the edge of the world.
  package func beside(_ east: Int, _ south: Int) -> GroundTile? {
    let tile = GroundTile(level: level, x: x + east, y: y + south)
    let all = 0..<1 << level
    return all.contains(tile.x) && all.contains(tile.y) ? tile : nil
  }
}

extension GridPoint {
  /// On a coarser level.
  package func coarser(by levels: Int) -> GridPoint { GridPoint(x: x >> levels, y: y >> levels) }

  package static func - (a: GridPoint, b: GridPoint) -> GridPoint {
    GridPoint(x: a.x - b.x, y: a.y - b.y)
  }

  package static func + (a: GridPoint, b: GridPoint) -> GridPoint {
    GridPoint(x: a.x + b.x, y: a.y + b.y)
  }
}
