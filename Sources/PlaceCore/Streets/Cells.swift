internal import Geodesy
package import LocationModel

/// The Earth in squares of some 300 m, numbered so that squares of squares are ranges of numbers (a Z-order
/// curve). A thing's number is its cell's and a count.
package enum Cells {
  private static let bits = 16
  private static let countBits = 24

  /// Of degrees times ten million.
  package static func cell(_ latitude: Int32, _ longitude: Int32) -> Int64 {
    spread(row(Double(latitude) / 1e7)) << 1 | spread(column(Double(longitude) / 1e7))
  }

  /// The number of a cell's first thing.
  package static func first(in cell: Int64) -> Int64 { cell << Int64(countBits) }

  private static func row(_ latitude: Double) -> Int64 { step((latitude + 90) / 180) }
  private static func column(_ longitude: Double) -> Int64 { step((longitude + 180) / 360) }

  private static func step(_ part: Double) -> Int64 {
    part > 0 ? min(Int64(min(part, 1) * Double(1 << bits)), 1 << Int64(bits) - 1) : 0
  }

  private static func spread(_ number: Int64) -> Int64 {
    (0..<Int64(bits)).reduce(0) { $0 | (number >> $1 & 1) << (2 * $1) }
  }

  package struct Position: Hashable, Sendable {
    package var row: Int64
    package var column: Int64

    package init(row: Int64, column: Int64) {
      self.row = row
      self.column = column
    }
  }

  /// Where the cell lies that a thing's number says.
  package static func position(of number: Int64) -> Position {
    let cell = number >> Int64(countBits)
    func gather(_ cell: Int64) -> Int64 {
      (0..<Int64(bits)).reduce(0) { $0 | (cell >> (2 * $1) & 1) << $1 }
    }
    return Position(row: gather(cell >> 1), column: gather(cell))
  }

  /// The sides of a cell, in degrees times ten million.
  package static func box(
    of cell: Int64
  ) -> (south: Int64, north: Int64, west: Int64, east: Int64) {
    let place = position(of: first(in: cell))
    func side(_ steps: Int64, of whole: Int64) -> Int64 {
      (steps * whole) / Int64(1 << bits) - whole / 2
    }
    return (
      side(place.row, of: 1_800_000_000), side(place.row + 1, of: 1_800_000_000),
      side(place.column, of: 3_600_000_000), side(place.column + 1, of: 3_600_000_000)
    )
  }

  /// Up to four ranges of numbers that hold all things within so many metres, and some others.
  package static func ranges(around place: Coordinate, metres: Double) -> [ClosedRange<Int64>] {
    let (south, north, west, east) = LocalPlane(around: place).box(metres)
    let rows = row(Double(south) / 1e7)...max(row(Double(north) / 1e7), row(Double(south) / 1e7))
    let columns =
      column(Double(west) / 1e7)...max(column(Double(east) / 1e7), column(Double(west) / 1e7))
    var level: Int64 = 0
    while rows.upperBound >> level - rows.lowerBound >> level > 1
      || columns.upperBound >> level - columns.lowerBound >> level > 1
    {
      level += 1
    }
    var ranges: [ClosedRange<Int64>] = []
    for y in rows.lowerBound >> level...rows.upperBound >> level {
      for x in columns.lowerBound >> level...columns.upperBound >> level {
        let square = spread(y) << 1 | spread(x)
        ranges.append(
          first(in: square << (2 * level))...first(in: (square + 1) << (2 * level)) - 1)
      }
    }
    return ranges
  }
}
