internal import Geodesy
package import LocationModel

/// What a row of an extract is.
package enum ThingKind: Int64, Sendable {
  case address = 0
  case street = 1
  case named = 2
}

/// A row of an extract: a house, a street or a place with a name.
package struct ThingRow: Equatable, Sendable {
  package var number: Int64
  package var kind: ThingKind
  package var coordinate: Coordinate
  package var name: String?
  /// In other languages: `ko=카페` a line, `=` before one of no language.
  package var names: String?
  package var category: String?
  package var street: String?
  package var houseNumber: String?
  package var postcode: String?
  package var city: String?
  /// A line: latitude and longitude in degrees times ten million, four bytes each, the lowest first.
  package var shape: [UInt8]?
  package var osm: OSMNumber?
  /// OpenStreetMap's tag of the kind, where the category is a word of ours.
  package var tag: String?
  /// Its other tags: `opening_hours=24/7` a line.
  package var further: String?

  package init(_ number: Int64, _ kind: ThingKind, _ coordinate: Coordinate) {
    (self.number, self.kind, self.coordinate) = (number, kind, coordinate)
  }

  /// In a language, else the place's own.
  package func name(_ locale: String?) -> String? {
    name.map { Self.name($0, names, in: locale) }
  }

  /// `lines`: names in languages, as a row has them.
  package static func name(_ own: String, _ lines: String?, in locale: String?) -> String {
    guard let code = locale.flatMap(Language.init)?.code, let lines else { return own }
    return lines.split(separator: "\n").first { $0.hasPrefix("\(code)=") }
      .map { String($0.dropFirst(code.count + 1)) } ?? own
  }

  /// Its own name and those of languages, by OpenStreetMap's tags.
  private var nameTags: [String: String] {
    guard kind != .address, let name else { return [:] }
    return Self.pairs(names).reduce(into: ["name": name]) { tags, pair in
      if !pair.key.isEmpty { tags["name:\(pair.key)"] = pair.value }
    }
  }

  /// `key=value` a line.
  private static func pairs(_ lines: String?) -> [(key: String, value: String)] {
    (lines ?? "").split(separator: "\n").compactMap { line in
      let pair = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return pair.count == 2 ? (String(pair[0]), String(pair[1])) : nil
    }
  }

  private static let leastStreet = 100.0

  /// In all languages, for comparing.
  var allNames: [String] {
    (name.map { [$0] } ?? []) + Self.pairs(names).map(\.value)
  }

  /// The address of a house that has a street, else the name. A number alone says nothing, but is all there is.
  func title(_ locale: String?) -> String? {
    kind == .address && street != nil
      ? [houseNumber, street].compactMap(\.self).joined(separator: " ")
      : name(locale) ?? houseNumber
  }

  package func placemark(_ locale: String?, source: String) -> Placemark {
    var mark = Placemark(coordinate)
    mark.thoroughfare = kind == .street ? name(locale) : street
    // A number alone says nothing.
    mark.subThoroughfare = street != nil ? houseNumber : nil
    mark.postalCode = postcode
    mark.locality = city
    mark.category = kind == .named ? category : nil
    mark.name = title(locale)
    mark.source = source
    mark.id = "\(source):\(number)"
    (mark.osmType, mark.osmNumber) = (osm?.type.rawValue, osm?.number)
    mark.osmTag = tag ?? (kind == .named ? category.flatMap { $0.contains("=") ? $0 : nil } : nil)
    mark.osmNames = nameTags
    mark.osmFurther = Dictionary(Self.pairs(further)) { first, _ in first }
    if kind == .street { (mark.precision, mark.radius) = (.street, reach) }
    return mark
  }

  /// Metres from its middle to the end of its line; nil without one.
  private var reach: Double? {
    let plane = LocalPlane(around: coordinate)
    return line.map { plane.distance(to: $0) }.max().map { max($0, Self.leastStreet) }
  }

  /// The places of its line.
  package var line: [Coordinate] {
    guard let shape else { return [] }
    return stride(from: 0, to: shape.count - 7, by: 8).map {
      Coordinate(
        latitude: LocalPlane.degrees(shape, $0), longitude: LocalPlane.degrees(shape, $0 + 4))
    }
  }
}

extension LocalPlane {
  /// Metres to the line that a shape's bytes describe.
  package func distance(toShape shape: [UInt8]) -> Double {
    guard shape.count >= 16 else { return .infinity }
    func end(_ at: Int) -> Point { point(Self.degrees(shape, at), Self.degrees(shape, at + 4)) }
    var least = Double.infinity
    var last = end(0)
    for at in stride(from: 8, to: shape.count - 7, by: 8) {
      let next = end(at)
      least = min(least, Self.distance(from: (0, 0), toLine: last, next))
      last = next
    }
    return least
  }

  fileprivate static func degrees(_ shape: [UInt8], _ at: Int) -> Double {
    let bits = (0..<4).reduce(UInt32(0)) { $0 | UInt32(shape[at + $1]) << UInt32(8 * $1) }
    return Double(Int32(bitPattern: bits)) / 1e7
  }
}
