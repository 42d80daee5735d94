import LocationModel

/// Puts legs that were found on roads into a way: its line, its time, and what the traveller does where.
struct WayTelling {
  private let question: DirectionsRequest
  private let mode: RoadMode
  private var way = Way(polyline: [], moves: [], duration: 0, engine: Way.ownEngine)
  private var lastArc: UInt32?

  init(_ question: DirectionsRequest) {
    self.question = question
    mode = RoadMode(question.transport)
  }

  /// The way, with its arrival.
  var whole: Way {
    var whole = way
    if whole.polyline.count == 1 { whole.polyline += whole.polyline }
    let side = whole.polyline.side(of: question.to)
    whole.moves.append(Move(.arrive(side), start: max(whole.polyline.count - 1, 0)))
    return whole
  }

  /// `isOnTheWay`: the leg goes on from the one before without a stop.
  mutating func add(_ leg: FoundWay, in network: RoadNetwork, isOnTheWay: Bool = false) {
    let roads = draw(leg, network)
    way.duration += Double(leg.time) / 100
    for road in roads { advise(of: road.traits) }
    guard let first = roads.first else { return }
    var moves = RoadMoves(network, mode, roads).all
    if way.moves.isEmpty {
      let bearing = way.polyline[first.start...].compass ?? first.leaving
      moves.insert(Move(.depart(bearing: bearing), street: first.name, start: first.start), at: 0)
    } else if !isOnTheWay {
      way.moves.append(Move(.via, street: first.name, start: first.start))
      if lastArc == first.arc ^ 1 {
        way.moves.append(Move(.turn(.back), street: first.name, start: first.start))
      }
    }
    way.moves += moves
    lastArc = leg.arcs.last
  }

  /// Adds the leg's line. Roads that it only touches at its ends are none.
  private mutating func draw(_ leg: FoundWay, _ network: RoadNetwork) -> [RoadMoves.Road] {
    let lengths = network.lengths(of: leg)
    var roads: [RoadMoves.Road] = []
    for (i, arc) in leg.arcs.enumerated() {
      let (isFirst, isLast) = (i == 0, i == leg.arcs.count - 1)
      let points = network.points(arc).cut(
        from: isFirst ? (network.share(of: arc, before: leg.start), leg.start.place) : nil,
        to: isLast ? (network.share(of: arc, before: leg.end), leg.end.place) : nil)
      let start = max(way.polyline.count - 1, 0)
      for point in points where point != way.polyline.last { way.polyline.append(point) }
      if (isFirst || isLast) && leg.arcs.count > 1 && lengths[i] < 1 { continue }
      let road = RoadMoves.Road(network, arc, length: lengths[i], start: start)
      roads.append(road)
      let end = max(way.polyline.count - 1, start)
      if mode == .bicycle, road.traits.contains(arc & 1 == 0 ? .pushedAhead : .pushedBack) {
        way.pushed.append(start..<end)
      }
    }
    return roads
  }

  private mutating func advise(of traits: RoadTraits) {
    if traits.contains(.ferry) { way.advisories.insert(.ferry) }
    if traits.contains(.stairs) { way.advisories.insert(.stairs) }
    if traits.contains(.toll), mode == .car { way.advisories.insert(.toll) }
    if traits.contains(.unpaved), mode != .foot || question.avoid.contains(.unpaved) {
      way.advisories.insert(.unpaved)
    }
    if traits.contains(.motorway) {
      way.hasMotorways = true
      if question.avoid.contains(.motorways) { way.advisories.insert(.motorway) }
    }
  }
}

extension Way {
  /// The engine that finds ways by the roads on this disk.
  static let ownEngine = "locationd"
}
