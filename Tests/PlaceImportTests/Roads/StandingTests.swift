import Platform
import Testing

@testable import PlaceCore
@testable import PlaceImport

@Suite("What stands on roads of a map") struct StandingTests {
  @Test("a bollard cuts a road for cars, a gate takes a minute, a cattle grid is nothing")
  func barriers() throws {
    let map = try DrawnMap("ABCDEF")
    try map.stand("B", "barrier=bollard")
    try map.stand("C", "barrier=cattle_grid")
    try map.stand("D", "barrier=gate")
    try map.stand("E", "barrier=wall")
    try map.way("ABCDEF", "highway=service")
    let roads = try #require(try map.roads())
    #expect(roads.chains == ["AB", "BE", "EF"])
    #expect(roads.barred == ["B": 1, "E": 7])
    let delays = try #require(roads.chain("BE")).delays
    #expect(RoadDelay.seconds(delays.ahead, .car) == 60)
    #expect(RoadDelay.seconds(delays.back, .car) == 60)
    #expect(RoadDelay.seconds(delays.back, .bicycle) == 0)
  }

  @Test("a gate where roads meet is passed by those who arrive there")
  func gateAtJunction() throws {
    let map = try DrawnMap("ABC\n D")
    try map.stand("B", "barrier=gate")
    try map.way("ABC", "highway=service")
    try map.way("BD", "highway=service")
    let roads = try #require(try map.roads())
    #expect(roads.chain("AB").map { $0.endDelays == (64, 0) } == true)
    #expect(roads.chain("BC").map { $0.endDelays == (0, 64) } == true)
  }

  @Test("a light within a chain stops those whom it faces")
  func lights() throws {
    let map = try DrawnMap("ABCDE")
    try map.stand("B", "highway=traffic_signals")
    try map.stand("C", "highway=traffic_signals", "traffic_signals:direction=forward")
    try map.stand("D", "highway=give_way", "direction=backward")
    try map.way("ABCDE", "highway=primary")
    let chain = try #require(try map.roads()?.chain("AE"))
    #expect(chain.delays == (4, 3) && chain.endDelays == (0, 0))
  }

  @Test("a light where roads meet stops those who arrive, by the direction of their way")
  func lightsAtJunctions() throws {
    let map = try DrawnMap("ABC\n D")
    try map.stand("B", "highway=traffic_signals", "direction=forward")
    try map.way("ABC", "highway=primary")
    try map.way("DB", "highway=primary")
    let roads = try #require(try map.roads())
    #expect(roads.chain("AB").map { $0.endDelays == (2, 0) } == true)
    // From C it is seen from behind.
    #expect(roads.chain("BC").map { $0.endDelays == (0, 0) } == true)
    #expect(roads.chain("DB").map { $0.endDelays == (2, 0) } == true)
  }

  @Test("a stop sign that faces nobody by its tags faces those who come to the near junction")
  func stops() throws {
    let map = try DrawnMap("AB      C      DE", step: 10)
    for letter: Character in ["B", "C", "D"] { try map.stand(letter, "highway=stop") }
    try map.way("ABCDE", "highway=primary")
    let chain = try #require(try map.roads()?.chain("AE"))
    // B stops those who come to A, D those who come to E, C all.
    #expect(chain.delays == (4, 4))
    let sided = try DrawnMap("AB      C", step: 10)
    try sided.stand("B", "highway=stop")
    try sided.way("ABC", "highway=primary")
    #expect(try sided.roads()?.chain("AC").map { $0.delays == (0, 2) } == true)
  }

  @Test("a minor stop holds those who come by a slower road than another")
  func minorStops() throws {
    let map = try DrawnMap("ABC\n D")
    try map.stand("B", "highway=stop", "stop=minor")
    try map.way("ABC", "highway=primary")
    try map.way("DB", "highway=residential")
    let roads = try #require(try map.roads())
    #expect(roads.chain("DB").map { $0.endDelays == (2, 0) } == true)
    #expect(roads.chain("AB").map { $0.endDelays == (0, 0) } == true)
    #expect(roads.chain("BC").map { $0.endDelays == (0, 0) } == true)
  }

  @Test("thousands of signs on one road take no more than a byte holds")
  func many() throws {
    let letters = (0..<26).map { Character(UnicodeScalar(97 + UInt8($0))) }
    let map = try DrawnMap("A" + String(letters) + "B")
    for letter in ["A", "B"] + letters { try map.stand(letter, "highway=traffic_signals") }
    try map.way("A" + String(letters) + String(letters.reversed()) + "B", "highway=primary")
    let delays = try #require(try map.roads()).draft.chains.buffer.map(\.delays.ahead)
    #expect(delays.allSatisfy { $0 <= RoadDelay.longest })
  }
}
