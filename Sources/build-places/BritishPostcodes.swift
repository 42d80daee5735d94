internal import Geodesy
internal import LocationModel
internal import PlaceCore
internal import PlaceStore
internal import Platform

/// Great Britain's postcodes, of the Ordnance Survey's Code-Point Open.
struct BritishPostcodes {
  static let licence = "Open Government Licence 3.0"
  static let attribution =
    "Great Britain's: contains OS data, Royal Mail data and National Statistics data"
    + " © Crown copyright and database right 2024"

  private var sectors: [String: [(letters: String, place: Coordinate)]] = [:]

  /// The quality of a code whose place is not known.
  private static let unknown = "90"
  private static let longestFile = 1 << 26

  init(_ folder: String) throws {
    for name in try File.names(in: folder).sorted() where name.hasSuffix(".csv") {
      var reader = CSVReader(longest: 1000)
      let rows = reader.read(try File.bytes(of: "\(folder)/\(name)", atMost: Self.longestFile))
      for row in rows + [reader.end()].compactMap(\.self) {
        guard case .fields(let fields) = row, fields.count >= 4, fields[1] != Self.unknown,
          let east = Double(fields[2]), let north = Double(fields[3]),
          let parts = PostcodeSector.parts(of: fields[0].lowercased().filter { $0 != " " })
        else { continue }
        sectors[parts.sector, default: []].append(
          (parts.letters, Coordinate(britishEasting: east, northing: north)))
      }
    }
    guard !sectors.isEmpty else { throw BuildError("Britain has no postcodes in \(folder)") }
  }

  /// The result is how many codes they are.
  func write(to database: Database) throws -> Int64 {
    var count: Int64 = 0
    for (name, units) in sectors.sorted(by: { $0.key < $1.key }) {
      let sum = units.reduce((y: 0.0, x: 0.0)) {
        ($0.y + $1.place.latitude, $0.x + $1.place.longitude)
      }
      let middle = GridPoint(
        x: Int((sum.x / Double(units.count) * 1e6).rounded()),
        y: Int((sum.y / Double(units.count) * 1e6).rounded()))
      let bytes = PostcodeSector.bytes(
        of: units,
        around: Coordinate(latitude: Double(middle.y) / 1e6, longitude: Double(middle.x) / 1e6))
      count += Int64(units.count)
      try database.insert(
        "sector", .text(name), .integer(Int64(middle.y)), .integer(Int64(middle.x)), .blob(bytes))
    }
    return count
  }
}
