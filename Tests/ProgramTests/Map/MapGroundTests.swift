import Foundation
import LocationModel
import TestSupport
import Testing

@Suite(
  "The ground in a browser", .serialized,
  .enabled(if: MapOnScreen.isPossible, MapOnScreen.missing))
struct MapGroundTests {
  private static let monaco = PrivateBus.house.appending(path: ".build/places/monaco.osm.pbf").path

  private static func places() throws -> RunningPlaces {
    let places = try RunningPlaces.ofWorld()
    try places.importing(monaco)
    return places
  }

  @Test("a tile of an extract is answered; one without features is empty")
  func tile() throws {
    let places = try Self.places()
    func ask(_ level: Int64, _ x: Int64, _ y: Int64) throws -> JSON {
      try places.ask(
        "tile", ["level": .integer(level), "x": .integer(x), "y": .integer(y)])
    }
    let ground = try #require(try ask(14, 8529, 5974)["result"]?["ground"]?.string)
    let bytes = try #require(Data(base64Encoded: ground))
    // The sea beside the land comes first.
    #expect(bytes.count > 10_000 && bytes.first == 0)
    for tile in [(14, 0, 0), (13, 4264, 2987), (20, 0, 0), (0, 0, 0)] as [(Int64, Int64, Int64)] {
      #expect(try ask(tile.0, tile.1, tile.2)["result"]?["ground"] == "")
    }
    for tile in [(14, 16384, 0), (21, 0, 0), (14, -1, 0)] as [(Int64, Int64, Int64)] {
      #expect(try ask(tile.0, tile.1, tile.2)["error"]?["code"]?.integer == -32602)
    }
    #expect(try places.ask("tile", ["x": .integer(1)])["error"]?["code"]?.integer == -32602)
  }

  @Test(
    "Monaco lies on land and its harbour in the water, in light and in dark, near and far",
    arguments: ["light", "dark"])
  func ground(shade: String) throws {
    let places = try Self.places()
    let daemon = try RunningDaemon(["static:43.7345,7.4235,38,25"])
    let map = try MapOnScreen(daemon: daemon.socket, places: places.socket)
    try map.see(
      "has_ground", "43.7345,7.4235", "43.7308,7.4255,land", "43.7384,7.4246,land",
      "43.7345,7.4255,sea", "43.7300,7.4310,sea", window: "{\"color_scheme\":\"\(shade)\"}")
  }

  @Test(
    "from near to far no name is cut, and none meets another", arguments: ["en_US", "ko_KR"])
  func names(person: String) throws {
    let places = try Self.places()
    let daemon = try RunningDaemon(["static:43.7345,7.4235,38,25"])
    try MapOnScreen(
      daemon: daemon.socket, places: places.socket, language: person + ".UTF-8"
    ).look("writes_apart", "60")
  }

  @Test("names are collected once for a place and a language")
  func kept() throws {
    let places = try Self.places()
    let daemon = try RunningDaemon(["static:43.7345,7.4235,38,25"])
    try MapOnScreen(daemon: daemon.socket, places: places.socket)
      .look("keeps_names", "Oceanographic", "Océanographique")
  }

  @Test("the open sea off Monaco is water alone, from near to far")
  func sea() throws {
    let places = try Self.places()
    let daemon = try RunningDaemon(["static:43.7345,7.4235,38,25"])
    try MapOnScreen(daemon: daemon.socket, places: places.socket)
      .look("is_open", "700", "450", "960", "640")
  }

  @Test(
    "the first picture is quick, its moves cost a hand little, and a while of them leaves a small heap"
  )
  func costs() throws {
    let places = try Self.places()
    let daemon = try RunningDaemon(["static:43.7345,7.4235,38,25"])
    let map = try MapOnScreen(daemon: daemon.socket, places: places.socket)
    print("first picture:", try map.look("is_quick"))
    print("ground under a hand:", try map.look("moves", "3"))
    print("after a while:", try map.look("keeps_little", "12"))
  }

  @Test("where no extract is, the page says from zoom 12 on how streets come")
  func hint() throws {
    let daemon = try RunningDaemon(["static:37.5663,126.9779,38,25"])
    let places = try RunningPlaces.ofWorld()
    try MapOnScreen(daemon: daemon.socket, places: places.socket)
      .see("says", "locationctl places import FILE.osm.pbf")
  }

  @Test("a café that is tapped says what it is, and offers the way")
  func taps() throws {
    let places = try Self.places()
    let daemon = try RunningDaemon(["static:43.7345,7.4235,38,25"])
    let map = try MapOnScreen(
      daemon: daemon.socket, places: places.socket, ["geo:43.7394311,7.4247527"])
    try map.see("taps", "Le Palace Café", "Food and drink")
    let other = try MapOnScreen(
      daemon: daemon.socket, places: places.socket, ["geo:43.730681,7.425524"])
    try other.see("taps", "Oceanographic Museum", "Culture · Musée Océanographique")
  }

  @Test(
    "names are in the person's language where they have one there, and else in the place's",
    arguments: [
      ("en_US", ["Monte-Carlo Casino", "Oceanographic", "!Océanographique"]),
      ("ja_JP", ["モナコ", "Casino de Monte", "Océanographique", "!Oceanographic"]),
      ("it_IT", ["Monaco", "Casino de Monte", "Océanographique", "!モナコ", "!Oceanographic"]),
    ])
  func languages(person: String, words: [String]) throws {
    let places = try Self.places()
    let daemon = try RunningDaemon(["static:43.7345,7.4235,38,25"])
    let map = try MapOnScreen(
      daemon: daemon.socket, places: places.socket, language: person + ".UTF-8")
    _ = try MapOnScreen.see("writes", at: map.address, words)
  }

  @Test("the page draws the streets of an older release's extract, and says that they are alone")
  func older() throws {
    let daemon = try RunningDaemon(["static:43.7345,7.4235,38,25"])
    let status = #"""
      "result":{"dataSets":[{"name":"monaco","coverage":[[43,7],[44,8]],"lacks":["ground"]}]}
      """#
    let places = try #require(
      AnsweringSocket { line in
        line.contains(#""method":"status""#)
          ? status.trimmingCharacters(in: .whitespacesAndNewlines)
          : #""result":{"streets":[{"name":"a","polyline":[[43.73,7.42],[43.74,7.44]]}]}"#
      })
    // On the middle of the line, east of the device.
    try MapOnScreen(daemon: daemon.socket, places: places.path)
      .see("has_streets", "monaco", "[43.7345,7.4235]", "[43.735,7.43]")
  }
}
