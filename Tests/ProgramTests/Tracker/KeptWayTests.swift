import Foundation
import Glibc
import LocationModel
import TestSupport
import Testing

@Suite("The kept line of a day", .timeLimit(.minutes(15))) struct KeptWayTests {
  /// Seconds of the recording in one.
  private static let rate = 200.0

  /// Metres of the errors that are asked for, and of a pause: nothing is kept while the device stays so near.
  private static let error = 10.0
  private static let reach = 30.0

  /// The fixes of a client, as they come.
  private final class Hearer {
    private let client: SocketClient
    private(set) var fixes: [Location] = []

    init(_ daemon: RunningDaemon, pauses: Bool) throws {
      client = try daemon.connect()
      client.request("startUpdatingLocation", ["pausesAutomatically": .bool(pauses)])
    }

    func listen() {
      while let line = client.waitingLine(reading: true) {
        guard line["method"] == "didUpdateLocations" else { continue }
        fixes += line["params"]?["locations"]?.array?.compactMap(Location.init) ?? []
      }
    }
  }

  /// Metres from a fix to the line between its neighbours in time.
  private static func distance(_ fix: Location, _ kept: [Location]) -> Double? {
    guard let next = kept.firstIndex(where: { $0.timestamp >= fix.timestamp }) else { return nil }
    let (a, b) = (kept[max(next - 1, 0)].coordinate, kept[next].coordinate)
    let scale = (x: 111_320 * cos(a.latitude * .pi / 180), y: 111_132.0)
    func vector(_ c: Coordinate) -> (x: Double, y: Double) {
      ((c.longitude - a.longitude) * scale.x, (c.latitude - a.latitude) * scale.y)
    }
    let (way, place) = (vector(b), vector(fix.coordinate))
    let length = way.x * way.x + way.y * way.y
    let part = length == 0 ? 0 : min(max((place.x * way.x + place.y * way.y) / length, 0), 1)
    return hypot(place.x - part * way.x, place.y - part * way.y)
  }

  @Test(
    "what daemon and tracker leave out of a recorded day lies within the bound that the manual says",
    arguments: ["car-and-bicycle-1", "car-and-bicycle-3"])
  func bound(name: String) throws {
    let lines = try Recordings.way(name)
    let first = try #require(Location(try JSON(parsing: String(lines[0]))))
    // The receiver stands for some seconds, until all are there.
    var before = first
    before.timestamp = first.timestamp - .seconds(800)
    var beginning = TextBuffer()
    beginning.append(before)
    let text =
      ([Substring(decoding: beginning.bytes, as: UTF8.self)] + lines).joined(separator: "\n") + "\n"
    let daemon = try RunningDaemon(
      ["replay://{folder}/way.jsonl?rate=\(Int(Self.rate))"], files: ["way.jsonl": text])
    let tracker = try RunningTracker(daemon, "")
    let all = try Hearer(daemon, pauses: false)
    // This client is told what the tracker is told.
    let told = try Hearer(daemon, pauses: true)
    let last = try #require(Location(try JSON(parsing: String(lines[lines.count - 1]))))
    try #require(
      eventually(within: patience + (last.timestamp - before.timestamp).seconds / Self.rate) {
        all.listen()
        told.listen()
        return all.fixes.last?.timestamp == last.timestamp
      })
    _ = try tracker.ask("flush")
    var kept: [Location] = []
    try #require(
      try eventually(within: patience) {
        told.listen()
        kept = try tracker.entries().filter { $0["kind"]?.string == "place" }
          .compactMap(Location.init)
        return kept.last?.timestamp == told.fixes.last?.timestamp
      })
    let heard = Set(told.fixes.map(\.timestamp))
    let begin = try #require(kept.first?.timestamp)
    var (worst, paused) = (0.0, 0.0)
    var left = 0
    for fix in all.fixes where fix.timestamp > begin && fix.horizontalAccuracy <= 100 {
      guard let distance = Self.distance(fix, kept) else { continue }
      left += 1
      if heard.contains(fix.timestamp) {
        let beyond = distance - max(fix.horizontalAccuracy, Self.error)
        worst = max(worst, beyond)
        #expect(beyond < 0.1, "\(distance) m off, \(fix.horizontalAccuracy) m, \(fix.timestamp)")
      } else {
        let beyond = distance - fix.horizontalAccuracy - Self.reach
        paused = max(paused, distance)
        #expect(beyond < 0.1, "\(distance) m off in a pause, \(fix.timestamp)")
      }
    }
    print(
      "\(name): \(kept.count) of \(left) kept, \(left - heard.count) in pauses;"
        + " beyond the bound \(worst) m; the farthest in a pause \(paused) m")
    #expect(left > 2000 && kept.count < left / 4)
  }
}
