import Console
import LocationModel
import Testing
import TrackCore

@testable import locationctl

@Suite("locationctl map") struct MapTests {
  @Test("opened without a terminal, it ends when its pages are closed, or when none comes")
  func attendance() {
    func at(_ seconds: Double) -> Boottime { .start + .seconds(seconds) }
    var unseen = PageAttendance(at: at(0))
    #expect(!unseen.isOver(pages: 0, at: at(119)) && unseen.isOver(pages: 0, at: at(120)))
    var seen = PageAttendance(at: at(0))
    #expect(!seen.isOver(pages: 1, at: at(5)) && !seen.isOver(pages: 2, at: at(500)))
    // A page is loaded again.
    #expect(!seen.isOver(pages: 0, at: at(501)) && !seen.isOver(pages: 1, at: at(502)))
    #expect(!seen.isOver(pages: 0, at: at(531)) && seen.isOver(pages: 0, at: at(532)))
  }

  @Test("a day is told with lines that break at gaps, the speed between points, and its stretches")
  func day() throws {
    let noon = Timestamp(year: 2026, month: 11, day: 24, microsecondsOfDay: 43_200_000_000)
    func entry(_ seconds: Int, north metres: Double) -> TrackEntry {
      TrackEntry(
        .place,
        Location(
          coordinate: Coordinate(latitude: 45 + metres / 111_131.7, longitude: 7),
          horizontalAccuracy: 5, timestamp: noon + .seconds(seconds)))
    }
    let way = [
      entry(0, north: 0), entry(100, north: 1000), entry(2000, north: 5000),
      entry(2100, north: 5500),
    ]
    let track = MapTrack(from: noon, to: noon + .seconds(3000))
    #expect(track.hasRest(after: TrackPage(Array(way[..<2]), last: 2, hasMore: true)))
    #expect(!track.hasRest(after: TrackPage(Array(way[2...]), last: 4, hasMore: false)))
    var text = TextBuffer()
    track.append(to: &text)
    let result = try #require(try JSON(parsing: text.bytes)["result"])
    let speeds = result["lines"]?.array?.map { $0.array?.map { $0.array?.last?.double } }
    #expect(speeds == [[0, 10], [0, 5]])
    #expect(result["stretches"]?.array?.map { $0["kind"] } == ["trip", "trip"])
    #expect(result["stretches"]?.array?.first?["climb"] == nil)
    let gap = try #require(result["gaps"]?.array?.first)
    #expect(gap["from"] == .integer(noon.microseconds / 1_000_000 + 100))
    #expect(gap["to"] == .integer(noon.microseconds / 1_000_000 + 2000))
  }

  @Test("days are read from their first midnight to the one after the last")
  func days() throws {
    let track = try #require(MapTrack(days: ["first": "2026-11-24", "last": "2026-11-25"]))
    guard case .entries(let from, let to, _, _) = track.call else {
      Issue.record("another call")
      return
    }
    #expect(to - from == .seconds(2 * 86_400) - .microseconds(1))
    #expect(LocalTime.text(from, "%Y-%m-%d %H:%M") == "2026-11-24 00:00")
    for nonsense: JSON in [[:], ["first": "2026-11-24"], ["first": "x", "last": "2026-11-24"]] {
      #expect(MapTrack(days: nonsense) == nil)
    }
  }

  @Test("over ssh, the line for the person's own computer has this machine's name, user and port")
  func forward() {
    let address = "http://127.0.0.1:41234/0123456789abcdef0123456789abcdef/"
    func line(_ connection: String) -> String? {
      SSHForward.line(to: address, connection: connection, user: "alice")
    }
    #expect(
      line("192.168.1.7 51000 192.168.1.20 22")?.hasSuffix(
        "ssh -N -L 41234:127.0.0.1:41234 alice@192.168.1.20") == true)
    #expect(
      line("fd00::7 51000 fd00::20 2222")?.hasSuffix(
        "ssh -N -L 41234:127.0.0.1:41234 -p 2222 alice@fd00::20") == true)
    for nonsense in ["", "a b c", "a b c d", "1 2 3 4 5"] { #expect(line(nonsense) == nil) }
    #expect(line("a 1 b\u{1b}[2Jc 22")?.contains("\u{1b}") == false)
  }
}
