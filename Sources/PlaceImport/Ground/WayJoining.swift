internal import PlaceCore

/// Joins ways that have a node at their ends in common: into the rings around an area, or into a coast.
struct WayJoining {
  struct Way {
    /// The numbers of the nodes at its ends.
    var first: Int64
    var last: Int64
    var points: [GridPoint]
  }

  /// Rings begin and end with the same point.
  private(set) var rings: [[GridPoint]] = []
  /// Lines with two ends.
  private(set) var open: [[GridPoint]] = []

  /// `mayTurn`: a way may be joined against its direction, as those around an area; a coast's may not.
  init(_ ways: [Way], mayTurn: Bool) {
    var ends: [Int64: [Int]] = [:]
    for (i, way) in ways.enumerated() where way.first != way.last {
      ends[way.first, default: []].append(i)
      ends[way.last, default: []].append(i)
    }
    var isUsed = [Bool](repeating: false, count: ways.count)
    /// The way that goes on at a node.
    func next(at node: Int64, forward: Bool) -> Int? {
      ends[node]?.first {
        !isUsed[$0] && (mayTurn || (forward ? ways[$0].first : ways[$0].last) == node)
      }
    }
    for (i, way) in ways.enumerated() where !isUsed[i] {
      isUsed[i] = true
      var line = way
      while line.first != line.last, let other = next(at: line.last, forward: true) {
        isUsed[other] = true
        let isTurned = ways[other].first != line.last
        let points = isTurned ? ways[other].points.reversed() : ways[other].points
        line.points += points.dropFirst()
        line.last = isTurned ? ways[other].first : ways[other].last
      }
      while line.first != line.last, let other = next(at: line.first, forward: false) {
        isUsed[other] = true
        let isTurned = ways[other].last != line.first
        let points = isTurned ? ways[other].points.reversed() : ways[other].points
        line.points = points.dropLast() + line.points
        line.first = isTurned ? ways[other].last : ways[other].first
      }
      if line.first == line.last { rings.append(line.points) } else { open.append(line.points) }
    }
  }
}
