import LocationModel

/// The moves of a traveller at the junctions of one leg.
struct RoadMoves {
  /// An arc of the leg.
  struct Road {
    let arc: UInt32
    let traits: RoadTraits
    let name: String?
    /// Degrees from north.
    let leaving: Double
    let reaching: Double
    /// Metres.
    let length: Double
    /// Its first place in the way's line.
    let start: Int

    init(_ network: RoadNetwork, _ arc: UInt32, length: Double, start: Int) {
      (self.arc, self.length, self.start) = (arc, length, start)
      traits = network.traits(arc >> 1)
      name = network.name(arc >> 1)?.plain(atMost: 200)
      leaving = network.bearing(leaving: arc)
      reaching = network.bearing(leaving: arc ^ 1) + 180
    }
  }

  /// A road that one could take instead.
  private struct Other {
    /// Degrees to the right of straight on.
    var angle: Double
    var traits: RoadTraits
    /// So much slower that hardly anybody means it.
    var isMinor: Bool
  }

  private let network: RoadNetwork
  private let mode: RoadMode
  private let roads: [Road]

  /// Metres of a slip road that is part of a crossing.
  private static let shortRamp = 150.0
  /// Degrees between roads at a fork.
  private static let fork = 45.0
  /// A road is followed where others bend so many degrees more.
  private static let clearly = 25.0
  private static let minor = 2.5

  init(_ network: RoadNetwork, _ mode: RoadMode, _ roads: [Road]) {
    (self.network, self.mode, self.roads) = (network, mode, roads)
  }

  /// In order, without those at the ends.
  var all: [Move] {
    var moves: [Move] = []
    var i = 0
    while i + 1 < roads.count {
      let (move, next) = move(after: i)
      if let move { moves.append(move) }
      i = max(next, i + 1)
    }
    return moves
  }

  /// The move where a road ends, and the number of the road that it reaches.
  private func move(after i: Int) -> (Move?, Int) {
    let (before, after) = (roads[i], roads[i + 1])
    func told(_ kind: Move.Kind?, _ street: String? = nil) -> (Move?, Int) {
      (kind.map { Move($0, street: street ?? after.name, start: after.start) }, i + 1)
    }
    if after.traits.contains(.ferry) {
      return before.traits.contains(.ferry) ? (nil, i + 1) : told(.board)
    }
    if after.arc == before.arc ^ 1 { return told(.turn(.back)) }
    if mode != .foot, after.traits.contains(.roundabout), !before.traits.contains(.roundabout) {
      return roundabout(i + 1)
    }
    let others = others(before, after)
    if after.traits.contains(.ramp), !before.traits.contains(.ramp), mode == .car {
      return ramp(i + 1, others)
    }
    if mode == .car, before.traits.contains(.ramp), !after.traits.contains(.ramp),
      after.traits.contains(.motorway)
    {
      return told(.merge(nil))
    }
    return told(turn(before, after, others))
  }
}

// MARK: - Junctions

extension RoadMoves {
  private func others(_ before: Road, _ after: Road) -> [Other] {
    let pace = self.pace(after.arc)
    return network.leaving(network.head(before.arc)).compactMap { number in
      let arc = network.end(number)
      guard arc != after.arc, arc != before.arc ^ 1, network.cost(arc, mode) > 0 else {
        return nil
      }
      return Other(
        angle: Self.angle(before.reaching, network.bearing(leaving: arc)),
        traits: network.traits(arc >> 1), isMinor: self.pace(arc) > pace * Self.minor)
    }
  }

  /// The cost of a decimetre.
  private func pace(_ arc: UInt32) -> Double {
    Double(network.cost(arc, mode)) / max(Double(network.chain(arc >> 1).length), 1)
  }

  private static func angle(_ from: Double, _ to: Double) -> Double {
    (to - from).remainder(dividingBy: 360)
  }

  /// Nil where the traveller follows the road.
  private func turn(_ before: Road, _ after: Road, _ others: [Other]) -> Move.Kind? {
    let angle = Self.angle(before.reaching, after.leaving)
    let isNew = after.name != nil && after.name != before.name
    let rivals = others.filter { !$0.isMinor }
    let isClear = rivals.allSatisfy { abs($0.angle) >= abs(angle) + Self.clearly }
    let turn = Turn(from: before.reaching, to: after.leaving)
    // Where no other road leaves, a road only bends.
    if others.isEmpty || (abs(angle) < 60 && isClear) {
      guard isNew else { return nil }
      return others.isEmpty || turn == .straight ? .goOn : .turn(turn)
    }
    if abs(angle) < Self.fork, let other = rivals.first(where: { abs($0.angle) < Self.fork }) {
      let isStraighter = abs(angle) < abs(other.angle) && !isNew
      return isStraighter && turn == .straight ? nil : .keep(angle > other.angle ? .right : .left)
    }
    if turn == .straight { return isNew ? .goOn : nil }
    return .turn(turn)
  }
}

// MARK: - Roundabouts and slip roads

extension RoadMoves {
  /// A name of the road that is left for, or of one soon after it.
  private func street(_ i: Int) -> String? {
    var metres = 0.0
    for road in roads[min(i, roads.count)...] {
      if let name = road.name { return name }
      metres += road.length
      if metres > Self.shortRamp { return nil }
    }
    return nil
  }

  /// Exits are counted from where it is entered.
  private func roundabout(_ first: Int) -> (Move?, Int) {
    let left = roads[first...].firstIndex { !$0.traits.contains(.roundabout) }
    var exits = 0
    for i in first..<(left ?? first) where i + 1 < left ?? 0 {
      exits += others(roads[i], roads[i + 1]).count { !$0.traits.contains(.roundabout) }
    }
    let exit = left.map { _ in exits + 1 }
    let move = Move(
      .roundabout(exit: exit), street: left.flatMap(street), start: roads[first].start)
    return (move, left ?? roads.count)
  }

  private func ramp(_ first: Int, _ others: [Other]) -> (Move?, Int) {
    let end = roads[first...].firstIndex { !$0.traits.contains(.ramp) }
    let before = roads[first - 1]
    let isMotorway = [first - 1, first, end ?? first].contains {
      roads[$0].traits.contains(.motorway)
    }
    let length = roads[first..<(end ?? roads.count)].reduce(0) { $0 + $1.length }
    if let end, !isMotorway, length < Self.shortRamp {
      // Beside a crossing: the roads that it joins are what counts.
      let after = roads[end]
      let turn = Turn(from: before.reaching, to: after.leaving)
      let isNew = after.name != nil && after.name != before.name
      let kind: Move.Kind? = turn == .straight ? (isNew ? .goOn : nil) : .turn(turn)
      return (kind.map { Move($0, street: after.name, start: roads[first].start) }, end)
    }
    let angle = Self.angle(before.reaching, roads[first].leaving)
    let side = others.min { abs($0.angle) < abs($1.angle) }.map { other in
      angle > other.angle ? Move.Side.right : .left
    }
    let name = roads[first].name ?? end.flatMap { roads[$0].name }
    return (Move(.ramp(side), street: name, start: roads[first].start), first)
  }
}

extension RoadNetwork {
  /// Degrees from north, as one leaves the tail of an arc.
  func bearing(leaving arc: UInt32) -> Double {
    let bearings = chain(arc >> 1).bearings
    return Double(arc & 1 == 0 ? bearings.leaving : bearings.reaching &+ 128) * 360 / 256
  }
}
