import LocationModel
import Testing

@testable import PlaceCore

@Suite("Areas around a place") struct AreasAroundTests {
  private let place = Coordinate(latitude: 10, longitude: 20)

  /// A square around a place, so many degrees to each side.
  private func piece(
    _ area: Int64, _ level: Int64, _ latitude: Double, _ longitude: Double, reach: Double
  ) throws -> PieceRow {
    let (x, y, r) = (Int(longitude * 1e6), Int(latitude * 1e6), Int(reach * 1e6))
    let ring = [(-r, -r), (r, -r), (r, r), (-r, r)].map { GridPoint(x: x + $0.0, y: y + $0.1) }
    return try #require(PieceRow(area: area, level: level, shape: Shape(rings: [ring]).bytes))
  }

  @Test("of the areas that a place lies in, the smallest district and the lake are told")
  func levels() throws {
    let around = AreasAround(
      place,
      in: [
        try piece(1, AreaRow.Level.province, 10, 20, reach: 2),
        try piece(2, AreaRow.Level.town, 10, 20, reach: 0.1),
        try piece(3, AreaRow.Level.city, 10, 20, reach: 0.5),
        try piece(4, AreaRow.Level.lake, 10, 20, reach: 0.01),
        try piece(5, AreaRow.Level.province, 12.5, 20, reach: 2),
      ])
    #expect(around.province == 1 && around.district == 2 && around.lake == 4)
    #expect(around.distance == 0)
  }

  @Test("a place off every border belongs to the nearest within the reach, which is no lake")
  func coast() throws {
    let pieces = [
      try piece(1, AreaRow.Level.province, 11, 20, reach: 0.9),
      try piece(2, AreaRow.Level.province, 11, 21, reach: 0.95),
      try piece(3, AreaRow.Level.lake, 10.1, 20, reach: 0.05),
    ]
    var around = AreasAround(place, in: pieces)
    #expect(around.province == nil && around.distance == nil)
    around.addCoast(of: pieces, within: 20_000)
    #expect(around.province == nil)
    around.addCoast(of: pieces, within: 450_000)
    // Longitudes are shorter than latitudes: the second lies 0.05 degrees of both away.
    #expect(around.province == 2)
    #expect((7000...8500).contains(around.distance ?? 0))
  }

  @Test("the areas whose pieces hold a place are told, however many")
  func holding() throws {
    let pieces = [
      try piece(7, 6, 10, 20, reach: 1), try piece(8, 6, 10.5, 20, reach: 1),
      try piece(9, 6, 12, 20, reach: 1),
    ]
    #expect(AreasAround.areas(holding: place, in: pieces) == [7, 8])
    #expect(PieceRow(zone: 3, shape: [0xFF]) == nil)
  }

  @Test("bytes that are no shape are no piece")
  func broken() {
    #expect(PieceRow(area: 1, level: 1, shape: [0xFF]) == nil)
    #expect(PieceRow(area: 1, level: 1, shape: [3, 2]) == nil)
  }

  @Test("towns are looked for in wider and wider boxes on land, and near by at sea")
  func reaches() {
    var land = Surroundings()
    land.distance = 0
    #expect(land.reaches.count > 2 && land.reaches == land.reaches.sorted())
    #expect(Surroundings().reaches == [0.5])
  }
}

@Suite("What is at a place of the world") struct WorldReverseTests {
  private let place = Coordinate(latitude: 10, longitude: 20)

  private func area(
    _ country: String, province: String = "", _ name: String = "Province", level: Int64 = 1
  ) -> AreaRow {
    var area = AreaRow(id: 1, level: level, place)
    (area.country, area.province, area.name) = (country, province, name)
    return area
  }

  /// So many kilometres north.
  private func town(
    _ name: String, in country: String, _ kilometres: Double, people: Double = 10_000,
    province: String = ""
  ) -> PlaceRow {
    var town = Rows.town(
      name, in: country, people: people, at: (10 + kilometres / 111.195, 20), province: province)
    town.rank = Int64(kilometres * 10)
    town.gid = town.rank
    return town
  }

  private func answer(
    _ around: Surroundings, _ towns: PlaceRow..., language: String? = "en",
    languages: [String: String] = [:], regions: [String: [String: String]] = [:],
    of places: [Int64: [String: String]] = [:]
  ) -> Placemark {
    var names = WorldNames(languages: languages)
    let reverse = WorldReverse(place, around, near: towns, in: language, &names)
    for key in names.wantedRegions { names.regions[key] = regions[key.item]?[key.language] }
    for key in names.wantedPlaces { names.places[key] = places[key.item]?[key.language] }
    return reverse.placemark(names, zones: [0: "Europe/Paris"])
  }

  private func inside(_ area: AreaRow) -> Surroundings {
    var around = Surroundings()
    (around.province, around.distance) = (area, 0)
    return around
  }

  @Test("borders decide: a nearer town across one is not the place's")
  func borders() {
    let mark = answer(
      inside(area("FR", province: "FR.93")), town("Monaco", in: "MC", 1, people: 38_000),
      town("Beausoleil", in: "FR", 3, province: "FR.93"))
    #expect(mark.isoCountryCode == "FR" && mark.locality == "Beausoleil")
  }

  @Test("where no borders are drawn the nearest town's country is told, within 50 km")
  func undrawn() {
    #expect(answer(Surroundings(), town("Atoll", in: "KI", 49)).isoCountryCode == "KI")
    let far = answer(Surroundings(), town("Atoll", in: "KI", 51))
    #expect(far.isoCountryCode == nil && far.ocean != nil)
  }

  @Test("a territory has its own code, though the borders are its country's")
  func territory() {
    let mark = answer(inside(area("CN")), town("Kowloon", in: "HK", 5))
    #expect(mark.isoCountryCode == "HK")
    #expect(answer(inside(area("CN")), town("Vladivostok", in: "RU", 5)).isoCountryCode == "CN")
  }

  @Test("a border that an extract has whole decides, and not what the world draws roughly")
  func wholeBorders() {
    func country(_ drawn: String, holder: String?, _ towns: PlaceRow...) -> String? {
      var around = inside(area(drawn))
      around.borders.add(["MC", "CN"], holder: holder)
      var names = WorldNames(languages: [:])
      let reverse = WorldReverse(place, around, near: towns, in: "en", &names)
      return reverse.placemark(names, zones: [:]).isoCountryCode
    }
    let (monaco, france) = (town("Monaco", in: "MC", 1), town("Beausoleil", in: "FR", 2))
    #expect(country("FR", holder: "MC", monaco, france) == "MC")
    #expect(country("MC", holder: nil, monaco, france) == "FR")
    #expect(country("FR", holder: nil, monaco, france) == "FR")
    // Nothing else is known to be near.
    #expect(country("MC", holder: nil, monaco, town("Nice", in: "FR", 60)) == "MC")
    #expect(country("CN", holder: "CN", town("Kowloon", in: "HK", 5)) == "HK")
  }

  @Test("a city reaches farther than a village; one so near that it is a part of it is told, too")
  func town() {
    let mark = answer(
      inside(area("KR", province: "KR.11")), town("Seoul", in: "KR", 10, people: 10e6),
      town("Village", in: "KR", 3, people: 300), town("Part", in: "KR", 1.9, people: 300))
    #expect(mark.locality == "Seoul" && mark.subLocality == "Part" && mark.name == "Part")
    let alone = answer(
      inside(area("KR")), town("Town", in: "KR", 10), town("Village", in: "KR", 0.1, people: 300))
    #expect(alone.locality == "Village" && alone.subLocality == nil)
  }

  @Test(
    "names are in the reader's language, else in the country's where its letters are the reader's, else as the data has them"
  )
  func languages() {
    func mark(_ language: String?, _ places: [String: String]) -> Placemark {
      answer(
        inside(area("KR", province: "KR.11")), town("Seoul", in: "KR", 1), language: language,
        languages: ["KR": "ko"],
        regions: ["KR": ["": "South Korea", "ko": "대한민국", "de": "Südkorea"]],
        of: [10: places])
    }
    let both = ["ko": "서울", "fr": "Séoul"]
    #expect(mark("fr", both).locality == "Séoul" && mark("fr", both).country == "South Korea")
    #expect(mark("de", both).locality == "Seoul" && mark("de", both).country == "Südkorea")
    #expect(mark("en", both).locality == "Seoul" && mark("en", both).country == "South Korea")
    #expect(mark(nil, both).locality == "서울" && mark("de", [:]).locality == "Seoul")
  }

  @Test("without a town or a province the next higher level is told")
  func levels() {
    let mark = answer(inside(area("MC", "Monte Carlo")), regions: ["MC": ["": "Monaco"]])
    #expect(mark.country == "Monaco" && mark.administrativeArea == "Monte Carlo")
    #expect(mark.locality == "Monte Carlo" && mark.name == "Monte Carlo")
    let afar = answer(Surroundings(), town("Atoll", in: "KI", 9), regions: ["KI": ["": "Kiribati"]])
    #expect(afar.administrativeArea == "Kiribati" && afar.locality == "Atoll")
  }

  @Test("the sea begins 2 km from the coast, unless a harbour is within 5 km")
  func sea() {
    var around = inside(area("FR"))
    around.distance = 1999
    #expect(answer(around).ocean == nil)
    around.distance = 2001
    #expect(answer(around).ocean == "Indian Ocean" && answer(around).isoCountryCode == "FR")
    #expect(answer(around, town("Port", in: "FR", 4.9)).ocean == nil)
    around.distance = 50_001
    #expect(answer(around).isoCountryCode == nil)
  }

  @Test("on a lake the towns of its shore are not told, unless one is within 2 km")
  func lake() {
    var around = inside(area("US", province: "US.MI"))
    around.lake = area("", level: AreaRow.Level.lake)
    around.lake?.code = "lake.Huron"
    let names = ["lake.Huron": ["en": "Lake Huron"], "US": ["": "United States"]]
    let out = answer(around, town("Port Huron", in: "US", 3), regions: names)
    #expect(out.inlandWater == "Lake Huron" && out.name == "Lake Huron")
    #expect(out.locality == "Province" && out.country == "United States")
    let harbour = answer(around, town("Port Huron", in: "US", 1), regions: names)
    #expect(harbour.inlandWater == nil && harbour.locality == "Port Huron")
  }

  @Test("in Korean a place of Korea is told by its districts")
  func districts() {
    var around = inside(area("KR", province: "KR.11"))
    var district = area("KR", province: "KR.11", level: AreaRow.Level.town)
    (district.name, district.upper) = ("명동1가", ["서울특별시", "중구"])
    around.district = district
    let mark = answer(around, town("Seoul", in: "KR", 1), language: "ko")
    #expect(mark.administrativeArea == "서울특별시" && mark.locality == "중구")
    #expect(mark.subLocality == "명동1가" && mark.name == "명동1가")
    #expect(answer(around, town("Seoul", in: "KR", 1)).locality == "Seoul")
  }
}

@Suite("Names of the sea") struct SeaTests {
  @Test(
    "a small sea is told before the large one that it lies in",
    arguments: [
      (40.5, 28.0, "Sea of Marmara"), (44, 34, "Black Sea"), (46, 36, "Sea of Azov"),
      (38, 25, "Aegean Sea"), (44.5, 13, "Adriatic Sea"), (35, 18, "Mediterranean Sea"),
      (39.5, 135, "Sea of Japan"), (57, 179.9, "Bering Sea"), (57, -179.9, "Bering Sea"),
      (20, -94, "Gulf of Mexico"), (14, -70, "Caribbean Sea"), (54.5, 10.5, "Baltic Sea"),
    ])
  func seas(latitude: Double, longitude: Double, name: String) {
    let sea = Sea.name(at: Coordinate(latitude: latitude, longitude: longitude), in: "en")
    #expect(sea?.name == name && sea?.isInland == false)
  }

  @Test("a name is in the reader's language, else in English")
  func languages() {
    let japan = Coordinate(latitude: 39.5, longitude: 135)
    #expect(Sea.name(at: japan, in: "ko")?.name == "동해")
    #expect(Sea.name(at: japan, in: "ja")?.name == "日本海")
    #expect(Sea.name(at: japan, in: "ru")?.name == "Японское море")
    #expect(Sea.name(at: japan, in: "fi")?.name == "Sea of Japan")
    #expect(Ocean.indian.name(in: "de") == "Indischer Ozean")
    #expect(Ocean.indian.name(in: nil) == "Indian Ocean")
  }

  @Test("the Caspian Sea is inland water, and the open ocean has no sea")
  func kinds() {
    #expect(Sea.name(at: Coordinate(latitude: 42, longitude: 51), in: nil)?.isInland == true)
    #expect(Sea.name(at: Coordinate(latitude: 0, longitude: -140), in: "en") == nil)
  }

  @Test(
    "oceans meet at the capes",
    arguments: [
      (0.0, -30.0, Ocean.atlantic), (-40, 25, .indian), (0, -140, .pacific), (40, -130, .pacific),
      (80, 0, .arctic), (-65, 0, .southern), (0, 80, .indian), (0, 130, .pacific),
    ])
  func oceans(latitude: Double, longitude: Double, ocean: Ocean) {
    #expect(Ocean(at: Coordinate(latitude: latitude, longitude: longitude)) == ocean)
  }
}
