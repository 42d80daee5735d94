import Geodesy
package import LocationModel

/// The roads near a place that a traveller may use, looked for in the squares of the grid around it, ring by ring.
package struct NearestRoads {
  /// The nearest: several where they meet at the nearest place.
  package private(set) var nearest: [RoadEnd] = []
  /// The nearest from which most other roads are reached.
  package private(set) var great: [RoadEnd] = []

  private let network: RoadNetwork
  private let mode: RoadMode
  private let avoiding: RoadTraits
  private let place: Coordinate
  private let plane: LocalPlane
  private var seen: Set<UInt32> = []
  /// Squares and points of roads that may still be looked at.
  private var work = Self.mostWork
  private static let mostWork = 400_000
  var looked: Int { Self.mostWork - work }

  /// So many roads at most meet at the nearest place.
  private static let mostEnds = 32
  /// Metres: roads that are no further apart meet there.
  private static let same = 0.05
  /// A road may cut so much of a square's corner unseen, in squares.
  private static let unseen = 0.25
  /// Metres of a square's side.
  private static let side = RoadNetwork.gridStep * LocalPlane.perDegree

  /// Within so many metres. Roads with traits to avoid count only where there are no others.
  package init(
    _ network: RoadNetwork, _ mode: RoadMode, near place: Coordinate,
    avoiding: RoadTraits = [], within metres: Double = EngineAnswer.farthestRoad
  ) {
    self.init(network, mode, place, avoiding)
    search(within: metres)
    guard nearest.isEmpty, !avoiding.isEmpty else { return }
    self.init(network, mode, place, [])
    search(within: metres)
  }

  private init(
    _ network: RoadNetwork, _ mode: RoadMode, _ place: Coordinate, _ avoiding: RoadTraits
  ) {
    (self.network, self.mode, self.avoiding, self.place) = (network, mode, avoiding, place)
    plane = LocalPlane(around: place)
  }

  /// Metres to the nearest road, looked for within 100 km; nil where none is found.
  package static func distance(
    to network: RoadNetwork, _ mode: RoadMode, from place: Coordinate
  ) -> Double? {
    var roads = NearestRoads(network, mode, place, [])
    roads.search(within: 100_000, isAnyEnough: true)
    return roads.nearest.first?.distance
  }
}

// MARK: - Rings of squares

extension NearestRoads {
  /// `isAnyEnough`: a road that leads nowhere is as good as others.
  private mutating func search(within metres: Double, isAnyEnough: Bool = false) {
    for ring in 0...Int((metres / Self.side + Self.unseen).rounded(.up)) {
      look(at: ring, within: metres)
      // All that is no further away has been looked at.
      let known = (Double(ring) - Self.unseen) * Self.side
      let farthest = isAnyEnough ? distance(nearest) : distance(great)
      if farthest <= min(known, metres) || work <= 0 { return }
    }
  }

  private func distance(_ ends: [RoadEnd]) -> Double { ends.first?.distance ?? .infinity }

  /// The squares that a ring has beside the one within it. Those are as wide as high, in metres, so it has more columns
  /// far from the equator.
  private mutating func look(at ring: Int, within metres: Double) {
    let (row, column) = (
      Int(((place.latitude + 90) / RoadNetwork.gridStep).rounded(.down)),
      Int(((place.longitude + 180) / RoadNetwork.gridStep).rounded(.down))
    )
    let narrow = 1 / max(LocalPlane.cosine(place.latitude), 1e-4)
    func columns(_ ring: Int) -> Int { min(Int((Double(ring) * narrow).rounded(.up)), 32767) }
    let (outer, inner) = (columns(ring), columns(ring - 1))
    for y in max(row - ring, 0)...min(row + ring, 65535) {
      let isInside = ring > 0 && abs(y - row) < ring
      for x in -outer...outer where !isInside || abs(x) > inner {
        work -= 1
        guard work > 0 else { return }
        look(at: y, (column + x) & 0xFFFF, within: metres)
      }
    }
  }

  private mutating func look(at row: Int, _ column: Int, within metres: Double) {
    let limit = min(max(distance(nearest), distance(great)), metres)
    let corner = plane.point(
      Double(row) * RoadNetwork.gridStep - 90, beside(Double(column) * RoadNetwork.gridStep - 180))
    let opposite = plane.point(
      Double(row + 1) * RoadNetwork.gridStep - 90,
      beside(Double(column) * RoadNetwork.gridStep - 180) + RoadNetwork.gridStep)
    let x = max(corner.x, -opposite.x, 0)
    let y = max(corner.y, -opposite.y, 0)
    guard x * x + y * y <= (limit + Self.unseen * Self.side) * (limit + Self.unseen * Self.side)
    else { return }
    let key = UInt32(truncatingIfNeeded: row << 16 | column)
    for number in network.chains(inCell: key) {
      guard work > 0 else { return }
      look(at: network.gridChain(number), within: metres)
    }
  }

  /// A longitude as one counts it from the place, over the edge of the map.
  private func beside(_ longitude: Double) -> Double {
    if longitude - place.longitude > 180 { return longitude - 360 }
    return longitude - place.longitude < -180 ? longitude + 360 : longitude
  }
}

// MARK: - Roads

extension NearestRoads {
  private func point(_ place: Coordinate) -> LocalPlane.Point {
    plane.point(place.latitude, beside(place.longitude))
  }

  private mutating func look(at number: UInt32, within metres: Double) {
    guard seen.insert(number).inserted else { return }
    work -= 1
    let arc = number &* 2
    guard number < network.chainCount,
      network.cost(arc, mode) > 0 || network.cost(arc &+ 1, mode) > 0,
      network.traits(number).isDisjoint(with: avoiding.union(.ferry))
    else { return }
    let chain = network.chain(number)
    let isIsland = chain.islands >> UInt8(mode.rawValue) & 1 == 1
    let limit = min(isIsland ? distance(nearest) : distance(great), metres) + Self.same
    // As far as its tail, but for all of its length.
    let start = point(network.place(chain.tail))
    let reach = limit + Double(chain.length) / 10 * 1.01 + 1
    guard start.x * start.x + start.y * start.y <= reach * reach else { return }
    guard let end = end(number, chain), end.distance <= limit else { return }
    add(end, to: &nearest)
    if !isIsland { add(end, to: &great) }
  }

  private func add(_ end: RoadEnd, to ends: inout [RoadEnd]) {
    guard end.distance <= distance(ends) + Self.same else { return }
    if end.distance < distance(ends) - Self.same { ends = [] }
    guard ends.count < Self.mostEnds else { return }
    if end.distance < distance(ends) { ends.insert(end, at: 0) } else { ends.append(end) }
  }

  /// The place of a chain that is the nearest.
  private mutating func end(_ number: UInt32, _ chain: RoadChain) -> RoadEnd? {
    let places = network.points(number &* 2)
    work -= places.count
    var best = (square: Double.infinity, along: 0.0, x: 0.0, y: 0.0)
    var whole = 0.0
    var before = point(places[0])
    for place in places.dropFirst() {
      let after = point(place)
      let (dx, dy) = (after.x - before.x, after.y - before.y)
      let length = (dx * dx + dy * dy).squareRoot()
      let part =
        length > 0 ? min(max(-(before.x * dx + before.y * dy) / (length * length), 0), 1) : 0
      let (x, y) = (before.x + part * dx, before.y + part * dy)
      if x * x + y * y < best.square {
        best = (x * x + y * y, whole + part * length, x, y)
      }
      whole += length
      before = after
    }
    guard best.square.isFinite, whole.isFinite else { return nil }
    let share = whole > 0 ? min(best.along / whole, 1) : 0
    return RoadEnd(
      chain: number, offset: UInt32((share * Double(chain.length)).rounded()),
      place: plane.place(best.x, best.y).rounded, distance: best.square.squareRoot())
  }
}

extension Coordinate {
  /// As junctions and points are kept: a way's end at one is the same place.
  fileprivate var rounded: Coordinate {
    Coordinate(
      latitude: (latitude * 1e7).rounded() / 1e7, longitude: (longitude * 1e7).rounded() / 1e7)
  }
}
