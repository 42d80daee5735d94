import Geodesy
import LocationModel
import Testing

@testable import PlaceCore

@Suite("Cells") struct CellsTests {
  private static func number(_ place: Coordinate) -> Int64 {
    Cells.first(in: Cells.cell(Int32(place.latitude * 1e7), Int32(place.longitude * 1e7)))
  }

  @Test(
    "what is within a distance lies in at most four ranges of numbers",
    arguments: [
      Coordinate(latitude: 43.7384, longitude: 7.4246), Coordinate(latitude: 0, longitude: 0),
      Coordinate(latitude: -33.9, longitude: 151.2), Coordinate(latitude: 37.5, longitude: 127),
      Coordinate(latitude: 89.9, longitude: 10), Coordinate(latitude: 10, longitude: 179.99),
    ])
  func ranges(middle: Coordinate) {
    let plane = LocalPlane(around: middle)
    for metres in [100.0, 1500, 12_000, 80_000] {
      let ranges = Cells.ranges(around: middle, metres: metres)
      #expect((1...4).contains(ranges.count))
      for step in 0..<100 {
        let place = Coordinate(
          latitude: middle.latitude + Double(step % 10 - 5) * metres / 111_195 / 6,
          longitude: middle.longitude + Double(step / 10 - 5) * metres / 111_195 / 6)
        guard place.isValid, plane.distance(to: place) <= metres else { continue }
        let number = Self.number(place)
        #expect(ranges.contains { $0.contains(number) }, "\(place)")
      }
    }
  }

  @Test("a cell's sides are around what lies in it, and those of its neighbours touch them")
  func box() {
    for (latitude, longitude) in [
      (437_384_000, 74_246_000), (0, 0), (-339_000_000, 1_512_000_000),
      (899_900_000, -1_799_990_000),
    ] as [(Int32, Int32)] {
      let cell = Cells.cell(latitude, longitude)
      let box = Cells.box(of: cell)
      #expect((box.south...box.north).contains(Int64(latitude)))
      #expect((box.west...box.east).contains(Int64(longitude)))
      #expect(Cells.cell(Int32(box.south + 1), Int32(box.west + 1)) == cell)
      #expect(Cells.cell(Int32(box.north - 1), Int32(box.east - 1)) == cell)
      #expect(Cells.cell(Int32(box.north + 1), Int32(box.east - 1)) != cell)
    }
  }

  @Test("ranges leave out what is far")
  func far() {
    let ranges = Cells.ranges(
      around: Coordinate(latitude: 43.7384, longitude: 7.4246), metres: 1500)
    let paris = Self.number(Coordinate(latitude: 48.85, longitude: 2.35))
    #expect(!ranges.contains { $0.contains(paris) })
    let width = ranges.reduce(0) { $0 + ($1.upperBound - $1.lowerBound) >> 24 }
    #expect(width < 2000)
  }

  @Test("a number says where its cell lies")
  func position() {
    let a = Cells.position(of: Self.number(Coordinate(latitude: 10, longitude: 20)))
    let north = Cells.position(of: Self.number(Coordinate(latitude: 10.00275, longitude: 20)))
    let east = Cells.position(of: Self.number(Coordinate(latitude: 10, longitude: 20.0055)))
    #expect(north == Cells.Position(row: a.row + 1, column: a.column))
    #expect(east == Cells.Position(row: a.row, column: a.column + 1))
  }
}
