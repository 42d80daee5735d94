import Foundation
import LocationModel
import Testing

@testable import locationctl

private let place = {
  var location = Location(
    coordinate: Coordinate(latitude: -37.5663528, longitude: 126.9779564), horizontalAccuracy: 4.2,
    timestamp: Timestamp(microseconds: 1_795_206_421_250_000), source: "gpsd:/dev/ttyUSB0")
  location.speed = 1.3
  location.course = 84.4
  return location
}()

@Suite("Panel") struct PanelTests {
  @Test("it has the same height whatever it shows")
  func steady() {
    var panel = Panel()
    #expect(panel.lines.count == Panel.height)
    panel.trouble = (0..<40).map { "source \($0): failed" }
    #expect(panel.lines.count == Panel.height)
    panel.location = place
    #expect(panel.lines.count == Panel.height)
  }

  @Test("it shows place, accuracy, speed, course as an arrow, age and source")
  func rows() {
    var panel = Panel()
    panel.hasColour = false
    panel.location = place
    panel.age = 0.42
    let text = panel.lines.joined(separator: "\n")
    for part in [
      "37.566353° S  126.977956° E", "± 4.2 m", "1.3 m/s  (5 km/h)", "→  84°  E", "0.4 s",
      "gpsd:/dev/ttyUSB0", "altitude   unknown",
    ] {
      #expect(text.contains(part), "\(part)")
    }
    #expect(!text.contains("\u{1B}"))
  }

  @Test("a long reason is cut to the terminal's width")
  func clipped() {
    var panel = Panel()
    panel.hasColour = false
    panel.columns = 40
    panel.trouble = [String(repeating: "x", count: 200)]
    #expect(panel.lines.allSatisfy { $0.count <= 40 })
  }

  @Test("the reason why no newer location comes stands whole, in lines of a terminal's 80 columns")
  func reason() {
    var panel = Panel()
    panel.hasColour = false
    panel.name = "Avenue d'Ostende, Monaco"
    panel.heading = Heading(
      trueHeading: 12, magneticHeading: 10, accuracy: 3, timestamp: Timestamp(microseconds: 0))
    panel.location = place
    panel.trouble = [
      "nmea:/dev/ttyUSB0: the receiver has no fix, and sees 3 satellites; gpsd://localhost: it does"
        + " not answer. 'locationctl doctor' says what to do."
    ]
    let lines = panel.lines
    #expect(lines.count == Panel.height && lines.allSatisfy { $0.count <= 80 })
    let text = lines.joined(separator: " ").split { $0 == " " }.joined(separator: " ")
    #expect(text.contains(panel.trouble[0]), "\(text)")
    #expect(text.contains("source gpsd:/dev/ttyUSB0") && text.contains("Ctrl-C ends"))
    #expect(!text.contains("live"))
  }

  @Test("a location that has grown old is said to be no news")
  func stale() {
    var panel = Panel()
    panel.location = place
    panel.age = 75
    #expect(panel.lines[1].contains("no news for 75 s"))
  }
}

@Suite("Counts") struct CountTests {
  @Test("one is no plural, in the panel and in the status")
  func one() {
    var panel = Panel()
    panel.location = place
    panel.updates = 1
    #expect(panel.lines[1].contains("1 update\u{1B}"))
    var monitor = MonitorStatus(app: "user:ann", uid: 1000)
    (monitor.regions, monitor.waiting) = (1, 1)
    #expect(StatusReport.line(monitor).hasSuffix(": 1 region, 1 event not acknowledged"))
  }
}

@Suite("Names of others") struct NamesTests {
  private static let evil = "x\u{1B}[2J\u{202E}\n"

  @Test("a panel shows them as they are called, and no more of them than fits")
  func panel() {
    var panel = Panel()
    panel.hasColour = false
    panel.columns = 40
    panel.trouble = [Self.evil + String(repeating: "地", count: 100)]
    #expect(panel.lines.allSatisfy { $0.unicodeScalars.allSatisfy { $0.isPlain } })
    #expect(panel.lines.allSatisfy { $0.columns <= 40 })
    panel.location = place
    panel.location?.source = Self.evil + String(repeating: "地", count: 100)
    #expect(panel.lines.allSatisfy { $0.unicodeScalars.allSatisfy { $0.isPlain } })
    #expect(panel.lines.allSatisfy { $0.columns <= 40 })
  }

  @Test("what is longer than a terminal is wide goes on further in")
  func folded() {
    let lines = String(repeating: "地x ", count: 30).folded(to: 40, indent: 8)
    #expect(lines.count > 2)
    #expect(lines.allSatisfy { $0.columns <= 40 })
    #expect(lines.dropFirst().allSatisfy { $0.hasPrefix("        ") })
    #expect(lines.map { $0.trimmingPrefix { $0 == " " } }.joined().contains("地x 地x"))
    #expect("short".folded(to: 40, indent: 8) == ["short"])
    #expect("narrow".folded(to: 4, indent: 8) == ["narrow"])
  }

  @Test("of an app that nobody decided about the table names nobody who did")
  func undecided() throws {
    let app = AppPermission(
      app: "app:maps", uid: 4711, authorization: .notDetermined, accuracy: .full, source: nil)
    let line = try #require(AppTable([app], at: Timestamp(microseconds: 0)).lines.last)
    #expect(line.contains("not decided"))
    #expect(!line.contains("person"))
    #expect(AppPermission(app.json) == app)
  }

  @Test("columns of a table stand below each other, however wide their letters are")
  func table() {
    let apps = ["app:地図", "app:maps", "app:e\u{301}"].map {
      AppPermission(
        app: $0, uid: 4711, authorization: .denied, accuracy: .full, source: .person)
    }
    let lines = AppTable(apps, at: Timestamp(microseconds: 0)).lines
    let places = lines.dropFirst().map { line in
      line.range(of: "4711").map { String(line[..<$0.lowerBound]).columns }
    }
    #expect(Set(places).count == 1)
  }
}

@Suite("Describe") struct DescribeTests {
  @Test(
    "a course points the right way",
    arguments: [
      (0.0, "↑"), (22.4, "↑"), (22.6, "↗"), (90, "→"), (180, "↓"), (270, "←"), (337.6, "↑"),
      (359.9, "↑"), (-45, "↖"), (720, "↑"), (.nan, "↑"), (1e300, "↑"),
    ])
  func arrows(course: Double, arrow: String) {
    #expect(Describe.arrow(course) == arrow)
  }

  @Test(
    "lengths and ages are in units that fit",
    arguments: [
      (4.25, "4.3 m"), (0, "0.0 m"), (99.94, "99.9 m"), (250.4, "250 m"), (12345, "12.3 km"),
    ])
  func metres(value: Double, text: String) {
    #expect(Describe.metres(value) == text)
  }

  @Test("decimals stand still", arguments: [(1.0, "1.000"), (1.25, "1.250"), (-0.5, "-0.500")])
  func fixed(value: Double, text: String) {
    #expect(Describe.fixed(value, 3) == text)
  }

  @Test("the place's name is one row of the same panel, and cut to 80 columns")
  func named() {
    var panel = Panel()
    panel.hasColour = false
    panel.columns = 200
    panel.location = place
    panel.heading = Heading(
      trueHeading: 1, magneticHeading: 2, accuracy: 3,
      timestamp: Timestamp(microseconds: 1_795_206_421_250_000))
    panel.name = "명동, 중구, 서울특별시\n" + String(repeating: "서울 ", count: 60)
    #expect(panel.lines.count == Panel.height)
    #expect(panel.lines.contains { $0.contains("gpsd:/dev/ttyUSB0") })
    let row = panel.lines.first { $0.contains("명동") }
    #expect(row?.columns ?? 99 <= 80, "\(row ?? "")")
    panel.name = ""
    #expect(panel.lines.contains { $0.contains("name       unknown") })
  }
}
