internal import PlaceCore
internal import Platform

/// Restrictions as sequences of arcs that no traveller of a mode may follow.
struct ForbiddenTurns {
  private let draft: RoadDraft
  private let mode: RoadMode
  private let chainsOfWays: [Int64: [Range<UInt32>]]
  private let junction: (_ node: UInt32) -> UInt32?

  /// Bounds for what nobody maps: sequences in all and of one restriction, and roads that meet where only one is
  /// allowed.
  private static let most = 1_000_000
  private static let mostOfOne = 256
  private static let mostLeaving = 64

  /// `junction` knows the number of a node's; nil where no road ends there.
  init(
    _ draft: RoadDraft, _ mode: RoadMode, _ chainsOfWays: [Int64: [Range<UInt32>]],
    junction: @escaping (UInt32) -> UInt32?
  ) {
    (self.draft, self.mode, self.chainsOfWays) = (draft, mode, chainsOfWays)
    self.junction = junction
  }

  func all(of restrictions: [Restriction]) -> [[UInt32]] {
    var forbidden: Set<[UInt32]> = []
    var musts: [(path: [UInt32], allowed: Set<UInt32>)] = []
    for restriction in restrictions
    where restriction.mode == mode && forbidden.count + musts.count < Self.most {
      let paths = paths(of: restriction)
      guard restriction.isOnly else {
        forbidden.formUnion(paths.flatMap { path in path.to.map { path.before + [$0] } })
        continue
      }
      for path in paths { musts.append((path.before, path.to)) }
    }
    let leaving = leaving(Set(musts.compactMap { $0.path.last.map(head) }))
    for (path, allowed) in musts where forbidden.count < Self.most {
      guard let last = path.last, let others = leaving[head(last)] else { continue }
      for arc in others where !allowed.contains(arc) { forbidden.insert(path + [arc]) }
    }
    return forbidden.sorted { $0.lexicographicallyPrecedes($1) }
  }

  private typealias Path = (before: [UInt32], to: Set<UInt32>)

  /// All that leads over what is between, and what follows there.
  private func paths(of restriction: Restriction) -> [Path] {
    var found: [Path] = []
    var steps = 0
    func add(_ before: [UInt32], at end: UInt32) {
      let to = Set(restriction.to.flatMap { departing(by: $0, from: end) })
      if !to.isEmpty, found.count < Self.mostOfOne { found.append((before, to)) }
    }
    func follow(_ path: [UInt32], _ ways: [Int64]) {
      steps += 1
      guard let last = path.last, path.count < RoadDraft.mostArcs, steps < Self.mostOfOne else {
        return
      }
      guard !ways.isEmpty else { return add(path, at: head(last)) }
      for (i, way) in ways.enumerated() {
        var others = ways
        others.remove(at: i)
        for arcs in along(way, from: head(last)) { follow(path + arcs, others) }
      }
    }
    for way in restriction.from {
      for arc in arriving(by: way) {
        switch restriction.via {
        case .ways(let ways): follow([arc], ways)
        case .node(let node): if head(arc) == junction(node) { add([arc], at: head(arc)) }
        }
      }
    }
    return found
  }
}

// MARK: - Arcs of ways

extension ForbiddenTurns {
  private func head(_ arc: UInt32) -> UInt32 {
    let chain = draft.chains[Int(arc >> 1)]
    return arc & 1 == 0 ? chain.head : chain.tail
  }

  /// The last arcs of a way, or of its pieces, in both directions.
  private func arriving(by way: Int64) -> [UInt32] {
    (chainsOfWays[way] ?? []).flatMap { [$0.upperBound * 2 - 2, $0.lowerBound * 2 + 1] }
      .filter { draft.isOpen($0, mode) }
  }

  /// The first arcs of a way that begin at a junction.
  private func departing(by way: Int64, from start: UInt32) -> [UInt32] {
    (chainsOfWays[way] ?? []).flatMap { [$0.lowerBound * 2, $0.upperBound * 2 - 1] }
      .filter { head($0 ^ 1) == start && draft.isOpen($0, mode) }
  }

  /// All arcs of a way that begins at a junction.
  private func along(_ way: Int64, from start: UInt32) -> [[UInt32]] {
    (chainsOfWays[way] ?? []).filter { $0.count < RoadDraft.mostArcs }.flatMap { chains in
      let ahead = chains.map { $0 * 2 }
      return [ahead, ahead.reversed().map { $0 + 1 }]
    }.filter { arcs in
      arcs.first.map { head($0 ^ 1) } == start && arcs.allSatisfy { draft.isOpen($0, mode) }
    }
  }

  /// The arcs by which they leave some junctions.
  private func leaving(_ junctions: Set<UInt32>) -> [UInt32: [UInt32]] {
    guard !junctions.isEmpty else { return [:] }
    var leaving: [UInt32: [UInt32]] = [:]
    for (i, chain) in draft.chains.buffer.enumerated() {
      let arc = UInt32(i) * 2
      if junctions.contains(chain.tail), draft.isOpen(arc, mode) {
        leaving[chain.tail, default: []].append(arc)
      }
      if junctions.contains(chain.head), draft.isOpen(arc + 1, mode) {
        leaving[chain.head, default: []].append(arc + 1)
      }
    }
    return leaving.filter { $0.value.count <= Self.mostLeaving }
  }
}
