import Geodesy
package import LocationModel

/// A road that two networks have in common, by which a way leads from the first to the second.
package struct RoadJoin: Equatable, Sendable {
  package var first: RoadEnd
  package var second: RoadEnd
  /// The chains run against each other.
  var isTurned: Bool
  /// The number of the last place that lies in the first network.
  package var before: Int

  /// The arc of the second network by which the way goes on.
  func arc(after arc: UInt32?) -> UInt32? {
    arc.map { second.chain &* 2 &+ ($0 & 1 ^ (isTurned ? 1 : 0)) }
  }
}

/// Looks for roads that lie in both networks, the most promising first: fast ones near the line from one place to the
/// next.
package struct RoadJoins {
  private let first: RoadNetwork
  private let second: RoadNetwork
  private let mode: RoadMode
  private let from: Coordinate
  private let to: Coordinate

  /// So many squares of the grid are looked at, those first that are the least way round, and so many of their roads.
  private static let mostSquares = 200
  private static let mostRoads = 500
  /// Metres between joins that are worth trying.
  private static let apart = 3000.0
  /// Metres between two drawings of one road.
  private static let same = 1.0

  /// `before`: the number of the last place that lies in the first network.
  package static func of(
    _ first: RoadNetwork, _ second: RoadNetwork, _ question: DirectionsRequest, before: Int,
    most: Int
  ) -> [RoadJoin] {
    let places = question.places
    guard places.indices.contains(before), places.indices.contains(before + 1) else { return [] }
    let joins = RoadJoins(
      first: first, second: second, mode: RoadMode(question.transport), from: places[before],
      to: places[before + 1])
    var best: [RoadJoin] = []
    for candidate in joins.candidates where best.count < most {
      let isNear = best.contains {
        LocalPlane.distance($0.first.place, candidate.place) < apart
      }
      if !isNear, let join = joins.join(candidate, before: before) { best.append(join) }
    }
    return best
  }

  // MARK: - Roads of the first network

  /// A piece of a straight line.
  private struct Candidate {
    var chain: UInt32
    var place: Coordinate
    var next: Coordinate
    var cost: Double
  }

  private var candidates: [Candidate] {
    let squares = common.map { ($0, detour(Self.middle(of: $0))) }.sorted { $0.1 < $1.1 }
    return squares.prefix(Self.mostSquares).flatMap { candidates(in: $0.0) }
      .sorted { $0.cost < $1.cost }.prefix(Self.mostRoads).map(\.self)
  }

  /// Squares in which both have roads.
  private var common: [UInt32] {
    var (i, j) = (0, 0)
    var keys: [UInt32] = []
    while i < first.cellCount, j < second.cellCount {
      let (a, b) = (first.cell(i), second.cell(j))
      if a == b { keys.append(a) }
      if a <= b { i += 1 }
      if b <= a { j += 1 }
    }
    return keys
  }

  private static func middle(of key: UInt32) -> Coordinate {
    Coordinate(
      latitude: (Double(key >> 16) + 0.5) * RoadNetwork.gridStep - 90,
      longitude: (Double(key & 0xFFFF) + 0.5) * RoadNetwork.gridStep - 180)
  }

  private func detour(_ place: Coordinate) -> Double {
    LocalPlane.distance(from, place) + LocalPlane.distance(place, to)
  }

  private func candidates(in key: UInt32) -> [Candidate] {
    first.chains(inCell: key).prefix(1000).compactMap { number in
      let number = first.gridChain(number)
      let chain = first.chain(number)
      let cost = max(first.cost(number &* 2, mode), first.cost(number &* 2 &+ 1, mode))
      guard cost > 0, chain.length > 0, chain.islands >> UInt8(mode.rawValue) & 1 == 0,
        let (place, next) = first.points(number &* 2).piece(in: key)
      else { return nil }
      // Hundredths of a second a decimetre: on fast roads one is there sooner.
      let pace = Double(cost) / Double(chain.length)
      return Candidate(
        chain: number, place: place, next: next, cost: detour(place) * (1 + min(pace, 4) / 4))
    }
  }

  // MARK: - The same road in both

  private func join(_ candidate: Candidate, before: Int) -> RoadJoin? {
    func end(_ network: RoadNetwork, _ place: Coordinate, on chain: UInt32?) -> RoadEnd? {
      let roads = NearestRoads(network, mode, near: place, within: Self.same)
      return roads.great.first { $0.chain == chain ?? $0.chain }
    }
    guard let own = end(first, candidate.place, on: candidate.chain),
      let other = end(second, candidate.place, on: nil),
      let ahead = end(second, candidate.next, on: other.chain), ahead.offset != other.offset
    else { return nil }
    return RoadJoin(
      first: own, second: other, isTurned: ahead.offset < other.offset, before: before)
  }
}

extension [Coordinate] {
  /// The middle of a piece of the line that lies in a square, and a place on from there.
  fileprivate func piece(in key: UInt32) -> (place: Coordinate, next: Coordinate)? {
    for (a, b) in zip(self, dropFirst()) {
      func part(_ share: Double) -> Coordinate {
        Coordinate(
          latitude: a.latitude + (b.latitude - a.latitude) * share,
          longitude: a.longitude + (b.longitude - a.longitude) * share)
      }
      if RoadNetwork.gridKey(part(0.5)) == key, LocalPlane.distance(a, b) > 2 {
        return (part(0.5), part(0.9))
      }
    }
    return nil
  }
}
