import LocationModel
import Platform
import Testing

@testable import PlaceCore
@testable import PlaceImport

@Suite("Ways become chains") struct DrawnMapTests {
  @Test("ways are cut where they meet and end, and nowhere else")
  func cutting() throws {
    let map = try DrawnMap(
      """
      A B C D E
        F   G
      """)
    try map.way("ABCDE", "highway=primary")
    try map.way("BF", "highway=residential")
    try map.way("FGD", "highway=residential")
    let roads = try #require(try map.roads())
    #expect(roads.chains == ["AB", "BD", "DE", "BF", "FD"])
    #expect(roads.draft.junctions.count == 5)
    // C, between B and D, and G.
    #expect(roads.draft.points.count == 4)
    #expect(roads.chain("BD")?.firstPoint == 0 && roads.chain("FD")?.firstPoint == 1)
    #expect(roads.chain("AB")?.length == 2000 && roads.chain("BD")?.length == 4000)
  }

  @Test("a way that meets itself is cut there, and a ring without other roads is one chain")
  func rings() throws {
    let map = try DrawnMap(
      """
      A B C
        E D
      X Y
      Z
      """)
    try map.way("ABCDEB", "highway=primary")
    try map.way("XYZX", "highway=primary")
    let roads = try #require(try map.roads())
    #expect(roads.chains == ["AB", "BB", "XX"])
    #expect(roads.chain("BB")?.length == 6000)
  }

  @Test("roads look where they lead at their ends, beyond the first metres")
  func bearings() throws {
    let map = try DrawnMap(
      """
      A B
       C
      D
      """)
    try map.way("AB", "highway=primary")
    try map.way("AD", "highway=primary")
    try map.way("BD", "highway=primary")
    let roads = try #require(try map.roads())
    // East, south, south-west: of 256.
    #expect(roads.chain("AB").map { $0.bearings == (64, 64) } == true)
    #expect(roads.chain("AD").map { $0.bearings == (128, 128) } == true)
    #expect(roads.chain("BD").map { $0.bearings == (160, 160) } == true)
    // A hook of a metre at the start.
    let hook = try DrawnMap("AC" + String(repeating: " ", count: 60) + "B\n", step: 1)
    try hook.way("CAB", "highway=primary")
    let chain = try #require(try hook.roads()?.chain("CB"))
    #expect(chain.bearings == (64, 64))
  }

  @Test("ways with the same tags share a kind, and names are kept once")
  func sharing() throws {
    let map = try DrawnMap("ABCDE")
    try map.way("AB", "highway=primary", "name=Main Street", "note=x")
    try map.way("BC", "highway=primary", "name=Main Street", "note=y")
    try map.way("CD", "highway=primary", "ref=B 7")
    try map.way("DE", "highway=secondary")
    let roads = try #require(try map.roads())
    #expect(roads.draft.kinds.count == 2)
    #expect(roads.draft.names.buffer.map { $0 } == Array("\0Main Street\0B 7\0".utf8))
    #expect(roads.draft.chains.buffer.map(\.name) == [1, 1, 13, 0])
    #expect(roads.draft.chains.buffer.map(\.kind) == [0, 0, 0, 1])
  }

  @Test("a way that nobody may use is none, and cuts no other")
  func unusable() throws {
    let map = try DrawnMap("ABC\n D")
    try map.way("BD", "highway=proposed")
    try map.way("ABC", "highway=primary")
    #expect(try map.roads()?.chains == ["AC"])
  }

  @Test("a ferry is as fast as its length and its duration say, in each land on its side")
  func ferries() throws {
    let map = try DrawnMap(
      "A         B", step: 1000, at: Coordinate(latitude: 51.2, longitude: -3))
    try map.way("AB", "route=ferry", "duration=00:30")
    let kind = try #require(try map.roads()?.kind("AB"))
    #expect(kind.times.allSatisfy { abs(Int($0) - 18_000) <= 100 })
    #expect(kind.traits == [.ferry, .leftHand])
  }

  @Test("pieces of a way whose middle is missing are ways of their own")
  func pieces() throws {
    let map = try DrawnMap("ABCDE")
    let way = try map.way("AB", "highway=primary")
    try map.piece("DE", of: way, map.list(["highway=primary"]))
    try map.piece("C", of: way, map.list(["highway=primary"]))
    try map.piece("", of: way, map.list(["highway=primary"]))
    #expect(try map.roads()?.chains == ["AB", "DE"])
  }

  @Test("nodes at the poles and at the date line have their places, and no length is zero")
  func poles() throws {
    let map = try DrawnMap("")
    for (letter, latitude, longitude) in [
      ("A", 90, 0), ("B", 90, 180), ("C", -90, -180), ("D", 0, 179.9999), ("E", 0, -179.9999),
      ("F", 10, 10), ("G", 10, 10),
    ] as [(Character, Double, Double)] {
      map.put(letter, at: Coordinate(latitude: latitude, longitude: longitude))
    }
    for way in ["AB", "BC", "DE", "FG"] { try map.way(way, "highway=primary") }
    let roads = try #require(try map.roads())
    let lengths = roads.draft.chains.buffer.map(\.length)
    #expect(lengths.allSatisfy { $0 >= 1 && $0 < 500_000_000 })
    #expect(abs(Int(lengths[2]) - 222) < 3 && lengths[3] == 1)
  }

  @Test("the work ends where it is cancelled")
  func cancelling() throws {
    let map = try DrawnMap("AB")
    try map.way("AB", "highway=primary")
    #expect(try map.roads { _ in false } == nil)
  }
}
