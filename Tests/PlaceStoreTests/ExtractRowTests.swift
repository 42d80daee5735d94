import LocationModel
import PlaceCore
import Platform
import Testing

@testable import PlaceStore

@Suite("Rows of an extract's file") struct ExtractRowTests {
  private let files: SmallFiles
  private let extract: Extract
  private static let middle = Coordinate(latitude: 43.73, longitude: 7.42)

  /// So many metres north of the middle.
  private static func north(_ metres: Double) -> Coordinate {
    Coordinate(latitude: middle.latitude + metres / 111_195, longitude: middle.longitude)
  }

  init() throws {
    files = try SmallFiles()
    try files.make(files.extract, ExtractTables.schema) { file in
      for (key, value) in [("name", "small"), ("coverage", "43.7 7.4 43.8 7.5"), ("date", "2026")] {
        try file.insert("about", .text(key), .text(value))
      }
      try file.addThing(
        1, .street, "Rue Grimaldi", at: Self.middle, line: [Self.north(0), Self.north(200)])
      try file.addThing(
        2, .street, "Escalier", at: Self.north(1000), category: ExtractTables.path,
        line: [Self.north(1000), Self.north(1100)])
      try file.addThing(
        3, .address, nil, at: Self.north(20), street: "Rue Grimaldi", number: "31", district: 7)
      try file.insert("district", .integer(7), .text("La Condamine"), .text("ko=라콩다민\nja=コンダミーヌ"))
      try file.addThing(4, .named, "Café de Paris", at: Self.north(300), category: "cafe")
      try file.addThing(5, .named, "Café du Port", at: Self.north(2000), category: "cafe")
      try file.addThing(6, .named, "Hotel Port Palace", at: Self.north(400), category: "hotel")
    }
    extract = try Extract(path: files.extract)
  }

  private func names(
    _ text: String, near: Coordinate? = nil, category: String? = nil, isTyped: Bool = false,
    limit: Int = 5
  ) throws -> [String?] {
    let search = StreetSearch(
      text, locale: nil, near: near, category: category, isTyped: isTyped, limit: limit)
    return try extract.hits(for: search).map(\.placemark.name)
  }

  @Test("the file says its name, its date and what it covers")
  func about() {
    #expect(extract.dataSet.name == "small" && extract.dataSet.date == "2026")
    #expect(extract.dataSet.lacks == ["roads", "ground"])
    #expect(extract.covers(Self.middle))
    #expect(extract.covers(Coordinate(latitude: 43.695, longitude: 7.42)))
    #expect(!extract.covers(Coordinate(latitude: 43.68, longitude: 7.42)))
  }

  @Test("a text finds the rows that have all of its words")
  func words() throws {
    #expect(try names("rue grimaldi").contains("Rue Grimaldi"))
    #expect(try names("31 rue grimaldi") == ["31 Rue Grimaldi"])
    #expect(try names("port", near: Self.middle) == ["Hotel Port Palace", "Café du Port"])
    #expect(try names("grim") == [] && names("grim", isTyped: true).contains("Rue Grimaldi"))
  }

  @Test("a house that is not there is its street; a wrong letter is corrected")
  func corrected() throws {
    #expect(try names("99 rue grimaldi").contains("Rue Grimaldi"))
    #expect(try names("rue grimladi").contains("Rue Grimaldi"))
    #expect(try names("rue grimxxdi") == [])
  }

  @Test("a kind of place is found around the person, the nearest first")
  func kind() throws {
    #expect(try names("café", near: Self.middle, limit: 2) == ["Café de Paris", "Café du Port"])
    #expect(try names("", near: Self.middle, category: "hotel") == ["Hotel Port Palace"])
    #expect(try names("port", category: "cafe") == ["Café du Port"])
  }

  @Test("what lies at a place is told, and nothing outside of the file's land")
  func reverse() throws {
    let mark = try extract.reverse(Self.north(25), locale: nil)
    #expect(mark?.subThoroughfare == "31" && mark?.thoroughfare == "Rue Grimaldi")
    #expect(mark?.subLocality == "La Condamine")
    #expect(try extract.reverse(Self.north(25), locale: "ko_KR")?.subLocality == "라콩다민")
    #expect(try extract.reverse(Self.north(25), locale: "de")?.subLocality == "La Condamine")
    let street = try extract.reverse(Self.north(150), locale: nil)
    #expect(street?.subThoroughfare == nil && street?.subLocality == nil)
    #expect(try extract.reverse(Self.north(700), locale: nil) == nil)
    #expect(try extract.reverse(Coordinate(latitude: 44, longitude: 7), locale: nil) == nil)
  }

  @Test("streets of a box are those that reach into it")
  func box() throws {
    func streets(_ south: Double, _ north: Double, limit: Int = 10) throws -> [StreetLine] {
      let box: JSON = [
        "south": .number(Self.north(south).latitude), "west": .number(7.41),
        "north": .number(Self.north(north).latitude), "east": .number(7.43),
      ]
      let request = try PlaceRequest(method: "streets", parameters: Parameters(box))
      guard case .streets(let request) = request else { return [] }
      return try extract.streets(in: request, limit: limit)
    }
    #expect(try streets(190, 300).map(\.name) == ["Rue Grimaldi"])
    #expect(try streets(300, 900).isEmpty)
    let all = try streets(0, 2000).sorted { $0.name < $1.name }
    #expect(all.map(\.name) == ["Escalier", "Rue Grimaldi"])
    #expect(all.map(\.isPath) == [true, false] && all.map(\.polyline.count) == [2, 2])
    #expect(try streets(0, 2000, limit: 1).count == 1)
  }

  @Test("a place is found again by its id, and another's id finds nothing")
  func ids() throws {
    let search = StreetSearch("cafe de paris", locale: nil, near: nil, limit: 1)
    let id = try #require(try extract.hits(for: search).first?.placemark.id)
    #expect(try extract.place(id: id, locale: nil)?.name == "Café de Paris")
    for id in ["small:", "small:x", "small:1", "other:4", ""] {
      #expect(try extract.place(id: id, locale: nil) == nil, "\(id)")
    }
  }

  @Test("files of releases before say what they lack, and answer with what they have")
  func older() throws {
    for version in 1...4 {
      let older = try SmallFiles()
      let schema = DatabaseSchema(
        application: ExtractTables.schema.application,
        steps: Array(ExtractTables.schema.steps.prefix(version)))
      try older.make(older.extract, schema) { file in
        try file.insert("about", .text("coverage"), .text("43.7 7.4 43.8 7.5"))
        let columns: [DatabaseValue] = [
          .integer(1), .integer(2), .integer(437_300_000), .integer(74_200_000), .text("Café"),
          .null, .text("cafe"), .null, .null, .null, .null, .null,
        ]
        let marks = (columns + Array(repeating: .null, count: version - 1)).map { _ in "?" }
        try file.run(
          "INSERT INTO thing VALUES (\(marks.joined(separator: ", ")))",
          columns + [.integer(4 * 77 + 1), .null, .null].prefix(version - 1))
        try file.insert("words(rowid, text)", .integer(1), .text("cafe"))
      }
      let extract = try Extract(path: older.extract)
      let named = version < 3 ? ["some named things"] : []
      let tags = version < 4 ? ["tags of named things"] : []
      #expect(
        extract.dataSet.lacks
          == named + tags + ["districts", "borders of countries", "roads", "ground"])
      #expect(extract.countries.isEmpty)
      #expect(try extract.country(at: Self.middle) == nil)
      let search = StreetSearch("café", locale: nil, near: nil, limit: 1)
      let mark = try extract.hits(for: search).first?.placemark
      #expect(mark?.name == "Café" && mark?.category == "cafe" && mark?.osmTag == nil)
      #expect(mark?.osmNumber == (version > 1 ? 77 : nil))
      #expect(try extract.named(try #require(mark), in: "ko").subLocality == nil)
      let number = try #require(OSMNumber(.node, 77))
      #expect(try extract.place(number, locale: nil)?.name == (version < 3 ? nil : "Café"))
    }
  }

  @Test("a hostile text finds something or nothing, without an error")
  func hostile() throws {
    for text in [
      "\"", "*", "NEAR(a b)", "text : a", "AND", "café\" OR \"x", "(", "\u{0}", "^a", "-a",
    ] {
      for isTyped in [false, true] { _ = try names(text, near: Self.middle, isTyped: isTyped) }
    }
    #expect(try names("rue grimaldi").contains("Rue Grimaldi"))
  }
}
