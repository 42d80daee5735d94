internal import Glibc
internal import PlaceCore
internal import Platform

/// Cuts ways into chains at the nodes where they meet.
struct ChainCutting {
  private let collector: RoadCollector
  private let draft: RoadDraft
  /// The chains of each way that a restriction names, in its order: a way may come in pieces.
  private(set) var chainsOfWays: [Int64: [Range<UInt32>]] = [:]
  private let named: Set<Int64>
  private var minorStops = MinorStops()

  private static let mostPieces = 8
  /// The list of arcs at junctions counts to twice as many.
  private static let most = 1 << 28

  init(of collector: RoadCollector, into draft: RoadDraft) throws(SystemError) {
    self.collector = collector
    self.draft = draft
    named = Set(collector.restrictions.flatMap(\.ways))
    try draft.junctions.resize(try collector.junctions.count())
  }

  /// False where `show` says that it is enough.
  mutating func run(_ show: (Int) -> Bool) throws(SystemError) -> Bool {
    let ways = collector.ways.buffer
    for (i, way) in ways.enumerated() {
      if i & 4095 == 0, !show(i * 100 / ways.count) { return false }
      let first = UInt32(clamping: draft.chains.count)
      try cut(way)
      let chains = first..<UInt32(clamping: draft.chains.count)
      if named.contains(way.number), !chains.isEmpty,
        chainsOfWays[way.number, default: []].count < Self.mostPieces
      {
        chainsOfWays[way.number, default: []].append(chains)
      }
    }
    minorStops.set(in: draft)
    return true
  }

  private mutating func cut(_ way: RoadCollector.Way) throws(SystemError) {
    let nodes = UnsafeBufferPointer(
      rebasing: collector.nodes.buffer[way.first..<way.first + Int(way.count)])
    var start = 0
    for i in nodes.indices.dropFirst() {
      guard i == nodes.count - 1 || collector.junctions.contains(nodes[i].number) else { continue }
      try add(UnsafeBufferPointer(rebasing: nodes[start...i]), of: way)
      start = i
    }
  }

  private mutating func add(
    _ nodes: UnsafeBufferPointer<RoadCollector.Node>, of way: RoadCollector.Way
  ) throws(SystemError) {
    guard draft.chains.count < Self.most, draft.points.count / 2 < UInt32.max - 4096 else {
      throw SystemError("more roads than a file can have", EFBIG)
    }
    let (tail, head) = (nodes[0], nodes[nodes.count - 1])
    var chain = RoadChain(
      tail: junction(at: tail), head: junction(at: head), length: 0, name: way.name,
      firstPoint: UInt32(clamping: draft.points.count / 2), kind: way.kind)
    var delays = ChainDelays()
    var metres = 0.0
    for i in nodes.indices.dropFirst() {
      metres += nodes[i - 1].place.metres(to: nodes[i].place)
      guard i < nodes.count - 1 else { break }
      try draft.points.append(nodes[i].place.latitude)
      try draft.points.append(nodes[i].place.longitude)
      if let obstacle = collector.obstacle(at: nodes[i].number) { delays.add(obstacle, metres) }
    }
    // Nothing takes no time: that would be a road that is shut.
    chain.length = UInt32(min(max((metres * 10).rounded(), 1), 4e9))
    chain.bearings = Bearings.ends(of: nodes)
    chain.delays = delays.bytes(metres)
    let obstacles = (
      tail: collector.obstacle(at: tail.number), head: collector.obstacle(at: head.number)
    )
    chain.endDelays = (
      obstacles.head.map { ChainDelays.byte(arrivingAt: $0, $0.facesAhead) } ?? 0,
      obstacles.tail.map { ChainDelays.byte(arrivingAt: $0, $0.facesBack) } ?? 0
    )
    let number = UInt32(clamping: draft.chains.count)
    if let head = obstacles.head, head.sign == .minorStop, head.facesAhead {
      minorStops.add(number * 2, at: chain.head)
    }
    if let tail = obstacles.tail, tail.sign == .minorStop, tail.facesBack {
      minorStops.add(number * 2 + 1, at: chain.tail)
    }
    try draft.chains.append(chain)
  }

  private func junction(at node: RoadCollector.Node) -> UInt32 {
    let number = collector.junctions.rank(node.number)
    let barred = UInt32(collector.obstacle(at: node.number)?.barred ?? 0)
    draft.junctions[Int(number)] = RoadJunction(
      latitude: node.place.latitude, longitude: node.place.longitude, ends: barred << 29)
    return number
  }
}

/// Delays by the signs and gates within a chain, in each direction.
private struct ChainDelays {
  private var seconds = (ahead: 0, back: 0)
  private var gates = 0
  /// Stop signs that face nobody, with metres from the tail.
  private var stops: [Double] = []

  /// Nearer to a junction, such a sign does not face those who come from there.
  private static let reach = 20.0

  mutating func add(_ obstacle: RoadObstacle, _ metres: Double) {
    if obstacle.isGate { gates += 1 }
    switch obstacle.sign {
    case .none, .minorStop: break
    case .stop where obstacle.isUndirected: stops.append(metres)
    case .light, .stop, .giveWay:
      if obstacle.facesAhead { seconds.ahead += obstacle.seconds }
      if obstacle.facesBack { seconds.back += obstacle.seconds }
    }
  }

  /// The delays of a chain that is so long.
  func bytes(_ metres: Double) -> (ahead: UInt8, back: UInt8) {
    func stopping(_ isAhead: Bool) -> Int {
      stops.count { stop in
        let before = isAhead ? stop : metres - stop
        return before >= Self.reach || metres - before <= Self.reach
      }
    }
    return (
      RoadDelay.byte(seconds: seconds.ahead + 2 * stopping(true), gates: gates),
      RoadDelay.byte(seconds: seconds.back + 2 * stopping(false), gates: gates)
    )
  }

  static func byte(arrivingAt obstacle: RoadObstacle, _ isFaced: Bool) -> UInt8 {
    let counts = isFaced && obstacle.sign != .minorStop
    return RoadDelay.byte(seconds: counts ? obstacle.seconds : 0, gates: obstacle.isGate ? 1 : 0)
  }
}

/// Signs at junctions that stop those who come by a slower road than another is.
private struct MinorStops {
  private var arrivals: [(arc: UInt32, junction: UInt32)] = []
  /// Hundredths of a second a kilometre on the fastest road of each.
  private var fastest: [UInt32: UInt32] = [:]

  mutating func add(_ arc: UInt32, at junction: UInt32) {
    arrivals.append((arc, junction))
    fastest[junction] = .max
  }

  /// Once all chains are there.
  mutating func set(in draft: RoadDraft) {
    guard !arrivals.isEmpty else { return }
    func pace(_ chain: RoadChain, _ back: Int) -> UInt32 {
      let time = draft.kinds[Int(chain.kind)].times[back]
      return time == 0 ? .max : time
    }
    func look(_ chain: RoadChain, _ junction: UInt32) {
      guard let known = fastest[junction] else { return }
      fastest[junction] = min(known, pace(chain, 0), pace(chain, 1))
    }
    let chains = draft.chains.buffer
    for chain in chains {
      look(chain, chain.tail)
      look(chain, chain.head)
    }
    for (arc, junction) in arrivals {
      let i = Int(arc >> 1)
      guard let other = fastest[junction], other < pace(chains[i], Int(arc & 1)) else { continue }
      if arc & 1 == 0 { chains[i].endDelays.ahead &+= 2 } else { chains[i].endDelays.back &+= 2 }
    }
  }
}
