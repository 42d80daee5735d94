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

  /// In the words of MapKit's categories, where it has one.
  var category: String? {
    for (key, table) in Self.categories {
      guard let value = values[key] else { continue }
      if let category = table[value] ?? table["*"] { return category }
    }
    return nil
  }

  private static let categories: [(String, [String: String])] = [
    (
      "amenity",
      [
        "cafe": "cafe", "restaurant": "restaurant", "fast_food": "restaurant",
        "food_court": "restaurant", "ice_cream": "cafe", "bar": "nightlife", "pub": "nightlife",
        "nightclub": "nightlife", "biergarten": "nightlife", "pharmacy": "pharmacy",
        "hospital": "hospital", "clinic": "hospital", "bank": "bank", "atm": "atm",
        "fuel": "gasStation", "charging_station": "evCharger", "car_rental": "carRental",
        "parking": "parking", "school": "school", "kindergarten": "school", "college": "university",
        "university": "university", "library": "library", "police": "police",
        "fire_station": "fireStation", "post_office": "postOffice", "theatre": "theater",
        "cinema": "movieTheater", "toilets": "restroom", "marketplace": "foodMarket",
        "bus_station": "station", "ferry_terminal": "station",
      ]
    ),
    (
      "tourism",
      [
        "hotel": "hotel", "hostel": "hotel", "motel": "hotel", "guest_house": "hotel",
        "museum": "museum", "gallery": "museum", "zoo": "zoo", "aquarium": "aquarium",
        "theme_park": "amusementPark", "camp_site": "campground", "attraction": "landmark",
        "viewpoint": "landmark", "artwork": "landmark",
      ]
    ),
    (
      "shop",
      [
        "bakery": "bakery", "supermarket": "foodMarket", "convenience": "foodMarket",
        "greengrocer": "foodMarket", "laundry": "laundry", "dry_cleaning": "laundry",
        "chemist": "pharmacy", "*": "store",
      ]
    ),
    ("railway", ["station": "station", "halt": "station", "tram_stop": "publicTransport"]),
    ("station", ["*": "station"]),
    ("highway", ["bus_stop": "publicTransport"]),
    ("public_transport", ["station": "station", "*": "publicTransport"]),
    (
      "leisure",
      [
        "park": "park", "garden": "park", "nature_reserve": "nationalPark", "marina": "marina",
        "stadium": "stadium", "sports_centre": "fitnessCenter", "fitness_centre": "fitnessCenter",
      ]
    ),
    ("aeroway", ["aerodrome": "airport", "terminal": "airport"]),
    ("natural", ["beach": "beach"]), ("historic", ["*": "landmark"]),
    ("place", ["square": "landmark"]),
  ]
}
