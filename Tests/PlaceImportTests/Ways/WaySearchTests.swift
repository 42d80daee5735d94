import TestSupport
import Testing

@testable import PlaceCore
@testable import PlaceImport

@Suite("The search for a way") struct WaySearchTests {
  @Test("a way over an overlay costs what the textbook's search says, restrictions and all")
  func exact() throws {
    var found = 0
    for seed in 1...UInt64(isSoak ? 10_000 : 40) {
      var map = try RandomMap(seed: seed)
      for (mode, avoiding) in [
        (RoadMode.car, RoadTraits()), (.car, [.toll, .unpaved]), (.bicycle, []),
      ] {
        let (starts, ends) = ([map.end(), map.end()], [map.end(), map.end()])
        let wanted = PlainSearch(map: map, mode: mode, avoiding: avoiding)
          .cost(from: starts, to: ends)
        var search = WaySearch(
          map.network, mode, from: starts, to: ends, avoiding: avoiding)
        var progress = WaySearch.Progress.searching
        while progress == .searching { progress = search.advance(10) }
        guard case .found(let way) = progress else {
          #expect(progress == .none && wanted == nil, "seed \(seed)")
          continue
        }
        found += 1
        #expect(way.cost == wanted.map(UInt64.init), "seed \(seed)")
        let isJoined = zip(way.arcs, way.arcs.dropFirst()).allSatisfy {
          map.network.head($0) == map.network.tail($1)
        }
        #expect(isJoined, "seed \(seed)")
      }
    }
    #expect(found > 60)
  }

  @Test("restrictions of many roads are remembered, and those that they share")
  func copies() {
    let turns = TurnStates([[0, 2], [0, 4, 6], [4, 6, 8], [0, 4, 10, 2]], firstCopy: 100)
    // 0 then 4, 4 then 6, and 0, 4, 10.
    #expect(turns.copies == [4, 6, 10])
    func next(_ from: UInt32, _ over: UInt32) -> UInt32? {
      let found = turns.exceptions.first { $0.from == from && $0.over == over }
      return found.map { $0.to } ?? over
    }
    #expect(next(0, 2) == RoadException.forbidden)
    #expect(next(0, 4) == 100 && next(100, 6) == RoadException.forbidden)
    #expect(next(4, 6) == 101 && next(101, 8) == RoadException.forbidden)
    #expect(next(100, 10) == 102 && next(102, 2) == RoadException.forbidden)
    #expect(next(102, 6) == 6 && next(4, 10) == 10)
  }
}
