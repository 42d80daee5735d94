internal import PlaceCore

/// The ways of one name, which may be the streets of many towns.
enum StreetGroups {
  /// One way of each street. The numbers say in which cells the ways lie: ways in squares of four cells that
  /// touch are of one street.
  static func leaders(_ ways: [Int64]) -> [Int64] {
    guard ways.count > 1 else { return ways }
    let cells = ways.map { way in
      let cell = Cells.position(of: way)
      return Cells.Position(row: cell.row >> 1, column: cell.column >> 1)
    }
    var first: [Cells.Position: Int] = [:]
    for (i, cell) in cells.enumerated() where first[cell] == nil { first[cell] = i }
    var group = Array(ways.indices)
    func root(_ i: Int) -> Int {
      var i = i
      while group[i] != i {
        group[i] = group[group[i]]
        i = group[i]
      }
      return i
    }
    for (i, cell) in cells.enumerated() {
      for (y, x) in [(0, 0), (0, 1), (1, -1), (1, 0), (1, 1)] as [(Int64, Int64)] {
        guard let other = first[Cells.Position(row: cell.row + y, column: cell.column + x)]
        else { continue }
        group[root(i)] = root(other)
      }
    }
    var members: [Int: [Int]] = [:]
    for i in ways.indices { members[root(i), default: []].append(i) }
    // The middle one of them.
    return members.values.map { ways[$0[$0.count / 2]] }.sorted()
  }
}
