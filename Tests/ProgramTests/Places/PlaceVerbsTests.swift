import Foundation
import LocationModel
import TestSupport
import Testing

/// The command line about places, with the real service and the world's data where they have been made.
@Suite("The verbs about places", .timeLimit(.minutes(60))) struct PlaceVerbsTests {
  private func run(
    _ words: String..., at socket: String, environment: [String: String] = [:]
  ) throws -> (text: String, exit: Int32) {
    let program = try Program(
      [Program.path("locationctl")] + words,
      environment: [
        "LOCATIOND_PLACES_SOCKET": socket, "LOCATIOND_SOCKET": "/tmp/nobody-\(UUID())",
        "LC_ALL": "C.UTF-8",
      ].merging(environment) { $1 })
    return try program.text()
  }

  @Test(
    "wrong words are wrong usage, and say what is right",
    arguments: [
      (["geocode"], "wants a text"), (["geocode", "x", "--limit", "99"], "1 to 50"),
      (["geocode", "x", "--near", "far"], "LAT,LON"), (["reverse"], "LAT,LON"),
      (["reverse", "91,0"], "LAT,LON"), (["search", "a", "b"], "too much"),
      (["geocode", "x", "--column", "a"], "--batch"),
      (["geocode", "x", "--batch", "-"], "too much"),
      (["reverse", "--batch", "-", "--json"], "--json"),
      (["places", "update"], "file"), (["places"], "status, import, update, remove or serve"),
      (["places", "imprt", "x"], "'import'"),
      (["places", "import"], "file"), (["places", "remove"], "name"),
      (["route", "1,2"], "two places"),
      (["route", "1,2", "3,4", "--walking", "--cycling"], "please"),
      (["route", "1,2", "3,4", "--gpx", "--json"], "please"),
      (["route", "1,2", "3,4", "--walkin"], "--walking"), (["rout", "1,2", "3,4"], "'route'"),
      (["watch", "--locale", "ko"], "--place"), (["watch", "--place", "--sky"], "--place"),
    ])
  func usage(words: [String], hint: String) throws {
    let program = try Program(
      [Program.path("locationctl")] + words,
      environment: ["LOCATIOND_PLACES_SOCKET": "/tmp/nobody-\(UUID())"])
    let (text, exit) = try program.text()
    #expect(exit == 2 && text.contains(hint), "\(text)")
  }

  @Test("without a service each says which package has it and how to start it, and exits with 5")
  func nobody() throws {
    let socket = "/tmp/nobody-\(UUID())"
    for words in [
      ["geocode", "Monaco"], ["search", "x"], ["places", "status"],
      // South of the equator, however it is written.
      ["reverse", "-33,151"], ["reverse", "--", "-33,151"], ["geocode", "--", "-33,151"],
      ["geocode", "x", "--near", "-33,151"], ["search", "x", "--near=-33,151"],
      ["route", "-33,151", "-34,151", "--via", "-33.5,151"], ["route", "--", "-33,151", "-34,151"],
    ] {
      let (text, exit) = try Program(
        [Program.path("locationctl")] + words, environment: ["LOCATIOND_PLACES_SOCKET": socket]
      ).text()
      #expect(exit == 5 && text.contains("locationd-places.socket"), "\(words): \(text)")
      #expect(text.contains("Install the package locationd-places"), "\(text)")
    }
    let (_, exit) = try run("reverse", "43.7,7.4", at: socket)
    #expect(exit == 5)
  }

  @Test(
    "a place is found by its name, and its name by the place, in the language that is asked for")
  func bothWays() throws {
    let places = try RunningPlaces.ofWorld()
    let (found, exit) = try run("geocode", "Tokyo", "--limit", "1", at: places.socket)
    #expect(exit == 0 && found.contains("Tokyo") && found.contains("35.6"), "\(found)")
    let (korean, _) = try run(
      "reverse", "37.5636,126.9834", "--locale", "ko", at: places.socket)
    #expect(korean.contains("대한민국") && korean.contains("서울"), "\(korean)")
    let (json, _) = try run("reverse", "-33.87,151.21", "--json", at: places.socket)
    let placemark = try JSON(parsing: json)["placemarks"]?.array?.first
    #expect(placemark?["isoCountryCode"]?.string == "AU", "\(json)")
    let (degrees, _) = try run(
      "reverse", "37°33'58.87\"N 126°58'40.63\"E", "--json", at: places.socket)
    #expect(try JSON(parsing: degrees)["placemarks"]?.array?.first?["isoCountryCode"] == "KR")
  }

  @Test("the lines of a table come back in their order, with their answers or why there is none")
  func batch() throws {
    let places = try RunningPlaces.ofWorld()
    func table(_ verb: String, _ text: String) throws -> ([[String]], Int32) {
      let file = places.folder.appending(path: "table.csv")
      try text.write(to: file, atomically: true, encoding: .utf8)
      let (said, exit) = try run(
        "\(verb)", "--batch", file.path, "--locale", "ko", at: places.socket)
      var reader = CSVReader(longest: 1 << 16)
      let rows = reader.read(said.utf8).map { row -> [String] in
        if case .fields(let fields) = row { fields } else { [] }
      }
      return (rows, exit)
    }
    let names = (0..<300).map {
      ["Paris", "qqqqzzzzxxxx", "Seoul", "\"Nice, \"\"France\"\"\""][$0 % 4]
    }
    let (found, exit) = try table(
      "geocode", "id,address\n" + names.enumerated().map { "\($0),\($1)\n" }.joined())
    try #require(exit == 0 && found.count >= 301, "\(found)")
    #expect(found[0].prefix(4) == ["id", "address", "latitude", "longitude"])
    #expect(found[0].last == "error" && found.allSatisfy { $0.count <= found[0].count })
    for i in 0..<300 { #expect(found[i + 1][0] == "\(i)") }
    #expect(found[1][2].hasPrefix("48.8") && found[1].last == "")
    #expect(found[2][2] == "" && found[2].last?.isEmpty == false)
    #expect(found[3].contains("서울특별시") || found[3].contains { $0.hasPrefix("서울") })
    #expect(found[4][1] == "Nice, \"France\"" && found[4][2].hasPrefix("43."))
    let (there, _) = try table("reverse", "lat;lon\n37.5636;126.9834\n99;1\n-33.87;151.21\n")
    #expect(there.count >= 4 && there[1].joined().contains("대한민국;") == false)
    let all = try run("reverse", "--batch", "-", "--column", "q", at: places.socket)
    #expect(all.exit == 2, "\(all)")
    let none = try run("geocode", "--batch", "/nobody/has/it.csv", at: places.socket)
    #expect(none.exit == 1 && none.text.contains("No such file"), "\(none)")
  }

  @Test("an answer says in text how exact it is, and where it is only around what was asked for")
  func exact() throws {
    let places = try RunningPlaces.ofWorld()
    for (text, precision, circle) in [
      ("München", "town", 3000.0...40_000), ("SW1A 1AA", "postcode", 50...1000),
      ("Bayern", "region", 50_000...400_000), ("Bodensee", "area", 5000...60_000),
    ] {
      let (said, exit) = try run("geocode", text, "--limit", "1", at: places.socket)
      let words = said.split { $0.isWhitespace }.map(String.init)
      #expect(exit == 0 && said.contains(precision), "\(said)")
      let radius = try #require(words.firstIndex { $0.hasPrefix("±") }, "\(said)")
      let digits = String(words[radius].dropFirst().filter { $0 != "," })
      let number = try #require(Double(digits))
      #expect(circle.contains(number * (words[radius + 1] == "km" ? 1000 : 1)), "\(said)")
      #expect(!said.contains("not all of it is known"))
    }
    let (part, exit) = try run("geocode", "Marienplatz 1, München", at: places.socket)
    #expect(exit == 0 && part.contains("town"), "\(part)")
    #expect(part.contains("not all of it is known: this is what is around it"), "\(part)")
  }

  @Test("a person at a terminal sees how far a table is, where its answers go elsewhere")
  func progress() throws {
    let places = try RunningPlaces.ofWorld()
    let (table, answers) = (
      places.folder.appending(path: "table.csv"), places.folder.appending(path: "answers.csv")
    )
    let rows = (0..<20_000).map { "\(Double($0 % 120) - 60),\(Double($0 * 37 % 360) - 180)\n" }
    try ("lat,lon\n" + rows.joined()).write(to: table, atomically: true, encoding: .utf8)
    let words = [
      "sh", "-c", "\"$0\" reverse --batch \"$1\" >\"$2\"", Program.path("locationctl"), table.path,
      answers.path,
    ]
    let environment = [
      "LOCATIOND_PLACES_SOCKET": places.socket, "LC_ALL": "C.UTF-8", "TERM": "xterm",
    ]
    let (said, exit) = try Program(onTerminal(words), environment: environment).text()
    #expect(exit == 0, "\(said.suffix(300))")
    let shown = said.matches(of: #/(\d+) %, (\d+) lines, \d+ without an answer/#)
    let shares = shown.compactMap { Int($0.1) }
    try #require(shares.count >= 3, "\(said.prefix(300))")
    #expect(shares == shares.sorted() && shares.allSatisfy { (0...100).contains($0) })
    let lines = try String(contentsOf: answers, encoding: .utf8).split(separator: "\n")
    #expect(lines.count == rows.count + 1 && !lines.contains { $0.contains(" %, ") })
    // Without a terminal nothing of it is said.
    let (quiet, _) = try Program(words, environment: environment).text()
    #expect(!quiet.contains("%"), "\(quiet.prefix(300))")
  }

  @Test("search and status answer, and what is unknown fails with 1")
  func others() throws {
    let places = try RunningPlaces.ofWorld()
    let (found, exit) = try run("search", "Seoul", "--near", "37.5,127", at: places.socket)
    #expect(exit == 0 && found.contains("Seoul"), "\(found)")
    let (nothing, failed) = try run("geocode", "qqqqzzzzxxxx", at: places.socket)
    #expect(failed == 1 && !nothing.isEmpty, "\(nothing)")
    let (status, _) = try run("places", "status", at: places.socket)
    #expect(status.contains("world") && status.contains("GeoNames"), "\(status)")
    let (json, _) = try run("places", "status", "--json", at: places.socket)
    #expect(try JSON(parsing: json)["dataSets"]?.array?.isEmpty == false)
  }

  @Test("watch names the place of each location, in a pipe, in JSON, and in the panel")
  func watch() throws {
    let places = try RunningPlaces.ofWorld()
    let daemon = try RunningDaemon(["static:37.5636,126.9834,40,5"])
    let environment = [
      "LOCATIOND_PLACES_SOCKET": places.socket, "LOCATIOND_SOCKET": daemon.socket,
      "LC_ALL": "C.UTF-8", "TERM": "xterm",
    ]
    try daemon.connect().decide("authorizedWhenInUse")
    func watching(_ words: String..., lines most: Int = 1) throws -> String {
      let command = [Program.path("locationctl"), "watch", "--place", "--locale", "ko"] + words
      let program = try Program(command, environment: environment)
      var text = ""
      for _ in 0..<most { text += try program.line() + "\n" }
      program.signal(SIGINT)
      #expect(try program.exit() == 0)
      return text
    }
    let plain = try watching(lines: 2)
    #expect(plain.contains("\n    ") && plain.contains("서울"), "\(plain)")
    let line = try JSON(parsing: try watching("--json"))
    #expect(line["placemark"]?["isoCountryCode"] == "KR", "\(line.text)")
    #expect(line["placemark"]?["country"] == "대한민국")
    let panel = try Program(
      onTerminal([Program.path("locationctl"), "watch", "--place", "--locale", "ko"]),
      environment: environment)
    let isNamed = try eventually(within: patience) { try panel.line().contains("서울") }
    #expect(isNamed)
    panel.signal(SIGKILL)
  }
}

/// What a service of directions answers, in its words.
@Suite("locationctl route", .timeLimit(.minutes(60))) struct RouteVerbTests {
  private static let routes = """
    "result":{"routes":[{"name":"Avenue <d'Ostende> & Co","distance":905.2,"expectedTravelTime":130,\
    "transport":"walking","polyline":[[43.7392,7.4277],[43.737,7.424],[43.7347,7.4206]],"steps":[\
    {"instructions":"Head south on Avenue & Co","distance":905.2,\
    "polyline":[[43.7392,7.4277],[43.7347,7.4206]]},\
    {"instructions":"Arrive","distance":0,"polyline":[[43.7347,7.4206]]}],\
    "advisories":["The route has stairs."],"engine":"locationd"}]}
    """
  private static func placemark(_ latitude: Double, _ region: String) -> String {
    "{\"name\":\"Paris\",\"administrativeArea\":\"\(region)\",\"latitude\":\(latitude),\"longitude\":2}"
  }

  private let socket: AnsweringSocket

  init() throws {
    socket = try #require(
      AnsweringSocket { line in
        if line.contains("\"method\":\"directions\"") { return Self.routes }
        if line.contains("Nowhere") {
          return #""error":{"code":8,"message":"No place of that name is known."}"#
        }
        let one = Self.placemark(48, "Île-de-France")
        if line.contains("Paris") {
          return "\"result\":{\"placemarks\":[\(one),\(Self.placemark(33, "Texas"))]}"
        }
        return "\"result\":{\"placemarks\":[\(Self.placemark(-40, "Elsewhere"))]}"
      })
  }

  private func command(_ words: [String]) -> [String] {
    [Program.path("locationctl"), "route", "--socket", "/tmp/nobody"] + words
  }

  private func run(_ words: String...) throws -> (text: String, exit: Int32) {
    try Program(command(words), environment: environment).text()
  }

  private var environment: [String: String] {
    ["LOCATIOND_PLACES_SOCKET": socket.path, "LC_ALL": "C.UTF-8", "TERM": "xterm"]
  }

  private var asked: JSON? {
    socket.lines.last { $0.contains("directions") }.flatMap { try? JSON(parsing: $0) }?["params"]
  }

  @Test("the table has its steps and totals, and the question what was typed")
  func table() throws {
    let (text, exit) = try run(
      "43.7392,7.4277", "43°44'5\"N 7°25'14\"E", "--via", "-33.9,18.4", "--walking", "--offline",
      "--locale", "de")
    #expect(exit == 0)
    #expect(text.hasPrefix("900 m, 2 min on foot, Avenue <d'Ostende> & Co\n  1  Head south"))
    #expect(text.hasSuffix("\n! The route has stairs.\n\n© OpenStreetMap contributors, ODbL\n"))
    #expect(text.split(separator: "\n").allSatisfy { String($0).columns <= 80 })
    #expect(asked?["transport"] == "walking" && asked?["offline"] == .bool(true))
    #expect(asked?["locale"] == "de" && asked?["via"]?.array?.count == 1)
    #expect(asked?["from"]?.array?.first?.double == 43.7392)
  }

  @Test("GPX and GeoJSON are read by other programs")
  func files() throws {
    let script = """
      import json, sys, xml.etree.ElementTree as tree
      if sys.argv[1] == "gpx":
          g = "{http://www.topografix.com/GPX/1/1}"
          root = tree.parse(sys.stdin).getroot()
          assert root.tag == g + "gpx" and root.get("version") == "1.1"
          assert [e.tag for e in root] == [g + "metadata", g + "rte", g + "trk"]
          assert root.find(g + "rte/" + g + "name").text == "Avenue <d'Ostende> & Co"
          print(len(root.findall(f"{g}rte/{g}rtept")), len(root.findall(f"{g}trk/{g}trkseg/{g}trkpt")))
      else:
          feature = json.load(sys.stdin)
          assert feature["type"] == "Feature" and feature["geometry"]["type"] == "LineString"
          print(len(feature["properties"]["steps"]), len(feature["geometry"]["coordinates"]))
      """
    for format in ["gpx", "geojson"] {
      let pipe =
        "\"$0\" route 43.7392,7.4277 43.7347,7.4206 --\(format) | python3 -c \"$1\" \(format)"
      let (text, exit) = try Program(
        ["sh", "-c", pipe, Program.path("locationctl"), script], environment: environment
      ).text()
      #expect(exit == 0 && text == "2 3\n", "\(format): \(text)")
    }
  }

  @Test("JSON is the service's own answer")
  func json() throws {
    let (text, exit) = try run(
      "43.7392,7.4277", "43.7347,7.4206", "--json", "--alternates", "--avoid", "tolls,unpaved",
      "--avoid=ferries")
    #expect(exit == 0)
    #expect(try JSON(parsing: text)["routes"]?.array?.first?["engine"] == "locationd")
    #expect(asked?["alternates"] == .bool(true))
    #expect(asked?["avoid"]?.array == ["tolls", "ferries", "unpaved"])
    let (said, wrong) = try run("1,2", "3,4", "--avoid", "tolls,hills")
    #expect(wrong == 2 && said.contains("tolls, ferries, motorways or unpaved"), "\(said)")
  }

  @Test("what was typed stands in no line that other users may read while it is asked")
  func overwritten() throws {
    // A service that never answers.
    let silent = try #require(AnsweringSocket { _ in nil })
    for verb in ["route", "geocode", "reverse", "search"] {
      let words = verb == "route" ? ["43.7392,7.4277", "Secret Street"] : ["43.7392,7.4277"]
      let program = try Program(
        [Program.path("locationctl"), verb] + words,
        environment: ["LOCATIOND_PLACES_SOCKET": silent.path])
      let before = silent.lines.count
      #expect(eventually(within: patience) { silent.lines.count > before })
      let line = try kernelText("/proc/\(program.pid)/cmdline")
      #expect(line.hasPrefix(Program.path("locationctl") + "\0"))
      #expect(!line.contains("43") && !line.contains("Secret"), "\(line)")
      program.signal(SIGKILL)
    }
  }

  @Test("a region that is watched stands in no line that other users may read")
  func overwrittenRegion() throws {
    let daemon = try RunningDaemon()
    let region = "home,48.137412,11.575534,150"
    let program = try daemon.control("watch", "--region", region, "--json")
    let client = try daemon.connect()
    #expect(
      try eventually(within: patience) {
        try client.ask("status")["result"]?["monitors"]?.array?.isEmpty == false
      })
    let line = try kernelText("/proc/\(program.pid)/cmdline")
    #expect(!line.contains("48") && !line.contains("home"), "\(line)")
    program.signal(SIGKILL)
  }

  @Test("in a pipe a name of several places is not guessed: they are told, and it exits with 2")
  func ambiguous() throws {
    let (text, exit) = try run("Berlin", "Paris")
    #expect(exit == 2 && text.contains("Île-de-France") && text.contains("Texas"), "\(text)")
    #expect(asked == nil)
    let (unknown, failed) = try run("Nowhere", "1,2")
    #expect(failed == 1 && unknown.contains("'Nowhere'"), "\(unknown)")
  }

  @Test("one that is much nearer to the other end is taken")
  func nearest() throws {
    let (_, exit) = try run("48.1,2.1", "Paris")
    #expect(exit == 0 && asked?["to"]?.array?.first?.double == 48)
  }

  @Test("on a terminal the person says which")
  func asks() throws {
    let program = try Program(
      onTerminal(command(["Berlin", "Paris"]), answers: ["7", "2"]), environment: environment)
    let (text, exit) = try program.text()
    #expect(exit == 0 && text.contains("Which 'Paris'?") && text.contains("1 to 2"), "\(text)")
    #expect(asked?["to"]?.array?.first?.double == 33)
  }
}
