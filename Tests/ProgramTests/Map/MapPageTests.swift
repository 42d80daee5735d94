import Foundation
import Glibc
import LocationModel
import TestSupport
import Testing

/// `locationctl map`, and a real browser that is driven as a person would.
final class MapOnScreen {
  let program: Program
  let address: String
  /// Seconds until the command said the address.
  let start: Double

  static let house = PrivateBus.house
  static let browser = house.appending(path: ".build/browser")
  /// The folder of the base map.
  static let data = house.appending(path: ".build/places")
  static let isPossible =
    FileManager.default.fileExists(atPath: browser.path)
    && FileManager.default.fileExists(atPath: "/usr/bin/chromium")
  static let missing: Comment = "'make test' installs a browser, and what drives it"

  init(
    daemon: String, places: String = "/nonexistent", tracker: String = "/nonexistent",
    _ arguments: [String] = [], language: String = "en_US.UTF-8",
    configuration: String = "/nonexistent", data: URL = MapOnScreen.data
  ) throws {
    let begun = ContinuousClock().now
    program = try Program(
      [Program.path("locationctl"), "map", "--no-browser"]
        + ["--data", data.path] + arguments,
      environment: [
        "LOCATIOND_SOCKET": daemon, "LOCATIOND_PLACES_SOCKET": places,
        "LOCATIOND_TRACKER_SOCKET": tracker, "LC_ALL": language, "HOME": "/nonexistent",
        "XDG_CONFIG_HOME": configuration, "TZ": "UTC",
      ])
    address = try program.line()
    start = (ContinuousClock().now - begun) / .seconds(1)
  }

  /// The program that serves the page.
  var helper: pid_t? {
    let text = try? kernelText("/proc/\(program.pid)/task/\(program.pid)/children")
    return text?.split(separator: " ").first.flatMap { pid_t($0) }
  }

  /// What the scenario printed.
  @discardableResult
  func see(_ scenario: String, _ arguments: String..., window: String = "{}") throws -> String {
    try Self.see(scenario, at: address, arguments, window: window)
  }

  @discardableResult
  static func see(
    _ scenario: String, at address: String, _ arguments: [String], window: String = "{}"
  ) throws -> String {
    let picture = FileManager.default.temporaryDirectory.appending(path: "map-\(scenario).png")
    return try drive(
      "drive", [address, scenario] + arguments,
      environment: ["WINDOW": window, "PICTURE": picture.path])
  }

  /// The same, of ground.py.
  @discardableResult
  func look(_ scenario: String, _ arguments: String..., window: String = "{}") throws -> String {
    try Self.drive(
      "ground", [address, scenario] + arguments, environment: ["WINDOW": window])
  }

  /// The output of a script of Tests/Browser.
  @discardableResult
  static func drive(
    _ script: String, _ arguments: [String], environment: [String: String] = [:]
  ) throws -> String {
    let (text, passed) = try Browser.run(script, arguments, environment: environment)
    #expect(passed, "\(text)")
    return text
  }

  /// A script of Tests/Browser that runs, with a browser of its own.
  static func driver(_ name: String, _ arguments: [String]) throws -> Program {
    try Program(["/usr/bin/python3", script(name)] + arguments, environment: environment)
  }

  static func script(_ name: String) -> String {
    house.appending(path: "Tests/Browser/\(name).py").path
  }

  static let environment = ["PYTHONPATH": browser.path, "PYTHONDONTWRITEBYTECODE": "1"]
}

@Suite(
  "The map in a browser", .serialized,
  .enabled(if: MapOnScreen.isPossible, MapOnScreen.missing))
struct MapPageTests {
  private static let seoul = "static:37.5663,126.9779,38,25"

  @Test("it shows where the machine is within a second of the command, on a recording")
  func position() throws {
    let daemon = try RunningDaemon(
      ["replay://{folder}/drive.nmea?loop=1"],
      files: ["drive.nmea": Recording.drive(seconds: 60, step: 0.1)])
    // The browser's own start is not the map's.
    let map = try MapOnScreen(daemon: daemon.socket)
    try map.see("position", "45.0", "\(map.start)")
    try map.see("follows", "3", "3")
  }

  @Test("a search completes, the keyboard chooses, and the place is shown")
  func search() throws {
    let daemon = try RunningDaemon([Self.seoul])
    let places = try RunningPlaces.ofWorld()
    let map = try MapOnScreen(daemon: daemon.socket, places: places.socket)
    try map.see("searches", "Busan", "Busan", "South Korea")
    let korean = try MapOnScreen(
      daemon: daemon.socket, places: places.socket, language: "ko_KR.UTF-8")
    try korean.see("searches", "부산", "부산광역시", "대한민국")
  }

  @Test("a click says the address and offers the way")
  func click() throws {
    let daemon = try RunningDaemon([Self.seoul])
    let places = try RunningPlaces.ofWorld()
    let map = try MapOnScreen(daemon: daemon.socket, places: places.socket)
    try map.see("clicks", "Seoul", "No roads are on this disk")
  }

  @Test("a right click says where this computer stands, after a question", arguments: ["en", "ko"])
  func stands(language: String) throws {
    let daemon = try RunningDaemon([Self.seoul])
    let (map, words) =
      language == "en"
      ? (
        try MapOnScreen(daemon: daemon.socket),
        (
          "This computer stands here", "Yes, it stands here", "This computer stands here now."
        )
      )
      : (
        try MapOnScreen(daemon: daemon.socket, language: "ko_KR.UTF-8"),
        ("이 컴퓨터는 여기에 있음", "예, 여기에 있습니다", "이제 이 컴퓨터는 여기에 있습니다.")
      )
    try map.see("stands", words.0, words.1, words.2)
    // The key meant the middle of the map, where the machine is.
    let status = try daemon.control("here", "status").line()
    #expect(
      status.contains("37.566") && status.contains("126.97") && status.contains("±50.0 m"),
      "\(status)")
  }

  @Test(
    "a region is drawn, registered and taken away; a beacon's, which has no place, is neither drawn nor listed"
  )
  func regions() throws {
    let daemon = try RunningDaemon([Self.seoul])
    let grant = try daemon.control("grant", "user:\(NSUserName())", "always")
    #expect(try grant.exit() == 0)
    let uuid: JSON = "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0"
    let beacon: JSON = ["identifier": "cow", "type": "beacon", "uuid": uuid]
    let client = try daemon.connect()
    #expect(try client.ask("startMonitoring", ["region": beacon])["result"] != nil)
    try MapOnScreen(daemon: daemon.socket).see("draws")
    let kept = try client.ask("monitoredRegions")["result"]?["regions"]?.array
    #expect(kept?.map { $0["identifier"] } == ["cow"])
  }

  @Test("rows, GeoJSON and GPX are annotations, coloured by kind, together where there are many")
  func files() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "files-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    func write(_ name: String, _ text: String) throws -> String {
      let file = folder.appending(path: name)
      try text.write(to: file, atomically: true, encoding: .utf8)
      return file.path
    }
    let kinds = ["Sculpture", "Mural", "<img src=x onerror=alert(1)>"]
    let rows = (0..<600).map { i -> String in
      "[\"Work \(i)\",\"\(i) King Street\",\"\(kinds[i % 3])\","
        + "\(21.3 + Double(i % 25) / 500),\"\(-157.86 + Double(i / 25) / 500)\"]"
    }
    let art = try write("art.json", "[\(rows.joined(separator: ","))]")
    let daemon = try RunningDaemon([Self.seoul])
    let map = try MapOnScreen(daemon: daemon.socket, [art])
    try map.see("shows_files", "art.json: 600", "Sculpture", "Work", "King Street")

    let shapes = try write(
      "shapes.geojson",
      """
      {"type":"FeatureCollection","features":[
      {"type":"Feature","properties":{"name":"Tower","address":"Hill 1"},"geometry":{"type":"Point","coordinates":[127.0,37.5]}},
      {"type":"Feature","properties":null,"geometry":{"type":"Polygon","coordinates":[[[127,37.5],[127.1,37.5],[127.1,37.6],[127,37.5]]]}},
      {"type":"Feature","geometry":{"type":"LineString","coordinates":[[127,37.5],[127.1,37.6]]}},
      {"type":"Feature","geometry":{"type":"Point","coordinates":["x",null]}}]}
      """)
    try MapOnScreen(daemon: daemon.socket, [shapes])
      .see("shows_files", "shapes.geojson: 3", "", "Tower", "Hill 1")
    let way = try write(
      "way.gpx",
      """
      <?xml version="1.0"?><gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1">
      <wpt lat="37.5" lon="127.0"><name>Gate</name><desc>By the river</desc></wpt>
      <trk><trkseg><trkpt lat="37.5" lon="127"/><trkpt lat="37.6" lon="127.1"/></trkseg></trk></gpx>
      """)
    try MapOnScreen(daemon: daemon.socket, [way])
      .see("shows_files", "way.gpx: 2", "", "Gate", "By the river")
    let nonsense = try write("nonsense.json", "{\"a\":[1,2,{\"b\":null}]}")
    try MapOnScreen(daemon: daemon.socket, [nonsense]).see("says", "neither GeoJSON, GPX nor rows")
  }

  @Test("foreign text stays text: a data set's attribution, names, addresses, ways and files")
  func foreignText() throws {
    let evil =
      #"<meta http-equiv=refresh content='0;url=http://127.0.0.1:9/away'>"#
      + #"<img class=evil src=evil.png onerror='document.title=1'><b class=evil>evil</b>"#
      + "\u{a0}&"
    let text = JSON.string(evil)
    let here: JSON = ["latitude": .number(37.5665), "longitude": .number(126.978)]
    let place = JSON.object(
      (here.members ?? []) + [
        .init(key: "name", value: text), .init(key: "formattedAddress", value: text),
      ])
    let line: JSON = .array([
      .array([.number(37.5663), .number(126.9779)]), .array([.number(37.57), .number(126.98)]),
    ])
    let answers: [String: JSON] = [
      "status": [
        "dataSets": .array([
          [
            "name": text, "attribution": text, "lacks": .array([.string("ground")]),
            "coverage": .array([
              .array([.number(37), .number(126)]), .array([.number(38), .number(127)]),
            ]),
          ]
        ])
      ],
      "complete": ["completions": .array([["id": "1", "title": text, "subtitle": text]])],
      "search": ["places": .array([place])],
      "reverseGeocode": ["placemarks": .array([place])],
      "streets": ["streets": .array([["name": text, "polyline": line]])],
      "directions": [
        "attribution": text,
        "routes": .array([
          [
            "distance": .number(100), "expectedTravelTime": .number(60), "polyline": line,
            "advisories": .array([text]),
            "steps": .array([
              ["instructions": text, "distance": .number(100), "polyline": line]
            ]),
          ]
        ]),
      ],
    ]
    let places = try #require(
      AnsweringSocket { line in
        let method = line.firstMatch(of: #/"method":"(\w+)"/#).map { String($0.1) } ?? ""
        return answers[method].map { "\"result\":\($0.text)" }
      })
    let folder = FileManager.default.temporaryDirectory.appending(path: "evil-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "<b class=evil>.geojson")
    let feature: JSON = [
      "type": "FeatureCollection",
      "features": .array([
        [
          "type": "Feature",
          "properties": ["name": text, "address": text, "category": text],
          "geometry": [
            "type": "Point", "coordinates": .array([.number(126.979), .number(37.567)]),
          ],
        ]
      ]),
    ]
    try feature.text.write(to: file, atomically: true, encoding: .utf8)
    let daemon = try RunningDaemon([Self.seoul])
    let map = try MapOnScreen(daemon: daemon.socket, places: places.path, [file.path])
    try map.see("keeps_text", evil)
  }

  @Test("what is missing or not allowed is said, with what to do")
  func missing() throws {
    let none = FileManager.default.temporaryDirectory.appending(path: "none-\(UUID())").path
    try MapOnScreen(daemon: none).see("says", "locationd does not run")
    let daemon = try RunningDaemon([Self.seoul])
    try MapOnScreen(daemon: daemon.socket).see("says_of_search", "locationd-places.socket")
    try MapOnScreen(daemon: daemon.socket).see("has_a_day", "2026-11-24", "no tracker at")
    // Others' refusals are in the person's language, too.
    try MapOnScreen(daemon: daemon.socket, language: "de_DE.UTF-8")
      .see("says_of_search", "Installieren Sie das Paket locationd-places")
    try MapOnScreen(daemon: daemon.socket, ["--day", "2026-11-24"], language: "fr_FR.UTF-8")
      .see("says_in_card", "Aucun traceur à")
    let revoked = try daemon.control("revoke", "user:\(NSUserName())")
    #expect(try revoked.exit() == 0)
    try MapOnScreen(daemon: daemon.socket).see("says", "may not know where the machine is")
    try MapOnScreen(daemon: daemon.socket, language: "ko_KR.UTF-8").see("says", "위치가 거부되어 있습니다")
    let silent = try RunningDaemon(["nmea+tcp://127.0.0.1:1"])
    try MapOnScreen(daemon: silent.socket).see("says", "No position yet")
  }

  @Test("a map that is opened in a pause says until when it is, and one that is open hears of it")
  func paused() throws {
    let daemon = try RunningDaemon([Self.seoul])
    let open = try MapOnScreen(daemon: daemon.socket)
    #expect(try daemon.control("pause", "2h").exit() == 0)
    let words = "Location is paused until "
    for map in [open, try MapOnScreen(daemon: daemon.socket)] { try map.see("says", words) }
    try MapOnScreen(daemon: daemon.socket, language: "ko_KR.UTF-8").see("says", "일시 정지되어 있습니다")
    #expect(try daemon.control("resume").exit() == 0)
    try open.see("position", "37.5", "0")
  }

  @Test("another web site in the same browser gets nothing")
  func attack() throws {
    let daemon = try RunningDaemon([Self.seoul])
    try MapOnScreen(daemon: daemon.socket).see("resists")
  }

  @Test("it fits a phone, is read aloud, works by keyboard, in the dark, and in Korean")
  func everybody() throws {
    let daemon = try RunningDaemon([Self.seoul])
    let places = try RunningPlaces.ofWorld()
    let map = try MapOnScreen(daemon: daemon.socket, places: places.socket)
    try map.see("is_accessible")
    try map.see("asks_for_words")
    try map.see("is_accessible", window: #"{"width":360,"height":640}"#)
    try map.see("is_dark", window: #"{"color_scheme":"dark"}"#)
    let korean = try MapOnScreen(
      daemon: daemon.socket, places: places.socket, language: "ko_KR.UTF-8")
    try korean.see("speaks", "ko", "따라가기|날짜|지역|오차 25 m")
    try korean.see("asks_for_words", "ko")
  }

  @Test(
    "it speaks the person's language, else the browser's, else English",
    arguments: [
      ("de_DE.UTF-8", "de", "Folgen|Gebiete|auf 25 m genau"),
      ("C", "fr", "Suivre|Zones|à 25 m près"),
      ("fi_FI.UTF-8", "en", "Follow|Regions|to within 25 m"),
    ])
  func languages(person: String, page: String, words: String) throws {
    let daemon = try RunningDaemon([Self.seoul])
    try MapOnScreen(daemon: daemon.socket, language: person)
      .see("speaks", page, words, window: #"{"locale":"fr-FR"}"#)
  }

  @Test("the world's names are in the person's language where they are others there")
  func worldNames() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "names-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createSymbolicLink(
      at: folder.appending(path: "ground.bin"),
      withDestinationURL: MapOnScreen.data.appending(path: "ground.bin"))
    // The second is as an older release has written it.
    let names = """
      {"countries":[],"towns":[["Munich","뮌헨",48.1375,11.575,4,["deMünchen","esMúnich"]],
      ["Laim","",48.138,11.563,4]]}
      """
    try names.write(
      to: folder.appending(path: "names.json"), atomically: true, encoding: .utf8)
    let daemon = try RunningDaemon(["static:48.1355,11.575,500,25"])
    for (language, words) in [
      ("de_DE", ["München", "!Munich"]), ("ko_KR", ["뮌헨"]), ("fr_FR", ["Munich"]),
    ] {
      let map = try MapOnScreen(
        daemon: daemon.socket, language: language + ".UTF-8", data: folder)
      _ = try MapOnScreen.see("writes", at: map.address, words + ["Laim"])
    }
  }
}
