import LocationModel
import Testing

@testable import PlaceCore

private let rocher = Coordinate(latitude: 43.7315, longitude: 7.4197)

/// So many metres north.
private func north(_ metres: Double) -> Coordinate {
  Coordinate(latitude: rocher.latitude + metres / 111_195, longitude: rocher.longitude)
}

/// Rows of an extract, numbered as they come.
private struct Things {
  private(set) var rows: [ThingRow] = []

  private mutating func add(_ kind: ThingKind, _ metres: Double) -> Int {
    rows.append(ThingRow(Int64(rows.count + 1), kind, north(metres)))
    return rows.count - 1
  }

  mutating func street(_ name: String, at metres: Double = 0, names: String? = nil) {
    let i = add(.street, metres)
    (rows[i].name, rows[i].names) = (name, names)
  }

  mutating func house(_ number: String, _ street: String?, at metres: Double = 0) {
    let i = add(.address, metres)
    (rows[i].houseNumber, rows[i].street) = (number, street)
  }

  mutating func named(
    _ name: String, _ category: String? = nil, at metres: Double = 0, names: String? = nil,
    address: (number: String, street: String)? = nil
  ) {
    let i = add(.named, metres)
    (rows[i].name, rows[i].category, rows[i].names) = (name, category, names)
    (rows[i].houseNumber, rows[i].street) = (address?.number, address?.street)
  }

  /// OpenStreetMap's number and tag of the last one.
  mutating func number(_ number: OSMNumber?, _ tag: String) {
    (rows[rows.count - 1].osm, rows[rows.count - 1].tag) = (number, tag)
  }
}

private func search(
  _ text: String, near: Coordinate? = nil, locale: String? = nil, isTyped: Bool = false,
  limit: Int = 10
) -> StreetSearch {
  StreetSearch(text, locale: locale, near: near, isTyped: isTyped, limit: limit)
}

/// The names of the answers to a text as it is written, the best first.
private func ranked(
  _ text: String, near: Coordinate? = nil, locale: String? = nil, isTyped: Bool = false,
  limit: Int = 10, _ things: Things
) -> [String?] {
  let search = search(text, near: near, locale: locale, isTyped: isTyped, limit: limit)
  return search.hits(in: things.rows, for: search.attempts[0], source: "x").map(\.placemark.name)
}

@Suite("Ranking of streets and places") struct StreetRankingTests {
  @Test("a street comes before what is named after it")
  func wholeName() {
    var things = Things()
    things.named("Pharmacie de la Rue Grimaldi")
    things.street("Rue Grimaldi")
    #expect(ranked("rue grimaldi", things) == ["Rue Grimaldi", "Pharmacie de la Rue Grimaldi"])
  }

  @Test("a house with its number comes before its street and its neighbours")
  func houseNumber() {
    var things = Things()
    things.street("Rue Grimaldi")
    things.house("33", "Rue Grimaldi")
    things.house("31", "Rue Grimaldi")
    #expect(ranked("31 rue grimaldi", things).first == "31 Rue Grimaldi")
  }

  @Test("a place that only its address leads to is its street, where another number is asked for")
  func otherNumber() {
    var things = Things()
    things.named("University of Monaco", "university", address: ("2", "Avenue Albert II"))
    let search = search("25 Avenue Albert II, Monaco")
    let hits = search.attempts.map { search.hits(in: things.rows, for: $0, source: "x") }
    #expect(hits[1].map(\.placemark.name) == ["Avenue Albert II"])
    #expect(hits[1].first?.placemark.subThoroughfare == nil && hits[1].first?.isWhole == false)
  }

  @Test("an answer is whole where the question has each word of its name, and its number")
  func whole() {
    var things = Things()
    things.house("10", "Avenue Princesse Grace")
    things.named("Café Llorca", address: ("10", "Avenue Princesse Grace"))
    func whole(_ text: String) -> Set<String?> {
      let search = search(text)
      let hits = search.hits(in: things.rows, for: search.attempts[0], source: "x")
      return Set(hits.filter(\.isWhole).map(\.placemark.name))
    }
    #expect(whole("Avenue Princesse Grace, Monaco").isEmpty)
    #expect(whole("10 Avenue Princesse Grace, Monaco") == ["10 Avenue Princesse Grace"])
    #expect(whole("Café Llorca, 10 Avenue Princesse Grace").count == 2)
  }

  @Test("of two with one name the nearer comes first")
  func near() {
    var things = Things()
    things.named("Carrefour", at: 5000)
    things.named("Carrefour", at: 400)
    let hits = search("carrefour", near: rocher)
      .hits(in: things.rows, for: search("carrefour").attempts[0], source: "x")
    #expect(hits.map(\.placemark.coordinate) == [north(400), north(5000)])
    #expect(hits[0].score > hits[1].score)
  }

  @Test("a name that is met in full comes before half of one next door")
  func fullBeforeNear() {
    var things = Things()
    things.named("Café du Port", at: 10)
    things.named("Café de Paris", at: 20_000)
    #expect(ranked("cafe de paris", near: rocher, things).first == "Café de Paris")
  }

  @Test("a short word of an address is the long one")
  func abbreviations() {
    var things = Things()
    things.street("Boulevard des Moulins")
    things.street("Rue des Moulins")
    #expect(ranked("bd des moulins", things).first == "Boulevard des Moulins")
  }

  @Test("a word that is being typed is met by what it begins")
  func typed() {
    var things = Things()
    things.street("Rue Plati")
    things.street("Rue Grimaldi")
    #expect(ranked("rue grim", isTyped: true, things).first == "Rue Grimaldi")
    let typed = search("rue grim", isTyped: true)
    let written = search("rue grim")
    func best(_ search: StreetSearch) -> Double? {
      search.hits(in: things.rows, for: search.attempts[0], source: "x").first?.score
    }
    #expect(best(typed) == 1 && best(written) == 0.5)
  }

  @Test("a name in any language is met, and told in the reader's")
  func languages() {
    var things = Things()
    things.named("Gare de Monaco", names: "ko=모나코역\n=Monaco station")
    #expect(ranked("모나코역", locale: "ko", things) == ["모나코역"])
    #expect(ranked("monaco station", locale: "de", things) == ["Gare de Monaco"])
  }

  @Test("the ways of one street are one answer; a street of that name in the next town is another")
  func oneStreet() {
    var things = Things()
    for metres in [0.0, 300, 900, 2000] { things.street("Rue du Port", at: metres) }
    #expect(ranked("rue du port", things).count == 2)
    var stops = Things()
    for metres in [0.0, 200, 900] { stops.named("Casino", "busStop", at: metres) }
    stops.named("Casino", "casino", at: 0)
    #expect(ranked("casino", stops).count == 3)
    #expect(ranked("casino", limit: 1, stops).count == 1)
  }

  @Test("two houses of one street are two answers")
  func houses() {
    var things = Things()
    things.house("1", "Rue du Port")
    things.house("1 bis", "Rue du Port")
    #expect(ranked("rue du port", things).count == 2)
  }
}

@Suite("Questions about streets") struct StreetQuestionTests {
  @Test("a street is looked for without its number where the house is unknown, for less")
  func attempts() {
    let attempts = search("31 Rue Grimaldi").attempts
    #expect(attempts.map(\.words) == [["31", "rue", "grimaldi"], ["rue", "grimaldi"]])
    var things = Things()
    things.street("Rue Grimaldi")
    let hit = search("31 Rue Grimaldi").hits(in: things.rows, for: attempts[1], source: "x")[0]
    #expect(hit.score == 0.8)
    #expect(search("Rue Grimaldi").attempts.count == 1 && search("31").attempts.count == 1)
  }

  @Test("the street that stands for an unknown number has no house's number of OpenStreetMap's")
  func numbers() throws {
    var things = Things()
    things.named("École", "school", address: ("8", "Rue Grimaldi"))
    things.number(OSMNumber(.node, 7), "amenity=school")
    let search = search("31 Rue Grimaldi")
    func found() throws -> Placemark {
      try #require(search.hits(in: things.rows, for: search.attempts[1], source: "x").first)
        .placemark
    }
    #expect(try found().name == "Rue Grimaldi")
    #expect(try found().osmNumber == nil && found().osmTag == nil)
    things.street("Rue Grimaldi", at: 200)
    things.number(OSMNumber(.way, 9), "highway=primary")
    #expect(try found().osmNumber == 9 && found().osmType == "way")
    #expect(try found().osmTag == "highway=primary")
  }

  @Test("4 bis is 4bis, too, and where neither is known the street answers")
  func ends() {
    for (text, number) in [("4 bis", "4bis"), ("5 B", "5b"), ("12ter", "12ter")] {
      let attempts = search(text + " Rue de la Colle").attempts.map(\.words)
      let street = ["rue", "de", "la", "colle"]
      #expect(attempts.suffix(2) == [[number] + street, street], "\(attempts)")
    }
    // A letter elsewhere is of the name.
    #expect(search("Rue B 7").attempts.map(\.words).last == ["rue", "b"])
  }

  @Test("a corrected word is worth less than a written one")
  func corrected() {
    let search = search("Rue Grimladi")
    let attempt = search.attempts[0].corrected(["rue", "grimaldi"])
    var things = Things()
    things.street("Rue Grimaldi")
    #expect(search.hits(in: things.rows, for: attempt, source: "x")[0].score == 0.7)
  }

  @Test("a corrected word without its number is a street of all of its words, and no longer name")
  func correctedWithoutNumber() {
    func found(_ text: String, _ corrected: [String]) -> [String?] {
      let search = search(text)
      var things = Things()
      things.named("Bien Située", "bus_stop")
      things.street("Rue Grimaldi")
      guard let attempt = search.attempts.last?.corrected(corrected) else { return [] }
      let rows = things.rows.filter {
        Folding.tokens($0.name ?? "").contains(corrected.last ?? "")
      }
      return search.hits(in: rows, for: attempt, source: "x").map(\.placemark.name)
    }
    #expect(found("1010 Wien", ["bien"]) == [])
    #expect(found("Wien", ["bien"]) == ["Bien Située"])
    #expect(found("99 Rue Grimladi", ["rue", "grimaldi"]) == ["Rue Grimaldi"])
  }

  @Test("words are quoted, and stand for what they shorten")
  func questions() {
    let search = search("bd NEAR", isTyped: true)
    #expect(
      search.question(for: search.attempts[0])
        == "(\"bd\" OR \"boulevard\") AND (\"near\" *)")
  }

  @Test("of a kind of place the nearest come first, within a circle")
  func nearest() {
    var things = Things()
    things.named("Bar C", "cafe", at: 900)
    things.named("Bar A", "cafe", at: 100)
    things.named("Bar B", "cafe", at: 500)
    let search = search("café", near: rocher, limit: 2)
    #expect(search.kind == "cafe")
    let found = search.nearest(of: things.rows, within: 600, source: "x")
    #expect(found.map(\.placemark.name) == ["Bar A", "Bar B"] && found.allSatisfy { $0.score > 1 })
    #expect(
      StreetSearch("café", locale: nil, near: nil, limit: 2)
        .nearest(of: things.rows, within: 600, source: "x").isEmpty)
  }

  @Test("after the nearest of a kind comes what has the word in its name, once each")
  func joined() {
    var things = Things()
    things.named("Café A", "cafe", at: 100)
    things.named("Rue du Café", at: 50)
    let search = search("café", near: rocher, limit: 3)
    let nearest = search.nearest(of: [things.rows[0]], within: 600, source: "x")
    let named = search.hits(in: things.rows, for: search.attempts[0], source: "x")
    #expect(search.joined(nearest, named).map(\.placemark.name) == ["Café A", "Rue du Café"])
  }
}

@Suite("What an extract knows of a place") struct StreetReverseTests {
  private func at(_ things: Things, locale: String? = nil) -> Placemark? {
    StreetReverse.placemark(of: things.rows, at: rocher, locale: locale, source: "x")
  }

  @Test("a house within 50 m says its number and street; farther away the street alone is told")
  func house() {
    var things = Things()
    things.house("31", "Rue Grimaldi", at: 49)
    things.street("Rue Plati", at: 10)
    #expect(at(things)?.subThoroughfare == "31" && at(things)?.thoroughfare == "Rue Grimaldi")
    var far = Things()
    far.house("31", "Rue Grimaldi", at: 51)
    far.street("Rue Plati", at: 99)
    #expect(at(far)?.subThoroughfare == nil && at(far)?.thoroughfare == "Rue Plati")
    #expect(at(far)?.coordinate == rocher)
  }

  @Test("a house that has no street does not lend its number to the next street")
  func noStreet() {
    var things = Things()
    things.house("31", nil, at: 5)
    things.street("Rue Plati", at: 20)
    #expect(at(things)?.thoroughfare == "Rue Plati" && at(things)?.subThoroughfare == nil)
  }

  @Test("a place that somebody stands at gives its name to the answer, the nearest first")
  func named() {
    var things = Things()
    things.house("1", "Place du Palais", at: 20)
    things.named("Palais", "castle", at: 29)
    things.named("Musée", "museum", at: 12, names: "en=Museum")
    #expect(at(things)?.name == "Musée" && at(things)?.areasOfInterest == ["Musée"])
    #expect(at(things, locale: "en")?.name == "Museum" && at(things)?.subThoroughfare == "1")
    var near = Things()
    near.named("Palais", at: 31)
    #expect(at(near) == nil)
  }

  @Test("nothing is near where all is more than 100 m away")
  func nothing() {
    var things = Things()
    things.street("Rue Plati", at: 101)
    things.house("1", "Rue Plati", at: 101)
    #expect(at(things) == nil && at(Things()) == nil)
  }

  @Test("the extract that knows the house counts more than one that knows the street")
  func detail() {
    var mark = Placemark(rocher)
    #expect(mark.detail == 1)
    mark.thoroughfare = "Rue Grimaldi"
    #expect(mark.detail == 2)
    mark.subThoroughfare = "31"
    #expect(mark.detail == 3)
  }
}

@Suite("Answers of the world and of extracts") struct JoinedAnswersTests {
  private func mark(_ name: String, _ category: String? = nil, at metres: Double = 0) -> Placemark {
    var mark = Placemark(north(metres))
    (mark.name, mark.category) = (name, category)
    return mark
  }

  private func merged(_ text: String, isCovered: Bool) -> [String?] {
    JoinedAnswers.merged(
      streets: [mark("Rue Paris")], places: [mark("Parisville"), mark("Paris", "city")], for: text,
      isCovered: isCovered
    ).map(\.name)
  }

  @Test("streets come first where the person is among them, else behind the town of that name")
  func order() {
    #expect(merged("Paris", isCovered: true) == ["Rue Paris", "Parisville", "Paris"])
    #expect(merged("Paris", isCovered: false) == ["Paris", "Rue Paris", "Parisville"])
    #expect(merged("Rue Paris", isCovered: false) == ["Rue Paris", "Parisville", "Paris"])
    #expect(merged("Paris, France", isCovered: false) == ["Paris", "Rue Paris", "Parisville"])
    #expect(merged("Rue Paris, France", isCovered: false).first == "Rue Paris")
  }

  @Test("a town's streets lie within 8 km of its middle, or three times its radius")
  func town() {
    let hits = [7900.0, 8100, 29_000, 31_000].map {
      StreetSearch.Hit(placemark: mark("x", at: $0), score: 1)
    }
    var town = mark("Town")
    #expect(JoinedAnswers.hits(hits, in: town).count == 1)
    town.radius = 10_000
    #expect(JoinedAnswers.hits(hits, in: town).count == 3)
  }

  @Test("only answers of the category that is asked for, within the radius, are told")
  func selection() {
    let marks = [
      mark("A", "cafe", at: 100), mark("B", "hotel", at: 50), mark("C", "cafe", at: 900),
    ]
    var request = SearchRequest(.text("x"))
    request.category = "cafe"
    #expect(JoinedAnswers.selection(of: marks, for: request).map(\.name) == ["A", "C"])
    (request.near, request.radius) = (rocher, 500)
    #expect(JoinedAnswers.selection(of: marks, for: request).map(\.name) == ["A"])
    (request.category, request.limit) = (nil, 1)
    #expect(JoinedAnswers.selection(of: marks, for: request).map(\.name) == ["A"])
  }

  @Test("of several extracts the best hits are told")
  func best() {
    let hits = [(0.7, "B"), (1.0, "A"), (0.2, "C")].map {
      StreetSearch.Hit(placemark: mark($0.1), score: $0.0)
    }
    #expect(JoinedAnswers.best(hits, limit: 2).map(\.name) == ["A", "B"])
  }
}
