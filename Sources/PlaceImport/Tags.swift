internal import LocationModel
internal import PlaceCore
internal import PlaceStore

/// What OpenStreetMap's tags say of one thing.
struct Tags {
  private let values: [String: String]

  /// A longer value is no name.
  private static let longest = 255

  init(_ values: [String: String]) { self.values = values.filter { $0.value.utf8.count <= 1024 } }

  subscript(key: String) -> String? {
    guard let value = values[key], !value.isEmpty, value.count <= Self.longest else { return nil }
    return value
  }

  var number: String? { self["addr:housenumber"] }

  /// Where houses have no street, what they are numbered by.
  var street: String? {
    self["addr:street"] ?? self["addr:place"] ?? self["addr:quarter"] ?? self["addr:suburb"]
  }

  var city: String? { self["addr:city"] ?? self["addr:town"] ?? self["addr:village"] }

  /// What people walk or drive on.
  var isStreet: Bool {
    guard let highway = self["highway"] else { return false }
    return !["bus_stop", "platform", "rest_area", "services", "elevator", "corridor", "raceway"]
      .contains(highway)
  }

  /// Whether houses may have their numbers by it.
  var isPath: Bool {
    [
      "steps", "footway", "path", "track", "cycleway", "bridleway", "motorway", "motorway_link",
      "trunk_link", "primary_link", "proposed", "construction",
    ].contains(self["highway"] ?? "")
  }

  /// Its own name; else, of a thing that has a kind, the first in a language. `name:left` and `name:signed` are in none.
  var name: String? {
    self["name"] ?? (kind.tag == nil ? nil : names.first { Language($0.language) != nil }?.name)
  }

  /// A language's tag and the name in it. The languages of the programs come first: a file has some names of a thing alone.
  var names: [(language: String, name: String)] {
    let tags = values.keys.filter { $0.hasPrefix("name:") }.map { String($0.dropFirst(5)) }
      .filter { (2...8).contains($0.utf8.count) }.sorted()
    let told = tags.filter(GroundName.languages.contains)
    return (told + tags.filter { !GroundName.languages.contains($0) })
      .compactMap { tag in self["name:" + tag].map { (tag, $0) } }
  }

  var otherNames: [String] {
    ["alt_name", "old_name", "short_name", "official_name", "int_name", "brand", "loc_name"]
      .compactMap { self[$0] }
  }
}

// MARK: - Other tags

extension Tags {
  /// The tags beside its names, its address and its kind: `opening_hours=24/7` a line; nil without any.
  var further: String? {
    let own = kind.tag?.prefix { $0 != "=" }
    let lines = values.keys.sorted().compactMap { key -> String? in
      guard key != own ?? "", !Self.isSpent(key), let value = self[key] else { return nil }
      return "\(key)=\(value.plain(atMost: 2 * Self.longest))"
    }
    return lines.isEmpty
      ? nil : lines.prefix(ExtractTables.mostFurther).joined(separator: "\n")
  }

  /// Names, parts of an address, and words of mappers to mappers.
  private static func isSpent(_ key: String) -> Bool {
    let first = key.prefix { $0 != ":" }
    return first.hasSuffix("name") || Self.spent.contains(String(first.lowercased()))
      || key.utf8.count > Self.longestKey || key.contains { $0 == "=" || $0.isNewline }
  }

  private static let longestKey = 60
  private static let spent: Set = [
    "addr", "attribution", "comment", "created_by", "fixme", "import", "note", "source",
    "survey", "tiger", "todo",
  ]
}
