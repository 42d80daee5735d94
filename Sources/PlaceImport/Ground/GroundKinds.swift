internal import PlaceCore

/// The kind of what OpenStreetMap's tags describe, as it is drawn.
extension Tags {
  /// The kind of an area.
  var areaKind: GroundKind? {
    if let building = self["building"] { return building == "no" ? nil : .building }
    for (key, table) in Self.areas {
      if let value = self[key], let kind = table[value] { return kind }
    }
    let isPlaza = self["highway"] == "pedestrian" || self["highway"] == "footway"
    return self["place"] == "square" || isPlaza && isArea ? .plaza : nil
  }

  private var isArea: Bool { self["area"] == "yes" }

  private static let areas: [(String, [String: GroundKind])] = [
    (
      "natural",
      [
        "water": .water, "wood": .wood, "scrub": .scrub, "heath": .scrub, "wetland": .scrub,
        "grassland": .grass, "fell": .grass, "beach": .sand, "sand": .sand, "bare_rock": .rock,
        "scree": .rock, "shingle": .rock, "glacier": .glacier,
      ]
    ),
    ("waterway", ["riverbank": .water, "dock": .water]),
    (
      "leisure",
      [
        "park": .grass, "garden": .grass, "golf_course": .grass, "common": .grass,
        "dog_park": .grass, "pitch": .pitch, "track": .pitch, "playground": .pitch,
        "swimming_pool": .water,
      ]
    ),
    (
      "landuse",
      [
        "forest": .wood, "grass": .grass, "meadow": .grass, "village_green": .grass,
        "recreation_ground": .grass, "greenfield": .grass, "farmland": .farmland,
        "farmyard": .farmland, "vineyard": .farmland, "orchard": .farmland,
        "allotments": .farmland, "residential": .residential, "industrial": .industrial,
        "commercial": .industrial, "retail": .industrial, "railway": .industrial,
        "port": .industrial, "construction": .industrial, "quarry": .rock,
        "cemetery": .cemetery, "basin": .water, "reservoir": .water,
      ]
    ),
    (
      "amenity",
      [
        "school": .school, "kindergarten": .school, "college": .school, "university": .school,
        "hospital": .school, "parking": .parking, "grave_yard": .cemetery,
      ]
    ),
    ("man_made", ["pier": .pier, "breakwater": .pier]),
    ("aeroway", ["apron": .parking, "aerodrome": .industrial]),
    ("tourism", ["zoo": .grass, "camp_site": .grass]),
  ]

  /// The kind of a line.
  var lineKind: GroundKind? {
    if isArea { return nil }
    if let highway = self["highway"] {
      let base = highway.hasSuffix("_link") ? String(highway.dropLast(5)) : highway
      return Self.highways[base]
    }
    if let railway = self["railway"] {
      return Self.rails.contains(railway) && !(railway == "subway" && isTunnel) ? .rail : nil
    }
    if self["aeroway"] == "runway" || self["aeroway"] == "taxiway" { return .runway }
    if self["man_made"] == "pier" { return .pedestrian }
    switch self["waterway"] {
    case "river", "canal": return .river
    case "stream", "drain", "ditch": return isTunnel ? nil : .stream
    default: return nil
    }
  }

  private static let highways: [String: GroundKind] = [
    "motorway": .motorway, "trunk": .trunk, "primary": .primary, "secondary": .secondary,
    "tertiary": .tertiary, "unclassified": .minor, "residential": .minor, "living_street": .minor,
    "road": .minor, "service": .service, "pedestrian": .pedestrian, "footway": .path,
    "path": .path, "bridleway": .path, "steps": .steps, "cycleway": .cycleway, "track": .track,
  ]
  private static let rails: Set<String> = [
    "rail", "light_rail", "narrow_gauge", "funicular", "tram", "monorail", "preserved", "subway",
  ]

  var isCoast: Bool { self["natural"] == "coastline" }

  private func isSaid(_ key: String) -> Bool { (self[key] ?? "no") != "no" }
  private var isTunnel: Bool { isSaid("tunnel") }

  var lineFlags: GroundFeature.Flags {
    var flags: GroundFeature.Flags = []
    if isSaid("bridge") { flags.insert(.bridge) }
    if isTunnel { flags.insert(.tunnel) }
    if self["highway"]?.hasSuffix("_link") == true { flags.insert(.link) }
    return flags
  }

  /// The kind of a point with a name. Nil where no name is written.
  var pointKind: GroundKind? {
    switch self["place"] {
    case "city": return .city
    case "town": return .town
    case "village", "hamlet": return .village
    case "suburb", "borough": return .suburb
    case "quarter", "neighbourhood": return .quarter
    default: break
    }
    if self["natural"] == "water" || self["natural"] == "bay" || areaKind == .water {
      return .lake
    }
    return kind.category.flatMap { Self.points[$0] }
  }

  private static let points: [String: GroundKind] = [
    "cafe": .food, "restaurant": .food, "nightlife": .food, "bakery": .shop, "foodMarket": .shop,
    "store": .shop, "laundry": .shop, "pharmacy": .health, "hospital": .hospital,
    "hotel": .hotel, "campground": .hotel, "museum": .museum, "theater": .museum,
    "movieTheater": .museum, "library": .museum, "landmark": .museum, "zoo": .museum,
    "aquarium": .museum, "amusementPark": .museum, "school": .college, "university": .college,
    "station": .station, "publicTransport": .stop, "park": .gardens, "nationalPark": .gardens,
    "peak": .peak, "airport": .airport, "marina": .lake, "beach": .lake, "island": .quarter,
    "bank": .other, "atm": .other, "postOffice": .other, "police": .other, "fireStation": .other,
    "gasStation": .other, "evCharger": .other, "parking": .other, "stadium": .other,
    "fitnessCenter": .other,
  ]
}
