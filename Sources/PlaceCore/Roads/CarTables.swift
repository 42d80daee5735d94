/// Numbers and words of OSRM's profile for cars.
enum CarTables {
  static let access = AccessWords(
    keys: ["motorcar", "motor_vehicle", "vehicle", "access"],
    lets: ["yes", "motorcar", "motor_vehicle", "vehicle", "permissive", "designated", "hov"],
    local: ["private", "delivery", "destination", "customers", "permit", "residents", "unknown"],
    bars: [
      "no", "agricultural", "forestry", "emergency", "psv", "taxi", "share_taxi", "minibus", "bus",
      "foot", "emergency_vehicle", "restricted", "military", "official", "customers", "private",
      "delivery", "destination", "permit", "residents",
    ])

  /// Kilometres an hour.
  static let speeds: [String: Double] = [
    "motorway": 90, "motorway_link": 45, "trunk": 85, "trunk_link": 40, "primary": 65,
    "primary_link": 30, "secondary": 55, "secondary_link": 25, "tertiary": 40, "tertiary_link": 20,
    "unclassified": 25, "residential": 25, "living_street": 10, "service": 15, "winter_road": 20,
    "ice_road": 15,
  ]

  static let boats: [String: Double] = ["ferry": 5, "shuttle_train": 10]

  /// Kinds of road that no word opens.
  static let never: Set<String> = [
    "area", "reversible", "impassable", "hov_lanes", "steps", "construction", "proposed",
  ]

  static let yards: Set<String> = [
    "alley", "parking", "parking_aisle", "driveway", "drive-through", "drive-thru",
  ]

  static let surfaces: [String: Double] = [
    "cement": 80, "compacted": 80, "fine_gravel": 80, "paving_stones": 60, "metal": 60,
    "bricks": 60, "grass": 40, "wood": 40, "sett": 40, "grass_paver": 40, "gravel": 40,
    "unpaved": 40, "ground": 40, "dirt": 40, "pebblestone": 40, "tartan": 40, "cobblestone": 30,
    "clay": 30, "earth": 20, "stone": 20, "rocky": 20, "sand": 20, "laterite": 15, "mud": 10,
    "ice": 20, "snow": 30,
  ]

  static let tracks: [String: Double] = [
    "grade1": 60, "grade2": 40, "grade3": 30, "grade4": 25, "grade5": 20,
  ]

  static let smoothness: [String: Double] = [
    "intermediate": 80, "bad": 40, "very_bad": 20, "horrible": 10, "very_horrible": 5,
    "impassable": 0,
  ]

  /// A sign's number, or what a word such as `FR:urban` means; nil where it says nothing.
  static func limit(_ sign: String?) -> Double? {
    guard let sign else { return nil }
    let limit = Measures.speed(sign) ?? words[sign.lowercased()] ?? placeLimit(sign.lowercased())
    return limit > 0 ? limit : nil
  }

  /// Two letters of a country, a colon and the kind of place.
  private static func placeLimit(_ sign: String) -> Double {
    let parts = sign.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count > 1, parts[0].utf8.count > 1 else { return 0 }
    return places[String(parts[1].prefix { $0.isASCII && $0.isLetter })] ?? 0
  }

  private static let places: [String: Double] = [
    "urban": 50, "rural": 90, "trunk": 110, "motorway": 130,
  ]

  private static let words: [String: Double] = [
    "none": 140, "at:rural": 100, "at:trunk": 100, "ar:urban": 40, "ar:rural": 110,
    "be:motorway": 120, "be-bru:rural": 70, "be-bru:urban": 30, "be-vlg:rural": 70,
    "bg:motorway": 140, "by:urban": 60, "by:motorway": 110, "ca-on:rural": 80, "ch:rural": 80,
    "ch:trunk": 100, "ch:motorway": 120, "de:living_street": 7, "de:rural": 100, "de:motorway": 0,
    "dk:rural": 80, "es:trunk": 90, "fr:rural": 80, "gb:nsl_single": 96.54, "gb:nsl_dual": 112.63,
    "gb:motorway": 112.63, "lv:living_street": 20, "nl:rural": 80, "nl:trunk": 100, "no:rural": 80,
    "no:motorway": 110, "ph:urban": 40, "ph:rural": 80, "ph:motorway": 100, "pl:rural": 100,
    "pl:expressway": 120, "pl:motorway": 140, "ro:trunk": 100, "ru:living_street": 20,
    "ru:urban": 60, "ru:motorway": 110, "uk:nsl_single": 96.54, "uk:nsl_dual": 112.63,
    "uk:motorway": 112.63, "za:urban": 60, "za:rural": 100,
  ]
}
