import LocationModel
import Testing

@testable import PlaceCore

@Suite("Ways over drawn maps") struct WayTests {
  private func kinds(_ way: Way?) -> [Move.Kind] { way?.moves.map(\.kind) ?? [] }

  @Test("turns are told where roads meet, with the road that follows, and the line is all of it")
  func turns() throws {
    var sketch = RoadSketch()
    sketch.road("First Street", (0, 0), (0, 500), (0, 900))
    sketch.road("Second Street", (-500, 500), (0, 500), (500, 500))
    sketch.road("Third Street", (500, 0), (500, 500), (500, 1000))
    let roads = try sketch.network()
    let way = try #require(roads.ways(asking((5, 100), (510, 900))).first)
    #expect(
      kinds(way) == [.depart(bearing: 0), .turn(.right), .turn(.left), .arrive(.right)])
    #expect(way.moves.map(\.street) == ["First Street", "Second Street", "Third Street", nil])
    let route = way.route(.automobile, in: Language("en"))
    #expect(abs(route.distance - 1300) < 3)
    #expect(abs(route.steps.map(\.distance).reduce(0, +) - route.distance) < 0.1)
    #expect(route.steps[1].instructions == "Turn right onto Second Street")
    #expect(way.engine == "locationd" && way.advisories.isEmpty)
  }

  @Test("a road that only bends is followed, and one that changes its name goes on")
  func bends() throws {
    var sketch = RoadSketch()
    sketch.road("Long Road", (0, 0), (0, 300), (300, 300), (300, 600))
    sketch.road("Other Road", (300, 600), (300, 900))
    let way = try sketch.network().ways(asking((0, 10), (300, 890))).first
    #expect(kinds(way) == [.depart(bearing: 0), .goOn, .arrive(nil)])
    #expect(way?.moves[1].street == "Other Road")
  }

  @Test(
    "the exits of a roundabout are counted from where it is entered",
    arguments: [
      ((200.0, 0.0), 1, "East Road"), ((0, 200), 2, "North Road"), ((-200, 0), 3, "West Road"),
    ])
  func roundabout(to: (Double, Double), exit: Int, street: String) throws {
    var sketch = RoadSketch()
    sketch.road(
      nil, (0, -30), (21, -21), (30, 0), (21, 21), (0, 30), (-21, 21), (-30, 0), (-21, -21),
      (0, -30), speed: 20, isOneWay: true, traits: .roundabout)
    for (name, x, y) in [
      ("South Road", 0.0, -1.0), ("East Road", 1, 0), ("North Road", 0, 1), ("West Road", -1, 0),
    ] { sketch.road(name, (x * 30, y * 30), (x * 300, y * 300)) }
    // Into it, and not out.
    sketch.road("Way In", (300, 300), (21, 21), isOneWay: true)
    let roads = try sketch.network()
    let way = try #require(roads.ways(asking((0, -200), to)).first)
    #expect(kinds(way) == [.depart(bearing: 0), .roundabout(exit: exit), .arrive(nil)])
    #expect(way.moves[1].street == street)
    let words = ["first", "second", "third"]
    #expect(
      way.route(.automobile, in: Language("en")).steps[1].instructions
        == "At the roundabout, take the \(words[exit - 1]) exit onto \(street)")
  }

  @Test("a motorway is reached by its ramp and joined, and a fork is told")
  func motorway() throws {
    var sketch = RoadSketch()
    sketch.road("Town Road", (0, -300), (0, 0), (0, 300))
    sketch.road(
      nil, (0, 0), (200, 50), (500, 60), speed: 45, isOneWay: true, traits: [.ramp, .motorway])
    sketch.road(
      "A 1", (-500, 60), (500, 60), (3000, 60), speed: 100, isOneWay: true, traits: .motorway)
    sketch.road("A 2", (3000, 60), (6000, 560), speed: 100, isOneWay: true, traits: .motorway)
    sketch.road("A 1", (3000, 60), (6000, -440), speed: 100, isOneWay: true, traits: .motorway)
    let way = try sketch.network().ways(asking((0, -200), (5900, 545))).first
    #expect(
      kinds(way) == [
        .depart(bearing: 0), .ramp(.right), .merge(nil), .keep(.left), .arrive(nil),
      ])
    #expect(way?.moves.map(\.street) == ["Town Road", "A 1", "A 1", "A 2", nil])
  }

  @Test("tolls, ferries, stairs and unpaved roads are told, to those whom they concern")
  func advisories() throws {
    var sketch = RoadSketch()
    sketch.road("Quay", (-500, 0), (0, 0))
    sketch.road("Island Ferry", (0, 0), (2000, 0), speed: 10, traits: .ferry)
    sketch.road("Beach", (2000, 0), (2500, 0), traits: [.unpaved, .toll])
    let roads = try sketch.network()
    let way = roads.ways(asking((-400, 0), (2400, 0))).first
    #expect(way?.advisories == [.ferry, .toll, .unpaved])
    #expect(kinds(way) == [.depart(bearing: 90), .board, .goOn, .arrive(nil)])
    #expect(roads.ways(asking((-400, 0), (2400, 0), .walking)).first?.advisories == [.ferry])
    var steps = RoadSketch()
    steps.road("Up", (0, 0), (0, 100), traits: .stairs, modes: [.foot])
    #expect(
      try steps.network().ways(asking((0, 1), (0, 99), .walking)).first?.advisories == [.stairs])
  }

  @Test("a place aside says on which side, and one on the road does not")
  func sides() throws {
    var sketch = RoadSketch()
    sketch.road("Road", (0, 0), (1000, 0))
    let roads = try sketch.network()
    for (y, side) in [(20.0, Move.Side.left), (-20, .right), (2, nil)] {
      #expect(kinds(roads.ways(asking((100, 0), (700, y))).first).last == .arrive(side))
    }
    #expect(kinds(roads.ways(asking((100, 0), (1200, 0))).first).last == .arrive(nil))
  }

  @Test("both ends on one road, ahead or behind, need no junction where one may turn round")
  func oneRoad() throws {
    var sketch = RoadSketch()
    sketch.road("Road", (0, 0), (1000, 0))
    let roads = try sketch.network()
    for (from, to) in [(200.0, 700.0), (700, 200)] {
      let way = try #require(roads.ways(asking((from, 0), (to, 0))).first)
      #expect(abs(way.route(.automobile, in: nil).distance - 500) < 3 && way.moves.count == 2)
    }
    let there = try #require(roads.ways(asking((200, 30), (200, 30))).first)
    #expect(there.moves.map(\.kind) == [.arrive(nil)] && there.duration == 0)
    let across = try #require(roads.ways(asking((200, 10), (200, -10))).first)
    #expect(across.polyline.count == 2 && across.duration == 0)
  }
}
