package import LocationModel

/// The questions and answers of routino-router, which is run once a way.
package enum Routino {
  /// `shortest`: the shortest way instead of the quickest.
  package static func arguments(
    _ request: DirectionsRequest, folder: String, name: String, shortest: Bool = false
  ) -> [String] {
    let profile = Profile.of(request.transport)
    var arguments = [
      "--dir=\(folder)", "--prefix=\(name)", "--profiles=/usr/share/routino/profiles.xml",
      "--translations=/usr/share/routino/translations.xml", "--language=en",
      "--transport=\(profile.transport)", shortest ? "--shortest" : "--quickest",
      "--output-text-all", "--output-stdout",
    ]
    for (i, place) in request.places.enumerated() {
      arguments.append("--lat\(i + 1)=\(place.latitude.degrees)")
      arguments.append("--lon\(i + 1)=\(place.longitude.degrees)")
    }
    for (highway, speed) in profile.speeds {
      arguments.append("--speed-\(highway)=\(speed)")
      arguments.append("--highway-\(highway)=100")
    }
    // None is shunned for what it is: the time decides.
    for property in ["paved", "multilane", "bridge", "tunnel", "footroute", "bicycleroute"] {
      arguments.append("--property-\(property)=50")
    }
    return arguments
  }

  /// `errors`: what it said of them.
  package static func answer(
    _ output: [UInt8], errors: [UInt8], status: Int32, _ transport: Transport
  ) -> EngineAnswer {
    guard status == 0 else {
      let text = String(decoding: errors, as: UTF8.self)
      if text.contains("Cannot find node close") {
        let number = text.split(whereSeparator: { !$0.isNumber }).last.flatMap { Int($0) }
        return .noRoad(place: number.map { $0 - 1 })
      }
      if text.contains("Cannot find") { return .noWay }
      return .failed(reason: "routino ends with \(status)")
    }
    var rows: [Row] = []
    for line in output.split(separator: UInt8(ascii: "\n")) where line.first != UInt8(ascii: "#") {
      guard let row = Row(line) else { return .failed(reason: "routino says what is no way") }
      rows.append(row)
    }
    guard rows.count > 1 else { return .noWay }
    return .ways([way(rows, Profile.of(transport))])
  }
}

extension Routino {
  /// Kilometres an hour on each kind of road that is free: a lower limit holds. They are those of OSRM's
  /// car, and ordinary ones of people.
  struct Profile {
    var transport: String
    var speeds: [(String, Int)]
    /// Seconds that a turn takes.
    var turn: Double

    static func of(_ transport: Transport) -> Profile {
      switch transport {
      case .automobile:
        Profile(
          transport: "motorcar",
          speeds: [
            ("motorway", 90), ("trunk", 85), ("primary", 65), ("secondary", 55), ("tertiary", 40),
            ("unclassified", 25), ("residential", 25), ("service", 15),
          ], turn: 3)
      case .walking:
        Profile(
          transport: "foot",
          speeds: [
            ("primary", 5), ("secondary", 5), ("tertiary", 5), ("unclassified", 5),
            ("residential", 5), ("service", 5), ("track", 5), ("cycleway", 5), ("path", 5),
            ("steps", 3),
          ], turn: 0)
      case .cycling:
        Profile(
          transport: "bicycle",
          speeds: [
            ("primary", 16), ("secondary", 16), ("tertiary", 16), ("unclassified", 16),
            ("residential", 16), ("service", 14), ("track", 12), ("cycleway", 17), ("path", 12),
          ], turn: 2)
      }
    }
  }

  /// A place of the way, and the road that leads to it.
  private struct Row {
    var place: Coordinate
    var kind: Substring
    /// Metres.
    var length: Double
    /// Kilometres an hour; 0 in the first row.
    var speed: Double
    var bearing: Double
    var street: String?
    var isFerry: Bool

    init?(_ line: ArraySlice<UInt8>) {
      let fields = line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
        .map { String(decoding: $0, as: UTF8.self) }
      func number(_ i: Int) -> Double? { Double(fields[i].filter { $0 != " " }) }
      guard fields.count >= 10, let latitude = number(0), let longitude = number(1),
        let length = number(4)
      else { return nil }
      place = Coordinate(latitude: latitude, longitude: longitude)
      guard place.isValid, (0...1e5).contains(length) else { return nil }
      kind = fields[3].prefix { $0 != "#" && $0 != " " }
      self.length = length * 1000
      speed = number(8) ?? 0
      bearing = number(9) ?? 0
      let road = fields.count > 10 ? fields[10].plain(atMost: 200) : ""
      isFerry = road == "ferry"
      street = road.isEmpty || Routino.nameless.contains(road) ? nil : road
    }
  }

  /// The words for roads without a name.
  private static let nameless: Set = [
    "motorway", "trunk road", "primary road", "secondary road", "tertiary road",
    "unclassified road", "residential road", "service road", "track", "cycleway", "path", "steps",
    "ferry",
  ]

  private static func way(_ rows: [Row], _ profile: Profile) -> Way {
    var way = Way(polyline: rows.map(\.place), moves: [], duration: 0, engine: "routino")
    way.moves.append(
      Move(.depart(bearing: rows[1].bearing), street: rows[1].street, start: 0))
    for i in 1..<rows.count {
      let row = rows[i]
      if row.speed > 0 { way.duration += row.length / (row.speed / 3.6) }
      if row.isFerry { way.advisories.insert(.ferry) }
      guard i + 1 < rows.count else { break }
      let next = rows[i + 1]
      let turn = Turn(from: row.bearing, to: next.bearing)
      if abs((next.bearing - row.bearing).remainder(dividingBy: 360)) > 45 {
        way.duration += profile.turn
      }
      if let kind = kind(row, next, turn) {
        way.moves.append(Move(kind, street: next.street, start: i))
      }
    }
    way.moves.append(Move(.arrive(nil), start: rows.count - 1))
    return way
  }

  /// Nil where the traveller follows the road.
  private static func kind(_ row: Row, _ next: Row, _ turn: Turn) -> Move.Kind? {
    if row.kind.hasPrefix("Waypt") { return .via }
    if next.isFerry, !row.isFerry { return .board }
    let isJunction = row.kind.hasPrefix("Junct")
    switch turn {
    case .straight, .slightLeft, .slightRight:
      guard next.street != row.street, next.street != nil else { return nil }
      return isJunction && turn != .straight ? .turn(turn) : .goOn
    // A road without junctions only bends.
    default: return isJunction || next.street != row.street ? .turn(turn) : nil
    }
  }
}
