/// A place on the Earth and its names, in one language. What is unknown is nil.
package struct Placemark: Equatable, Sendable {
  /// The best single name: a point of interest, else the address, else the smallest area.
  package var name: String?
  /// The street, and the house number in it.
  package var thoroughfare: String?
  package var subThoroughfare: String?
  /// A part of the locality.
  package var subLocality: String?
  /// The city or town.
  package var locality: String?
  /// The county or district.
  package var subAdministrativeArea: String?
  /// The state or province.
  package var administrativeArea: String?
  package var postalCode: String?
  package var country: String?
  /// Two letters of ISO 3166-1, in upper case.
  package var isoCountryCode: String?
  package var inlandWater: String?
  package var ocean: String?
  package var areasOfInterest: [String] = []
  /// A name of the IANA's time zones.
  package var timeZone: String?
  package var coordinate: Coordinate
  /// Metres around the coordinate within which the place lies.
  package var radius: Double?
  /// How exactly the place is known.
  package var precision: Precision?
  /// The name that was asked for, where the answer shows another.
  package var matchedName: String?
  /// A name of the place is all of the text that was asked for. Not sent.
  package var isWhole = false
  /// More was asked for than is known: the place is what is around it.
  package var isPartial = false
  /// One line, in the order of the place's country.
  package var formattedAddress: String?
  /// The data set or server that it is from.
  package var source: String?
  /// Names the place in later requests.
  package var id: String?
  /// The kind of place, where it is a result of a search: `city`, `cafe`, `station`, …
  package var category: String?
  /// OpenStreetMap's `node`, `way` or `relation`, its number, and the tag that says its kind there: `amenity=cafe`.
  package var osmType: String?
  package var osmNumber: Int64?
  package var osmTag: String?
  /// OpenStreetMap's tags of its names: `name`, `name:ko`. Not sent.
  package var osmNames: [String: String] = [:]
  /// Its other tags: `opening_hours`, `website`. Not sent.
  package var osmFurther: [String: String] = [:]

  package init(_ coordinate: Coordinate) { self.coordinate = coordinate }
}

extension Placemark {
  /// The thing that the coordinate stands for.
  package enum Precision: String, Sendable {
    case house, street
    /// A district, a lake, an island, an airport.
    case area
    case town, postcode
    /// A country or a province.
    case region
    /// A thing of its own: a shop, a peak, a landmark, a coordinate.
    case point
  }

  private static let texts: [(String, any WritableKeyPath<Placemark, String?> & Sendable)] = [
    ("name", \.name), ("thoroughfare", \.thoroughfare), ("subThoroughfare", \.subThoroughfare),
    ("subLocality", \.subLocality), ("locality", \.locality),
    ("subAdministrativeArea", \.subAdministrativeArea),
    ("administrativeArea", \.administrativeArea), ("postalCode", \.postalCode),
    ("country", \.country), ("isoCountryCode", \.isoCountryCode), ("inlandWater", \.inlandWater),
    ("ocean", \.ocean), ("timeZone", \.timeZone), ("formattedAddress", \.formattedAddress),
    ("source", \.source), ("id", \.id), ("category", \.category),
    ("matchedName", \.matchedName), ("osmType", \.osmType), ("osmTag", \.osmTag),
  ]

  package var json: JSON {
    var members = Self.texts.compactMap { name, path in
      self[keyPath: path].map { JSON.Member(key: name, value: .string($0)) }
    }
    if !areasOfInterest.isEmpty {
      members.append(
        .init(key: "areasOfInterest", value: .array(areasOfInterest.map(JSON.string))))
    }
    members.append(.init(key: "latitude", value: .number(coordinate.latitude)))
    members.append(.init(key: "longitude", value: .number(coordinate.longitude)))
    if let radius { members.append(.init(key: "radius", value: .number(radius))) }
    if let precision {
      members.append(.init(key: "precision", value: .string(precision.rawValue)))
    }
    if let osmNumber { members.append(.init(key: "osmNumber", value: .integer(osmNumber))) }
    if isPartial { members.append(.init(key: "partial", value: .bool(true))) }
    return .object(members)
  }

  /// Nil where the coordinate is missing or impossible.
  package init?(_ json: JSON) {
    guard let latitude = json["latitude"]?.double, let longitude = json["longitude"]?.double
    else { return nil }
    self.init(Coordinate(latitude: latitude, longitude: longitude))
    guard coordinate.isValid else { return nil }
    for (name, path) in Self.texts { self[keyPath: path] = json[name]?.string }
    areasOfInterest = (json["areasOfInterest"]?.array ?? []).compactMap(\.string)
    radius = json["radius"]?.double
    precision = json["precision"]?.string.flatMap(Precision.init)
    osmNumber = json["osmNumber"]?.integer
    isPartial = json["partial"]?.bool ?? false
  }
}

/// One line under a search field.
package struct Completion: Equatable, Sendable {
  package var title: String
  package var subtitle: String
  /// Names the place in a search.
  package var id: String
  /// The parts of the title that match what was typed, in UTF-16 units.
  package var titleHighlights: [Range<Int>]
  /// The kind of place, as a placemark has it.
  package var category: String?

  package init(title: String, subtitle: String, id: String, titleHighlights: [Range<Int>]) {
    self.title = title
    self.subtitle = subtitle
    self.id = id
    self.titleHighlights = titleHighlights
  }

  package var json: JSON {
    [
      "title": .string(title), "subtitle": .string(subtitle), "id": .string(id),
      "titleHighlights": .array(
        titleHighlights.map {
          .array([.integer(Int64($0.lowerBound)), .integer(Int64($0.count))])
        }),
      "category": category.map(JSON.string),
    ]
  }

  package init?(_ json: JSON) {
    guard let title = json["title"]?.string, let id = json["id"]?.string else { return nil }
    let highlights = (json["titleHighlights"]?.array ?? []).compactMap { pair -> Range<Int>? in
      guard let numbers = pair.array, numbers.count == 2, let start = numbers[0].integer,
        let length = numbers[1].integer, start >= 0, length >= 0, start <= 1 << 20,
        length <= 1 << 20
      else { return nil }
      return Int(start)..<Int(start + length)
    }
    self.init(
      title: title, subtitle: json["subtitle"]?.string ?? "", id: id, titleHighlights: highlights)
    category = json["category"]?.string
  }
}
