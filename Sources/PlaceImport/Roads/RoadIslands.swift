internal import PlaceCore

/// Roads of a mode from which one cannot come to most others, or not back: a way never begins or ends on them where
/// another road is near.
///
/// Tarjan's strongly connected parts, over junctions, without recursion.
struct RoadIslands {
  /// A part with so many arcs is a place to live, whatever else there is.
  private static let least = 1000

  private let network: RoadNetwork
  private let mode: RoadMode
  /// By junction: when it was found, 0 for not yet; then the number of its part.
  private var found: [UInt32]
  private var part: [UInt32]
  private var sizes: [Int] = [0]
  private var largest = 0

  init(_ network: RoadNetwork, _ mode: RoadMode) {
    (self.network, self.mode) = (network, mode)
    found = [UInt32](repeating: 0, count: Int(network.junctionCount))
    part = found
    divide()
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

  private mutating func divide() {
    var low = found
    var clock: UInt32 = 0
    var stack: [UInt32] = []
    var work: [(junction: UInt32, next: UInt32)] = []
    for root in 0..<network.junctionCount where found[Int(root)] == 0 {
      work.append((root, network.leaving(root).lowerBound))
      while let (junction, next) = work.last {
        let here = Int(junction)
        if found[here] == 0 {
          clock += 1
          (found[here], low[here]) = (clock, clock)
          stack.append(junction)
        }
        guard next < network.leaving(junction).upperBound else {
          work.removeLast()
          if low[here] == found[here] { close(junction, &stack) }
          if let parent = work.last?.junction {
            low[Int(parent)] = min(low[Int(parent)], low[here])
          }
          continue
        }
        work[work.count - 1].next += 1
        let arc = network.end(next)
        let other = network.head(arc)
        guard network.cost(arc, mode) > 0, !network.isBarred(junction, mode),
          !network.isBarred(other, mode), part[Int(other)] == 0
        else { continue }
        if found[Int(other)] == 0 {
          work.append((other, network.leaving(other).lowerBound))
        } else {
          low[here] = min(low[here], found[Int(other)])
        }
      }
    }
  }

  private mutating func close(_ junction: UInt32, _ stack: inout [UInt32]) {
    let number = UInt32(sizes.count)
    sizes.append(0)
    while let last = stack.popLast() {
      part[Int(last)] = number
      if last == junction { break }
    }
  }
}
