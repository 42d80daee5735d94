import Geodesy
package import LocationModel

/// The questions and answers of routino-router, which is run once a way.
package enum Routino {
  /// The names of its files begin so.
  package static let prefix = "roads"

  /// `shortest`: the shortest way instead of the quickest.
  package static func arguments(
    _ request: DirectionsRequest, folder: String, shortest: Bool = false
  ) -> [String] {
    var arguments = [
      "--dir=\(folder)", "--prefix=\(prefix)", "--profiles=\(folder)/\(prefix)-profiles.xml",
      "--translations=\(folder)/\(prefix)-translations.xml",
      "--transport=\(TravelProfile.of(request.transport).name)",
      shortest ? "--shortest" : "--quickest", "--output-text-all", "--output-stdout",
    ]
    for (i, place) in request.places.enumerated() {
      arguments.append("--lat\(i + 1)=\(place.latitude.degrees)")
      arguments.append("--lon\(i + 1)=\(place.longitude.degrees)")
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
    return .ways([way(rows, transport)])
  }

  private static func way(_ rows: [Row], _ transport: Transport) -> Way {
    var way = Way(polyline: rows.map(\.place), moves: [], duration: 0, engine: "routino")
    way.moves.append(
      Move(.depart(bearing: rows[1].bearing), street: rows[1].street, start: 0))
    let longer = lengthening(rows)
    for i in 1..<rows.count {
      let row = rows[i]
      way.duration += row.duration * longer
      way.advisories.formUnion(row.advisories)
      guard i + 1 < rows.count else { break }
      let next = rows[i + 1]
      if row.isJunction { way.duration += turnTime(row.bearing, next.bearing, transport) }
      guard let kind = kind(row, next) else { continue }
      var street = next.street
      if case .roundabout = kind {
        // Told by the road that it is left for.
        street = rows[i...].dropFirst().first { !$0.marks.contains(.roundabout) }?.street
      }
      way.moves.append(Move(kind, street: street, start: i))
    }
    way.moves.append(Move(.arrive(nil), start: rows.count - 1))
    return way
  }

  /// routino cuts each piece of road to whole metres, and so its time: that makes 2 to 4 % of a way in a town.
  private static func lengthening(_ rows: [Row]) -> Double {
    let told = rows.map(\.length).reduce(0, +)
    let length = zip(rows, rows.dropFirst()).map { $0.place.distance(to: $1.place) }.reduce(0, +)
    return told > 0 ? min(max(length / told, 1), 1.2) : 1
  }

  /// Seconds that a turn at a junction takes: none nearly straight on, half of the most at a right angle. Without
  /// them cars on Monaco's roads would be 4 % faster than with OSRM.
  static func turnTime(_ before: Double, _ after: Double, _ transport: Transport) -> Double {
    let most =
      switch transport {
      case .automobile: 7.5
      case .cycling: 4.0
      case .walking: 0.0
      }
    let angle = (after - before).remainder(dividingBy: 360).magnitude
    let part = min(max((angle - 35) / 110, 0), 1)
    return most * part * part * (3 - 2 * part)
  }

  /// Nil where the traveller follows the road.
  private static func kind(_ row: Row, _ next: Row) -> Move.Kind? {
    if row.kind.hasPrefix("Waypt") { return .via }
    if next.marks.contains(.ferry) { return row.marks.contains(.ferry) ? nil : .board }
    switch (row.marks.contains(.roundabout), next.marks.contains(.roundabout)) {
    case (false, true): return .roundabout(exit: nil)
    case (true, true): return nil
    // It was told where the roundabout is entered.
    case (true, false): return nil
    case (false, false): break
    }
    let turn = Turn(from: row.bearing, to: next.bearing)
    if next.marks.contains(.ramp), !row.marks.contains(.ramp) { return .ramp(turn.side) }
    switch turn {
    case .straight, .slightLeft, .slightRight:
      if row.marks.contains(.ramp), !next.marks.contains(.ramp) { return .merge(nil) }
      guard next.street != row.street, next.street != nil else { return nil }
      return row.isJunction && turn != .straight ? .turn(turn) : .goOn
    // A road without junctions only bends.
    default: return row.isJunction || next.street != row.street ? .turn(turn) : nil
    }
  }
}

extension Turn {
  fileprivate var side: Move.Side? {
    switch self {
    case .straight, .back: nil
    case .slightRight, .right, .sharpRight: .right
    case .slightLeft, .left, .sharpLeft: .left
    }
  }
}

/// A place of the way, and the road that leads to it.
private struct Row {
  var place: Coordinate
  var kind: Substring
  /// Metres.
  var length: Double
  /// Seconds.
  var duration: Double
  /// 0 in the first row.
  var bearing: Double
  var street: String?
  var marks: Set<RoadMark> = []

  var isJunction: Bool { kind.hasPrefix("Junct") }

  var advisories: [Advisory] {
    marks.compactMap {
      switch $0 {
      case .ferry: .ferry
      case .toll: .toll
      case .unpaved: .unpaved
      case .stairs: .stairs
      case .ramp, .roundabout: nil
      }
    }
  }

  /// `latitude, longitude, node, kind, km, min, km in all, min in all, km/h, bearing, road`
  init?(_ line: ArraySlice<UInt8>) {
    let fields = line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    func number(_ i: Int) -> Double? { Double(fields[i].filter { $0 != " " }) }
    guard fields.count >= 10, let latitude = number(0), let longitude = number(1),
      let kilometres = number(4), let minutes = number(5)
    else { return nil }
    place = Coordinate(latitude: latitude, longitude: longitude)
    guard place.isValid, (0...1e5).contains(kilometres), (0...1e6).contains(minutes) else {
      return nil
    }
    kind = fields[3].prefix { $0 != "#" && $0 != " " }
    length = kilometres * 1000
    duration = minutes * 60
    bearing = number(9) ?? 0
    guard bearing.isFinite else { return nil }
    if fields.count > 10 { read(fields[10]) }
  }

  /// `name (~marks)`, or `~marks` of a road without a name.
  private mutating func read(_ road: String) {
    guard let tilde = road.lastIndex(of: "~") else {
      street = road.plain(atMost: 200)
      return
    }
    marks = Set(road[tilde...].compactMap(RoadMark.init))
    let name = road[..<tilde]
    let named = name.hasSuffix(" (") ? name.dropLast(2) : name
    street = named.isEmpty ? nil : String(named).plain(atMost: 200)
  }
}
