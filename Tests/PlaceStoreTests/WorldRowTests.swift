import LocationModel
import PlaceCore
import Platform
import Testing

@testable import PlaceStore

@Suite("Rows of the world's file") struct WorldRowTests {
  private let files: SmallFiles
  private let world: World

  init() throws {
    files = try SmallFiles()
    try files.make(files.world, WorldSchema.schema) { file in
      try file.insert("zone", .integer(1), .text("Europe/Paris"))
      try file.insert("country", .text("FR"), .text("fr"), .integer(0))
      try file.addTown(1, ["Paris"], in: "FR", people: 2_100_000, 48, 2)
      try file.addTown(2, ["Paris"], in: "US", people: 25_000, 33, -95)
      try file.addTown(3, ["Parma", "Parme"], in: "IT", people: 190_000, 44, 10)
      try file.addTown(4, ["Seoul", "서울"], in: "KR", people: 9_400_000, 37, 127)
      try file.insert("place_name", .integer(1003), .text("fr"), .text("Parme"))
      try file.insert("region_name", .text("FR"), .text("de"), .text("Frankreich"))
      let district = WorldSchema.firstDistrict + 7
      try file.insert(
        "area", .integer(7), .integer(2), .text("KR"), .text("KR.11"), .text("1102"), .text("중구"),
        .text("서울특별시"), .integer(37_560_000), .integer(126_990_000))
      try file.insert(
        "names(rowid, name, context)", .integer(district), .text(Folding.fold("중구")),
        .text("ccKR"))
      let square = Shape(rings: [
        [(126, 37), (128, 37), (128, 38), (126, 38)].map {
          GridPoint(x: $0.0 * 1_000_000, y: $0.1 * 1_000_000)
        }
      ])
      try file.insert("piece", .integer(1), .integer(7), .blob(square.bytes))
      try file.insert(
        "piece_box", .integer(1), .integer(126_000_000), .integer(128_000_000),
        .integer(37_000_000), .integer(38_000_000))
      for (id, code, name, city) in [
        (1, "MC", "monaco", 0), (2, "KR.11", Folding.fold("서울특별시"), 1004),
      ] as [(Int64, String, String, Int64)] {
        try file.insert(
          "region", .integer(id), .text(code), .text(name), .integer(38_000), .integer(city),
          .integer(43_730_000), .integer(7_420_000), .integer(2000))
        try file.insert(
          "names(rowid, name, context)", .integer(WorldSchema.firstRegion + id), .text(name),
          .text(""))
      }
    }
    world = try World(path: files.world)
  }

  private func towns(_ questions: String..., most: Int64 = 300) throws -> [String] {
    try world.rows(of: questions, most: most).places.map { "\($0.name) \($0.country)" }.sorted()
  }

  @Test("a word finds the towns that have it, and its beginning those that begin so")
  func words() throws {
    #expect(try towns("\"paris\"") == ["Paris FR", "Paris US"])
    #expect(try towns("\"par\"*") == ["Paris FR", "Paris US", "Parma IT"])
    #expect(try towns("\"par\"") == [])
    #expect(try towns("\"parme\"", "\"\(Folding.fold("서울"))\"") == ["Parma IT", "Seoul KR"])
  }

  @Test("the names' own words are told from those of what the town lies in")
  func columns() throws {
    #expect(try towns("name : \"paris\" AND context : \"ccus\"") == ["Paris US"])
    #expect(try towns("name : \"ccus\"") == [])
  }

  @Test("a district in letters that the reader does not read has the world's name")
  func letters() throws {
    let seoul = Coordinate(latitude: 37, longitude: 127)
    var (mark, around) = (Placemark(seoul), Placemark(seoul))
    (mark.subLocality, around.isoCountryCode) = ("서울", "KR")
    #expect(try world.joined(mark, with: around, in: "en").subLocality == "Seoul")
    #expect(try world.joined(mark, with: around, in: "ko").subLocality == "서울")
  }

  @Test("of more rows than are wanted the largest towns are told")
  func most() throws {
    #expect(try towns("\"par\"*", most: 1) == ["Paris FR"])
  }

  @Test("a row has what its columns say")
  func row() throws {
    let row = try #require(try world.places(ranks: [3]).first)
    var parma = PlaceRow(rank: 3, gid: 1003, name: "Parma", Coordinate(latitude: 44, longitude: 10))
    (parma.folded, parma.country, parma.province) = ("parma\n\nparme", "IT", "IT.1")
    (parma.population, parma.zone) = (190_000, 1)
    #expect(row == parma)
    #expect(try world.places(gids: [1003]) == [parma] && world.places(gids: []).isEmpty)
  }

  @Test("a district comes with the province that it lies in, and that with its city")
  func district() throws {
    let rows = try world.rows(of: ["\"\(Folding.fold("중구"))\""], most: 300)
    #expect(rows.areas.map(\.name) == ["중구"] && rows.areas[0].upper == ["서울특별시"])
    #expect(rows.provinces.map(\.code) == ["KR.11"] && rows.cities.map(\.name) == ["Seoul"])
  }

  @Test("a country is told however many towns have its name")
  func region() throws {
    let rows = try world.rows(of: ["\"monaco\""], most: 1)
    #expect(rows.regions.map(\.code) == ["MC"] && rows.regions[0].radius == 2000)
  }

  @Test("towns around a place are those of a box, wider to the poles")
  func box() throws {
    func around(_ y: Double, _ x: Double, _ degrees: Double) throws -> [String] {
      try world.places(around: Coordinate(latitude: y, longitude: x), within: degrees).map(\.name)
    }
    #expect(try around(48.05, 2, 0.1) == ["Paris"] && around(48.15, 2, 0.1) == [])
    #expect(try around(48, 2.14, 0.1) == ["Paris"] && around(48, 2.16, 0.1) == [])
  }

  @Test("pieces of areas are those whose boxes reach into that around a place")
  func pieces() throws {
    let here = Coordinate(latitude: 37.5, longitude: 127)
    #expect(try world.pieces(around: here, within: 0).count == 1)
    let beside = Coordinate(latitude: 38.01, longitude: 127)
    #expect(try world.pieces(around: beside, within: 0).isEmpty)
    #expect(try world.pieces(around: beside, within: 20_000).count == 1)
    #expect(try world.surroundings(of: here).province == nil)
  }

  @Test("names are told in the languages that are wanted, where there are such")
  func names() throws {
    let hits = try world.hits(for: "Parma", near: nil, isPrefix: false, limit: 1)
    #expect(try world.placemarks(of: hits, in: "fr").map(\.name) == ["Parme"])
    #expect(try world.placemarks(of: hits, in: "de").map(\.name) == ["Parma"])
    #expect(try world.placemarks(of: hits, in: "de").map(\.timeZone) == ["Europe/Paris"])
  }

  @Test("an id finds its row again")
  func ids() throws {
    #expect(try world.hit(id: "world:1003")?.id == "world:1003")
    #expect(try world.hit(id: "world:d7")?.id == "world:d7")
    #expect(try world.hit(id: "world:MC")?.id == "world:MC")
    for id in ["world:9", "world:d8", "world:XX", "world:d", "other:1", "world:", ""] {
      #expect(try world.hit(id: id) == nil, "\(id)")
    }
  }

  @Test(
    "what FTS5 does not understand finds nothing, and the next question is answered",
    arguments: [
      "\"", "*", "NEAR(", "name :", "AND", "\"a\" AND", "(", "^", "\u{0}", "nowhere : \"a\"", "",
    ])
  func hostile(question: String) throws {
    #expect(try towns(question) == [])
    #expect(try towns(question, "\"parma\"") == ["Parma IT"])
  }

  @Test("a text of FTS5's own words is a text")
  func quoted() throws {
    for text in [
      "Paris AND", "\"Paris", "Paris*", "(Paris", "name:Paris", "Paris; DROP TABLE place",
    ] {
      let hits = try world.hits(for: text, near: nil, isPrefix: true, limit: 5)
      #expect(hits.count <= 5)
    }
    #expect(try towns("\"paris\"").count == 2)
  }

  @Test("a postcode is found by what it begins with, in each country that has it")
  func postcodes() throws {
    try files.make(files.postcodes, PostcodeTables.schema) { file in
      try file.insert("about", .text("date"), .text("2026-01-01"))
      for (code, country, size) in [("75001", "FR", 5), ("75", "US", 5), ("7500", "US", 5)] {
        try file.insert(
          "postcode", .text(code), .text(country), .integer(Int64(size)), .integer(1001),
          .integer(48_860_000), .integer(2_340_000), .null)
      }
      let middle = Coordinate(latitude: 51.5, longitude: -0.14)
      let units = [("aa", Coordinate(latitude: 51.501, longitude: -0.1416)), ("ab", middle)]
      try file.insert(
        "sector", .text("sw1a1"), .integer(51_500_000), .integer(-140_000),
        .blob(PostcodeSector.bytes(of: units.map { (letters: $0.0, place: $0.1) }, around: middle)))
    }
    let older = try SmallFiles()
    try older.make(
      older.postcodes,
      DatabaseSchema(
        application: PostcodeTables.schema.application,
        steps: Array(PostcodeTables.schema.steps.prefix(1)))
    ) { file in
      try file.insert(
        "postcode", .text("sw"), .text("GB"), .integer(0), .integer(0), .integer(51_500_000),
        .integer(-130_000), .null)
    }
    #expect(try Postcodes(path: older.postcodes).matches(for: "sw1a1aa").map(\.row.start) == ["sw"])
    let postcodes = try Postcodes(path: files.postcodes)
    #expect(postcodes.dataSet.date == "2026-01-01")
    #expect(try postcodes.matches(for: "75001").map(\.row.start) == ["75001", "7500"])
    #expect(try postcodes.matches(for: "75002").map(\.row.country) == ["US"])
    #expect(try postcodes.matches(for: "\"%'").isEmpty)
    let palace = try #require(try postcodes.matches(for: "sw1a1aa").first?.row)
    #expect(palace.country == "GB" && abs(palace.coordinate.latitude - 51.501) < 0.00002)
    #expect(try postcodes.matches(for: "sw1a").first?.row.metres ?? 0 > 100)
    #expect(try postcodes.matches(for: "sw1b1aa").isEmpty)
    let marks = try world.placemarks(
      ofCodesIn: "75001 Paris", in: postcodes, near: nil, country: nil, locale: "fr-FR", limit: 5)
    #expect(marks.first?.locality == "Paris" && marks.first?.postalCode == "75001")
  }
}
