internal import Geodesy
internal import LocationModel
internal import PlaceCore
internal import Platform

/// Takes what stands on nodes, then ways and restrictions, and makes a network of roads. What it keeps of a country
/// lies in files.
final class RoadCollector {
  struct Way: BitwiseCopyable {
    var number: Int64
    /// Its first among the nodes of all ways.
    var first: Int
    var count: UInt32
    var kind: UInt32
    var name: UInt32
  }

  struct Node: BitwiseCopyable {
    var number: UInt32
    var place: Spot
  }

  struct Standing: BitwiseCopyable {
    var node: UInt32
    var obstacle: RoadObstacle
  }

  /// Tags that it wants to know of a way.
  static let keys = RoadProfile.keys.union(RoadProfile.nameKeys)

  let ways: ScratchArray<Way>
  let nodes: ScratchArray<Node>
  private let used: NodeSet
  /// Nodes where roads meet or end, or something stops a mode.
  let junctions: NodeSet
  private let standing: ScratchArray<Standing>
  private let occupied: NodeSet
  private var kinds = RoadKinds()
  private(set) var restrictions: [Restriction] = []
  private var draft: RoadDraft

  /// `folder`: where its files lie, without names.
  init(in folder: String) throws(SystemError) {
    ways = try ScratchArray(in: folder)
    nodes = try ScratchArray(in: folder)
    used = try NodeSet(in: folder)
    junctions = try NodeSet(in: folder)
    standing = try ScratchArray(in: folder)
    occupied = try NodeSet(in: folder)
    draft = try RoadDraft(in: folder)
  }

  /// Nodes come in the order of their numbers.
  func add(obstacleAt node: UInt32, _ tags: WayTags) throws(SystemError) {
    guard let obstacle = RoadObstacle(tags), try occupied.insert(node) else { return }
    try standing.append(Standing(node: node, obstacle: obstacle))
  }

  func obstacle(at node: UInt32) -> RoadObstacle? {
    guard occupied.contains(node) else { return nil }
    let all = standing.buffer
    var (low, high) = (0, all.count)
    while low < high {
      let middle = (low + high) / 2
      if all[middle].node < node { low = middle + 1 } else { high = middle }
    }
    return low < all.count && all[low].node == node ? all[low].obstacle : nil
  }

  /// A way, or a piece of one. Neighbours among the nodes differ.
  func add(
    way number: Int64, _ tags: RoadTagList, nodes: UnsafeBufferPointer<UInt32>,
    places: UnsafeBufferPointer<Spot>
  ) throws(SystemError) {
    guard let start = places.first?.coordinate, nodes.count > 1, nodes.count == places.count else {
      return
    }
    let isLeftHand = DrivingSide.isLeft(latitude: start.latitude, longitude: start.longitude)
    let kind = kinds.number(tags, isLeftHand: isLeftHand) {
      zip(places, places.dropFirst()).reduce(0) { $0 + $1.0.metres(to: $1.1) }
    }
    guard let kind else { return }
    let name = try kinds.name(tags, in: draft.names)
    try ways.append(
      Way(
        number: number, first: self.nodes.count, count: UInt32(clamping: nodes.count), kind: kind,
        name: name))
    try self.nodes.reserve(self.nodes.count + nodes.count)
    for (i, node) in nodes.enumerated() {
      let isEnd = i == 0 || i == nodes.count - 1
      let isNew = try used.insert(node)
      if isEnd || !isNew || (obstacle(at: node)?.barred ?? 0) != 0 { try junctions.insert(node) }
      try self.nodes.append(Node(number: node, place: places[i]))
    }
  }

  func add(_ restriction: Restriction) { restrictions.append(restriction) }

  /// Nil where `show`, which hears how many of a hundred parts are done, says that it is enough.
  func finish(_ show: (Int) -> Bool) throws(SystemError) -> RoadDraft? {
    draft.kinds = kinds.all
    var cutting = try ChainCutting(of: self, into: draft)
    guard try cutting.run(show) else { return nil }
    for mode in Restriction.modes {
      let turns = ForbiddenTurns(draft, mode, cutting.chainsOfWays) { [junctions] node in
        junctions.contains(node) ? junctions.rank(node) : nil
      }
      draft.turns[mode] = turns.all(of: restrictions)
    }
    return draft
  }
}

extension Spot {
  var coordinate: Coordinate {
    Coordinate(latitude: Double(latitude) / 1e7, longitude: Double(longitude) / 1e7)
  }

  func metres(to other: Spot) -> Double { LocalPlane.distance(coordinate, other.coordinate) }
}
