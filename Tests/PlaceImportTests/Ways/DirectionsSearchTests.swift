import LocationModel
import Testing

@testable import PlaceCore

@Suite("Questions for ways over drawn maps") struct DirectionsSearchTests {
  private static let grid: RoadSketch = {
    var sketch = RoadSketch()
    for i in 0...4 {
      let at = Double(i) * 200
      sketch.road("Row \(i)", (0, at), (200, at), (400, at), (600, at), (800, at))
      sketch.road("Column \(i)", (at, 0), (at, 200), (at, 400), (at, 600), (at, 800))
    }
    return sketch
  }()

  private func metres(_ way: Way) -> Double { way.route(.automobile, in: nil).distance }

  @Test("stops are passed in their order, and a car goes straight on there")
  func stops() throws {
    let roads = try Self.grid.network()
    var question = asking((0, 100), (0, 300))
    question.via = [RoadSketch.place(100, 400)]
    let car = try #require(roads.ways(question).first)
    #expect(car.moves.map(\.kind).contains(.via))
    // On to the next column, and round the block.
    #expect(abs(metres(car) - (300 + 100 + 100 + 200 + 200 + 100)) < 5)
    question.transport = .walking
    let feet = try #require(roads.ways(question).first)
    #expect(abs(metres(feet) - (300 + 100 + 100 + 100)) < 5)
    #expect(feet.moves.map(\.kind).contains(.turn(.back)))
    // A stop where the way begins is none.
    question = asking((0, 100), (0, 300))
    question.via = [question.from, question.from]
    let plain = try #require(roads.ways(asking((0, 100), (0, 300))).first)
    #expect(roads.ways(question) == [plain])
  }

  @Test("at a stop in a dead end a car turns round")
  func deadEnd() throws {
    var sketch = Self.grid
    sketch.road("Dead End", (0, 0), (-300, 0))
    var question = asking((0, 100), (100, 0))
    question.via = [RoadSketch.place(-200, 0)]
    let way = try #require(try sketch.network().ways(question).first)
    #expect(abs(metres(way) - (100 + 300 + 300 + 100)) < 5)
  }

  @Test("other ways share less than three quarters, are hardly longer, and pass no place twice")
  func alternates() throws {
    var sketch = RoadSketch()
    sketch.road("West Road", (0, 0), (0, 500))
    sketch.road("Short Road", (0, 500), (1000, 500), (2000, 500))
    sketch.road("North Road", (0, 500), (300, 800), (1700, 800), (2000, 500))
    sketch.road("Long Road", (0, 500), (0, 3000), (2000, 3000), (2000, 500))
    sketch.road("East Road", (2000, 500), (2000, 0))
    let roads = try sketch.network()
    var question = asking((0, 250), (2000, 250))
    #expect(roads.ways(question).count == 1)
    question.alternates = true
    let ways = roads.ways(question)
    #expect(ways.count == 2)
    #expect(ways.allSatisfy { metres($0) < 1.3 * metres(ways[0]) })
    #expect(ways.last?.moves.contains { $0.street == "North Road" } == true)
  }

  @Test("roads to avoid are used only where no other way leads there, and then told")
  func avoiding() throws {
    var sketch = RoadSketch()
    sketch.road("Start", (0, 0), (0, 100))
    sketch.road("Motorway", (0, 100), (3000, 100), speed: 120, traits: [.motorway, .toll])
    sketch.road("Old Road", (0, 100), (0, 600), (3000, 600), (3000, 100), speed: 40)
    sketch.road("End", (3000, 100), (3000, 0))
    sketch.road("Toll Bridge", (3000, 0), (3000, -500), traits: .toll)
    let roads = try sketch.network()
    var question = asking((0, 50), (3000, 50))
    #expect(roads.ways(question).first?.advisories == [.toll])
    for avoid in [Avoidance.tolls, .motorways] {
      question.avoid = [avoid]
      let way = try #require(roads.ways(question).first)
      #expect(way.advisories.isEmpty && way.moves.contains { $0.street == "Old Road" })
    }
    question = asking((0, 50), (3000, -400))
    question.avoid = [.motorways]
    #expect(roads.ways(question).first?.advisories == [.toll])
    // Over the bridge there is no way without tolls.
    var sketchOfIsland = RoadSketch()
    sketchOfIsland.road("Here", (0, 0), (500, 0))
    sketchOfIsland.road("Bridge", (500, 0), (3000, 0), traits: [.toll, .motorway])
    sketchOfIsland.road("There", (3000, 0), (3500, 0))
    question = asking((100, 0), (3400, 0))
    question.avoid = [.tolls, .motorways]
    #expect(
      try sketchOfIsland.network().ways(question).first?.advisories == [.toll, .motorway])
  }

  @Test(
    "between islands there is no way, on one there is, and beside one it leads to the great network"
  )
  func islands() throws {
    var sketch = Self.grid
    sketch.road("Island", (5000, 0), (5400, 0))
    sketch.road("Yard", (90, 20), (110, 20))
    let roads = try sketch.network()
    #expect(roads.answer(asking((100, 0), (5200, 0))) == .noWay)
    #expect(roads.ways(asking((5050, 0), (5350, 0))).count == 1)
    // In the yard itself, and out of it.
    #expect(abs(metres(try #require(roads.ways(asking((92, 20), (108, 20))).first)) - 16) < 1)
    let way = try #require(roads.ways(asking((100, 21), (700, 0))).first)
    #expect(abs(metres(way) - 600) < 2)
  }

  @Test(
    "a place without a road is named, with the distance to the nearest, also where others have one")
  func missing() throws {
    var sketch = Self.grid
    sketch.road("Path", (0, 3000), (500, 3000), modes: [.foot])
    let roads = try sketch.network()
    guard case .noRoad(1, let distance?) = roads.answer(asking((0, 0), (2500, 800))) else {
      return #expect(Bool(false))
    }
    #expect(abs(distance - 1700) < 15)
    guard case .noRoad(1, let near?) = roads.answer(asking((0, 0), (200, 3010))) else {
      return #expect(Bool(false))
    }
    #expect(near < 20)
    let refusal = roads.answer(asking((0, 0), (200, 3010))).refusal(asking((0, 0), (200, 3010)))
    #expect(refusal?.message == "The roads near the destination are not for cars, or lead nowhere.")
  }

  @Test("a way leads from one network to another that overlaps, straight on over a common road")
  func across() throws {
    var (west, east) = (RoadSketch(), RoadSketch())
    west.road("Main Road", (-4000, 0), (-1000, 0), (0, 0), (1000, 0))
    west.road("Lane", (-1000, 0), (-1000, 900))
    east.road("Main Road", (0, 0), (1000, 0), (4000, 0))
    east.road("Lane", (1000, 0), (1000, 900))
    let (first, second) = (try west.network(), try east.network())
    let question = asking((-3500, 0), (3500, 0))
    let joins = RoadJoins.of(first.network, second.network, question, before: 0, most: 3)
    let join = try #require(joins.first)
    var search = DirectionsSearch(first.network, second.network, at: join, question)
    var answer: EngineAnswer?
    while answer == nil { answer = search.advance(100) }
    guard case .ways(let ways) = answer else { return #expect(Bool(false)) }
    #expect(abs(metres(ways[0]) - 7000) < 40)
    #expect(ways[0].moves.map(\.kind) == [.depart(bearing: 90), .arrive(nil)])
    withExtendedLifetime((first, second)) {}
  }
}
