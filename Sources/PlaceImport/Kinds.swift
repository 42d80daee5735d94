/// The kind of a thing: a word of ours, else OpenStreetMap's tag.
struct Kind: Equatable {
  /// `cafe`; `amenity=place_of_worship` where we have no word; nil of a thing that has nothing but a name.
  var category: String?
  /// `amenity=cafe`.
  var tag: String?

  var isOurs: Bool { category != nil && category != tag }
}

extension Tags {
  var kind: Kind {
    for (key, table) in Self.words {
      guard let value = self[key], let word = table[value] ?? table["*"] else { continue }
      return Kind(category: word, tag: tag(key))
    }
    let own = Self.keys.lazy.compactMap { tag($0) }.first
    let isHistoric = own?.hasPrefix("historic=") == true
    return Kind(category: isHistoric ? "landmark" : own, tag: own)
  }

  /// The tag of a house that has a number; nil where a tag says a part of it.
  var kindOfHouse: String? {
    guard let tag = kind.tag, let key = tag.split(separator: "=").first else { return nil }
    return Self.partsOfHouses.contains(String(key)) ? nil : tag
  }

  /// The address is of a shop or a school: its other tags are those of more than a building.
  var isMoreThanHouse: Bool { kindOfHouse.map { !$0.hasPrefix("building=") } ?? false }

  private static let partsOfHouses: Set = ["barrier", "building:part", "entrance", "indoor"]

  /// `key=value`; `key=yes` where the value is no word.
  func tag(_ key: String) -> String? {
    guard let value = self[key], value != "no" else { return nil }
    let isWord =
      value.utf8.count <= Self.longestWord
      && value.unicodeScalars.allSatisfy { $0.properties.isAlphabetic || Self.marks.contains($0) }
    return "\(key)=\(isWord ? value : "yes")"
  }

  private static let longestWord = 40
  private static let marks: Set<Unicode.Scalar> = Set("0123456789_-:;/+.".unicodeScalars)

  /// Keys that say a kind, the most telling first.
  private static let keys = [
    "amenity", "shop", "tourism", "leisure", "office", "craft", "healthcare", "club", "emergency",
    "military", "man_made", "historic", "aeroway", "aerialway", "railway", "public_transport",
    "natural", "waterway", "place", "sport", "highway", "power", "telecom", "geological",
    "boundary", "route", "advertising", "playground", "golf", "attraction", "mountain_pass",
    "bridge", "tunnel", "barrier", "entrance", "landuse", "area:highway", "indoor", "building",
    "building:part",
  ]

  /// In the words of MapKit's categories and of the world's places.
  private static let words: [(String, [String: String])] = [
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
    ("boundary", ["national_park": "nationalPark"]),
    ("aeroway", ["aerodrome": "airport", "terminal": "airport"]),
    ("healthcare", ["hospital": "hospital", "clinic": "hospital", "pharmacy": "pharmacy"]),
    ("natural", ["beach": "beach", "peak": "peak", "volcano": "peak"]),
    (
      "place",
      [
        "square": "landmark", "city": "city", "town": "town", "village": "village",
        "hamlet": "village", "suburb": "district", "borough": "district", "quarter": "district",
        "neighbourhood": "district", "island": "island", "islet": "island",
      ]
    ),
  ]
}
