import LocationModel
import Testing

@testable import PlaceCore

@Suite("The nearest roads") struct NearestRoadsTests {
  private func nearest(
    _ sketch: RoadSketch, _ x: Double, _ y: Double, _ mode: RoadMode = .car,
    avoiding: RoadTraits = []
  ) throws -> NearestRoads {
    let roads = try sketch.network()
    let found = NearestRoads(
      roads.network, mode, near: RoadSketch.place(x, y), avoiding: avoiding)
    return withExtendedLifetime(roads) { found }
  }

  private static let town: RoadSketch = {
    var sketch = RoadSketch()
    sketch.road("Long Road", (0, 0), (400, 0), (900, 0))
    sketch.road("Up Street", (400, 0), (400, 500))
    return sketch
  }()

  @Test("a place is taken for the nearest place of a road, not for a junction")
  func onTheRoad() throws {
    let found = try nearest(Self.town, 150, 20)
    #expect(found.nearest.count == 1 && found.nearest == found.great)
    let end = try #require(found.nearest.first)
    #expect(abs(end.distance - 20) < 0.1)
    #expect(abs(Int(end.offset) - 1500) < 10)
    #expect(end.place.metres(to: RoadSketch.place(150, 0)) < 0.2)
  }

  @Test("at a junction all roads that meet there are taken")
  func atJunction() throws {
    #expect(try nearest(Self.town, 398, -30).nearest.count == 1)
    let found = try nearest(Self.town, 400, -30)
    #expect(found.nearest.count == 3)
    #expect(found.nearest.allSatisfy { abs($0.distance - 30) < 0.1 })
  }

  @Test("a kilometre away is near, more is not, and the distance is known")
  func limit() throws {
    #expect(try nearest(Self.town, 900, 990).nearest.count == 1)
    let roads = try Self.town.network()
    for metres in [1100.0, 5000, 40_000] {
      let place = RoadSketch.place(900 + metres, 0)
      #expect(NearestRoads(roads.network, .car, near: place).nearest.isEmpty)
      let distance = try #require(NearestRoads.distance(to: roads.network, .car, from: place))
      #expect(abs(distance - metres) < metres / 100)
    }
    let far = RoadSketch.place(900_000, 0)
    #expect(NearestRoads.distance(to: roads.network, .car, from: far) == nil)
  }

  @Test("beside the nearest road that leads nowhere, the nearest of the great network is taken")
  func islands() throws {
    var sketch = Self.town
    sketch.road("Yard", (100, 30), (200, 30))
    let found = try nearest(sketch, 150, 25)
    #expect(abs((found.nearest.first?.distance ?? 0) - 5) < 0.1)
    #expect(abs((found.great.first?.distance ?? 0) - 25) < 0.1)
  }

  @Test("roads of others count for nothing, and ferries for nobody")
  func others() throws {
    var sketch = Self.town
    sketch.road("Footway", (100, 30), (200, 30), modes: [.foot])
    sketch.road("Ferry", (0, 0), (0, 300), traits: .ferry)
    #expect(abs((try nearest(sketch, 150, 25).nearest.first?.distance ?? 0) - 25) < 0.1)
    #expect(abs((try nearest(sketch, 150, 25, .foot).nearest.first?.distance ?? 0) - 5) < 0.1)
    #expect(abs((try nearest(sketch, 0, 100).nearest.first?.distance ?? 0) - 100) < 0.1)
  }

  @Test("roads to avoid are taken only where there are no others")
  func avoided() throws {
    var sketch = Self.town
    sketch.road("Toll Road", (0, 60), (900, 60), traits: .toll)
    #expect(
      abs((try nearest(sketch, 150, 50, avoiding: .toll).nearest.first?.distance ?? 0) - 50) < 0.1)
    var alone = RoadSketch()
    alone.road("Toll Road", (0, 60), (900, 60), traits: .toll)
    #expect(
      abs((try nearest(alone, 150, 50, avoiding: .toll).nearest.first?.distance ?? 0) - 10) < 0.1)
  }
}
