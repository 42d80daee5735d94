internal import PlaceCore
internal import Platform

/// Roads of a mode from which one cannot come to most others, or not back: a way never begins or ends on them where
/// another road is near.
///
/// Tarjan's strongly connected parts, over junctions, without recursion.
struct RoadIslands {
  /// A part with so many arcs is a place to live, whatever else there is.
  private static let least = 1000

  private let network: RoadNetwork
  private let mode: RoadMode
  /// By junction: when it was found, 0 for not yet; the earliest that is reached from it; the number of its part.
  private let found: ScratchArray<UInt32>
  private let low: ScratchArray<UInt32>
  private let part: ScratchArray<UInt32>
  private var sizes: [Int] = [0]
  private var largest = 0

  init(_ network: RoadNetwork, _ mode: RoadMode, in folder: String) throws(SystemError) {
    (self.network, self.mode) = (network, mode)
    found = try ScratchArray(in: folder)
    low = try ScratchArray(in: folder)
    part = try ScratchArray(in: folder)
    for array in [found, low, part] { try array.resize(Int(network.junctionCount)) }
    try divide(in: folder)
    measure()
  }

  /// A chain that belongs to a small part, or to none.
  func holds(_ chain: UInt32) -> Bool {
    let part = home(chain)
    return part == 0 || sizes[Int(part)] < min(Self.least, largest)
  }

  /// 0 where its ends are of two parts. A junction that stops the mode is of none.
  private func home(_ chain: UInt32) -> UInt32 {
    let ends = [network.tail(chain * 2), network.head(chain * 2)]
    let parts = ends.filter { !network.isBarred($0, mode) }.map { part[Int($0)] }
    guard let first = parts.first, parts.allSatisfy({ $0 == first }) else { return 0 }
    return first
  }

  private mutating func measure() {
    sizes = [Int](repeating: 0, count: sizes.count)
    for chain in 0..<network.chainCount {
      let arcs = [chain * 2, chain * 2 + 1].count { network.cost($0, mode) > 0 }
      sizes[Int(home(chain))] += arcs
    }
    sizes[0] = 0
    largest = sizes.max() ?? 0
  }

  private struct Step: BitwiseCopyable {
    var junction: UInt32
    var next: UInt32
  }

  private mutating func divide(in folder: String) throws(SystemError) {
    var clock: UInt32 = 0
    let stack = try ScratchArray<UInt32>(in: folder)
    let work = try ScratchArray<Step>(in: folder)
    for root in 0..<network.junctionCount where found[Int(root)] == 0 {
      try work.append(Step(junction: root, next: network.leaving(root).lowerBound))
      while let step = work.buffer.last {
        let (junction, here) = (step.junction, Int(step.junction))
        if found[here] == 0 {
          clock += 1
          (found[here], low[here]) = (clock, clock)
          try stack.append(junction)
        }
        guard step.next < network.leaving(junction).upperBound else {
          try work.resize(work.count - 1)
          if low[here] == found[here] { try close(junction, stack) }
          if let parent = work.buffer.last?.junction {
            low[Int(parent)] = min(low[Int(parent)], low[here])
          }
          continue
        }
        work[work.count - 1].next += 1
        let arc = network.end(step.next)
        let other = network.head(arc)
        guard network.cost(arc, mode) > 0, !network.isBarred(junction, mode),
          !network.isBarred(other, mode), part[Int(other)] == 0
        else { continue }
        if found[Int(other)] == 0 {
          try work.append(Step(junction: other, next: network.leaving(other).lowerBound))
        } else {
          low[here] = min(low[here], found[Int(other)])
        }
      }
    }
  }

  private mutating func close(
    _ junction: UInt32, _ stack: ScratchArray<UInt32>
  ) throws(SystemError) {
    let number = UInt32(sizes.count)
    sizes.append(0)
    while let last = stack.buffer.last {
      try stack.resize(stack.count - 1)
      part[Int(last)] = number
      if last == junction { break }
    }
  }
}
