import Foundation
import LocationModel
import TestSupport
import Testing

/// Recordings whose dates lie further apart than nanoseconds can be counted: `0001-01-01` is what .NET
/// writes for none.
@Suite("Dates far apart") struct DatesTests {
  enum Format: String, CaseIterable { case gpx, gpsd, lines, nmea }

  private static let dates = [
    "0001-01-01", "1981-01-01", "1900-01-01", "2025-06-15", "2198-12-30", "1601-01-01",
    "2025-06-16", "2198-12-31", "9999-12-31",
  ]

  private static func recording(_ format: Format) -> String {
    let points = dates.enumerated().map { i, date in
      let latitude = 45 + Double(i) * 0.01
      let time = "\(date)T12:00:0\(i)Z"
      switch format {
      case .gpx: return #"<trkpt lat="\#(latitude)" lon="7"><time>\#(time)</time></trkpt>"# + "\n"
      case .gpsd:
        return #"{"class":"TPV","mode":3,"time":"\#(time)","lat":\#(latitude),"lon":7}"# + "\n"
      case .lines:
        return
          #"{"timestamp":"\#(time)","latitude":\#(latitude),"longitude":7,"horizontalAccuracy":5}"#
          + "\n"
      case .nmea:
        let day = date.split(separator: "-").reversed().joined(separator: ",")
        return
          "$GPGLL,45\(10 + i).000,N,00700.000,E,12000\(i),A,A\r\n$GPZDA,12000\(i),\(day),00,00\r\n"
      }
    }
    return format == .gpx ? "<?xml version=\"1.0\"?><gpx>\(points.joined())</gpx>" : points.joined()
  }

  @Test("replay tells what has a date, and passes over what has none", arguments: Format.allCases)
  func replay(format: Format) throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "dates-\(UUID())")
    try Self.recording(format).write(to: file, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: file) }
    let (text, exit) = try Program(
      [
        Program.path("locationctl"), "replay", file.path, "--locations", "--visits",
        "--significant", "--heading", "--unfiltered", "--region", "a,45,7,200",
      ]
    ).text()
    #expect(exit == 0, "\(text)")
    let places = text.split(separator: "\n").filter { $0.contains("didUpdateLocations") }
    #expect(!places.isEmpty)
    for date in ["0001", "9999", "1900", "1601"] { #expect(!text.contains("\"\(date)-")) }
  }

  @Test("a recording that loops goes on for hundreds of rounds", arguments: Format.allCases)
  func loops(format: Format) throws {
    let daemon = try RunningDaemon(
      ["replay://{folder}/recording?rate=10000&loop=1"],
      files: ["recording": Self.recording(format)])
    let client = try daemon.connect()
    #expect(try client.ask("startUpdatingLocation")["result"] != nil)
    func fixes() -> Int64 {
      (try? client.ask("status"))?["result"]?["sources"]?.array?.first?["fixes"]?.integer ?? 0
    }
    // A round has four, at most.
    #expect(eventually(within: patience) { fixes() > 1500 })
    daemon.program.signal(SIGTERM)
    #expect(try daemon.program.exit() == 0)
  }
}
