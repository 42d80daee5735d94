internal import PlaceCore
internal import PlaceStore

/// The districts that OpenStreetMap's tags describe.
extension Tags {
  /// An area's kind: its `place` says more than the level of its border. Nil where it is neither a district nor has a border.
  var districtArea: DistrictKind? {
    let place = districtPoint
    guard self["boundary"] == "administrative", let text = self["admin_level"],
      let level = Int(text).flatMap(DistrictKind.init(level:))
    else { return place == .town ? nil : place }
    return place ?? level
  }

  /// The kind of a point, and of an area by its `place` alone.
  var districtPoint: DistrictKind? { self["place"].flatMap(DistrictKind.init(place:)) }

  /// The country whose border it is.
  var country: CountryCode? {
    guard self["boundary"] == "administrative", self["admin_level"] == "2" else { return nil }
    return (self["ISO3166-1:alpha2"] ?? self["ISO3166-1"]).flatMap(CountryCode.init)
  }

  /// Its names in languages: `ko=몬테카를로` a line.
  var nameLines: String? {
    let lines = names.map { "\($0.language)=\($0.name)" }.prefix(ExtractTables.mostNames)
    return lines.isEmpty ? nil : lines.joined(separator: "\n")
  }
}

/// Two letters: `MC`.
struct CountryCode: BitwiseCopyable {
  private let first: UInt8
  private let second: UInt8

  init?(_ text: String) {
    let letters = Array(text.utf8)
    guard letters.count == 2, letters.allSatisfy({ (0x41...0x5A).contains($0) }) else { return nil }
    (first, second) = (letters[0], letters[1])
  }

  var text: String { String(decoding: [first, second], as: UTF8.self) }
}
