internal import PlaceCore
internal import Platform

/// A network of roads as the import makes it, before it is put in order.
struct RoadDraft {
  /// `ends`: the modes that each stops, in the three highest bits.
  let junctions: ScratchArray<RoadJunction>
  /// `delays` and `endDelays` are those of `RoadDelay`.
  let chains: ScratchArray<RoadChain>
  /// Latitude and longitude of the inner points of all chains, in their order; `firstPoint` counts pairs.
  let points: ScratchArray<Int32>
  var kinds: [RoadKind]
  /// UTF-8 and a zero each; the first is empty.
  let names: ScratchArray<UInt8>
  /// Arcs that no traveller of a mode may follow in this order.
  var turns: [RoadMode: [[UInt32]]] = [:]

  static let mostArcs = 8

  init(in folder: String) throws(SystemError) {
    junctions = try ScratchArray(in: folder)
    chains = try ScratchArray(in: folder)
    points = try ScratchArray(in: folder)
    names = try ScratchArray(in: folder)
    kinds = []
    try names.append(0)
  }

  /// Travellers of a mode may follow it.
  func isOpen(_ arc: UInt32, _ mode: RoadMode) -> Bool {
    kinds[Int(chains[Int(arc >> 1)].kind)].costs[mode.rawValue * 2 + Int(arc & 1)] > 0
  }
}
