import Testing

@testable import PlaceCore

@Suite("The coast of an extract") struct CoastTests {
  private func line(_ points: (Int, Int)...) -> [GridPoint] {
    points.map { GridPoint(x: $0.0, y: $0.1) }
  }

  private func ground(
    _ chains: [[GridPoint]], where isKnown: (GroundTile) -> Bool = { _ in true }
  ) -> [GroundTile: Coast.Ground] {
    var coast = Coast(level: 2)
    for chain in chains { coast.add(chain) }
    return coast.ground(where: isKnown)
  }

  private func isLand(_ ground: [GroundTile: Coast.Ground], _ x: Int, _ y: Int) -> Bool? {
    let point = GridPoint(x: x, y: y)
    let tile = GroundTile(holding: point, level: 2)
    return ground[tile].map {
      switch $0 {
      case .sea: false
      case .land: true
      case .coast(let land): land.contains(point - tile.corner)
      }
    }
  }

  @Test("land lies on the left of a coast, in its tiles and in those beside them")
  func sides() {
    let south = ground([line((6000, 0), (6100, 9000), (6000, 16384))])
    #expect(south.count == 16)
    for y in [500, 5000, 9000, 16000] {
      #expect(isLand(south, 1000, y) == false && isLand(south, 5000, y) == false)
      #expect(isLand(south, 6500, y) == true && isLand(south, 15000, y) == true)
    }
    let north = ground([line((6000, 16384), (6100, 9000), (6000, 0))])
    #expect(isLand(north, 1000, 5000) == true && isLand(north, 15000, 5000) == false)
  }

  @Test("an island is land in the sea, a lagoon is water in the land")
  func rings() {
    let island = line((5000, 5000), (5000, 7000), (7000, 7000), (7000, 5000), (5000, 5000))
    let sea = ground([island])
    #expect(isLand(sea, 6000, 6000) == true && isLand(sea, 4500, 6000) == false)
    #expect(sea[GroundTile(level: 2, x: 3, y: 3)] == .sea)
    let land = ground([island.reversed()])
    #expect(isLand(land, 6000, 6000) == false && isLand(land, 4500, 6000) == true)
    #expect(land[GroundTile(level: 2, x: 3, y: 3)] == .land)
  }

  @Test("an island over many tiles is closed in each, wherever its line begins")
  func largeIsland() {
    let corners = line((2000, 2000), (2000, 14000), (14000, 14000), (14000, 2000))
    for start in 0..<4 {
      let turned = Array(corners[start...] + corners[..<start])
      let found = ground([turned + [turned[0]]])
      #expect(isLand(found, 8000, 8000) == true, "\(start)")
      #expect(isLand(found, 2500, 8000) == true && isLand(found, 1500, 8000) == false)
      #expect(isLand(found, 13500, 13500) == true && isLand(found, 15000, 15000) == false)
    }
  }

  @Test("two coasts in one tile leave a strait of sea between them")
  func strait() {
    let found = ground([
      line((5000, 16384), (5000, 0)), line((7000, 0), (7000, 16384)),
    ])
    for y in [100, 6000, 16000] {
      #expect(isLand(found, 4500, y) == true && isLand(found, 7500, y) == true)
      #expect(isLand(found, 6000, y) == false)
    }
  }

  @Test(
    "a coast that ends within a tile goes straight on to its edge; nobody knows what lies beyond")
  func openEnds() {
    let found = ground([line((6000, 6000), (6000, 10000))])
    #expect(isLand(found, 5000, 4500) == false && isLand(found, 7000, 4500) == true)
    #expect(isLand(found, 5000, 12000) == false && isLand(found, 7000, 12000) == true)
    #expect(found[GroundTile(level: 2, x: 1, y: 0)] == nil)
    #expect(found[GroundTile(level: 2, x: 1, y: 3)] == nil)
    #expect(found[GroundTile(level: 2, x: 2, y: 1)] == .land)
  }

  @Test("nothing is said of tiles that the extract does not know")
  func unknown() {
    let found = ground([line((6000, 0), (6000, 16384))]) { $0.x < 3 && $0.y > 0 }
    #expect(found.count == 9)
    #expect(isLand(found, 15000, 8000) == nil && isLand(found, 6500, 500) == nil)
  }
}
