/// Land and sea of the tiles that a coast crosses, and of those around them. A coast is lines with the land on their
/// left; an extract has them as far as it reaches.
package struct Coast {
  /// A tile as a whole.
  package enum Ground: Equatable, Sendable {
    case sea, land
    /// The land in it.
    case coast(Shape)
  }

  private let level: Int
  private var lines: [GroundTile: [[GridPoint]]] = [:]

  package init(level: Int) { self.level = level }

  /// `chain`: whole, from end to end, on the whole of the level; an island's ends where it begins.
  package mutating func add(_ chain: [GridPoint]) {
    guard chain.count > 1 else { return }
    let isRing = chain.first == chain.last
    let whole = isRing ? chain : Self.lengthened(chain, level)
    GroundCut.pieces(of: Shape(rings: [whole]), isArea: false, level: level, margin: 0) {
      lines[$0, default: []] += $1.rings
    }
  }

  /// The ground of the tiles for which `isKnown` says that the extract knows all that lies there. A tile without a
  /// coast is what its neighbour is at their common edge; where a coast ends at that edge, nobody knows.
  package func ground(where isKnown: (GroundTile) -> Bool) -> [GroundTile: Ground] {
    var found: [GroundTile: Ground] = [:]
    var barred: Set<GroundTile> = []
    var next: [(tile: GroundTile, isLand: Bool)] = []
    for (tile, lines) in lines.sorted(by: { $0.key.number < $1.key.number }) {
      guard let square = CoastSquare(lines), isKnown(tile) else { continue }
      found[tile] = .coast(square.land)
      for (side, step) in CoastSquare.steps.enumerated() {
        guard let other = tile.beside(step.east, step.south), self.lines[other] == nil else {
          continue
        }
        if let isLand = square.sides[side] {
          next.append((other, isLand))
        } else {
          barred.insert(other)
        }
      }
    }
    while let (tile, isLand) = next.popLast() {
      guard found[tile] == nil, !barred.contains(tile), isKnown(tile) else { continue }
      found[tile] = isLand ? .land : .sea
      for step in CoastSquare.steps {
        guard let other = tile.beside(step.east, step.south), lines[other] == nil else { continue }
        next.append((other, isLand))
      }
    }
    return found
  }

  /// An end within a tile is made longer, straight, to the tile's edge.
  private static func lengthened(_ chain: [GridPoint], _ level: Int) -> [GridPoint] {
    guard let last = end(chain[chain.count - 2], chain[chain.count - 1], level),
      let first = end(chain[1], chain[0], level)
    else { return chain }
    return [first] + chain + [last]
  }

  private static func end(_ before: GridPoint, _ end: GridPoint, _ level: Int) -> GridPoint? {
    let step = end - before
    let own = end - GroundTile(holding: end, level: level).corner
    let side = GroundTile.side
    func reach(_ place: Int, _ step: Int) -> Double {
      step > 0
        ? Double(side - place) / Double(step)
        : step < 0 ? Double(-place) / Double(step) : .infinity
    }
    let (x, y) = (reach(own.x, step.x), reach(own.y, step.y))
    guard min(x, y).isFinite else { return nil }
    func moved(_ place: Int, _ step: Int, _ isNearest: Bool) -> Int {
      isNearest ? (step > 0 ? side : 0) : place + Int((Double(step) * min(x, y)).rounded())
    }
    return end - own + GridPoint(x: moved(own.x, step.x, x <= y), y: moved(own.y, step.y, y <= x))
  }
}

/// The land in one tile, closed along the tile's edge.
struct CoastSquare {
  let land: Shape
  /// Below, right, above, left: land or sea; nil where a coast meets that edge.
  private(set) var sides: [Bool?]

  static let steps: [(east: Int, south: Int)] = [(0, 1), (1, 0), (0, -1), (-1, 0)]
  private static let side = GroundTile.side

  /// Nil where a line ends within the tile.
  init?(_ lines: [[GridPoint]]) {
    let lines = Self.joined(lines)
    var rings = lines.filter { $0.first == $0.last && $0.count > 3 }
    let open = lines.filter { $0.first != $0.last }
    var ends: [(start: Int, end: Int)] = []
    for line in open {
      guard let first = line.first.flatMap(Self.place), let last = line.last.flatMap(Self.place)
      else { return nil }
      ends.append((first, last))
    }
    var corners = [Bool](repeating: false, count: 4)
    if open.isEmpty {
      let isIsland = rings.contains { GroundCut.doubleArea($0) < 0 }
      corners = [Bool](repeating: !isIsland, count: 4)
      if !isIsland { rings += GroundTile.square.rings }
    } else {
      rings += Self.closed(open, ends, &corners)
    }
    land = Shape(rings: rings)
    sides = (0..<4).map { corners[$0] }
    for place in ends.flatMap({ [$0.start, $0.end] }) { sides[place / Self.side % 4] = nil }
  }

  /// Lines that were cut where a ring begins are whole again.
  private static func joined(_ lines: [[GridPoint]]) -> [[GridPoint]] {
    var lines = lines
    var i = 0
    while i < lines.count {
      if let end = lines[i].last, end != lines[i].first, place(end) == nil,
        let next = lines.indices.first(where: { $0 != i && lines[$0].first == end })
      {
        lines[i] += lines[next].dropFirst()
        lines.remove(at: next)
        if next < i { i -= 1 }
      } else {
        i += 1
      }
    }
    return lines
  }

  /// How far it is to a point of the edge, from the south-west against the clock; nil within.
  private static func place(_ point: GridPoint) -> Int? {
    if point.y >= side { return point.x }
    if point.x >= side { return side + side - point.y }
    if point.y <= 0 { return 3 * side - point.x }
    return point.x <= 0 ? 3 * side + point.y : nil
  }

  private static let corners = [(0, side), (side, side), (side, 0), (0, 0)].map(GridPoint.init)

  /// From where a line leaves the tile along the edge, against the clock, to where the next one enters it: there the
  /// land is on the left.
  private static func closed(
    _ lines: [[GridPoint]], _ ends: [(start: Int, end: Int)], _ isLand: inout [Bool]
  ) -> [[GridPoint]] {
    let all = 4 * side
    func way(from: Int, to: Int) -> Int { ((to - from) % all + all) % all }
    var rings: [[GridPoint]] = []
    var rest = Set(lines.indices)
    while let first = rest.min() {
      var (ring, line) = ([GridPoint](), first)
      repeat {
        rest.remove(line)
        ring += lines[line]
        let from = ends[line].end
        let candidates = rest.union([first])
        let next = candidates.min {
          (way(from: from, to: ends[$0].start), $0) < (way(from: from, to: ends[$1].start), $1)
        }
        line = next ?? first
        let length = way(from: from, to: ends[line].start)
        for corner in (1...4).map({ from / side + $0 }) where corner * side - from < length {
          isLand[corner % 4] = true
          ring.append(corners[corner % 4])
        }
        if from % side == 0, length > 0 { isLand[from / side % 4] = true }
      } while line != first
      rings.append(ring)
    }
    return rings
  }
}
