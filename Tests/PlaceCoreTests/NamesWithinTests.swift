import LocationModel
import Testing

@testable import PlaceCore

@Suite("Names with what they lie in behind them") struct NamesWithinTests {
  private func towns(_ places: PlaceRow...) -> WorldRows {
    var rows = WorldRows()
    rows.places = places
    return rows
  }

  /// The answers' names and codes, the best first.
  private func ranked(_ text: String, behind: String? = nil, _ rows: WorldRows) throws -> [String] {
    let search = try #require(NameSearch(text, near: nil, country: nil, isPrefix: false))
    return search.ranked(search.hits(in: rows), here: nil, behind: behind, limit: 10).map { hit in
      switch hit.what {
      case .place(let place): place.name
      case .region(let region): region.code
      case .feature(let feature): feature.code
      case .district(let area): area.name
      }
    }
  }

  @Test("a place that is called as the first words comes before one that only has them")
  func firstWords() throws {
    #expect(
      try ranked(
        "palm beach fl",
        towns(
          Rows.town("Palm Beach", people: 8800), Rows.town("West Palm Beach", people: 110_000)))
        == ["Palm Beach", "West Palm Beach"])
    var hidden = Rows.town("Colonia", people: 60_000)
    hidden.folded += "\n\nkoln"
    #expect(
      try ranked("koln germany", towns(hidden, Rows.town("Köln", people: 1000)))
        == ["Köln", "Colonia"])
  }

  @Test("a province is called as the first words, a country says no more, a territory does")
  func firstWordsOfRegions() throws {
    var rows = towns(Rows.town("Victoria City", in: "AU", people: 5e6))
    var desert = FeatureRow(
      id: 1, kind: "desert", code: "desert", Coordinate(latitude: 10, longitude: 10))
    (desert.folded, desert.country, desert.weight) = ("great victoria desert", "AU", 3e5)
    rows.features = [desert]
    rows.regions = [Rows.region("Victoria", code: "AU.07", people: 6e6)]
    #expect(try ranked("victoria australia", rows).first == "AU.07")
    rows = towns(Rows.town("Luxembourg", in: "LU", people: 76_000))
    rows.regions = [Rows.region("Luxembourg", code: "LU", people: 6e5)]
    #expect(try ranked("luxembourg luxembourg", rows) == ["Luxembourg", "LU"])
    rows = towns(Rows.town("Rio Rico", people: 20_000))
    rows.regions = [Rows.region("Puerto Rico", code: "PR", people: 3e6)]
    #expect(try ranked("puerto rico usa", rows) == ["PR", "Rio Rico"])
  }

  @Test("places of the country behind a comma, and of its territories, come first")
  func countryBehind() throws {
    #expect(NameSearch.lastPart(of: "San Marino, CA, San Marino") == " San Marino")
    #expect(NameSearch.lastPart(of: "San Marino") == nil)
    let rows = towns(
      Rows.town("San Marino US", "San Marino", in: "US", people: 13_000),
      Rows.town("San Marino SM", "San Marino", in: "SM", people: 4500))
    #expect(try ranked("san marino", rows) == ["San Marino US", "San Marino SM"])
    #expect(try ranked("san marino", behind: "SM", rows).first == "San Marino SM")
    let others = towns(
      Rows.town("Hong Kong", in: "HK", people: 7e6),
      Rows.town("Guangzhou", "Hong Kong", in: "US", people: 9e9))
    #expect(try ranked("hong kong", behind: "CN", others).first == "Hong Kong")
  }
}
