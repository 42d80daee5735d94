import Foundation
import Geodesy
import LocationModel
import Platform

@testable import PlaceCore
@testable import PlaceImport

/// A map of nodes with letters, as a text draws them: `step` metres from one letter to the next, and from line to line.
final class DrawnMap {
  private var places: [Character: Spot] = [:]
  private let collector: RoadCollector
  private var ways: Int64 = 0

  init(
    _ text: String, step: Double = 100,
    at corner: Coordinate = Coordinate(latitude: 48, longitude: 8)
  ) throws {
    collector = try RoadCollector(in: NSTemporaryDirectory())
    let plane = LocalPlane(around: corner)
    for (row, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      for (column, letter) in line.enumerated() where letter.isLetter {
        put(letter, at: plane.place(Double(column) * step, -Double(row) * step))
      }
    }
  }

  func put(_ letter: Character, at place: Coordinate) {
    places[letter] = Spot(
      latitude: Int32((place.latitude * 1e7).rounded()),
      longitude: Int32((place.longitude * 1e7).rounded()))
  }

  private func number(_ letter: Character) -> UInt32 { UInt32(letter.asciiValue ?? 0) }

  /// In the order of the letters, before the ways.
  func stand(_ letter: Character, _ tags: String...) throws {
    try collector.add(obstacleAt: number(letter), WayTags(list(tags)))
  }

  /// Its number: 1, 2…
  @discardableResult
  func way(_ letters: String, _ tags: String...) throws -> Int64 {
    ways += 1
    try piece(letters, of: ways, list(tags))
    return ways
  }

  /// More of a way whose middle is missing.
  func piece(_ letters: String, of way: Int64, _ tags: RoadTagList) throws {
    let spots = letters.compactMap { places[$0] }
    try letters.map(number).withUnsafeBufferPointer { nodes in
      try spots.withUnsafeBufferPointer {
        try collector.add(way: way, tags, nodes: nodes, places: $0)
      }
    }
  }

  /// False where it says nothing.
  @discardableResult
  func restrict(
    _ tags: String..., from: [Int64], at letter: Character, to: [Int64]
  ) -> Bool {
    add(tags, from, .node(number(letter)), to)
  }

  @discardableResult
  func restrict(_ tags: String..., from: [Int64], over: [Int64], to: [Int64]) -> Bool {
    add(tags, from, .ways(over), to)
  }

  private func add(
    _ tags: [String], _ from: [Int64], _ via: Restriction.Via, _ to: [Int64]
  ) -> Bool {
    let all = Restriction.modes.compactMap {
      Restriction(list(tags), $0, from: from, via: via, to: to)
    }
    all.forEach(collector.add)
    return !all.isEmpty
  }

  func list(_ tags: [String]) -> RoadTagList {
    tags.map { tag in
      let parts = tag.split(separator: "=", maxSplits: 1).map(String.init)
      return (parts[0], parts[1])
    }
  }

  /// Nil where `show` says that it is enough.
  func roads(_ show: (Int) -> Bool = { _ in true }) throws -> DrawnRoads? {
    try collector.finish(show).map { draft in
      DrawnRoads(draft: draft) { junction in
        places.first {
          $0.value == Spot(latitude: junction.latitude, longitude: junction.longitude)
        }?.key
      }
    }
  }
}

/// The import's roads of a drawn map, in its letters.
struct DrawnRoads {
  let draft: RoadDraft
  private let letters: [Character]

  fileprivate init(draft: RoadDraft, letter: (RoadJunction) -> Character?) {
    self.draft = draft
    letters = draft.junctions.buffer.map { letter($0) ?? "?" }
  }

  /// `AB` for each chain, from its tail to its head.
  var chains: [String] { draft.chains.buffer.map { arc($0.tail, $0.head) } }

  func chain(_ name: String) -> RoadChain? {
    chains.firstIndex(of: name).map { draft.chains[$0] }
  }

  func kind(_ name: String) -> RoadKind? { chain(name).map { draft.kinds[Int($0.kind)] } }

  /// The modes that each junction stops, as bits.
  var barred: [Character: UInt32] {
    let bits = draft.junctions.buffer.map { $0.ends >> 29 }
    return Dictionary(uniqueKeysWithValues: zip(letters, bits)).filter { $0.value > 0 }
  }

  /// `ABC` for a way from A over B to C that is forbidden to cars.
  var turns: [String] { turns(.car) }

  func turns(_ mode: RoadMode) -> [String] {
    (draft.turns[mode] ?? []).map { arcs in
      let ends = arcs.map { arc in
        let chain = draft.chains[Int(arc >> 1)]
        return arc & 1 == 0 ? (chain.tail, chain.head) : (chain.head, chain.tail)
      }
      return String(letters[Int(ends[0].0)]) + ends.map { String(letters[Int($0.1)]) }.joined()
    }.sorted()
  }

  private func arc(_ tail: UInt32, _ head: UInt32) -> String {
    String([letters[Int(tail)], letters[Int(head)]])
  }
}
