internal import Geodesy
package import LocationModel

/// Britain's whole postcodes of a sector: `sw1a1` has those from `sw1a1aa`. The bytes say of each its last two letters as
/// a number, and how far it lies from the sector's middle: two bytes a number, the lowest first.
package struct PostcodeSector: Equatable, Sendable {
  package let name: String
  private let middle: Coordinate
  private let bytes: [UInt8]

  /// In a degree: each is two metres.
  private static let parts = 50_000.0
  private static let size = 6

  package init(_ name: String, _ middle: Coordinate, _ bytes: [UInt8]) {
    (self.name, self.middle, self.bytes) = (name, middle, bytes)
  }

  /// `units`: the last two letters of each, and its place. Those that are far off are left out.
  package static func bytes(
    of units: [(letters: String, place: Coordinate)], around middle: Coordinate
  ) -> [UInt8] {
    units.compactMap { unit -> [UInt16]? in
      guard let number = number(of: unit.letters),
        let y = Int16(exactly: ((unit.place.latitude - middle.latitude) * parts).rounded()),
        let x = Int16(exactly: ((unit.place.longitude - middle.longitude) * parts).rounded())
      else { return nil }
      return [number, UInt16(bitPattern: y), UInt16(bitPattern: x)]
    }.sorted { $0[0] < $1[0] }.joined()
      .flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
  }

  private var units: some Sequence<(number: UInt16, place: Coordinate)> {
    stride(from: 0, through: bytes.count - Self.size, by: Self.size).lazy.map { at in
      (
        number(at),
        Coordinate(
          latitude: middle.latitude + Double(Int16(bitPattern: number(at + 2))) / Self.parts,
          longitude: middle.longitude + Double(Int16(bitPattern: number(at + 4))) / Self.parts)
      )
    }
  }

  private func number(_ at: Int) -> UInt16 { UInt16(bytes[at]) | UInt16(bytes[at + 1]) << 8 }

  private static func number(of letters: String) -> UInt16? {
    let values = letters.utf8.map { Int($0) - Int(UInt8(ascii: "a")) }
    guard values.count == 2, values.allSatisfy((0..<26).contains) else { return nil }
    return UInt16(values[0] * 26 + values[1])
  }

  /// `sw1a1` and `aa` of `sw1a1aa`; nil for a code that is none of Britain's.
  package static func parts(of code: String) -> (sector: String, letters: String)? {
    let letters = Array(code.utf8)
    guard (5...7).contains(letters.count), PostcodeText.isDigit(letters[letters.count - 3]),
      number(of: String(code.suffix(2))) != nil, !PostcodeText.isDigit(letters[0])
    else { return nil }
    return (String(code.dropLast(2)), String(code.suffix(2)))
  }

  /// Sectors that may know something of a code: its own, else those of a district such as `sw1a`.
  package static func names(for code: String) -> [String] {
    if let parts = parts(of: code) { return [parts.sector] }
    let isOutward = (2...4).contains(code.utf8.count)
    return (isOutward ? (0...9).map { code + String($0) } : []) + [code]
  }

  // Metres.
  private static let ofUnit = 100.0
  private static let beside = 300.0

  /// The place of a code, by the sectors of its names: its own, else the middle of its sector or its district, and as far
  /// as they reach.
  package static func row(of code: String, in sectors: [PostcodeSector]) -> PostcodeRow? {
    if let parts = parts(of: code), let sector = sectors.first,
      let number = number(of: parts.letters),
      let unit = sector.units.first(where: { $0.number == number })
    {
      return PostcodeRow(code, unit.place, ofUnit)
    }
    // `M11` is a district, and the sector `M1 1` as well: the district is meant.
    let district = sectors.filter { $0.name != code }
    let places = (district.isEmpty ? sectors : district).flatMap { $0.units.map(\.place) }
    guard !places.isEmpty else { return nil }
    let count = Double(places.count)
    let middle = Coordinate(
      latitude: places.reduce(0) { $0 + $1.latitude } / count,
      longitude: places.reduce(0) { $0 + $1.longitude } / count)
    let reach = places.map { LocalPlane.distance($0, middle) }.max() ?? 0
    return PostcodeRow(code, middle, reach + beside)
  }
}

extension PostcodeRow {
  /// A row of Britain's, that knows its size.
  fileprivate init(_ code: String, _ place: Coordinate, _ metres: Double) {
    self.init(code, country: "GB", size: Int64(code.utf8.count), place)
    self.metres = metres
  }
}
