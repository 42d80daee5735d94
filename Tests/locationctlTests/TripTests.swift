import Geodesy
import LocationModel
import ReceiverCore
import TestSupport
import Testing

@testable import TrackCore
@testable import locationctl

/// The daemon's service says what a way has; the tracker hears, keeps and lists it.
@Suite("The trips of real days") struct TripTests {
  private struct Trip {
    var start: Timestamp
    var end: Timestamp

    func overlap(_ other: Trip) -> Double {
      min(end, other.end).seconds(since: max(start, other.start))
    }
    var length: Double { end.seconds(since: start) }
  }

  /// The track of a way, and the locations that the tracker heard before and after each pause of the daemon's.
  private static func entries(
    of way: String, pauses: inout [(last: Location, next: Location)]
  ) throws -> [TrackEntry] {
    var heard: Location?
    var isPaused = false
    var wishes = Replay.Wishes()
    (wishes.locations, wishes.visits) = (true, true)
    wishes.standard.pausesAutomatically = true
    var replay = Replay(wishes)
    var recorder = TrackRecorder(LineKeeper.Rule(), lastEvent: .init(0))
    var entries: [TrackEntry] = []
    var events: UInt64 = 0
    func record(_ input: TrackRecorder.Input, _ now: Instant) {
      for step in recorder.handle(input, WaypointBook(), Circumstances(), at: now) {
        guard case .append(let addition) = step else { continue }
        entries += addition.entries
        record(.written(addition, addition.entries), now)
      }
    }
    func hear(_ event: Event, _ date: Timestamp) {
      let now = Instant(boottime: .start, utc: date, utcTrusted: true)
      switch event {
      case .didUpdateLocations(let location, _):
        if isPaused, let heard { pauses.append((heard, location)) }
        (heard, isPaused) = (location, false)
        record(.location(location), now)
      case .didPauseLocationUpdates:
        isPaused = true
        record(.rests, now)
      case .didVisit:
        events += 1
        record(.numbered(event, events), now)
      default: break
      }
    }
    for line in try Recordings.way(way) {
      guard let location = Location(try JSON(parsing: String(line))) else { continue }
      replay.handle(.fix(Fix(location)), tell: hear)
    }
    replay.end(tell: hear)
    record(.ends, replay.now)
    return entries
  }

  private static func truth(of way: String) -> [Trip] {
    String(decoding: Recordings.bytes("Tracks/\(way).trips"), as: UTF8.self)
      .split(separator: "\n").compactMap { line in
        let dates = line.split(separator: " ").compactMap { Timestamp(iso8601: String($0)) }
        return dates.count == 2 ? Trip(start: dates[0], end: dates[1]) : nil
      }
  }

  @Test("each of thirteen trips is listed, in order and once, and no other")
  func listed() throws {
    var count = 0
    var pauses: [(last: Location, next: Location)] = []
    for way in Recordings.ways {
      let before = pauses.count
      let entries = try Self.entries(of: way, pauses: &pauses)
      // A track is whole from the first metre after a stay: no good fix is missing that lies off the resting place.
      let fixes = try Recordings.way(way).compactMap { Location(try JSON(parsing: String($0))) }
      for pause in pauses[before...] {
        let missing = fixes.filter {
          pause.last.timestamp < $0.timestamp && $0.timestamp < pause.next.timestamp
            && $0.horizontalAccuracy <= 100
            && $0.coordinate.distance(to: pause.last.coordinate)
              > 50 + $0.horizontalAccuracy + pause.last.horizontalAccuracy
        }
        #expect(missing.isEmpty, "\(way): \(missing.map(\.timestamp.iso8601))")
      }
      var visits = Visits()
      for entry in entries { visits.handle(entry) }
      var list = TripList(visits)
      for entry in entries { list.handle(entry) }
      let listed = list.finish().compactMap { stretch -> Trip? in
        guard case .trip(let trip) = stretch else { return nil }
        return Trip(start: trip.start.timestamp, end: trip.end.timestamp)
      }
      let truth = Self.truth(of: way)
      count += truth.count
      let words = listed.map { "\($0.start.iso8601)/\($0.end.iso8601)" }
      #expect(listed.count == truth.count, "\(way): \(words)")
      for (mine, told) in zip(listed, truth) {
        // Buttons are pressed before people go, and after they have come.
        #expect(mine.overlap(told) > 0.75 * told.length, "\(way): \(words)")
        #expect(mine.length < 1.5 * told.length + 300, "\(way): \(words)")
      }
    }
    #expect(count == 13)
    #expect(pauses.count >= 6, "\(pauses.count)")
  }
}
