import PlaceCore
import Testing

@testable import PlaceImport

@Suite("Ways around an area") struct WayJoiningTests {
  private func way(_ first: Int64, _ last: Int64, _ xs: Int...) -> WayJoining.Way {
    WayJoining.Way(first: first, last: last, points: xs.map { GridPoint(x: $0, y: 0) })
  }

  @Test("ways make rings in whatever order and direction they come")
  func rings() {
    let joined = WayJoining(
      [way(1, 2, 1, 10, 2), way(1, 3, 1, 30, 3), way(2, 3, 2, 20, 3)], mayTurn: true)
    #expect(joined.rings.map { $0.map(\.x) } == [[1, 10, 2, 20, 3, 30, 1]])
    #expect(joined.open.isEmpty)
  }

  @Test("a coast is joined only end to beginning")
  func coast() {
    let joined = WayJoining([way(2, 3, 2, 3), way(1, 2, 1, 2), way(4, 3, 4, 3)], mayTurn: false)
    #expect(joined.rings.isEmpty && joined.open.map { $0.map(\.x) } == [[1, 2, 3], [4, 3]])
  }

  @Test("an area that reaches beyond the extract has what is closed of it")
  func incomplete() {
    let joined = WayJoining([way(1, 1, 1, 2, 3, 1), way(5, 6, 5, 6)], mayTurn: true)
    #expect(joined.rings.count == 1 && joined.open.count == 1)
  }
}
