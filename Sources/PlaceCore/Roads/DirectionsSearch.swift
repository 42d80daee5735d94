package import LocationModel

/// The search for ways between the places of a question, by the roads of one network, or of two that have a road in
/// common.
///
/// Places that all lie on roads which lead nowhere are tried on those; else each is taken for the nearest of the great
/// network. Where nothing is found without the roads to avoid, it is looked for with them.
package struct DirectionsSearch {
  /// A place where a way is cut: the end of one leg and the start of the next.
  private struct Stop {
    var reached: [RoadEnd]
    var left: [RoadEnd]
  }

  private struct Attempt {
    var stops: [Stop]
    var avoiding: RoadTraits
    /// States that may be looked at.
    var most: Int
  }

  private let question: DirectionsRequest
  private let mode: RoadMode
  private let networks: [RoadNetwork]
  private let join: RoadJoin?
  /// The numbers of places that are not where the one before is.
  private let places: [Int]
  /// Roads to avoid in the attempts that are left.
  private var avoidings: [RoadTraits]
  /// The roads near the first places, for the next attempts.
  private var near: [NearestRoads] = []
  private var attempts: [Attempt] = []
  private var attempt: Attempt?
  private var search: WaySearch?
  /// A car goes straight on at the start of this leg.
  private var isStraight = false
  private var legs: [FoundWay] = []
  private var alternates: Alternates?
  private var used = 0

  /// States of the whole question: a second or two.
  static let mostStates = 4_000_000
  /// States that are looked at on roads that lead nowhere.
  private static let mostOnIslands = 20_000
  /// Squares and points of roads near places that are looked at in one turn.
  private static let mostNear = 50_000
  /// Metres between places that are one.
  static let same = 3.0

  package init(_ network: RoadNetwork, _ question: DirectionsRequest) {
    self.init([network], question, nil)
  }

  /// The way changes from the first network to the second at a road that both have.
  package init(
    _ first: RoadNetwork, _ second: RoadNetwork, at join: RoadJoin, _ question: DirectionsRequest
  ) {
    self.init([first, second], question, join)
  }

  private init(_ networks: [RoadNetwork], _ question: DirectionsRequest, _ join: RoadJoin?) {
    (self.networks, self.question, self.join) = (networks, question, join)
    mode = RoadMode(question.transport)
    let all = question.places
    places = all.indices.filter { $0 == 0 || all[$0].metres(to: all[$0 - 1]) > Self.same }
    let avoiding = RoadTraits(avoiding: question.avoid)
    avoidings = avoiding.isEmpty ? [[]] : [avoiding, []]
  }

  /// Goes on over so many states. Nil: it is not yet done.
  package mutating func advance(_ states: Int) -> EngineAnswer? {
    guard let attempt, search != nil else { return tryNext() }
    used += states
    let progress = used > attempt.most ? nil : search?.advance(states)
    switch progress ?? .tooLarge {
    case .searching: return nil
    case .found(let way): return go(on: way)
    case .none: return turnBack()
    case .tooLarge where alternates != nil: return conclude()
    case .tooLarge: return attempt.most == Self.mostStates ? .tooFar : turnBack()
    }
  }
}

// MARK: - Attempts

extension DirectionsSearch {
  private mutating func tryNext() -> EngineAnswer? {
    if attempts.isEmpty {
      guard let avoiding = avoidings.first else { return .noWay }
      if let refusal = look(avoiding) { return refusal }
      guard near.count == places.count else { return nil }
      prepare(avoiding)
    }
    guard !attempts.isEmpty else { return stay() }
    attempt = attempts.removeFirst()
    legs = []
    begin()
    return nil
  }

  /// The network of a place, by its number among those that are apart.
  private func network(_ place: Int) -> RoadNetwork {
    networks[join.map { place <= $0.before } ?? true ? 0 : 1]
  }

  /// Looks for the roads near the places that are left: all, but where there are many.
  private mutating func look(_ avoiding: RoadTraits) -> EngineAnswer? {
    var work = 0
    while near.count < places.count, work < Self.mostNear {
      let number = places[near.count]
      let roads = NearestRoads(
        network(number), mode, near: question.places[number], avoiding: avoiding)
      if roads.nearest.isEmpty { return missing(number) }
      near.append(roads)
      work += roads.looked
    }
    return nil
  }

  private mutating func prepare(_ avoiding: RoadTraits) {
    avoidings.removeFirst()
    let roads = near
    near = []
    guard places.count > 1 else { return }
    func add(_ ends: (NearestRoads) -> [RoadEnd], most: Int) {
      var stops = roads.map { Stop(reached: ends($0), left: ends($0)) }
      if let join, let after = places.firstIndex(where: { $0 > join.before }) {
        stops.insert(Stop(reached: [join.first], left: [join.second]), at: after)
      }
      attempts.append(Attempt(stops: stops, avoiding: avoiding, most: most))
    }
    if roads.allSatisfy(\.isIsland) { add(\.nearest, most: used + Self.mostOnIslands) }
    add({ $0.great.isEmpty ? $0.nearest : $0.great }, most: Self.mostStates)
  }

  /// No road is near. Perhaps there are some for others.
  private func missing(_ number: Int) -> EngineAnswer {
    let (place, network) = (question.places[number], network(number))
    let others = RoadMode.allCases.filter { $0 != mode }.compactMap {
      NearestRoads(network, $0, near: place).nearest.first?.distance
    }
    return .noRoad(
      place: number,
      distance: others.min() ?? NearestRoads.distance(to: network, mode, from: place))
  }

  /// All places are one.
  private func stay() -> EngineAnswer {
    let way = Way(
      polyline: [question.from, question.from], moves: [Move(.arrive(nil), start: 0)],
      duration: 0, engine: Way.ownEngine)
    return EngineAnswer.ways([way]).checked(question)
  }
}

// MARK: - Legs

extension DirectionsSearch {
  /// The leg after those that were found: on from where the last ends.
  private mutating func begin(straight: Bool = true) {
    guard let attempt, legs.count + 1 < attempt.stops.count else { return }
    let number = legs.count
    var (starts, only) = (attempt.stops[number].left, UInt32?.none)
    if let last = legs.last {
      if isJoin(number) {
        only = join?.arc(after: last.arcs.last)
      } else {
        starts = [last.end]
        only = mode == .car ? last.arcs.last : nil
      }
    }
    isStraight = straight && only != nil
    search = WaySearch(
      legNetwork(number), mode, from: starts, to: attempt.stops[number + 1].reached,
      avoiding: attempt.avoiding, onlyArc: isStraight ? only : nil)
  }

  /// The number of the stop that is the join.
  private var joinStop: Int? {
    join.flatMap { join in places.firstIndex { $0 > join.before } }
  }
  private func isJoin(_ stop: Int) -> Bool { stop == joinStop }
  private func legNetwork(_ leg: Int) -> RoadNetwork {
    networks[joinStop.map { leg >= $0 } ?? false ? 1 : 0]
  }

  private mutating func go(on way: FoundWay) -> EngineAnswer? {
    if alternates != nil { return vary(way) }
    legs.append(way)
    if legs.count + 1 < attempt?.stops.count ?? 0 {
      begin()
      return nil
    }
    guard question.alternates, legs.count == 1 else { return conclude() }
    alternates = Alternates(networks[0], beside: way)
    return lookForOthers()
  }

  /// Nothing is found: back where a car could go straight on, else the next attempt.
  private mutating func turnBack() -> EngineAnswer? {
    if alternates != nil { return vary(nil) }
    if isStraight, used <= attempt?.most ?? 0 {
      begin(straight: false)
      return nil
    }
    search = nil
    guard attempts.isEmpty, avoidings.isEmpty else { return nil }
    return .noWay
  }
}

// MARK: - Other ways

extension DirectionsSearch {
  private mutating func vary(_ way: FoundWay?) -> EngineAnswer? {
    alternates?.consider(way)
    return alternates?.isDone ?? true ? conclude() : lookForOthers()
  }

  private mutating func lookForOthers() -> EngineAnswer? {
    guard let attempt, let alternates else { return conclude() }
    search = WaySearch(
      networks[0], mode, from: attempt.stops[0].left, to: attempt.stops[1].reached,
      avoiding: attempt.avoiding, dearer: alternates.dearer)
    return nil
  }

  private func conclude() -> EngineAnswer {
    let found = alternates.map { $0.ways.map { [$0] } } ?? [legs]
    let ways = found.map { legs in
      var telling = WayTelling(question)
      for (number, leg) in legs.enumerated() {
        telling.add(leg, in: legNetwork(number), isOnTheWay: isJoin(number))
      }
      return telling.whole
    }
    return EngineAnswer.ways(ways).checked(question)
  }
}

extension NearestRoads {
  /// The nearest road leads nowhere.
  fileprivate var isIsland: Bool { nearest.first?.distance != great.first?.distance }
}
