import Console
import LocationModel
import ReceiverCore
import Testing

@testable import locationctl

/// The daemon's service behind a recording, by readings in an array.
@Suite("Replay") struct ReplayTests {
  private static let start = Timestamp(microseconds: 1_795_206_421_000_000)

  /// A fix so many seconds after the start, and so many hundredths of a degree to the north.
  private func fix(_ seconds: Int, north: Double = 0) -> Reading {
    .fix(
      Fix(
        Location(
          coordinate: Coordinate(latitude: 45 + north / 100, longitude: 7), horizontalAccuracy: 5,
          timestamp: Self.start + .seconds(seconds))))
  }

  private func told(
    _ wishes: Replay.Wishes, _ readings: [Reading]
  ) throws(Failure) -> [(event: Event, after: Double)] {
    var replay = Replay(wishes)
    var told: [(event: Event, after: Double)] = []
    for reading in readings {
      replay.handle(reading) { told.append(($0, $1.seconds(since: Self.start))) }
    }
    replay.end { told.append(($0, $1.seconds(since: Self.start))) }
    try replay.checkRequests()
    return told
  }

  @Test("without a wish each fix is told, at the recording's time")
  func locations() throws {
    let told = try told(.init(), (0..<3).map { fix($0) })
    let locations = told.filter { if case .didUpdateLocations = $0.event { true } else { false } }
    #expect(locations.map(\.after) == [0, 1, 2])
  }

  @Test("a fix that no machine could have made is told only where it is wished for")
  func impossible() throws {
    let readings = [fix(0), fix(1), fix(2, north: 500), fix(3)]
    for (isFiltered, count) in [(true, 3), (false, 4)] {
      var wishes = Replay.Wishes()
      wishes.isFiltered = isFiltered
      let told = try told(wishes, readings).count {
        if case .didUpdateLocations = $0.event { true } else { false }
      }
      #expect(told == count)
    }
  }

  @Test("a stay is told when it is long enough, by a clock that moves without a fix, too")
  func visit() throws {
    var wishes = Replay.Wishes()
    wishes.visits = true
    let moving = (0..<300).map { fix($0, north: Double($0) / 30) }
    let staying = (300..<600).map { fix($0, north: 10) }
    let told = try told(wishes, moving + staying + [.clock(Self.start + .seconds(3600))])
    let visits = told.filter { if case .didVisit = $0.event { true } else { false } }
    #expect(visits.count == 1)
    #expect(visits.first.map { $0.after > 300 && $0.after < 3600 } == true)
  }

  @Test("a region that cannot be monitored is said")
  func refused() {
    var wishes = Replay.Wishes()
    wishes.regions = [
      Region(identifier: "x", .circle(Coordinate(latitude: 99, longitude: 7), radius: 100))
    ]
    #expect(throws: Failure.self) { try told(wishes, [fix(0)]) }
  }
}
