import COsmium
import Foundation
import Platform
import TestSupport
import Testing

@testable import PlaceCore
@testable import PlaceImport

@Suite("Roads of a file") struct RoadFeedTests {
  /// Nodes 1 to 9, some 11 m from each other.
  private func line(_ more: (inout MadeFile) -> Void) throws -> RoadDraft {
    var file = MadeFile()
    for i in 1...9 {
      let tags = i == 5 ? "highway=traffic_signals" : i == 7 ? "barrier=bollard" : "note=x"
      file.node(Int64(i), 480_000_000 + Int32(i) * 1000, 80_000_000, tags)
    }
    more(&file)
    return try read(file)
  }

  private func read(_ made: MadeFile) throws -> RoadDraft {
    let path = NSTemporaryDirectory() + "made-\(UUID().uuidString).osm.pbf"
    defer { try? FileManager.default.removeItem(atPath: path) }
    try made.write(to: path)
    let collector = try RoadCollector(in: NSTemporaryDirectory())
    let feed = RoadFeed(collector)
    let face = cosmium_face(context: nil, take: { _, _ in true }, progress: { _, _, _ in true })
    var (date, message) = ([CChar](repeating: 0, count: 64), [CChar](repeating: 0, count: 512))
    let file = open(path, O_RDONLY | O_CLOEXEC)
    try #require(file >= 0)
    defer { close(file) }
    var roads = feed.face
    let result = cosmium_read(
      file, NSTemporaryDirectory(), face, &roads, nil, nil, &date, date.count, &message,
      message.count)
    try #require(result == cosmium_done && feed.trouble == nil)
    return try #require(try collector.finish { _ in true })
  }

  @Test("ways, what stands on them and restrictions reach the network")
  func whole() throws {
    let draft = try line { file in
      file.way(10, [1, 2, 3], "highway=primary", "name=Main Street")
      file.way(11, [3, 4, 5, 6, 7, 8], "highway=primary")
      file.way(12, [3, 9], "highway=primary")
      file.way(13, [1, 9], "building=yes")
      file.relation(
        20, [("from", 1, 10), ("via", 0, 3), ("to", 1, 12)], "type=restriction",
        "restriction=no_left_turn")
    }
    #expect(draft.chains.count == 4)
    #expect(draft.chains[1].delays.ahead == 2 && draft.chains[1].length == 445)
    #expect(draft.junctions.buffer.map { $0.ends >> 29 } == [0, 0, 1, 0, 0])
    #expect(draft.turns == [.car: [[0, 6]], .bicycle: [[0, 6]]])
  }

  @Test("a way comes in pieces where nodes are missing, and a node twice in a row counts once")
  func broken() throws {
    let draft = try line { file in
      file.way(10, [1, 1, 2, 99, 3, 4, 4, 98, 97, 5, 96], "highway=primary")
      file.way(11, [], "highway=primary")
      file.way(12, [6], "highway=primary")
      file.way(13, [6, 6], "highway=primary")
      file.way(14, [95, 94], "highway=primary")
    }
    #expect(draft.chains.count == 2 && draft.junctions.count == 4)
  }

  @Test("a way of 10,000 nodes is one road")
  func long() throws {
    var file = MadeFile()
    for i in 1...10_000 { file.node(Int64(i), Int32(i) * 100, 0) }
    file.way(1, (1...10_000).map(Int64.init), "highway=primary")
    let draft = try read(file)
    #expect(draft.chains.count == 3 && draft.junctions.count == 4)
    #expect(draft.chains.buffer.reduce(0) { $0 + Int($1.length) } / 10 / 1000 == 11)
    #expect(
      zip(draft.chains.buffer, draft.chains.buffer.dropFirst()).allSatisfy { $0.head == $1.tail })
  }

  @Test("restrictions whose members are none, missing, of other kinds or too many say nothing")
  func restrictions() throws {
    let word = "restriction=no_left_turn"
    let draft = try line { file in
      file.way(10, [1, 2, 3], "highway=primary")
      file.way(11, [3, 4], "highway=primary")
      let from = ("from", UInt64(1), Int64(10))
      let to = ("to", UInt64(1), Int64(11))
      file.relation(20, [], "type=restriction", word)
      file.relation(21, [from, to], "type=restriction", word)
      file.relation(22, [from, ("via", 0, 99), to], "type=restriction", word)
      file.relation(23, [from, ("via", 2, 20), to], "type=restriction", word)
      file.relation(24, [from, ("through", 0, 3), to], "type=restriction", word)
      file.relation(25, [("from", 0, 10), ("via", 0, 3), to], "type=restriction", word)
      file.relation(26, [from, ("via", 0, 3), ("via", 0, 4), to], "type=restriction", word)
      file.relation(
        27, Array(repeating: from, count: 65) + [("via", 0, 3), to], "type=restriction", word)
      file.relation(28, [from, ("via", 0, 3), to], "type=multipolygon", word)
      file.relation(29, [from, ("via", 0, 3), to], "type=restriction")
    }
    #expect(draft.turns == [.car: [], .bicycle: []] && draft.chains.count == 2)
  }

  @Test(
    "roads that all meet in one place are as many chains, and no restriction grows by them")
  func star() throws {
    let collector = try RoadCollector(in: NSTemporaryDirectory())
    let (count, ways) = (isSoak ? 1_000_000 : 100_000, 500)
    let tags: RoadTagList = [("highway", "primary")]
    for way in 0..<ways {
      let first = UInt32(way * count / ways)
      let nodes: [UInt32] = (first..<first + UInt32(count / ways)).flatMap { [0, $0 + 1] } + [0]
      let places = nodes.map { Spot(latitude: Int32($0), longitude: Int32($0 % 1000)) }
      try nodes.withUnsafeBufferPointer { nodes in
        try places.withUnsafeBufferPointer {
          try collector.add(way: Int64(way), tags, nodes: nodes, places: $0)
        }
      }
    }
    for way in 0..<Int64(50) {
      for word in ["only_left_turn", "no_u_turn"] {
        let all = Array(0..<Int64(50))
        let restriction = try #require(
          Restriction([("restriction", word)], .car, from: [way], via: .node(0), to: all))
        collector.add(restriction)
      }
    }
    let draft = try #require(try collector.finish { _ in true })
    #expect(draft.chains.count == count && draft.junctions.count == 1)
    #expect(draft.turns.values.allSatisfy { $0.count <= 100 * 100 })
  }
}
