/// Other ways than the best one, found with the roads of those before made dearer: each is really another, hardly longer,
/// and goes nowhere a long way round.
struct Alternates {
  private let network: RoadNetwork
  /// The best first.
  private(set) var ways: [FoundWay]
  /// Chains of all that were found, and how often each.
  private(set) var dearer: [UInt32: Int] = [:]
  private var searches = 0
  private(set) var isDone = false

  /// Eight searches find another way for 86 % of Monaco's pairs for which OSRM knows one.
  private static let mostSearches = 8
  private static let mostWays = 3
  private static let mostShared = 0.75
  private static let mostLonger = 1.3
  private static let mostOfSection = 1.5

  init(_ network: RoadNetwork, beside best: FoundWay) {
    self.network = network
    ways = [best]
    count(best)
  }

  /// The answer of one more search.
  mutating func consider(_ way: FoundWay?) {
    searches += 1
    guard let way else {
      isDone = true
      return
    }
    count(way)
    if isAnother(way) { ways.append(way) }
    isDone = ways.count == Self.mostWays || searches == Self.mostSearches
  }

  private mutating func count(_ way: FoundWay) {
    for chain in Set(way.arcs.map { $0 >> 1 }) { dearer[chain, default: 0] += 1 }
  }

  private func isAnother(_ way: FoundWay) -> Bool {
    let line = Line(way, network)
    let best = Line(ways[0], network)
    return line.length < best.length * Self.mostLonger
      && Double(way.cost) < Double(ways[0].cost) * Self.mostLonger
      && Set(line.junctions).count == line.junctions.count
      && ways.allSatisfy { line.shared(with: $0) < line.length * Self.mostShared }
      && line.isShort(beside: best, Self.mostOfSection)
  }
}

/// A way by the junctions that it passes.
private struct Line {
  let arcs: [UInt32]
  let lengths: [Double]
  let junctions: [UInt32]
  /// Metres from the start to each junction.
  let along: [Double]
  let length: Double

  init(_ way: FoundWay, _ network: RoadNetwork) {
    arcs = way.arcs
    lengths = network.lengths(of: way)
    junctions = way.arcs.dropLast().map(network.head)
    var (sum, along) = (0.0, [Double]())
    for length in lengths {
      sum += length
      along.append(sum)
    }
    self.along = along.dropLast()
    length = sum
  }

  /// Metres on the same roads.
  func shared(with way: FoundWay) -> Double {
    let chains = Set(way.arcs.map { $0 >> 1 })
    return zip(arcs, lengths).reduce(0) { $0 + (chains.contains($1.0 >> 1) ? $1.1 : 0) }
  }

  /// No section between two junctions of the other way is so many times longer than what it replaces there, or goes back.
  func isShort(beside other: Line, _ most: Double) -> Bool {
    let places = Dictionary(zip(other.junctions, other.along)) { $1 }
    var (here, there) = (0.0, 0.0)
    for (end, otherEnd) in zip(junctions, along).compactMap({ junction, end in
      places[junction].map { (end, $0) }
    }) + [(length, other.length)] {
      guard otherEnd >= there, end - here <= (otherEnd - there) * most + 1 else { return false }
      (here, there) = (end, otherEnd)
    }
    return true
  }
}
