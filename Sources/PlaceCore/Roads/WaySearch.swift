package import LocationModel

/// A place on a road where a way begins or ends.
package struct RoadEnd: Equatable, Sendable {
  package var chain: UInt32
  /// Decimetres from the chain's tail.
  package var offset: UInt32
  package var place: Coordinate
  /// Metres from the place that was asked for.
  package var distance: Double

  package init(chain: UInt32, offset: UInt32, place: Coordinate, distance: Double) {
    (self.chain, self.offset) = (chain, offset)
    (self.place, self.distance) = (place, distance)
  }
}

package struct FoundWay: Equatable, Sendable {
  package var start: RoadEnd
  package var end: RoadEnd
  /// The first and the last only in part.
  package var arcs: [UInt32]
  /// Hundredths of a second: as ways are compared, and what it takes.
  package var cost: UInt64
  package var time: UInt64
}

/// The cheapest way from some places on roads to others, with all turns and restrictions.
package struct WaySearch {
  package enum Progress: Equatable, Sendable {
    case searching
    case found(FoundWay)
    case none, tooLarge
  }

  private struct Target {
    var arc: UInt32
    /// The part of the arc's cost behind the place.
    var rest: UInt32
    var end: RoadEnd
  }

  private struct Best {
    var cost: UInt32
    /// Nil: the way stays on one arc.
    var state: UInt32?
    var start: RoadEnd
    var end: RoadEnd
    var arc: UInt32
  }

  /// States that are held at once: 4 MB.
  static let mostLabels = 190_000

  private var expansion: RoadExpansion
  private var targets: [Target] = []
  private var starts: [RoadEnd] = []
  private var best: Best?

  /// `onlyArc`: the way leaves along it. `dearer`: how often the cost of a chain is made two fifths dearer.
  package init(
    _ network: RoadNetwork, _ mode: RoadMode, from: [RoadEnd], to: [RoadEnd],
    avoiding: RoadTraits = [], dearer: [UInt32: Int] = [:], onlyArc: UInt32? = nil
  ) {
    expansion = RoadExpansion(network, mode)
    expansion.avoiding = avoiding.intersection(.avoidable).rawValue
    expansion.dearer = dearer
    expansion.lead(to: to.map(\.place))
    for end in to {
      for arc in [end.chain * 2, end.chain * 2 + 1] {
        guard let parts = parts(of: arc, at: end) else { continue }
        targets.append(Target(arc: arc, rest: parts.after, end: end))
        expansion.open(around: network.tail(arc))
      }
    }
    for start in from {
      for arc in [start.chain * 2, start.chain * 2 + 1] where onlyArc ?? arc == arc {
        guard let parts = parts(of: arc, at: start) else { continue }
        expansion.begin(on: arc, cost: parts.after)
        starts.append(start)
        expansion.open(around: network.head(arc))
        stay(on: arc, from: start, parts.after)
      }
    }
    for chain in dearer.keys {
      expansion.open(around: network.chain(chain).tail)
      expansion.open(around: network.chain(chain).head)
    }
  }

  private var network: RoadNetwork { expansion.network }

  /// The costs of an arc before and behind a place on it; nil where one may not go.
  private func parts(of arc: UInt32, at end: RoadEnd) -> (before: UInt32, after: UInt32)? {
    let cost = network.cost(arc, expansion.mode)
    guard cost > 0 else { return nil }
    let after = network.rest(cost, arc, end.offset)
    return (cost - after, after)
  }

  /// Both places on one arc, in its direction.
  private mutating func stay(on arc: UInt32, from start: RoadEnd, _ after: UInt32) {
    for target in targets where target.arc == arc {
      let isAhead =
        arc & 1 == 0 ? target.end.offset >= start.offset : target.end.offset <= start.offset
      guard isAhead, after >= target.rest, after - target.rest < best?.cost ?? .max else {
        continue
      }
      best = Best(
        cost: after - target.rest, state: nil, start: start, end: target.end, arc: arc)
    }
  }

  /// Goes on over so many states.
  package mutating func advance(_ states: Int) -> Progress {
    // The rest of an arc behind its place counts twice: in its cost, and in the way back from its end.
    let longest = targets.map { $0.rest &* 2 }.max() ?? 0
    for _ in 0..<states {
      guard let least = expansion.labels.least, least < (best?.cost ?? .max - longest) + longest
      else { return conclude() }
      guard let (state, cost) = expansion.advance() else { return conclude() }
      if expansion.labels.count > Self.mostLabels { return .tooLarge }
      guard !expansion.isSeed(state) else { continue }
      let arc = network.base(state)
      for target in targets where target.arc == arc {
        let whole = cost.cost - min(target.rest, cost.cost)
        guard whole < best?.cost ?? .max else { continue }
        best = Best(
          cost: whole, state: state, start: target.end, end: target.end, arc: arc)
      }
    }
    return .searching
  }

  private func conclude() -> Progress {
    guard var best else { return .none }
    var arcs = [best.arc]
    if let state = best.state {
      guard let (seed, states) = expansion.states(to: state) else { return .none }
      best.start = starts[seed]
      arcs = [expansion.seeds[seed]] + states.map(network.base)
    }
    let taken = network.taken(by: arcs, from: best.start, to: best.end, expansion.mode)
    return .found(
      FoundWay(
        start: best.start, end: best.end, arcs: arcs, cost: taken.cost, time: taken.time))
  }
}

extension RoadNetwork {
  /// The part of what a whole arc takes that lies behind a place on it.
  fileprivate func rest(_ whole: UInt32, _ arc: UInt32, _ offset: UInt32) -> UInt32 {
    let length = chain(arc >> 1).length
    let offset = min(offset, length)
    let left = arc & 1 == 0 ? length - offset : offset
    guard length > 0 else { return 0 }
    return UInt32(UInt64(whole) * UInt64(left) / UInt64(length))
  }

  /// Hundredths of a second of a way, of which the first and the last arc are gone only in part.
  fileprivate func taken(
    by arcs: [UInt32], from start: RoadEnd, to end: RoadEnd, _ mode: RoadMode
  ) -> (cost: UInt64, time: UInt64) {
    guard let first = arcs.first, let last = arcs.last else { return (0, 0) }
    func sum(
      _ arc: (UInt32, RoadMode) -> UInt32, _ turn: (UInt32, UInt32) -> UInt32
    ) -> UInt64 {
      var sum = UInt64(rest(arc(first, mode), first, start.offset))
      for (before, after) in zip(arcs, arcs.dropFirst()) {
        sum += UInt64(turn(before, after)) + UInt64(arc(after, mode))
      }
      return sum - min(UInt64(rest(arc(last, mode), last, end.offset)), sum)
    }
    return (
      sum(cost) { turn($0, $1, mode).cost }, sum(time) { turn($0, $1, mode).time }
    )
  }
}

// MARK: - From states to arcs

extension RoadExpansion {
  /// Hops that are followed at most: damaged bytes may lead round and round.
  private static let mostHops = 1_000_000

  /// The states on the way to one, and the number of the start that it comes from.
  func states(to state: UInt32) -> (seed: Int, states: [UInt32])? {
    guard let (root, states) = trace(state) else { return nil }
    let seed = Int(root) - Int(network.stateCount)
    return seeds.indices.contains(seed) ? (seed, states) : nil
  }

  private func trace(_ state: UInt32) -> (root: UInt32, states: [UInt32])? {
    var hops: [(from: UInt32, to: UInt32, level: Int)] = []
    var now = state
    while let label = labels.find(now), label.cost.cost > 0 || label.from != now,
      !isSeed(now), hops.count < Self.mostHops
    {
      hops.append((label.from, now, label.level))
      now = label.from
    }
    var states: [UInt32] = []
    for hop in hops.reversed() {
      if hop.level == 0 {
        states.append(hop.to)
      } else {
        guard let inner = passage(from: hop.from, to: hop.to, at: hop.level) else { return nil }
        states += inner
      }
    }
    return (now, states)
  }

  /// The states of a hop over a cell, found again within it.
  private func passage(from: UInt32, to: UInt32, at level: Int) -> [UInt32]? {
    let junction = network.junction(network.head(network.base(from)))
    let cell = overlay.levels[level - 1].home(of: junction.cell)
    var inner = RoadExpansion(
      network, mode, overlay, top: level - 1, bounds: overlay.junctions(of: cell, at: level))
    inner.avoiding = avoiding
    inner.begin(at: from)
    while let (state, _) = inner.advance() {
      if state == to { return inner.trace(to)?.states }
    }
    return nil
  }
}
