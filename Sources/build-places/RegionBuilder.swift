internal import LocationModel
internal import PlaceCore
internal import PlaceStore
internal import Platform

/// The people of a country or a province, as its places count them.
struct People {
  /// As the country says; nil for a province.
  var all: Int64?
  private var counted: Int64 = 0
  private(set) var largest: (gid: Int64, population: Int64, names: Set<String>)?
  private(set) var first: GridPoint?

  init(all: Int64? = nil) { self.all = all }

  var population: Int64 { max(all ?? 0, counted) }

  /// Places come the largest first.
  mutating func add(_ gid: Int64, _ population: Int64, at point: GridPoint, names: Set<String>) {
    counted += population
    guard largest == nil else { return }
    largest = (gid, population, names)
    first = point
  }
}

/// Countries and provinces as places that one can ask for.
struct RegionBuilder {
  private let database: Database

  /// Metres from a city's middle to its end.
  private static let mostOfCity = 40_000.0

  init(_ database: Database) { self.database = database }

  func add(_ places: PlaceBuilder, _ areas: AreaBuilder) throws {
    let outlines = areas.regions
    let sorted = places.people
      .sorted { (Self.weight($0), $1.key) > (Self.weight($1), $0.key) }
    var id: Int64 = 0
    for (code, people) in sorted {
      var names = places.names(ofRegion: code)
      // Korea's provinces are districts, by their Korean names.
      if code.hasPrefix("KR.") {
        names.removeAll { $0.unicodeScalars.contains(where: Self.isJamo) }
      }
      let country = String(code.prefix(2))
      guard let first = names.first, let middle = outlines[code]?.middle ?? people.first,
        code == country || first != places.names(ofRegion: country).first
      else { continue }
      id += 1
      // A city that is all of it stands for it: Monaco, Berlin. Its parts may be counted once more.
      let radius = outlines[code]?.radius ?? 10_000
      let city = people.largest.flatMap { largest in
        radius < Self.mostOfCity && largest.names.contains(first)
          && largest.population * 4 > people.population ? largest.gid : nil
      }
      try database.insert(
        "region", .integer(id), .text(code), .text(names.joined(separator: "\n")),
        .integer(people.population), .integer(city ?? 0), .integer(Int64(middle.y)),
        .integer(Int64(middle.x)), .integer(Int64(radius)))
      try database.insert(
        "names(rowid, name, context)", .integer(WorldSchema.firstRegion + id),
        .text(names.joined(separator: " ")),
        .text(places.context(country, "") + " cc" + country.lowercased()))
    }
  }

  /// Countries before provinces.
  private static func weight(_ region: (key: String, value: People)) -> Int64 {
    region.value.population * (region.key.utf8.count == 2 ? 1000 : 1)
  }

  private static func isJamo(_ scalar: Unicode.Scalar) -> Bool {
    (0x3131...0x3163).contains(scalar.value)
  }
}
