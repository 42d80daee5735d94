import Foundation
import Glibc
import LocationModel
import Testing

@Suite("Ways beside OSRM's", .timeLimit(.minutes(60))) struct DirectionShareTests {
  private static let tools = PrivateBus.house.appending(path: "Tests/Servers/directions.py").path

  @Test(
    "lengths and times are near OSRM's on Monaco, for pairs that speeds were not chosen with, too")
  func shares() throws {
    let engines = PrivateBus.house.appending(path: ".build/engines")
    let isThere = FileManager.default.fileExists(atPath: engines.appending(path: "done").path)
    try #require(isThere, "'make .build/engines/done' makes it")
    // The first seed is that of the trials; the second is held out. A test counts no milliseconds.
    let (said, _) = try Program([
      "python3", Self.tools, Program.path("locationd-places"), engines.path,
      PrivateBus.house.appending(path: ".build/places/monaco.osm.pbf").path, "200", "7", "20261125",
    ]).text()
    let shares = said.split(separator: "\n").compactMap { try? JSON(parsing: String($0)) }
      .filter { $0["unit"]?.string == "%" }
    try #require(shares.count == Self.shares, "\(said)")
    for share in shares {
      print("ways beside OSRM's: \(share.text)")
      #expect(share["passed"]?.bool == true, "\(share.text)")
    }
  }

  /// Shares of cars, those off the road, feet, bicycles and other ways.
  private static let shares = 5 + 2 + 3 + 3 + 2
}
