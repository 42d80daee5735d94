/// The kinds of features of the ground, in the order in which they are drawn. The page knows them by their numbers.
package enum GroundKind: UInt8, CaseIterable, Sendable {
  // Areas. `cover` is the sea where an extract knows its coast: it lies on the world's land.
  case cover, land, farmland, residential, industrial, school, parking, scrub, rock, wood, grass
  case sand, cemetery, pitch, plaza, glacier, water, pier, building
  // Lines.
  case shore, stream, river, province, border, path, steps, cycleway, track, pedestrian, service
  case minor, rail, tertiary, secondary, primary, trunk, motorway, runway
  // Points with a name.
  case city, town, suburb, village, quarter, station, airport, hospital, gardens, lake, peak
  case museum, college, hotel, shop, food, health, stop, other

  package var isArea: Bool { rawValue <= Self.building.rawValue }
  package var isLine: Bool { !isArea && !isPoint }
  package var isPoint: Bool { rawValue >= Self.city.rawValue }

  /// The coarsest of the levels that have it. Points have their size to say so, too.
  package var coarsestLevel: Int {
    switch self {
    case .residential, .wood, .glacier, .water, .river, .rail, .primary, .trunk, .motorway, .city,
      .town:
      9
    case .cover, .land, .shore, .farmland, .industrial, .scrub, .rock, .grass, .sand, .cemetery,
      .minor, .tertiary, .secondary, .runway, .suburb, .village, .station, .airport, .hospital,
      .peak:
      12
    default: 14
    }
  }
}
