import Testing

@testable import PlaceCore

@Suite("The ground, cut into tiles") struct GroundTests {
  private func ring(_ points: (Int, Int)...) -> [GridPoint] {
    points.map { GridPoint(x: $0.0, y: $0.1) }
  }

  private func pieces(
    _ line: [GridPoint], isArea: Bool, level: Int = 2
  ) -> [GroundTile: Shape] {
    var found: [GroundTile: Shape] = [:]
    GroundCut.pieces(of: Shape(rings: [line]), isArea: isArea, level: level) { found[$0] = $1 }
    return found
  }

  @Test("a feature is its kind, its flags, its name and its lines, behind their lengths")
  func bytes() {
    let shape = Shape(rings: [ring((0, 0), (1, -1))])
    let bridge = GroundFeature(.primary, flags: .bridge, name: GroundName("A", number: "B"), shape)
    #expect(GroundKind.primary.rawValue == 34)
    #expect(bridge.bytes == [34, 1, 3, 65, 9, 66, 5, 4, 0, 0, 2, 1])
  }

  @Test("a name that is too long is cut, and its road keeps the number")
  func longNames() {
    let name = String(repeating: "ქ", count: 70)
    let road = GroundName(name, number: "E 60").text
    #expect(road.hasSuffix("ქ\tE 60") && road.utf8.count <= 200)
    #expect(GroundName(name + name).text.utf8.count <= 200)
    #expect(GroundName("A", number: "B").text == "A\tB")
  }

  @Test("names in the page's languages follow where they differ, and have a bound together")
  func otherNames() {
    func text(_ others: [(String, String)], number: String = "") -> String {
      GroundName("Seine", number: number, others: others.map { (language: $0.0, name: $0.1) }).text
    }
    #expect(text([("de", "Seine"), ("es", "Sena"), ("ko", "")]) == "Seine\t\tesSena")
    #expect(text([("ko", "센강")], number: "E 5") == "Seine\tE 5\tko센강")
    #expect(text([("fr", "Seine")]) == "Seine")
    #expect(
      GroundName("Seine", number: "E 5", others: [("es", "Sena")]).numberAlone.text == "\tE 5")
    let long = String(repeating: "ქ", count: 60)
    let all = text([("de", long), ("en", "Way"), ("ja", long + "a"), ("ko", long)])
    #expect(all == "Seine\t\tde\(long)\tenWay")
    #expect(all.utf8.count <= 200 + 300)
  }

  @Test("a tile's number says its level and its place, and orders tiles by their level")
  func numbers() {
    let tile = GroundTile(level: 14, x: 8530, y: 5974)
    #expect(GroundTile(number: tile.number) == tile)
    #expect(GroundTile(level: 9, x: 511, y: 511).number < GroundTile(level: 12, x: 0, y: 0).number)
    let place = GroundTile.point(latitude: 43.7308, longitude: 7.4255, level: 14)
    #expect(GroundTile(holding: place, level: 14) == GroundTile(level: 14, x: 8529, y: 5974))
    #expect(GroundTile.point(latitude: 89, longitude: 180, level: 0) == GridPoint(x: 4096, y: 0))
  }

  @Test("an area is cut at the edges of tiles, and each piece reaches a little beyond")
  func areas() {
    let found = pieces(ring((100, 100), (100, 300), (8000, 300), (8000, 100)), isArea: true)
    #expect(found.keys.map(\.x).sorted() == [0, 1])
    #expect(found[GroundTile(level: 2, x: 0, y: 0)]?.box == .init(x: 100...4192, y: 100...300))
    #expect(found[GroundTile(level: 2, x: 1, y: 0)]?.box == .init(x: -96...3904, y: 100...300))
  }

  @Test("an area that covers a tile is all of it there")
  func wholeTiles() {
    let found = pieces(ring((0, 0), (0, 16384), (16384, 16384), (16384, 0)), isArea: true)
    #expect(found.count == 16)
    let middle = found[GroundTile(level: 2, x: 1, y: 2)]
    #expect(middle?.box == .init(x: -96...4192, y: -96...4192))
    #expect(middle.map { GroundCut.doubleArea($0.rings[0]) } == -2 * 4288 * 4288)
  }

  @Test("a line that leaves a tile and comes back is two lines there, and is never closed")
  func lines() {
    let found = pieces(
      ring((1000, 1000), (6000, 1000), (6000, 3000), (1000, 3000)), isArea: false)
    let first = found[GroundTile(level: 2, x: 0, y: 0)]
    #expect(
      first?.rings == [ring((1000, 1000), (4192, 1000)), ring((4192, 3000), (1000, 3000))])
    #expect(found[GroundTile(level: 2, x: 1, y: 0)]?.rings.count == 1)
  }

  @Test(
    "cutting loses nothing, whatever the shape: each point of it lies in the tile that holds it")
  func nothingLost() {
    var dice = SystemRandomNumberGenerator()
    for _ in 0..<50 {
      let center = (
        Int.random(in: 3000...13000, using: &dice), Int.random(in: 3000...13000, using: &dice)
      )
      var star: [GridPoint] = []
      for (dx, dy) in [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)] {
        let far = Int.random(in: 200...2900, using: &dice)
        star.append(GridPoint(x: center.0 + dx * far, y: center.1 + dy * far))
      }
      let found = pieces(star, isArea: true)
      let whole = Shape(rings: [star])
      for _ in 0..<100 {
        let point = GridPoint(
          x: .random(in: 1...16383, using: &dice), y: .random(in: 1...16383, using: &dice))
        // Cuts are rounded to whole units.
        guard whole.squaredDistance(to: point, scale: 1) > 9 else { continue }
        let tile = GroundTile(holding: point, level: 2)
        let isIn = found[tile]?.contains(point - tile.corner) ?? false
        #expect(isIn == whole.contains(point), "\(star) at \(point)")
      }
    }
  }
}
