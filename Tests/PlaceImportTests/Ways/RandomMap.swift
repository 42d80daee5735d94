import Foundation
import Geodesy
import LocationModel
import Platform
import TestSupport

@testable import PlaceCore
@testable import PlaceImport

/// Some forty junctions at random, roads between them of all kinds, and sequences of roads that no car may follow.
struct RandomMap {
  private var dice: Dice
  private let image: ScratchArray<UInt8>
  let network: RoadNetwork
  let forbidden: [RoadMode: Set<[UInt32]>]

  init(seed: UInt64) throws {
    var dice = Dice(seed: seed)
    let draft = try Self.draft(&dice)
    let sizes = RoadOverlays.Sizes(fewest: 8, cells: [3, 6, 12], lowest: (0, 1))
    guard
      let image = try RoadImage.bytes(
        of: draft, sizes, in: NSTemporaryDirectory(), show: { _ in true }),
      let network = RoadNetwork(UnsafeRawBufferPointer(image.buffer))
    else { throw CancellationError() }
    (self.dice, self.image, self.network) = (dice, image, network)
    let tables = try RoadTables(
      draft, sizes.levels(draft.junctions.count), in: NSTemporaryDirectory())
    forbidden = tables.sequences.mapValues { Set($0) }
  }

  /// A place on a road.
  mutating func end() -> RoadEnd {
    let chain = UInt32.random(in: 0..<network.chainCount, using: &dice)
    let length = network.chain(chain).length
    let offset = UInt32.random(in: 0...length, using: &dice)
    let share = Double(offset) / Double(max(length, 1))
    let (tail, head) = (
      network.place(network.tail(chain * 2)), network.place(network.head(chain * 2))
    )
    return RoadEnd(
      chain: chain, offset: offset,
      place: Coordinate(
        latitude: tail.latitude + (head.latitude - tail.latitude) * share,
        longitude: tail.longitude + (head.longitude - tail.longitude) * share), distance: 0)
  }

  private static func draft(_ dice: inout Dice) throws -> RoadDraft {
    var draft = try RoadDraft(in: NSTemporaryDirectory())
    draft.kinds = (0..<30).map { _ in kind(&dice) }
    let count = Int.random(in: 20...60, using: &dice)
    for _ in 0..<count {
      try draft.junctions.append(
        RoadJunction(
          latitude: .random(in: 450_000_000...451_000_000, using: &dice),
          longitude: .random(in: 70_000_000...71_000_000, using: &dice),
          ends: Int.random(in: 0..<20, using: &dice) == 0 ? 1 << 29 : 0))
    }
    for number in 0..<count * 3 / 2 {
      let tail = number < count - 1 ? number : Int.random(in: 0..<count, using: &dice)
      let head =
        number < count - 1
        ? number + 1 : min(max(tail + .random(in: -4...4, using: &dice), 0), count - 1)
      // No road is shorter than the air line.
      let air = draft.junctions[tail].metres(to: draft.junctions[head])
      var chain = RoadChain(
        tail: UInt32(tail), head: UInt32(head),
        length: UInt32(air * 10) + 1 + .random(in: 0...2000, using: &dice), name: 0,
        firstPoint: 0, kind: .random(in: 0..<30, using: &dice))
      chain.bearings = (
        .random(in: 0...255, using: &dice), .random(in: 0...255, using: &dice)
      )
      chain.endDelays.ahead = Int.random(in: 0..<6, using: &dice) == 0 ? 2 : 0
      try draft.chains.append(chain)
    }
    for _ in 0..<count / 3 {
      draft.turns[.car, default: []].append(sequence(draft, &dice))
      draft.turns[.bicycle, default: []].append(sequence(draft, &dice))
    }
    return draft
  }

  private static func kind(_ dice: inout Dice) -> RoadKind {
    var kind = RoadKind()
    let pace = UInt32(360_000 / Int.random(in: 5...90, using: &dice))
    kind.costs = [pace, pace, 72_000, 72_000, 24_000, 24_000]
    func isOne(in count: Int) -> Bool { Int.random(in: 0..<count, using: &dice) == 0 }
    if isOne(in: 5) { (kind.costs[1], kind.costs[5]) = (0, 0) }
    if isOne(in: 10) { (kind.costs[0], kind.costs[1]) = (0, 0) }
    kind.times = kind.costs
    for (trait, count) in [(RoadTraits.toll, 7), (.unpaved, 7), (.roundabout, 12)]
    where isOne(in: count) {
      kind.traits.insert(trait)
    }
    if isOne(in: 12) {
      kind.traits.formUnion([.local(0, isBack: false), .local(0, isBack: true)])
    }
    return kind
  }

  /// Two to four arcs that follow each other.
  private static func sequence(_ draft: RoadDraft, _ dice: inout Dice) -> [UInt32] {
    var arcs = [UInt32.random(in: 0..<UInt32(draft.chains.count) * 2, using: &dice)]
    for _ in 0..<Int.random(in: 1...3, using: &dice) {
      let last = arcs[arcs.count - 1]
      let chain = draft.chains[Int(last >> 1)]
      let end = last & 1 == 0 ? chain.head : chain.tail
      var next: [UInt32] = []
      for (number, chain) in draft.chains.buffer.enumerated() {
        if chain.tail == end { next.append(UInt32(number) * 2) }
        if chain.head == end { next.append(UInt32(number) * 2 + 1) }
      }
      next.removeAll { $0 == last ^ 1 }
      guard let arc = next.randomElement(using: &dice) else { break }
      arcs.append(arc)
    }
    return arcs
  }
}

extension RoadJunction {
  fileprivate func metres(to other: RoadJunction) -> Double {
    func place(_ junction: RoadJunction) -> Coordinate {
      Coordinate(
        latitude: Double(junction.latitude) / 1e7, longitude: Double(junction.longitude) / 1e7)
    }
    return LocalPlane.distance(place(self), place(other))
  }
}
