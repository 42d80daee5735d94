import Platform
import Testing

@testable import PlaceCore
@testable import PlaceImport

@Suite("Restrictions of a map") struct RestrictionTests {
  /// A cross at B, and behind it one at E.
  private func cross() throws -> DrawnMap {
    let map = try DrawnMap(
      """
       C F
      A B E H
       D G
      """)
    for way in ["AB", "BE", "EH", "CB", "BD", "FE", "EG"] { try map.way(way, "highway=primary") }
    return map
  }
  private let west: Int64 = 1
  private let middle: Int64 = 2
  private let east: Int64 = 3
  private let north: Int64 = 4
  private let south: Int64 = 5
  private let farNorth: Int64 = 6

  @Test("a forbidden turn is the way over its node")
  func byNode() throws {
    let map = try cross()
    map.restrict("restriction=no_left_turn", from: [west], at: "B", to: [north])
    map.restrict("restriction=no_u_turn", from: [middle], at: "B", to: [middle])
    #expect(try map.roads()?.turns == ["ABC", "EBE"])
  }

  @Test("only one turn allowed forbids all others, and turning round")
  func only() throws {
    let map = try cross()
    map.restrict("restriction=only_straight_on", from: [west], at: "B", to: [middle])
    #expect(try map.roads()?.turns == ["ABA", "ABC", "ABD"])
  }

  @Test("a restriction over ways forbids the whole path")
  func byWay() throws {
    let map = try cross()
    map.restrict("restriction=no_u_turn", from: [north], over: [middle], to: [farNorth])
    map.restrict("restriction=only_straight_on", from: [west], over: [middle], to: [east])
    #expect(try map.roads()?.turns == ["ABEB", "ABEF", "ABEG", "CBEF"])
  }

  @Test("ways between may be several, in any order, and cut by other roads")
  func overSeveral() throws {
    let map = try DrawnMap("ABCDE\n  X")
    let ways = try ["AB", "BCD", "DE", "CX"].map { try map.way($0, "highway=primary") }
    let far = try map.way("EA", "highway=primary")
    map.restrict("restriction=no_entry", from: [ways[0]], over: [ways[2], ways[1]], to: [far])
    #expect(try map.roads()?.turns == ["ABCDEA"])
  }

  @Test(
    "only words for cars count",
    arguments: [
      (["restriction=no_left_turn"], true), (["restriction:motorcar=no_left_turn"], true),
      (["restriction:vehicle=no_left_turn"], true), (["restriction:hgv=no_left_turn"], false),
      (["restriction:conditional=no_left_turn @ (Mo)"], false), (["type=restriction"], false),
      (["restriction=no_left_turn", "except=bus;bicycle"], true),
      (["restriction=no_left_turn", "except=bus; motorcar"], false),
      (["restriction=no_left_turn", "except=motor_vehicle"], false),
      (["restriction=no_dancing"], false), (["restriction=no_left_turn_on_red"], false),
    ] as [([String], Bool)])
  func words(tags: [String], counts: Bool) {
    let list = tags.map { tag in
      let parts = tag.split(separator: "=", maxSplits: 1).map(String.init)
      return (key: parts[0], value: parts[1])
    }
    #expect((Restriction(list, .car, from: [1], via: .node(1), to: [2]) != nil) == counts)
  }

  @Test("bicycles obey what OSRM's profile obeys: words for all, or for them, and no exceptions")
  func bicycles() throws {
    let map = try cross()
    map.restrict("restriction=no_left_turn", from: [west], at: "B", to: [north])
    map.restrict(
      "restriction=no_right_turn", "except=bicycle", from: [west], at: "B", to: [south])
    map.restrict("restriction:bicycle=no_straight_on", from: [west], at: "B", to: [middle])
    map.restrict("restriction:motorcar=no_u_turn", from: [west], at: "B", to: [west])
    map.restrict("restriction=no_u_turn", from: [north], over: [middle], to: [farNorth])
    let roads = try #require(try map.roads())
    #expect(roads.turns(.bicycle) == ["ABC", "ABE", "CBEF"])
    #expect(roads.turns == ["ABA", "ABC", "ABD", "CBEF"])
    #expect(roads.turns(.foot) == [])
  }

  @Test("a relation without members, or with such as nobody knows, says nothing")
  func withoutMembers() throws {
    let map = try cross()
    let word = "restriction=no_left_turn"
    #expect(!map.restrict(word, from: [], at: "B", to: [north]))
    #expect(!map.restrict(word, from: [west], at: "B", to: []))
    #expect(!map.restrict(word, from: [west], over: [], to: [north]))
    map.restrict(word, from: [99], at: "B", to: [north])
    map.restrict(word, from: [west], at: "B", to: [99])
    map.restrict(word, from: [west], over: [99], to: [north])
    map.restrict(word, from: [west], at: "Z", to: [north])
    // Members that do not meet.
    map.restrict(word, from: [west], at: "E", to: [farNorth])
    map.restrict(word, from: [west], at: "B", to: [east])
    map.restrict(word, from: [west], over: [south], to: [east])
    map.restrict("restriction=only_left_turn", from: [west], at: "B", to: [east])
    #expect(try map.roads()?.turns == [])
  }

  @Test("a turn that no car can take needs no restriction")
  func shut() throws {
    let map = try DrawnMap(" C\nABD")
    let west = try map.way("AB", "highway=primary")
    let north = try map.way("CB", "highway=primary", "oneway=yes")
    let east = try map.way("BD", "highway=footway")
    map.restrict("restriction=no_left_turn", from: [west], at: "B", to: [north])
    map.restrict("restriction=no_straight_on", from: [west], at: "B", to: [east])
    map.restrict("restriction=only_straight_on", from: [north], at: "B", to: [west])
    #expect(try map.roads()?.turns == [])
  }

  @Test("several entries and exits are forbidden one by one")
  func several() throws {
    let map = try cross()
    map.restrict("restriction=no_entry", from: [west, north], at: "B", to: [middle])
    map.restrict("restriction=no_exit", from: [middle], at: "B", to: [north, south])
    #expect(try map.roads()?.turns == ["ABE", "CBE", "EBC", "EBD"])
  }

  @Test("longer paths than a sequence holds, and circles of ways, end")
  func circles() throws {
    let map = try DrawnMap("ABCDEFGHIJKL")
    let all = try zip("ABCDEFGHIJK", "BCDEFGHIJKL").map {
      try map.way("\($0)\($1)", "highway=primary")
    }
    map.restrict("restriction=no_u_turn", from: [1], over: Array(all[1...9]), to: [11])
    map.restrict("restriction=no_u_turn", from: [1], over: [2, 2, 2, 2, 2, 2], to: [1])
    let ring = try DrawnMap("AB\nDC")
    let ways = try ["AB", "BC", "CD", "DA"].map { try ring.way($0, "highway=primary") }
    let over = Array(repeating: ways, count: 16).flatMap { $0 }
    ring.restrict("restriction=no_u_turn", from: ways, over: over, to: ways)
    #expect(try map.roads()?.turns.allSatisfy { $0.count <= RoadDraft.mostArcs + 1 } == true)
    #expect(try #require(try ring.roads()).turns.count <= 256 * 4)
  }
}
