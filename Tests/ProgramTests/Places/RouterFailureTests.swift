import Foundation
import Glibc
import LocationModel
import TestSupport
import Testing

@Suite("Ways on a bad day", .timeLimit(.minutes(60))) struct RouterFailureTests {
  /// Where an extract's roads lie in its file.
  private static func roads(in bytes: Data) throws -> Range<Int> {
    func word(_ at: Int) -> Int {
      Int(bytes[at..<at + 8].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }
    let end = bytes.count - 16
    try #require(end > 0 && bytes[(end + 8)...] == Data("locparts".utf8))
    for part in 1...max(word(end), 1) {
      let at = end - part * 32
      guard bytes[at..<at + 5] == Data("roads".utf8) else { continue }
      return word(at + 16)..<word(at + 16) + word(at + 24)
    }
    throw CocoaError(.fileReadCorruptFile)
  }

  @Test("damaged roads are answered or refused, and nothing falls over")
  func damaged() throws {
    var dice = Dice(seed: 41)
    let whole = try RunningPlaces.ofMonaco()
    let bytes = try Data(contentsOf: whole.folder.appending(path: "monaco.places"))
    let roads = try Self.roads(in: bytes)
    for round in 0..<(isSoak ? 200 : 20) {
      var damaged = bytes
      for _ in 0..<(1 << (round % 12)) {
        damaged[.random(in: roads, using: &dice)] = .random(in: 0 ... .max, using: &dice)
      }
      // Half of the time in the words that say where all else lies.
      if round % 2 == 0 {
        let at = roads.lowerBound + Int.random(in: 0..<min(400, roads.count), using: &dice)
        damaged[at] = .random(in: 0 ... .max, using: &dice)
      }
      let places = try RunningPlaces()
      try damaged.write(to: places.folder.appending(path: "monaco.places"))
      for transport in Transport.allCases {
        let answer = try places.ask(
          "directions",
          way(
            RoadsTests.rocher, RoadsTests.casino,
            [
              (key: "transport", value: .string(transport.rawValue)),
              (key: "alternates", value: .bool(true)),
            ]))
        #expect(answer["result"] != nil || answer["error"]?["message"]?.string != nil)
      }
      #expect(try places.ask("status")["result"] != nil)
    }
  }

  @Test("the disk's roads answer where no server does, and not before one that does")
  func afterServers() throws {
    let bad = try PlaceServer("slow")
    let places = try RunningPlaces.ofMonaco(
      "[Servers]\nTimeout=1\nRouter=osrm:http://127.0.0.1:\(bad.port)\n"
        + "Router=valhalla:http://127.0.0.1:1\n")
    let effort = try Effort(of: places.program)
    #expect(try places.ways(RoadsTests.rocher, RoadsTests.casino).first?.engine == "locationd")
    #expect(try effort.seconds < 5)
    #expect(bad.listen().count == 1)
    let offline = try places.ways(
      RoadsTests.rocher, RoadsTests.casino, (key: "offline", value: .bool(true)))
    #expect(offline.first?.engine == "locationd" && bad.listen().count == 1)
    // OSRM has no word for roads that are not paved.
    let paved = try places.ways(
      RoadsTests.rocher, RoadsTests.casino, (key: "avoid", value: .array(["unpaved"])))
    #expect(paved.first?.engine == "locationd" && bad.listen().count == 1)
  }

  @Test("what a client asked for is dropped when it leaves, and the others have their answers")
  func dropped() throws {
    let places = try RunningPlaces.ofMonaco()
    for _ in 0..<20 {
      let hasty = try places.connect()
      for _ in 0..<10 {
        hasty.request("directions", way(RoadsTests.rocher, RoadsTests.casino))
      }
    }
    #expect(
      try eventually(within: patience) {
        let engine = try places.ask("status")["result"]?["engines"]?.array?.first
        return engine?["waiting"] == .integer(0)
      })
    #expect(try places.ways(RoadsTests.rocher, RoadsTests.casino).count == 1)
  }
}
