import LocationModel
import Testing

@testable import PlaceCore

@Suite("Postcodes") struct PostcodeTests {
  private func row(_ start: String, _ country: String, _ size: Int64) -> PostcodeRow {
    PostcodeRow(start, country: country, size: size, Coordinate(latitude: 1, longitude: 2))
  }

  private func countries(_ code: String, _ rows: PostcodeRow...) -> [String] {
    PostcodeMatch.all(of: code, in: rows).map { "\($0.row.country) \($0.row.start)" }
  }

  @Test("a code is looked for by its beginnings, the longest first")
  func starts() {
    #expect(PostcodeMatch.starts(of: "75001") == ["75001", "7500", "750", "75"])
    #expect(PostcodeMatch.starts(of: "7").isEmpty)
  }

  @Test("each country that has such a code answers once, by the longest beginning")
  func longest() {
    let found = countries(
      "75001", row("75001", "US", 5), row("7500", "FR", 5), row("750", "US", 5))
    #expect(found == ["FR 7500", "US 75001"])
  }

  @Test("a code that is too long or too short for a country is none of its")
  func lengths() {
    #expect(countries("7500", row("7500", "FR", 5), row("75", "FR", 5)).isEmpty)
    #expect(countries("7500", row("75", "AT", 4)) == ["AT 75"])
  }

  @Test("a British area goes on with a digit, and not with a letter of another area")
  func open() {
    #expect(countries("sw1a1aa", row("sw1a", "GB", 0)) == ["GB sw1a"])
    #expect(countries("sw1", row("sw", "GB", 0)) == ["GB sw"])
    #expect(countries("swx", row("sw", "GB", 0)).isEmpty)
    #expect(countries("sw1a1aaa", row("sw1a", "GB", 0)).isEmpty)
  }

  @Test(
    "a house's number and its street are no code: digits go on with digits, or as the country's codes do"
  )
  func form() {
    #expect(countries("123main", row("123", "JP", 7), row("1", "PT", 7)).isEmpty)
    #expect(countries("1230001", row("123", "JP", 7)) == ["JP 123"])
    #expect(countries("st2510", row("st", "GB", 0)).isEmpty)
    #expect(countries("st25aa", row("st", "GB", 0)) == ["GB st"])
    #expect(countries("1011ab", row("1011", "NL", 0)) == ["NL 1011"])
    #expect(countries("1011", row("1011", "NL", 0)) == ["NL 1011"])
    #expect(countries("10112", row("1011", "NL", 0)).isEmpty)
    #expect(countries("k1a0b1", row("k1a", "CA", 0)) == ["CA k1a"])
    #expect(countries("k1amain", row("k1a", "CA", 0)).isEmpty)
  }

  @Test("the person's country comes first, then the one with more people")
  func ranked() {
    let rows = [row("10115", "DE", 5), row("10115", "EE", 5), row("10115", "US", 5)]
    let found = PostcodeMatch.all(of: "10115", in: rows).map { match in
      var mark = Placemark(match.row.coordinate)
      mark.isoCountryCode = match.row.country
      return (match: match, mark: mark)
    }
    func order(_ here: String?) -> [String?] {
      PostcodeMatch.ranked(found, here: here, people: ["DE": 83e6, "US": 330e6])
        .map(\.isoCountryCode)
    }
    #expect(order(nil) == ["US", "DE", "EE"])
    #expect(order("EE") == ["EE", "US", "DE"])
  }

  @Test("words beside the code are the town or its country, or it is not meant")
  func beside() {
    var mark = Placemark(Coordinate(latitude: 52.5, longitude: 13.4))
    mark.locality = "Berlin"
    mark.country = "Deutschland"
    var around = mark
    around.country = "Germany"
    func isMeant(_ words: String...) -> Bool {
      PostcodeMatch.isMeant(mark, by: words, around: [around], ["allemagne"])
    }
    #expect(isMeant("berlin") && isMeant("ber", "germany") && isMeant("allemagne") && isMeant())
    #expect(!isMeant("texas") && !isMeant("berlin", "texas"))
  }

  @Test("a code is a place of its own, with the town's names and the code as its post writes it")
  func placemark() throws {
    let match = try #require(PostcodeMatch.all(of: "1000001", in: [row("1000001", "JP", 7)]).first)
    var town = Placemark(Coordinate(latitude: 35, longitude: 139))
    (town.locality, town.country, town.id, town.radius) = ("Tokyo", "Japan", "world:1", 38_000)
    let mark = match.placemark(at: town)
    #expect(mark.name == "100-0001" && mark.postalCode == "100-0001" && mark.locality == "Tokyo")
    #expect(mark.id == "postcodes:JP:1000001" && mark.category == "postcode")
    #expect((mark.radius ?? 0) > 0)
    #expect(mark.coordinate == Coordinate(latitude: 1, longitude: 2))
    #expect(mark.formattedAddress?.contains("100-0001") == true)
  }

  @Test(
    "a text is a code and other words",
    arguments: [
      ("75001 Paris", "75001", ["paris"]), ("SW1A 1AA", "sw1a1aa", []),
      ("London SW1A 1AA", "sw1a1aa", ["london"]), ("100-0001", "1000001", []),
    ])
  func candidates(text: String, code: String, rest: [String]) {
    #expect(PostcodeText.candidates(in: text).contains(PostcodeText(code: code, rest: rest)))
    #expect(PostcodeText.candidates(in: "Paris").isEmpty)
    #expect(PostcodeText.candidates(in: "a 1 b 2 c 3 d 4").isEmpty)
  }

  private let westminster: [(letters: String, place: Coordinate)] = [
    ("aa", Coordinate(latitude: 51.50101, longitude: -0.14159)),
    ("zz", Coordinate(latitude: 51.5, longitude: -0.13)),
    ("ab", Coordinate(latitude: 51.499, longitude: -0.14)),
  ]
  private let middle = Coordinate(latitude: 51.5, longitude: -0.137)

  private func sector(_ name: String, _ units: Int...) -> PostcodeSector {
    PostcodeSector(
      name, middle,
      PostcodeSector.bytes(of: units.map { westminster[$0] }, around: middle))
  }

  @Test("a whole code of Britain's lies where its own data has it, to two metres")
  func unit() throws {
    let row = try #require(PostcodeSector.row(of: "sw1a1aa", in: [sector("sw1a1", 0, 1, 2)]))
    #expect(abs(row.coordinate.latitude - 51.50101) < 0.00002)
    #expect(abs(row.coordinate.longitude + 0.14159) < 0.00002)
    #expect(row.country == "GB" && row.size == 7 && row.metres == 100)
    let mark = try #require(PostcodeMatch.all(of: "sw1a1aa", in: [row]).first)
      .placemark(at: Placemark(row.coordinate))
    #expect(mark.radius == 100 && mark.postalCode == "SW1A 1AA")
  }

  @Test(
    "a code that is not known has its sector's middle, a district its sectors', and how far they reach"
  )
  func sectors() throws {
    let all = try #require(PostcodeSector.row(of: "sw1a1bb", in: [sector("sw1a1", 0, 1, 2)]))
    #expect(
      abs(all.coordinate.latitude - 51.50000) < 0.0001 && (400...1000).contains(all.metres ?? 0))
    let district = try #require(
      PostcodeSector.row(of: "m11", in: [sector("m111", 0), sector("m112", 0), sector("m11", 1)]))
    #expect(abs(district.coordinate.longitude + 0.14159) < 0.0001)
    #expect(PostcodeSector.row(of: "sw1a1aa", in: []) == nil)
    #expect(
      PostcodeSector.row(of: "sw1a1aa", in: [PostcodeSector("sw1a1", middle, [1, 2, 3])]) == nil)
  }

  @Test("a code asks for its sector, or for those of its district")
  func sectorNames() {
    #expect(PostcodeSector.names(for: "sw1a1aa") == ["sw1a1"])
    #expect(PostcodeSector.names(for: "m11ae") == ["m11"])
    #expect(
      PostcodeSector.names(for: "sw1a").count == 11
        && PostcodeSector.names(for: "sw1a1") == ["sw1a1"])
    for code in ["75001", "1000001", "k1a0b", ""] {
      #expect(PostcodeSector.parts(of: code) == nil, "\(code)")
    }
  }

  @Test("units that are too far from their sector's middle are left out")
  func farUnits() {
    let far = Coordinate(latitude: 53, longitude: -0.137)
    #expect(PostcodeSector.bytes(of: [("aa", far), ("a1", middle)], around: middle).isEmpty)
  }
}
