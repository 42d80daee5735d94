@testable import PlaceCore

/// The cheapest way as the textbook finds it: every road by itself, each state with all roads that a restriction may
/// remember.
struct PlainSearch {
  let map: RandomMap
  let mode: RoadMode
  let avoiding: RoadTraits

  private static let longest = 4

  func cost(from starts: [RoadEnd], to ends: [RoadEnd]) -> UInt32? {
    let network = map.network
    var best: UInt32?
    var left: [(cost: UInt32, arcs: [UInt32], isStart: Bool)] = []
    var least: [[UInt32]: UInt32] = [:]
    func arrive(_ cost: UInt32) { best = min(best ?? cost, cost) }
    for start in starts {
      for arc in [start.chain * 2, start.chain * 2 + 1] where network.cost(arc, mode) > 0 {
        let after = rest(arc, start.offset)
        left.append((after, [arc], true))
        for end in ends where end.chain == start.chain {
          let isAhead = arc & 1 == 0 ? end.offset >= start.offset : end.offset <= start.offset
          if isAhead { arrive(after - rest(arc, end.offset)) }
        }
      }
    }
    var done: Set<[UInt32]> = []
    while let place = left.indices.min(by: { left[$0].cost < left[$1].cost }) {
      let (cost, arcs, isStart) = left.remove(at: place)
      guard let arc = arcs.last, isStart || done.insert(arcs).inserted else { continue }
      if !isStart {
        for end in ends where end.chain == arc >> 1 {
          arrive(cost - min(rest(arc, end.offset), cost))
        }
      }
      for next in following(arcs, arc) where network.traits(next >> 1).isDisjoint(with: avoiding) {
        let sum = cost + network.turn(arc, next, mode).cost + network.cost(next, mode)
        let state = Array((arcs + [next]).suffix(Self.longest))
        guard sum < least[state] ?? .max else { continue }
        least[state] = sum
        left.append((sum, state, false))
      }
    }
    return best
  }

  /// The roads that one may take, back only where there is no other.
  private func following(_ arcs: [UInt32], _ arc: UInt32) -> [UInt32] {
    let network = map.network
    func isOpen(_ next: UInt32) -> Bool {
      network.cost(next, mode) > 0 && !isForbidden(arcs + [next])
    }
    let junction = network.head(arc)
    var next: [UInt32] = []
    if !network.isBarred(junction, mode) {
      next = network.leaving(junction).map(network.end).filter { $0 != arc ^ 1 && isOpen($0) }
    }
    return next.isEmpty ? [arc ^ 1].filter(isOpen) : next
  }

  private func isForbidden(_ arcs: [UInt32]) -> Bool {
    guard let forbidden = map.forbidden[mode] else { return false }
    return (2...Self.longest).contains { forbidden.contains(Array(arcs.suffix($0))) }
  }

  /// The part of an arc behind a place.
  private func rest(_ arc: UInt32, _ offset: UInt32) -> UInt32 {
    let length = map.network.chain(arc >> 1).length
    let left = arc & 1 == 0 ? length - offset : offset
    return UInt32(UInt64(map.network.cost(arc, mode)) * UInt64(left) / UInt64(max(length, 1)))
  }
}
