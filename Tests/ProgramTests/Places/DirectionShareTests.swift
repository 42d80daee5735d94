import Foundation
import Glibc
import LocationModel
import Testing

@Suite("Ways beside OSRM's", .timeLimit(.minutes(15))) struct DirectionShareTests {
  private static let tools = PrivateBus.house.appending(path: "Tests/Servers/directions.py").path

  @Test(
    "lengths and times are near OSRM's on Monaco, for pairs that speeds were not chosen with, too")
  func shares() throws {
    let engines = PrivateBus.house.appending(path: ".build/engines")
    let isThere = FileManager.default.fileExists(atPath: engines.appending(path: "done").path)
    try #require(isThere, "'make .build/engines/done' makes it")
    // The first seed is that of the trials; the second is held out.
    let seeds = ["7", "20261125"]
    let (said, exit) = try Program(
      [
        "python3", Self.tools, Program.path("locationd-places"), engines.path,
        PrivateBus.house.appending(path: ".build/places/monaco.osm.pbf").path, "200",
      ] + seeds
    ).text()
    let lines = said.split(separator: "\n").filter { $0.hasPrefix("{") }
    try #require(exit == 0 && lines.count == seeds.count * Self.least.count, "\(said)")
    for line in lines {
      print("ways beside OSRM's: \(line)")
      let shares = try JSON(parsing: String(line))
      let least = try #require(Self.least[shares["kind"]?.string ?? ""])
      for (key, least) in least {
        #expect(shares[key]?.double ?? 0 >= least, "\(key) of \(line)")
      }
    }
  }

  /// Per cent of the pairs.
  private static let least: [String: [String: Double]] = [
    "car": ["length10": 97, "length20": 99, "time10": 95, "time20": 98, "found": 100],
    "aside": ["length10": 94, "found": 100],
    "foot": ["length10": 98, "time10": 98, "found": 100],
    "bicycle": ["length10": 96, "time20": 98, "found": 100],
    "others": ["offered": 80, "good": 100],
  ]
}
