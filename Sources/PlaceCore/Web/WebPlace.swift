import Geodesy
import LocationModel

/// A placemark, in the words that OpenStreetMap's programs have for it.
struct WebPlace {
  let mark: Placemark
  let level: Level
  /// The key and the value of the tag that says what it is.
  let key: String
  let value: String

  /// How large it is.
  enum Level {
    case country, state, county, city, district, postcode, street, house
    /// A thing of its own: a shop, a school.
    case thing
    /// A lake, a peak, an island.
    case feature
  }

  init(_ mark: Placemark) {
    self.mark = mark
    level = Level(mark)
    let tag = (mark.osmTag ?? "").split(separator: "=", maxSplits: 1).map(String.init)
    let known = tag.count == 2 ? (tag[0], tag[1]) : mark.category.flatMap { Self.tags[$0] }
    // A map or a board of `tourism=information` says its kind by a key of its own.
    let board = mark.osmTag == "tourism=information" ? mark.osmFurther["information"] : nil
    (key, value) = board.map { ("information", $0) } ?? known ?? level.tag(mark)
  }

  /// The tags of kinds that are words of ours, where a place's own is not known.
  private static let tags: [String: (String, String)] = [
    "airport": ("aeroway", "aerodrome"), "amusementPark": ("tourism", "theme_park"),
    "aquarium": ("tourism", "aquarium"), "atm": ("amenity", "atm"), "bakery": ("shop", "bakery"),
    "bank": ("amenity", "bank"), "beach": ("natural", "beach"), "cafe": ("amenity", "cafe"),
    "campground": ("tourism", "camp_site"), "carRental": ("amenity", "car_rental"),
    "city": ("place", "city"), "country": ("place", "country"), "desert": ("natural", "desert"),
    "district": ("place", "suburb"), "evCharger": ("amenity", "charging_station"),
    "fireStation": ("amenity", "fire_station"), "fitnessCenter": ("leisure", "fitness_centre"),
    "foodMarket": ("shop", "supermarket"), "gasStation": ("amenity", "fuel"),
    "hospital": ("amenity", "hospital"), "hotel": ("tourism", "hotel"),
    "island": ("place", "island"), "lake": ("natural", "water"),
    "landmark": ("tourism", "attraction"), "laundry": ("shop", "laundry"),
    "library": ("amenity", "library"), "marina": ("leisure", "marina"),
    "mountains": ("natural", "mountain_range"), "movieTheater": ("amenity", "cinema"),
    "museum": ("tourism", "museum"), "nationalPark": ("leisure", "nature_reserve"),
    "nightlife": ("amenity", "bar"), "park": ("leisure", "park"),
    "parking": ("amenity", "parking"), "peak": ("natural", "peak"),
    "pharmacy": ("amenity", "pharmacy"), "police": ("amenity", "police"),
    "postOffice": ("amenity", "post_office"), "postcode": ("place", "postcode"),
    "province": ("place", "state"), "publicTransport": ("public_transport", "platform"),
    "restaurant": ("amenity", "restaurant"), "restroom": ("amenity", "toilets"),
    "river": ("waterway", "river"), "school": ("amenity", "school"), "sea": ("place", "sea"),
    "stadium": ("leisure", "stadium"), "station": ("railway", "station"),
    "store": ("shop", "yes"), "theater": ("amenity", "theatre"), "town": ("place", "town"),
    "university": ("amenity", "university"), "village": ("place", "village"),
    "volcano": ("natural", "volcano"), "zoo": ("tourism", "zoo"),
  ]
}

extension WebPlace.Level {
  private static let features: Set = [
    "peak", "volcano", "island", "lake", "sea", "river", "desert", "mountains",
  ]

  fileprivate init(_ mark: Placemark) {
    let isFeature = mark.isWater || mark.category.map(Self.features.contains) == true
    self =
      switch mark.precision {
      case .house: mark.areasOfInterest.contains(mark.name ?? "") ? .thing : .house
      case .street: .street
      case .town: .city
      case .postcode: .postcode
      case .region: mark.category == "country" || mark.isCountry ? .country : .state
      case .area:
        isFeature ? .feature : mark.category.map { $0 == "district" } ?? true ? .district : .thing
      case .point, nil: isFeature ? .feature : .thing
      }
  }

  /// The tag of a place that says none.
  fileprivate func tag(_ mark: Placemark) -> (String, String) {
    switch self {
    case .country: ("place", "country")
    case .state: ("place", "state")
    case .county: ("place", "county")
    case .city: ("place", "city")
    case .district: ("place", "suburb")
    case .postcode: ("place", "postcode")
    case .street: ("highway", "residential")
    case .house: ("place", "house")
    case .feature: mark.ocean != nil ? ("place", "sea") : ("natural", "water")
    case .thing: ("place", "locality")
    }
  }
}

extension Placemark {
  fileprivate var isCountry: Bool { name == country && administrativeArea == name }
  fileprivate var isWater: Bool { ocean != nil || inlandWater != nil }

  /// The address alone, without the name of what is there.
  var withoutThing: Placemark {
    guard thoroughfare != nil, areasOfInterest.contains(name ?? "") else { return self }
    var mark = self
    mark.areasOfInterest = []
    mark.name = subThoroughfare == nil ? thoroughfare : nil
    return mark.measured
  }
}

// MARK: - Its names

extension WebPlace {
  /// The town's word: `city`, `town` or `village`.
  var townWord: String {
    level == .city && ["city", "town", "village"].contains(value) ? value : "city"
  }

  /// The name of the thing itself; nil for a house.
  var name: String? { level == .house ? nil : mark.name }

  /// Its names by OpenStreetMap's tags, its own first; without an extract that says them the one that is answered.
  var names: [(tag: String, name: String)] {
    guard mark.osmNames.isEmpty else {
      return mark.osmNames.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
    return name.map { [("name", $0)] } ?? []
  }

  /// Its tags beside those of its name, its address and its kind.
  var further: JSON {
    JSON(
      mark.osmFurther.filter { $0.key != key }.sorted { $0.key < $1.key }
        .map { ($0.key, .string($0.value)) })
  }

  /// The word for what it is.
  var addressType: String {
    switch level {
    case .country: "country"
    case .state: "state"
    case .county: "county"
    case .city: townWord
    case .district: "suburb"
    case .postcode: "postcode"
    case .street: "road"
    case .house: key
    case .thing: areaRank == nil || value == "yes" ? key : value
    case .feature: value
    }
  }

  /// The parts of its address, the smallest first, in Nominatim's words.
  var address: [(word: String, name: String)] {
    var parts: [(word: String, name: String)] = []
    func add(_ word: String, _ name: String?) {
      guard let name, !name.isEmpty, !parts.contains(where: { $0.word == word }) else { return }
      parts.append((word, name))
    }
    if level == .thing || level == .feature || level == .district { add(addressType, name) }
    let isArea = level == .country || level == .state
    if !isArea {
      if level == .thing || level == .house { add("house_number", mark.subThoroughfare) }
      add("road", mark.thoroughfare ?? (level == .street ? mark.name : nil))
      if mark.subLocality != mark.name || level != .city { add("suburb", mark.subLocality) }
      add(townWord, mark.locality ?? (level == .city ? mark.name : nil))
      add("county", mark.subAdministrativeArea)
    }
    let state = mark.administrativeArea
    if level == .state || state != mark.locality && state != mark.country && !isArea {
      add("state", state)
    }
    add("postcode", mark.postalCode ?? (level == .postcode ? mark.name : nil))
    add("country", mark.country)
    return parts
  }

  /// GeocodeJSON's words for them, and Photon's.
  static let shortWords = [
    "house_number": "housenumber", "road": "street", "suburb": "district", "city": "city",
    "town": "city", "village": "city", "county": "county", "state": "state",
    "postcode": "postcode", "country": "country",
  ]

  /// The address in one line, each name once.
  var label: String {
    address.map(\.name).reduce(into: [String]()) {
      if $0.last != $1 { $0.append($1) }
    }.joined(separator: ", ")
  }

  var countryCode: String? { mark.isoCountryCode?.lowercased() }
}

// MARK: - Its numbers

extension WebPlace {
  /// Nominatim's rank: 4 for a country, 30 for a house.
  var rank: Int {
    switch level {
    case .country: 4
    case .state: 8
    case .county: 12
    case .city: value == "village" ? 19 : value == "town" ? 18 : 16
    case .district: 19
    case .postcode: 21
    case .feature: 22
    case .street: 26
    case .house: 30
    case .thing: areaRank ?? 30
    }
  }

  /// Nominatim's rank of a thing that is ground rather than a spot: a park, a square; nil for others.
  private var areaRank: Int? {
    switch (key, value) {
    case ("leisure", "park"), ("leisure", "nature_reserve"): 24
    case ("leisure", "garden"), ("leisure", "common"): 25
    case ("landuse", _): mark.osmType == "node" ? nil : 24
    case ("boundary", _): mark.osmType == "node" ? nil : 25
    case ("waterway", _): 20
    case ("natural", _): Self.spots.contains(value) ? nil : 22
    case ("place", "house"), ("place", "houses"): nil
    case ("place", "square"), ("place", "locality"), ("place", "city_block"): 25
    case ("place", "neighbourhood"): 24
    case ("place", "quarter"), ("place", "islet"), ("place", "hamlet"): 20
    default: nil
    }
  }

  private static let spots: Set = [
    "tree", "spring", "cave_entrance", "geyser", "hot_spring", "rock", "stone",
  ]

  /// Nominatim's figure for a place that no encyclopedia speaks of.
  var importance: Double { 0.40001 - Double(rank) / 75 }

  /// A number that stays as long as the place has its id.
  var number: Int64 {
    let text = mark.id ?? "\(mark.coordinate.latitude),\(mark.coordinate.longitude)"
    // A program of JavaScript has whole numbers of 53 bits.
    return Int64(text.utf8.stableHash >> 16)
  }

  /// Degrees around a thing whose size is not known.
  private static let ofThing = 0.00005

  var box: Box {
    let place = mark.coordinate
    guard level != .house, level != .thing, let radius = mark.radius else {
      let side = Self.ofThing
      return Box(
        south: place.latitude - side, west: place.longitude - side,
        north: place.latitude + side, east: place.longitude + side)
    }
    return Box(around: place, metres: radius)
  }

  /// The words that have to stand where it is shown.
  func licence(_ sets: [DataSet]) -> String {
    let set =
      sets.first { $0.name == mark.source }
      ?? sets.first { mark.source?.hasPrefix($0.name) == true }
    // The world has more than its time zones of OpenStreetMap: its words are its own.
    guard let set, !set.attribution.hasPrefix("© OpenStreetMap") else { return Self.openStreetMap }
    return [set.attribution, set.licence].filter { !$0.isEmpty }.joined(separator: ", ")
  }

  static let openStreetMap =
    "Data © OpenStreetMap contributors, ODbL 1.0. http://osm.org/copyright"
}
