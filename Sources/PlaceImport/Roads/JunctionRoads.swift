internal import PlaceCore
internal import Platform

/// The arcs that leave each junction of a draft, and where they lead.
struct JunctionRoads {
  struct Road: BitwiseCopyable {
    var arc: UInt32
    var head: UInt32
  }

  private let roads: ScratchArray<Road>
  /// The beginning of each junction's roads.
  private let starts: ScratchArray<UInt32>
  private let chains: UnsafeMutableBufferPointer<RoadChain>

  init(_ draft: RoadDraft, in folder: String) throws(SystemError) {
    roads = try ScratchArray(in: folder)
    starts = try ScratchArray(in: folder)
    chains = draft.chains.buffer
    try starts.resize(draft.junctions.count + 2)
    try roads.resize(chains.count * 2)
    let starts = starts.buffer
    for chain in chains {
      starts[Int(chain.tail) + 2] += 1
      starts[Int(chain.head) + 2] += 1
    }
    for number in starts.indices.dropFirst() { starts[number] += starts[number - 1] }
    for (number, chain) in chains.enumerated() {
      add(Road(arc: UInt32(number) * 2, head: chain.head), at: chain.tail)
      add(Road(arc: UInt32(number) * 2 + 1, head: chain.tail), at: chain.head)
    }
  }

  /// Its start moves on to that of the next.
  private func add(_ road: Road, at junction: UInt32) {
    let place = starts[Int(junction) + 1]
    roads[Int(place)] = road
    starts[Int(junction) + 1] = place + 1
  }

  @inline(__always)
  subscript(junction: UInt32) -> UnsafeBufferPointer<Road> {
    UnsafeBufferPointer(
      rebasing: roads.buffer[Int(starts[Int(junction)])..<Int(starts[Int(junction) + 1])])
  }

  @inline(__always)
  func tail(_ arc: UInt32) -> UInt32 {
    arc & 1 == 0 ? chains[Int(arc >> 1)].tail : chains[Int(arc >> 1)].head
  }
}
