import Foundation
import LocationModel
import PlaceCore
import TestSupport
import Testing

@testable import PlaceImport
@testable import PlaceStore

@Suite("Named things of an extract") struct NamedThingsTests {
  private func extract(_ more: (inout MadeFile) -> Void) throws -> Extract {
    try MadeFile.imported { file in
      for i in 1...4 {
        let (north, east) = (i == 1 || i == 2 ? 0 : 10_000, i == 1 || i == 4 ? 0 : 10_000)
        file.node(Int64(i), 480_000_000 + Int32(north), 80_000_000 + Int32(east), "note=x")
      }
      more(&file)
    }
  }

  private func found(
    _ text: String, _ extract: Extract, in language: String? = nil
  ) throws -> [Placemark] {
    try extract.hits(for: StreetSearch(text, locale: language, near: nil, limit: 5))
      .map(\.placemark)
  }

  @Test(
    "a thing with a name is found, of whatever kind, with OpenStreetMap's type and number",
    arguments: [
      ("amenity=place_of_worship", "amenity=place_of_worship", "amenity=place_of_worship"),
      ("amenity=school", "school", "amenity=school"),
      ("office=lawyer", "office=lawyer", "office=lawyer"),
      ("club=sport", "club=sport", "club=sport"), ("craft=carpenter", "craft=carpenter", nil),
      ("healthcare=doctor", "healthcare=doctor", nil),
      ("man_made=lighthouse", "man_made=lighthouse", nil),
      ("historic=castle", "landmark", "historic=castle"),
      ("highway=motorway_junction", "highway=motorway_junction", nil),
      ("place=hamlet", "village", "place=hamlet"), ("natural=peak", "peak", "natural=peak"),
      ("emergency=no", nil, nil), ("office=a b\"c", "office=yes", "office=yes"),
      ("wikidata=Q1", nil, nil),
    ] as [(String, String?, String?)])
  func kinds(tag: String, category: String?, own: String?) throws {
    let extract = try extract { file in
      file.node(7, 480_000_000, 80_000_000, tag, "name=Zum Beispiel")
    }
    let mark = try #require(try found("zum beispiel", extract).first)
    #expect(mark.category == category && (own == nil || mark.osmTag == own), "\(mark)")
    #expect(mark.osmType == "node" && mark.osmNumber == 7)
    let number = try #require(OSMNumber(.node, 7))
    #expect(try extract.place(number, locale: nil)?.name == "Zum Beispiel")
  }

  @Test("a house with a name and an address is found by both, and areas by relations")
  func areas() throws {
    let extract = try extract { file in
      file.way(
        10, [1, 2, 3, 4, 1], "building=yes", "name=Haus Alpha", "addr:street=Weg",
        "addr:housenumber=3")
      file.way(11, [1, 2, 3, 4, 1], "note=outline")
      file.relation(20, [("outer", 1, 11)], "type=boundary", "boundary=protected_area", "name=Moor")
      file.relation(
        21, [("outer", 1, 11)], "type=boundary", "boundary=administrative", "name=Kreis")
      file.way(12, [1, 2], "highway=residential", "name=Weg")
    }
    let house = try #require(try found("haus alpha", extract).first)
    #expect(house.osmType == "way" && house.osmTag == "building=yes")
    #expect(house.subThoroughfare == "3" && house.thoroughfare == "Weg")
    let address = try #require(try found("weg 3", extract).first)
    #expect(address.osmNumber == 10 && address.osmTag == "building=yes")
    let moor = try #require(try found("moor", extract).first)
    #expect(moor.osmType == "relation" && moor.category == "boundary=protected_area")
    #expect(try found("kreis", extract).isEmpty)
    let street = try #require(try found("weg", extract).first)
    #expect(street.osmTag == "highway=residential" && street.category == nil)
    // A thing in a house comes before the house.
    let number = try #require(OSMNumber(letter: "W", 10))
    #expect(try extract.place(number, locale: nil)?.name == "Haus Alpha")
    let other = try #require(OSMNumber(.node, 10))
    #expect(try extract.place(other, locale: nil) == nil)
  }

  @Test("other tags are kept, but for mappers' notes, names and addresses; 32 at most")
  func further() throws {
    let long = String(repeating: "x", count: 300)
    let wide = String(repeating: "가", count: 200)
    let extract = try extract { file in
      file.node(
        7, 480_000_000, 80_000_000, "amenity=cafe", "name=Eck", "name:fr=Coin", "alt_name=Ecke",
        "opening_hours=Mo-Fr 08:00-18:00; PH off", "website=https://example.org/?a=b",
        "wheelchair=yes", "note=x", "source:date=2020", "FIXME=y", "addr:street=Weg",
        "addr:housenumber=3", "description=two\nlines", "inscription=" + long)
      file.node(8, 480_000_000, 80_000_000, "shop=books", "name=Nichts")
      let many = (0..<40).map { "k\($0)=v" } + [String(repeating: "k", count: 61) + "=v"]
      file.node(
        9, 480_000_000, 80_000_000, all: ["shop=art", "name=Viel", "brand:ko=" + wide] + many)
      file.node(
        10, 480_000_000, 80_000_000, "building=yes", "building:levels=3", "addr:street=Weg",
        "addr:housenumber=4")
    }
    #expect(
      try found("eck", extract).first?.osmFurther == [
        "opening_hours": "Mo-Fr 08:00-18:00; PH off", "website": "https://example.org/?a=b",
        "wheelchair": "yes", "description": "two lines",
      ])
    #expect(try found("nichts", extract).first?.osmFurther == [:])
    let many = try #require(try found("viel", extract).first).osmFurther
    #expect(many.count == 32 && many["brand:ko"] == wide)
    #expect(many.keys.allSatisfy { $0.utf8.count <= 60 })
    // The street in place of a house has none of the café's; its address is the café. A building has none.
    #expect(try found("weg 99", extract).allSatisfy { $0.osmFurther.isEmpty })
    let address = try #require(try found("weg 3", extract).first)
    #expect(address.osmTag == "amenity=cafe" && address.osmFurther["wheelchair"] == "yes")
    #expect(try found("weg 4", extract).first?.osmFurther == [:])
  }

  @Test(
    "a thing that has names in languages alone is found by each, and a thing without a kind has none"
  )
  func languagesAlone() throws {
    let extract = try extract { file in
      file.node(
        7, 480_000_000, 80_000_000, "tourism=information", "name:fr=Chemin de Nietzsche",
        "name:en=Footpath of Nietzsche")
      file.node(8, 480_000_000, 80_000_000, "name:fr=Rien", "wikidata=Q1")
      file.node(9, 480_000_000, 80_000_000, "amenity=bench", "name:signed=nameless")
    }
    for text in ["chemin de nietzsche", "footpath of nietzsche"] {
      #expect(try found(text, extract).first?.osmNumber == 7, "\(text)")
    }
    let number = try #require(OSMNumber(.node, 7))
    #expect(try extract.place(number, locale: "fr")?.name == "Chemin de Nietzsche")
    #expect(try found("rien", extract).isEmpty)
    #expect(try found("nameless", extract).isEmpty)
  }

  @Test("a thing with names in more languages than a file keeps has those that the programs speak")
  func manyLanguages() throws {
    let others = (10...50).map { "name:a\($0)=x" }
    let extract = try extract { file in
      file.node(
        7, 480_000_000, 80_000_000, all: ["place=city", "name=Monaco", "name:ko=모나코"] + others)
    }
    let number = try #require(OSMNumber(.node, 7))
    #expect(try extract.place(number, locale: "ko")?.name == "모나코")
  }

  @Test("a house's street is told in the reader's language, where the street has a name in it")
  func streetOfHouse() throws {
    let extract = try extract { file in
      file.way(
        12, [1, 2], "highway=residential", "name=Downing Street", "name:ko=다우닝가",
        "name:ja=ダウニング街")
      file.node(
        7, 480_000_500, 80_000_500, "addr:street=Downing Street", "addr:housenumber=10")
      file.node(
        8, 480_000_900, 80_009_000, "amenity=cafe", "name=Cabinet", "addr:street=Downing Street",
        "addr:housenumber=12")
    }
    for (language, street) in [("ko", "다우닝가"), ("ja", "ダウニング街"), ("de", "Downing Street")] {
      let house = try #require(try found("10 Downing Street", extract).first)
      let told = try extract.named(house, in: language)
      #expect(told.thoroughfare == street && told.name == "10 \(street)", "\(told)")
      let cafe = try extract.named(try #require(try found("cabinet", extract).first), in: language)
      #expect(cafe.thoroughfare == street && cafe.name == "Cabinet")
      // Houses stand for their street where the number is not known: it is told once.
      let whole = try found("99 Downing Street", extract, in: language)
      #expect(whole.map(\.name) == [street] && whole.first?.subThoroughfare == nil, "\(whole)")
      let place = Coordinate(latitude: 48.00005, longitude: 8.00005)
      let here = try #require(try extract.reverse(place, locale: language))
      #expect(here.thoroughfare == street && here.name == "10 \(street)", "\(here)")
    }
  }

  @Test("a type and a number are one number of the column, and others are none")
  func numbers() {
    for type in OSMNumber.Kind.allCases {
      let number = OSMNumber(type, 123_456_789_012)
      #expect(number?.column.quotientAndRemainder(dividingBy: 4).quotient == 123_456_789_012)
      #expect(number.flatMap { OSMNumber(column: $0.column) } == number)
    }
    #expect(OSMNumber(.node, -1) == nil && OSMNumber(.way, .max) == nil)
    #expect(OSMNumber(column: 4) == nil && OSMNumber(column: -3) == nil)
    #expect(OSMNumber(letter: "x", 1) == nil && OSMNumber(letter: "r", 1)?.type == .relation)
  }
}
