internal import LocationModel
internal import PlaceCore
internal import Platform

/// Countries and provinces as answers.
extension World {
  struct Region {
    /// GeoNames': `FR`, `US.TX`.
    var code: String
    var folded: String
    var population: Double
    /// The place that is all of it: Monaco, Berlin. 0 for most.
    var city: Int64
    var coordinate: Coordinate
    var radius: Double

    init?(_ row: [DatabaseValue]) {
      guard row.count == 7, let code = row[0].text, let y = row[4].integer, let x = row[5].integer
      else { return nil }
      self.code = code
      folded = row[1].text ?? ""
      population = Double(row[2].integer ?? 0)
      city = row[3].integer ?? 0
      coordinate = Coordinate(latitude: Double(y) / 1e6, longitude: Double(x) / 1e6)
      radius = Double(row[6].integer ?? 0)
    }

    var country: String { String(code.prefix(2)) }
    var isCountry: Bool { code.utf8.count == 2 }

    /// How many people a place of its name would have to have. A country that is named in full comes before all
    /// places; else cities come first.
    func score(of typed: String, _ words: [String]) -> Double? {
      guard
        let weight = NameMatch.weight(of: typed, words: words, names: folded, areAllOwn: true)
      else { return nil }
      let isWhole = weight >= NameMatch.whole
      if isCountry, isWhole { return weight * max(population, Self.leastOfCountry) }
      return weight * population * factor(isWhole)
    }

    /// With one letter wrong.
    func scoreMisspelt(_ typed: String) -> Double? {
      guard let misspelling = NameMatch.misspelling(of: typed, in: folded) else { return nil }
      let isWhole = misspelling == .whole
      if isCountry, isWhole { return NameMatch.misspelt * max(population, Self.leastOfCountry) }
      return NameMatch.misspelt * population * factor(isWhole)
    }

    private func factor(_ isWhole: Bool) -> Double {
      isCountry ? Self.country : isWhole ? Self.province : Self.begunProvince
    }

    private static let leastOfCountry = 5e6
    // By the completion of the 1,000 largest cities, which bench-places counts.
    private static let country = 0.015
    private static let begunProvince = 0.01
    /// New York is the city.
    private static let province = 0.03
  }

  private static let columns = "code, folded, population, city, y, x, radius"

  func regions(_ ids: some Sequence<Int64>) throws(DatabaseError) -> [Region] {
    let list = "[" + ids.sorted().map { "\($0)" }.joined(separator: ",") + "]"
    return try database.rows(
      """
      SELECT \(Self.columns) FROM json_each(?)
      JOIN region ON region.id = value - \(WorldSchema.firstRegion)
      """, [.text(list)]
    ).compactMap(Region.init)
  }

  func region(code: String) throws(DatabaseError) -> Region? {
    try database.rows("SELECT \(Self.columns) FROM region WHERE code = ?", [.text(code)]).first
      .flatMap(Region.init)
  }

  /// A country has no province and no town: its own name stands for them.
  func placemark(of region: Region, in language: String?) throws(DatabaseError) -> Placemark {
    var mark = Placemark(region.coordinate)
    let language = language ?? languages[region.country]
    mark.isoCountryCode = region.country
    mark.country = try name(ofRegion: region.country, in: language)
    mark.administrativeArea = try name(ofRegion: region.code, in: language)
    mark.locality = mark.administrativeArea
    mark.name = mark.administrativeArea
    mark.radius = region.radius
    mark.formattedAddress = AddressFormat.line(mark)
    mark.id = "world:\(region.code)"
    mark.category = region.isCountry ? "country" : "province"
    mark.source = "world"
    return mark
  }
}
