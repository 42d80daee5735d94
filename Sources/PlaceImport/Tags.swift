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

  /// A language's tag and the name in it.
  var names: [(language: String, name: String)] {
    values.keys.filter { $0.hasPrefix("name:") && (2...8).contains($0.utf8.count - 5) }.sorted()
      .compactMap { key in self[key].map { (String(key.dropFirst(5)), $0) } }
  }

  var otherNames: [String] {
    ["alt_name", "old_name", "short_name", "official_name", "int_name", "brand", "loc_name"]
      .compactMap { self[$0] }
  }
}
