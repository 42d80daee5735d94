import Foundation
import Testing

/// Foreign text reaches people by a few ways out, each of which makes it plain.
@Suite("Ways out for foreign text") struct ForeignTextTests {
  /// Names of what writes, and the only files that may say them.
  static let ways: [String: Set<String>] = [
    "STDERR_FILENO": [
      "Platform/Log.swift", "locationctl/Terminal/Output.swift",
    ],
    "STDOUT_FILENO": [
      "locationctl/Terminal/Output.swift", "locationctl/Terminal/Terminal.swift",
      "locationctl/Replay/ReplayCommand.swift",
      // Lines of JSON to the parent.
      "locationd-map/ParentLink.swift",
    ],
    // As it is, to draw on a terminal, to show help, or as a file whose names are plain already.
    "Output.draw(": [
      "locationctl/Watch/WatchScreens.swift", "locationctl/Locationctl.swift",
      "locationctl/Permissions/AgentCommand.swift", "locationctl/Watch/SkyWatch.swift",
      "locationctl/Track/TrackCommand.swift", "locationctl/Places/PlacesProgram.swift",
      "locationctl/Beacons/BeaconsCommand.swift",
    ],
    "print(": ["Console/CommandLineProgram.swift"],
    "fputs(": [], "puts(": [],
    // The library's own words, to an app's standard error.
    "FileHandle": [
      "CoreLocation/Daemon/PermissionRequests.swift",
      // A child's: to nowhere, and to the page of a map.
      "MapKit/View/Desktop.swift", "MapKit/View/MapPage.swift",
      // A picture is read by it.
      "MapKit/View/UIImage.swift",
    ],
  ]

  @Test("nobody writes to a terminal but by them", arguments: ways.keys.sorted())
  func writers(way: String) throws {
    let allowed = Self.ways[way] ?? []
    for room in WallsTests.plan.keys {
      for file in try House.files(of: room) where !allowed.contains(file.name) {
        if file.code.contains(way) && file.codeLines.contains(where: { Self.calls(way, in: $0) }) {
          Issue.record("\(file.name) has \(way)")
        }
      }
    }
  }

  /// Not the end of a longer name.
  private static func calls(_ way: String, in line: Substring) -> Bool {
    guard let range = line.range(of: way) else { return false }
    guard let before = line[..<range.lowerBound].last else { return true }
    return !before.isLetter && before != "."
  }

  @Test("every error has words of its own, so that Swift's are shown to nobody")
  func errorsHaveWords() throws {
    let declaration = #/(?:struct|enum|class) (\w+)\s*:([^{]*)\{/#
    let kind = #/\b(?:Error|_BridgedStoredNSError)\b/#
    var count = 0
    for room in WallsTests.plan.keys {
      let files = try House.files(of: room)
      for file in files {
        for match in file.code.matches(of: declaration) where match.2.contains(kind) {
          count += 1
          let isSaid =
            match.2.contains("CustomStringConvertible")
            || files.contains { $0.code.contains("extension \(match.1): CustomStringConvertible") }
          #expect(isSaid, "\(file.name): \(match.1)")
        }
      }
    }
    #expect(count >= 12)
  }

  @Test("the map's page makes HTML of no text")
  func pageMakesNoHTML() throws {
    let page = House.sources.appending(path: "locationd-map/Page")
    let names = try FileManager.default.contentsOfDirectory(atPath: page.path)
    for name in names where name.hasSuffix(".js") {
      let text = try String(contentsOf: page.appending(path: name), encoding: .utf8)
      for line in text.split(separator: "\n") {
        if line.contains(#/innerHTML|outerHTML|insertAdjacent|document\.write|eval\(/#) {
          #expect(
            line.contains("export const escaped = text => element('span', {}, text).innerHTML"))
        }
        // Leaflet takes these strings for HTML.
        if line.contains(#/addAttribution\(|attribution: /#) {
          #expect(
            line.contains("attribution: escaped(") || line.contains("addAttribution(escaped("),
            "\(name): \(line)")
        }
        if line.contains(#/\.(bindPopup|bindTooltip|setContent)\(/#) {
          #expect(line.contains(#/\((element\(|name, \{ permanent)/#), "\(name): \(line)")
        }
        if line.contains("divIcon(") {
          #expect(!line.contains(#/html: ['"`t]/#), "\(name): \(line)")
        }
      }
    }
  }

  @Test("a breach would be found")
  func breach() {
    #expect(Self.calls("print(", in: "  print(name)"))
    #expect(!Self.calls("print(", in: "case .print(let text): blueprint(text)"))
  }
}
