import Foundation
import LocationModel
import Testing

@testable import locationctl

private let casino = Coordinate(latitude: 43.7392, longitude: 7.4277)
private let port = Coordinate(latitude: 43.7347, longitude: 7.4206)

private func route(_ instructions: [String], metres: Double = 905) -> Route {
  Route(
    name: "Avenue d'Ostende", distance: metres, expectedTravelTime: 3900, transport: .walking,
    polyline: [casino, port],
    steps: instructions.map {
      Route.Step(instructions: $0, distance: metres, polyline: [casino, port])
    } + [Route.Step(instructions: "Arrive", distance: 0, polyline: [port, port])],
    advisories: ["The route has stairs."], engine: "locationd")
}

private func place(_ name: String, _ latitude: Double, _ longitude: Double) -> Placemark {
  var place = Placemark(Coordinate(latitude: latitude, longitude: longitude))
  place.name = name
  return place
}

@Suite("Ways on paper") struct RouteReportTests {
  @Test("a table says what to do, how far it is, and whose data it is")
  func table() {
    let lines = RouteReport(Routes([route(["Head south"])]), "en_GB").lines
    #expect(
      lines == [
        "0.6 mi, 1 h 5 min on foot, Avenue d'Ostende",
        "  1  Head south" + String(repeating: " ", count: 57) + "  0.6 mi",
        "  2  Arrive", "! The route has stairs.", "", "© OpenStreetMap contributors, ODbL",
      ])
  }

  @Test("distances and times are those of the language")
  func languages() {
    #expect(
      RouteReport(Routes([route([])]), "ko_KR.UTF-8").lines[0].hasPrefix("900m, 1시간 5분 "))
    #expect(RouteReport(Routes([route([], metres: 1234)]), "de").lines[0].hasPrefix("1,2 km, 1 h"))
    #expect(RouteReport(Routes([route([])]), nil).lines[0].hasPrefix("900 m, 1 h 5 min"))
  }

  @Test("no line is wider than 80 columns, whatever streets are called")
  func narrow() {
    let names = [
      String(repeating: "Straße-", count: 60), String(repeating: "서울특별시 세종대로 ", count: 20),
      "\u{1B}[2J\n\u{202E}Turn", "",
    ]
    for locale in ["en_US", "ko", "ja", "ar"] {
      let found = Routes(
        [route(names), route(names, metres: 1e7)],
        attribution: String(repeating: "© ", count: 90))
      for line in RouteReport(found, locale).lines {
        #expect(line.columns <= 80, "\(line)")
        #expect(line.unicodeScalars.allSatisfy(\.isPlain) || line.isEmpty, "\(line)")
      }
    }
  }

  @Test("a GeoJSON line has longitudes first, and the steps")
  func geojson() {
    let json = Routes([route(["Head <south>"])]).geojson
    #expect(json["type"]?.string == "Feature" && json["geometry"]?["type"]?.string == "LineString")
    let first = json["geometry"]?["coordinates"]?.array?.first?.array?.compactMap(\.double)
    #expect(first == [7.4277, 43.7392])
    let steps = json["properties"]?["steps"]?.array
    #expect(steps?.count == 2 && steps?.first?["instructions"]?.string == "Head <south>")
    let both = Routes([route([]), route([])]).geojson
    #expect(both["type"]?.string == "FeatureCollection" && both["features"]?.array?.count == 2)
  }

  @Test("a GPX file has the steps as a route and the line as a track, and foreign text is text")
  func gpx() {
    let lines = Routes([route(["Turn <b>&amp;\u{1}"])]).gpx
    #expect(lines.filter { $0.hasPrefix("<rtept ") }.count == 2)
    #expect(lines.filter { $0.hasPrefix("<trkpt ") }.count == 2)
    #expect(lines.contains { $0.contains("<desc>Turn &lt;b&gt;&amp;amp;\u{FFFD}</desc>") })
    #expect(lines.contains("<trkpt lat=\"43.739200\" lon=\"7.427700\"/>"))
  }
}

@Suite("Which place is meant") struct PlaceChoiceTests {
  private let towns = [
    place("Paris", 48.85, 2.35), place("Paris", 33.66, -95.55), place("Parish", 50, 3),
  ]

  @Test("of towns of one name none is clearly meant")
  func equals() {
    let choice = PlaceChoice(towns, of: "paris", near: nil)
    #expect(choice.best == nil && choice.equals.count == 2)
  }

  @Test("the one that is ten times nearer than others is meant")
  func near() {
    let dallas = Coordinate(latitude: 32.78, longitude: -96.8)
    #expect(PlaceChoice(towns, of: "Paris", near: dallas).best == towns[1])
    let ocean = Coordinate(latitude: 45, longitude: -45)
    #expect(PlaceChoice(towns, of: "Paris", near: ocean).best == nil)
  }

  @Test("one that alone has the name, or lies alone, is meant, and none where there is none")
  func clear() {
    #expect(PlaceChoice([towns[0], towns[2]], of: "Paris ", near: nil).best == towns[0])
    let double = [towns[0], place("Paris", 48.851, 2.351)]
    #expect(PlaceChoice(double, of: "Paris", near: nil).best == towns[0])
    let none = PlaceChoice([], of: "x", near: nil)
    #expect(none.best == nil && none.equals.isEmpty)
  }
}

@Suite("The data about places in words") struct PlacesReportTests {
  @Test("each data set has its date, licence, places, corners and words, and why it is not used")
  func status() {
    var set = DataSet(
      name: "monaco", date: "2026-11-20", licence: "ODbL", attribution: "© OSM", places: 12)
    set.coverage = [
      Coordinate(latitude: 43.7, longitude: 7.4), Coordinate(latitude: 43.8, longitude: 7.5),
    ]
    set.trouble = "it is broken"
    set.lacks = ["roads"]
    let json: JSON = [
      "dataSets": .array([set.json]),
      "servers": .array([["url": "http://h", "trouble": "no answer"]]),
    ]
    #expect(
      PlacesReport.lines(PlacesStatus(json: json)) == [
        "Data", "  no names of the world: the package locationd-places-data has them",
        "  monaco, 2026-11-20, ODbL, 12 places, 43.70 7.40 to 43.80 7.50", "    © OSM",
        "    not used: it is broken", "    without roads: import it again", "", "Servers",
        "  http://h: no answer",
      ])
    let none = PlacesReport.lines(PlacesStatus(json: [:]))
    #expect(none.contains { $0.contains("package locationd-places-data") })
    let world = PlacesReport.lines(
      PlacesStatus(json: ["dataSets": .array([["name": "world", "places": .integer(3)]])]))
    #expect(world.prefix(2) == ["Data", "  world, 3 places"])
    // Where extracts come from, as long as there is none.
    #expect(world.last?.contains("download.geofabrik.de") == true && world.count == 4)
  }

  @Test("the line of an import's progress has less than 80 columns")
  func progress() {
    for percent in [0, 50, 100] as [Int64] {
      let bar = ImportProgress.bar(String(repeating: "x", count: 30), percent)
      #expect(bar.columns < 80 && bar.hasSuffix(" \(percent) %"))
    }
  }
}
