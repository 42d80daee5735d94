import Foundation
import Glibc
import LocationModel
import TestSupport
import Testing

@Suite(
  "A map that is open, as things change", .serialized,
  .enabled(if: MapOnScreen.isPossible, MapOnScreen.missing))
struct MapChangeTests {
  private static let seoul = "static:37.5663,126.9779,38,25"
  private static let me = "user:\(NSUserName())"

  private func see(_ map: MapOnScreen, _ scenario: String, _ arguments: String...) throws {
    let picture = FileManager.default.temporaryDirectory.appending(path: "map-\(scenario).png")
    try MapOnScreen.drive(
      "changes", [map.address, scenario] + arguments, environment: ["PICTURE": picture.path])
  }

  @Test("a daemon that ends before it answers a wish leaves the page's button to be pressed again")
  func lostDaemon() throws {
    let daemon = try RunningDaemon([Self.seoul])
    let map = try MapOnScreen(daemon: daemon.socket)
    try see(map, "loses_daemon", "\(daemon.program.pid)")
  }

  @Test("a receiver that falls silent is told of, with the time of the last position")
  func silence() throws {
    let (speaker, path) = try makePty()
    let daemon = try RunningDaemon(["nmea://\(path)"])
    let client = try daemon.connect()
    _ = try client.ask("startUpdatingLocation")
    let map = try MapOnScreen(daemon: daemon.socket)
    let korean = try MapOnScreen(daemon: daemon.socket, language: "ko_KR.UTF-8")
    let location = try speaker.speak(to: client)
    let day = location.timestamp.iso8601.prefix(10)
    try see(map, "falls_silent", "No new position since \(day) ")
    try see(korean, "falls_silent", "부터 새 위치가 없습니다")
  }

  @Test("a permission that comes later ends the card's words that visits are not shown")
  func permission() throws {
    let daemon = try RunningDaemon([Self.seoul])
    #expect(try daemon.control("grant", Self.me, "when-in-use").exit() == 0)
    let map = try MapOnScreen(daemon: daemon.socket)
    try see(map, "tells_of_visits", "Visits are not shown", "yes")
    #expect(try daemon.control("grant", Self.me, "always").exit() == 0)
    try see(map, "tells_of_visits", "Visits are not shown", "")
  }

  @Test(
    "the machine's zone is told again when it changes",
    .enabled(if: try Program(["bwrap", "--dev-bind", "/", "/", "true"]).exit() == 0))
  func zone() throws {
    let daemon = try RunningDaemon([Self.seoul])
    let link = daemon.folder.appending(path: "etc/localtime")
    func move(to zone: String) throws {
      try? FileManager.default.removeItem(at: link)
      try FileManager.default.createSymbolicLink(
        atPath: link.path, withDestinationPath: "/usr/share/zoneinfo/\(zone)")
    }
    try daemon.write("", to: "etc/hosts")
    try move(to: "Asia/Seoul")
    let machine = [
      "bwrap", "--dev-bind", "/", "/", "--bind", link.deletingLastPathComponent().path, "/etc",
      "--die-with-parent", "env", "-u", "TZ",
    ]
    for command in ["map", "settings"] {
      try move(to: "Asia/Seoul")
      let program = try Program(
        machine + [Program.path("locationctl"), command, "--no-browser"],
        environment: ["LOCATIOND_SOCKET": daemon.socket, "HOME": "/nonexistent"])
      let address = try #require(URL(string: try program.line()))
      let page = try WebConnection(port: UInt16(address.port ?? 0))
      let token = try #require(address.pathComponents.dropFirst().first)
      page.send(
        "GET /\(token)/events HTTP/1.1\r\nHost: 127.0.0.1:\(address.port ?? 0)\r\n\r\n")
      #expect(page.hears(#"{"set":"zone","value":"Asia/Seoul"}"#))
      try move(to: "Europe/Berlin")
      #expect(page.hears(#"{"set":"zone","value":"Europe/Berlin"}"#))
    }
  }

  @Test("arrow keys end that the map follows the position")
  func keyboard() throws {
    let daemon = try RunningDaemon([Self.seoul])
    try see(try MapOnScreen(daemon: daemon.socket), "looks_around")
  }

  @Test("a page that connects again stays where it is, with its files as they are shown")
  func connectsAgain() throws {
    let daemon = try RunningDaemon([Self.seoul])
    let rows = (0..<6).map {
      #"["Work \#($0)","","\#($0 % 2 == 0 ? "Mural" : "Bust")",\#(37.5 + Double($0) / 100),127]"#
    }
    try daemon.write("[\(rows.joined(separator: ","))]", to: "art.json")
    let file = daemon.folder.appending(path: "art.json").path
    try see(try MapOnScreen(daemon: daemon.socket, [file]), "keeps_files", "Mural")
  }

  @Test("a search that is left shows no list, and typed letters stand out beside emoji")
  func search() throws {
    let daemon = try RunningDaemon([Self.seoul])
    let found =
      #""result":{"completions":[{"id":"1","title":"😀 Seoul","titleHighlights":[[3,5]]}]}"#
    let places = try #require(AnsweringSocket { $0.contains(#""complete""#) ? found : nil })
    let map = try MapOnScreen(daemon: daemon.socket, places: places.path)
    try see(map, "marks", "Seoul", "😀 Seoul", "Seoul")
    try see(map, "leaves_search", "Seoul")
  }

  @Test("the position, its track, a region and a way go on over the date line")
  func dateLine() throws {
    // The machine stands for a minute, until the map is open, and for ten minutes after its way.
    let lines = (0..<2700).map { i in
      let east = Double(min(max(i - 240, 0), 50)) / 5000 - 0.005
      let date = Date(timeIntervalSince1970: 1_772_359_200 + Double(i)).formatted(.iso8601)
      return """
        {"timestamp":"\(date)","latitude":-17,"longitude":\(east > 0 ? east - 180 : east + 180),\
        "horizontalAccuracy":5}\n
        """
    }
    let daemon = try RunningDaemon(
      ["replay://{folder}/track.jsonl?rate=4"], files: ["track.jsonl": lines.joined()])
    #expect(try daemon.control("grant", Self.me, "always").exit() == 0)
    let corners = [(-16.999, 179.99), (-16.999, -179.99), (-16.99, -179.99), (-16.99, 179.99)]
    let region: JSON = [
      "identifier": "line", "type": "polygon",
      "points": .array(corners.map { .array([.number($0.0), .number($0.1)]) }),
    ]
    #expect(
      try daemon.connect().ask("startMonitoring", ["region": region])["result"] != nil)
    let way = #"[[-17,-179.995],[-17,179.995]]"#
    let step = #"{"instructions":"Go","distance":1000,"polyline":\#(way)}"#
    let places = try #require(
      AnsweringSocket {
        $0.contains(#""directions""#)
          ? #""result":{"routes":[{"distance":1000,"expectedTravelTime":60,"polyline":\#(way),"steps":[\#(step)]}]}"#
          : $0.contains(#""reverseGeocode""#)
            ? #""result":{"placemarks":[{"latitude":-17,"longitude":180,"name":"Line"}]}"# : nil
      })
    try see(try MapOnScreen(daemon: daemon.socket, places: places.path), "crosses_date_line")
  }
}
