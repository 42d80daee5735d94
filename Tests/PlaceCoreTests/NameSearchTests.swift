import LocationModel
import Testing

@testable import PlaceCore

/// Rows of the world, as a file has them.
enum Rows {
  /// The own name, then those in languages.
  static func folded(_ names: [String]) -> String {
    let all = names.map { Folding.fold($0) }
    return all[0] + "\n\n" + all.dropFirst().joined(separator: "\n")
  }

  /// A town. The first of the names is its own.
  static func town(
    _ names: String..., in country: String = "US", people: Double = 10_000, gid: Int64 = 0,
    at place: (Double, Double) = (10, 10), province: String = ""
  ) -> PlaceRow {
    var row = PlaceRow(
      rank: 0, gid: gid, name: names[0], Coordinate(latitude: place.0, longitude: place.1))
    row.folded = folded(names)
    (row.country, row.province, row.population) = (country, province, people)
    return row
  }

  /// A country or a province.
  static func region(
    _ names: String..., code: String, people: Double, city: Int64 = 0
  ) -> RegionRow {
    var row = RegionRow(code: code, Coordinate(latitude: 10, longitude: 10))
    (row.folded, row.population, row.city) = (folded(names), people, city)
    return row
  }

  /// A district of Korea, of a level and in larger ones.
  static func district(
    _ name: String, in upper: [String], province: String, id: Int64, level: Int64
  ) -> AreaRow {
    var row = AreaRow(id: id, level: level, Coordinate(latitude: 37, longitude: 127))
    (row.country, row.province, row.name, row.upper) = ("KR", province, name, upper)
    return row
  }
}

extension WorldHit {
  fileprivate var name: String {
    switch what {
    case .place(let place): place.name
    case .district(let area): (area.upper + [area.name]).joined(separator: " ")
    case .region(let region): region.code
    case .feature(let feature): feature.code
    }
  }
}

/// The names of the answers, the best first.
private func ranked(
  _ text: String, near: (Double, Double)? = nil, here: String? = nil, country: String? = nil,
  misspelt: Bool = false, _ rows: WorldRows
) throws -> [String] {
  let search = try #require(
    NameSearch(
      text, near: near.map { Coordinate(latitude: $0.0, longitude: $0.1) }, country: country,
      isPrefix: true))
  let hits = misspelt ? search.misspeltHits(in: rows) : search.hits(in: rows)
  return search.ranked(hits, here: here, limit: 10).map(\.name)
}

private func towns(_ places: PlaceRow...) -> WorldRows {
  var rows = WorldRows()
  rows.places = places
  return rows
}

@Suite("Ranking of towns") struct TownRankingTests {
  @Test("of towns with one name the largest comes first; one that nobody has counted is a village")
  func population() throws {
    let rows = towns(
      Rows.town("Springfield", in: "IL", people: 114_000),
      Rows.town("Springfield", in: "MO", people: 169_000),
      Rows.town("Springfield", in: "VT", people: 0), Rows.town("Springfield", in: "SD", people: 99))
    let search = try #require(NameSearch("springfield", near: nil, country: nil, isPrefix: true))
    let hits = search.ranked(search.hits(in: rows), here: nil, limit: 3)
    #expect(hits.map(\.country) == ["MO", "IL", "VT"])
  }

  @Test("a name in full comes before one that goes on, unless that is three times as large")
  func whole() throws {
    let small = try ranked(
      "par", towns(Rows.town("Par", people: 1000), Rows.town("Paris", people: 2900)))
    #expect(small == ["Par", "Paris"])
    let large = try ranked(
      "par", towns(Rows.town("Par", people: 1000), Rows.town("Paris", people: 3100)))
    #expect(large == ["Paris", "Par"])
  }

  @Test("a town's own name comes before another's other name, unless that is ten times as large")
  func ownName() throws {
    let own = Rows.town("Bombay", people: 10_000)
    #expect(
      try ranked("bombay", towns(own, Rows.town("Mumbai", "Bombay", people: 99_000)))
        == ["Bombay", "Mumbai"])
    #expect(
      try ranked("bombay", towns(own, Rows.town("Mumbai", "Bombay", people: 101_000)))
        == ["Mumbai", "Bombay"])
  }

  @Test("a name that no answer shows loses to one that is seen, and stands beside its answer")
  func hiddenName() throws {
    var mumbai = Rows.town("Mumbai", people: 900_000)
    mumbai.folded += "\n\nmunbai"
    let rows = towns(mumbai, Rows.town("Munbai", people: 10_000))
    #expect(try ranked("munbai", rows) == ["Munbai", "Mumbai"])
    let search = try #require(
      NameSearch("Munbai", near: nil, country: nil, isPrefix: false))
    let hits = search.ranked(search.hits(in: rows), here: nil, limit: 2)
    #expect(hits.map(\.matched) == [nil, "Munbai"])
  }

  @Test("an airport answers to its code, but not where that asks for a kind of place")
  func airport() throws {
    func hits(_ text: String, _ tag: String) throws -> [String] {
      var airport = FeatureRow(
        id: 1, kind: "airport", code: "airport", Coordinate(latitude: 10, longitude: 10))
      (airport.tags, airport.folded, airport.weight) = ([tag], "some airport", 50_000)
      var rows = towns(Rows.town("Icnville"), Rows.town("Atmore"))
      rows.features = [airport]
      let search = try #require(NameSearch(text, near: nil, country: nil, isPrefix: false))
      return search.hits(in: rows).map(\.name)
    }
    #expect(try hits("ICN", "icn").contains("airport"))
    #expect(try hits("ATM", "atm") == [])
  }

  @Test("case, accents and hyphens do not matter")
  func folded() throws {
    let rows = towns(Rows.town("Saint-Étienne"), Rows.town("São Paulo"))
    #expect(try ranked("SAINT ETIENNE", rows) == ["Saint-Étienne"])
    #expect(try ranked("sao p", rows) == ["São Paulo"])
  }

  @Test("of words in another order, the name that has more of them comes first")
  func words() throws {
    let rows = towns(
      Rows.town("Palm Beach", people: 19_000), Rows.town("Palm Springs", people: 10_000),
      Rows.town("Miami", people: 1e6))
    #expect(try ranked("springs palm", rows) == ["Palm Springs", "Palm Beach"])
  }

  @Test("a town around the corner comes before a city of another continent")
  func near() throws {
    let rows = towns(
      Rows.town("Cambridge", in: "GB", people: 128_000, at: (52.2, 0.1)),
      Rows.town("Cambridge", in: "NZ", people: 20_000, at: (-37.9, 175.5)))
    #expect(try ranked("cambridge", rows).count == 2)
    let search = try #require(
      NameSearch(
        "cambridge", near: Coordinate(latitude: -36.8, longitude: 174.8), country: nil,
        isPrefix: true))
    #expect(search.ranked(search.hits(in: rows), here: nil, limit: 1)[0].country == "NZ")
    let nowhere = try #require(
      NameSearch("cambridge", near: nil, country: nil, isPrefix: true))
    #expect(nowhere.ranked(nowhere.hits(in: rows), here: nil, limit: 1)[0].country == "GB")
  }

  @Test("only places of the country that is asked for answer")
  func country() throws {
    let rows = towns(Rows.town("Paris", in: "FR", people: 2e6), Rows.town("Paris, TX", in: "US"))
    #expect(try ranked("paris", country: "US", rows) == ["Paris, TX"])
  }

  @Test("one letter may be wrong: then the largest town comes first; two may not")
  func misspelt() throws {
    let rows = towns(
      Rows.town("London", in: "CA", people: 420_000), Rows.town("London", people: 9e6),
      Rows.town("Londrina", people: 500_000))
    for text in ["Lodnon", "Londn", "Lonndon", "Lomdon"] {
      #expect(try ranked(text, misspelt: true, rows).first == "London", "\(text)")
    }
    #expect(try ranked("Lodnno", misspelt: true, rows) == [])
    #expect(try ranked("Lomdr", misspelt: true, rows) == ["Londrina"])
  }
}

@Suite("Ranking of countries and provinces") struct RegionRankingTests {
  private func rows(_ regions: [RegionRow], _ places: [PlaceRow]) -> WorldRows {
    var rows = WorldRows()
    (rows.regions, rows.places) = (regions, places)
    rows.cities = places.filter { place in regions.contains { $0.city == place.gid } }
    return rows
  }

  @Test("a country that is named in full comes before every town, however small it is")
  func country() throws {
    let found = try ranked(
      "chad",
      rows(
        [Rows.region("Chad", code: "TD", people: 15e6)],
        [Rows.town("Chadds Ford", people: 9e5), Rows.town("Chad", people: 3e6)]))
    #expect(found.first == "TD")
    let small = try ranked(
      "nauru",
      rows([Rows.region("Nauru", code: "NR", people: 12_000)], [Rows.town("Nauru", people: 4e6)]))
    #expect(small.first == "NR")
  }

  @Test("a country that is only begun counts as a town of 1.5 % of its people")
  func begun() throws {
    let country = Rows.region("Germany", code: "DE", people: 80e6)
    #expect(
      try ranked("ger", rows([country], [Rows.town("Gera", people: 1.19e6)])) == ["DE", "Gera"])
    #expect(
      try ranked("ger", rows([country], [Rows.town("Gera", people: 1.21e6)])) == ["Gera", "DE"])
  }

  @Test("New York is the city, not the state")
  func province() throws {
    let found = try ranked(
      "new york",
      rows(
        [Rows.region("New York", code: "US.NY", people: 19e6)],
        [Rows.town("New York", people: 8.8e6, gid: 1)]))
    #expect(found == ["New York", "US.NY"])
  }

  @Test("a city that is all of its country or province answers for it, once")
  func cityState() throws {
    let found = try ranked(
      "singapore",
      rows(
        [Rows.region("Singapore", code: "SG", people: 5.6e6, city: 7)],
        [Rows.town("Singapore", in: "SG", people: 3.5e6, gid: 7)]))
    #expect(found == ["Singapore"])
    var byOtherName = rows([Rows.region("Monaco", code: "MC", people: 38_000, city: 8)], [])
    byOtherName.cities = [Rows.town("Monte Carlo", in: "MC", gid: 8)]
    #expect(try ranked("monaco", byOtherName) == ["Monte Carlo"])
  }

  @Test("one letter may be wrong in a country's name, too")
  func misspelt() throws {
    let rows = rows(
      [Rows.region("France", code: "FR", people: 67e6)], [Rows.town("Francestown", people: 1600)])
    #expect(try ranked("frnace", misspelt: true, rows) == ["FR", "Francestown"])
  }
}

@Suite("Ranking of Korea's districts") struct DistrictRankingTests {
  private static let seoul = Rows.region("서울특별시", "서울", code: "KR.11", people: 9.4e6)
  private static let chungnam = Rows.region("충청남도", "충남", code: "KR.17", people: 2.1e6)

  private func rows(_ areas: [AreaRow], _ places: [PlaceRow] = []) -> WorldRows {
    var rows = WorldRows()
    (rows.areas, rows.places, rows.provinces) = (areas, places, [Self.seoul, Self.chungnam])
    return rows
  }

  @Test("of neighbourhoods with one name, that of the largest province is meant")
  func largestProvince() throws {
    let found = try ranked(
      "명동",
      rows([
        Rows.district("명동", in: ["충청남도", "논산시"], province: "KR.17", id: 1, level: 3),
        Rows.district("명동1가", in: ["서울특별시", "중구"], province: "KR.11", id: 2, level: 3),
      ]))
    #expect(found == ["서울특별시 중구 명동1가", "충청남도 논산시 명동"])
  }

  @Test("a district whose name was typed comes before a town of another country with that name")
  func beforeForeign() throws {
    let found = try ranked(
      "해운대",
      rows(
        [Rows.district("해운대구", in: ["부산광역시"], province: "KR.10", id: 1, level: 2)],
        [Rows.town("Haeundae", "해운대", in: "US", people: 5000)]))
    #expect(found.first == "부산광역시 해운대구")
  }

  @Test("a city among the towns is not answered again as a district")
  func once() throws {
    let found = try ranked(
      "논산",
      rows(
        [Rows.district("논산시", in: ["충청남도"], province: "KR.17", id: 1, level: 2)],
        [Rows.town("Nonsan", "논산", in: "KR", people: 60_000, province: "KR.17")]))
    #expect(found == ["Nonsan"])
  }

  @Test("a province's land answers as the province")
  func province() throws {
    let found = try ranked(
      "충남", rows([Rows.district("충청남도", in: [], province: "KR.17", id: 1, level: 2)]))
    #expect(found == ["KR.17"])
  }

  @Test("a person in Korea who writes hangul means a place there, however small")
  func inKorea() throws {
    let rows = towns(
      Rows.town("Paris", "파리", in: "FR", people: 2.1e6),
      Rows.town("Pari", "파리", in: "KR", people: 200, at: (37, 127)))
    #expect(try ranked("파리", near: (37.5, 127), here: "KR", rows) == ["Pari", "Paris"])
    #expect(try ranked("파리", rows) == ["Paris", "Pari"])
    #expect(try ranked("pari", near: (37.5, 127), here: "KR", rows).last == "Pari")
  }

  @Test("a syllable that is whole comes before one that it may become")
  func syllables() throws {
    let rows = towns(
      Rows.town("Seongnam", "성남", in: "KR", people: 9e5),
      Rows.town("Seosan", "서산", in: "KR", people: 2e5))
    #expect(try ranked("서", rows) == ["Seosan", "Seongnam"])
    #expect(try ranked("성", rows) == ["Seongnam"])
  }
}

@Suite("Questions for rows of names") struct NameQuestionTests {
  private func search(_ text: String, country: String? = nil, isPrefix: Bool = false) throws
    -> NameSearch
  {
    try #require(NameSearch(text, near: nil, country: country, isPrefix: isPrefix))
  }

  @Test("a text without a word is no question")
  func none() {
    for text in ["", " ", "--", "\"*()"] {
      #expect(NameSearch(text, near: nil, country: nil, isPrefix: true) == nil)
    }
  }

  @Test("each word is quoted, so that none is FTS5's; the last may be begun")
  func words() throws {
    #expect(try search("Paris").questions(here: nil) == ["name : \"paris\""])
    #expect(try search("NEAR OR").questions(here: nil) == ["\"near\" AND \"or\""])
    #expect(
      try search("San Die", isPrefix: true).questions(here: nil) == ["\"san\" AND \"die\"*"])
    let long = try search("a b c d e f g h i j").questions(here: nil)[0]
    #expect(long.hasSuffix("\"h\""))
  }

  @Test("the country that is asked for is asked alone; where the person is comes first")
  func countries() throws {
    let there = "name : \"paris\" AND context : \"ccus\""
    #expect(try search("Paris", country: "US").questions(here: nil) == [there])
    #expect(try search("Paris").questions(here: "US") == [there, "name : \"paris\""])
  }

  @Test("one word is asked for as all that it may be, and the others as they are")
  func misspelt() throws {
    #expect(try search("Rom").misspeltQuestions == [])
    let london = try search("Lodnon").misspeltQuestions
    #expect(london.count == 1)
    for meant in ["\"london\"", "\"lodon\"", "\"lodnons\"", "(\"lod\" AND \"non\")"] {
      #expect(london[0].contains(" OR \(meant)") || london[0].contains("(\(meant) OR"), "\(meant)")
    }
    let begun = try search("Lodn", isPrefix: true).misspeltQuestions
    #expect(begun[0].contains("\"lond\"* OR"))
    let diego = try search("Sa Diego", isPrefix: true).misspeltQuestions
    #expect(diego.count == 3 && diego[0].contains("\"san\" OR"))
    #expect(diego[0].hasSuffix(") AND \"diego\"*)") && diego[2] == "name : (\"sadiego\"*)")
    let cisco = try search("San Fran cis", isPrefix: true).misspeltQuestions
    #expect(
      cisco.suffix(2) == [
        "name : (\"sanfran\" AND \"cis\"*)", "name : (\"san\" AND \"francis\"*)",
      ])
  }

  @Test("of letters without an alphabet of ours the first three are right")
  func otherLetters() throws {
    #expect(try search("Масква").misspeltQuestions == ["name : (\"мас\"*)"])
    #expect(try search("서욿").misspeltQuestions[0].contains("\"ㅅㅓㅇㅜㄹ\""))
  }

  @Test("texts with many words, or long ones, are not looked for with a letter wrong")
  func muchMisspelt() throws {
    #expect(try search("one two three four five").misspeltQuestions == [])
    #expect(try search(String(repeating: "x", count: 25)).misspeltQuestions == [])
  }
}
