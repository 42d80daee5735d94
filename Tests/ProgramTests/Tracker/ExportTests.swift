import Foundation
import Glibc
import LocationModel
import TestSupport
import Testing

@Suite("A track's exports", .serialized, .timeLimit(.minutes(60))) struct ExportTests {
  private static let schemas = PrivateBus.house.appending(path: ".build/schemas").path

  private func validate(_ file: String, _ schema: String) throws -> (text: String, exit: Int32) {
    try Program([
      "xmllint", "--nonet", "--noout", "--schema", "\(Self.schemas)/\(schema)", file,
    ]).text()
  }

  @Test(
    "GPX and KML are valid by their schemas, and gpsbabel and ogrinfo read them, whatever the names"
  )
  func valid() throws {
    let daemon = try RunningDaemon(
      ["replay://{folder}/track.jsonl?rate=120&loop=1"],
      files: ["track.jsonl": MonitoringProgramTests.toAndFro + "\n"])
    let name = "a<b>&\"c'"
    let tracker = try RunningTracker(
      daemon, "[Record]\nDistance=50\n[Region \(name)]\nCircle=45,7,400\n")
    try #require(
      try eventually(within: patience) {
        try tracker.entries().count { $0["region"]?.string == name } >= 2
      })
    daemon.program.signal(SIGSTOP)
    // The tracker has the rest to read.
    var places = 0
    try #require(
      try eventually(within: patience) {
        let before = places
        places = try tracker.entries().count
        return places == before
      })
    let events = try tracker.entries().count { $0["kind"]?.string != "place" }
    for (format, schema) in [("gpx", "gpx.xsd"), ("kml", "ogckml22.xsd")] {
      // A day without entries, too.
      for day in [[], ["--from", "2031-01-01"]] as [[String]] {
        let file = daemon.folder.appending(path: "track.\(format)").path
        let (text, exit) = try Program(
          [Program.path("locationctl"), "track", "export", "--format", format] + day,
          environment: ["LOCATIOND_TRACKER_SOCKET": daemon.folder.appending(path: "t").path]
        ).text()
        try #require(exit == 0)
        try text.write(toFile: file, atomically: true, encoding: .utf8)
        let judged = try validate(file, schema)
        #expect(judged.exit == 0, "\(judged.text)")
        guard day.isEmpty else { continue }
        let babel = try Program(["gpsbabel", "-i", format, "-f", file, "-o", "gpx", "-F", "-"])
          .text()
        #expect(babel.exit == 0 && babel.text.split(separator: "<trkpt ").count == places + 1)
        let layers = try Program(["ogrinfo", "-al", "-so", file]).text()
        #expect(layers.exit == 0)
        let counts = layers.text.matches(of: #/Feature Count: (\d+)/#).compactMap { Int($0.1) }
        #expect(counts.contains(format == "gpx" ? places : events + 1), "\(layers.text)")
        // The schema bites.
        let wrong = text.replacing("<name>", with: "<nom>").replacing("</name>", with: "</nom>")
        try wrong.write(toFile: file, atomically: true, encoding: .utf8)
        #expect(try validate(file, schema).exit != 0)
      }
    }
  }
}
