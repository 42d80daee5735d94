internal import PlaceCore

/// Turns that are not as others, of the sequences of arcs that restrictions forbid.
///
/// A sequence of two forbids one turn. A longer one is remembered on its way: each beginning of two arcs and more is a
/// copy of its last arc, as in Aho and Corasick's search for words.
struct TurnStates {
  private(set) var exceptions: [RoadException] = []
  /// The arcs of the copies.
  private(set) var copies: [UInt32] = []

  /// More of them are no map.
  private static let mostCopies = 1_000_000

  private struct Node {
    var children: [UInt32: Int] = [:]
    var arc: UInt32
    var isForbidden = false
    /// The longest end of it that is another's beginning.
    var fallback = 0
    var state: UInt32 = 0
  }

  private var nodes = [Node(arc: .max)]

  /// `firstCopy`: the state of the first copy.
  init(_ sequences: [[UInt32]], firstCopy: UInt32) {
    for sequence in sequences where sequence.count > 1 { add(sequence) }
    number(from: firstCopy)
    for node in nodes.indices.dropFirst() where !nodes[node].isForbidden { explain(node) }
    exceptions.sort { ($0.from, $0.over) < ($1.from, $1.over) }
  }

  private mutating func add(_ sequence: [UInt32]) {
    guard nodes.count < Self.mostCopies else { return }
    var node = 0
    for arc in sequence {
      if let child = nodes[node].children[arc] {
        node = child
      } else {
        nodes.append(Node(arc: arc))
        nodes[node].children[arc] = nodes.count - 1
        node = nodes.count - 1
      }
    }
    nodes[node].isForbidden = true
  }

  /// By their depth, so that what is fallen back to is known.
  private mutating func number(from first: UInt32) {
    var layer = nodes[0].children.sorted { $0.key < $1.key }.map(\.value)
    for node in layer { nodes[node].state = nodes[node].arc }
    while !layer.isEmpty {
      var next: [Int] = []
      for parent in layer {
        for (arc, child) in nodes[parent].children.sorted(by: { $0.key < $1.key }) {
          let fallback = step(nodes[parent].fallback, over: arc)
          nodes[child].fallback = fallback
          if nodes[fallback].isForbidden { nodes[child].isForbidden = true }
          if !nodes[child].isForbidden, !nodes[child].children.isEmpty {
            nodes[child].state = first + UInt32(copies.count)
            copies.append(arc)
          } else {
            // Nothing of it is remembered but its end.
            nodes[child].state = fallback == 0 ? arc : nodes[fallback].state
          }
          next.append(child)
        }
      }
      layer = next
    }
  }

  /// The longest beginning that is reached over an arc; 0 for none.
  private func step(_ node: Int, over arc: UInt32) -> Int {
    var node = node
    while true {
      if let child = nodes[node].children[arc] { return child }
      guard node != 0 else { return 0 }
      node = nodes[node].fallback
    }
  }

  /// The states that turns lead to, where they are not the arc itself.
  private mutating func explain(_ node: Int) {
    let state = nodes[node].state
    guard nodes[node].arc == state || !nodes[node].children.isEmpty else { return }
    var arcs: Set<UInt32> = []
    var ancestor = node
    while ancestor != 0 {
      arcs.formUnion(nodes[ancestor].children.keys)
      ancestor = nodes[ancestor].fallback
    }
    for arc in arcs.sorted() {
      let target = step(node, over: arc)
      let to = nodes[target].isForbidden ? RoadException.forbidden : nodes[target].state
      if to != arc { exceptions.append(RoadException(from: state, over: arc, to: to)) }
    }
  }
}
