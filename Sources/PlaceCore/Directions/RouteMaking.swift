import Geodesy
package import LocationModel

extension DirectionsRequest {
  /// Bytes of an answer to a client, which may not hold more.
  private static let longestRoutes = 800_000

  /// The ways that are asked for, as many as an answer holds.
  package func routes(of ways: [Way]) -> [Route] {
    var wanted = alternates ? ways[...] : ways.prefix(1)
    while wanted.count > 1, wanted.map(\.size).reduce(0, +) > Self.longestRoutes {
      wanted.removeLast()
    }
    return wanted.map { $0.route(transport, in: locale.flatMap(Language.init)) }
  }
}

extension Way {
  /// The way in the words of a language. Lengths are those of the polyline.
  package func route(_ transport: Transport, in language: Language?) -> Route {
    let phrases = Phrases.of(language)
    let units = DistanceText.Units(region: language?.region)
    func written(_ length: Double) -> String {
      DistanceText.text(length, language: phrases.code, units: units)
    }
    let lengths = zip(polyline, polyline.dropFirst()).map { $0.distance(to: $1) }
    var roads: [(name: String, length: Double)] = []
    var steps: [Route.Step] = []
    for (i, move) in moves.enumerated() {
      let first = min(max(move.start, 0), polyline.count - 1)
      let last = min(
        max(i + 1 < moves.count ? moves[i + 1].start : polyline.count - 1, first),
        polyline.count - 1)
      guard first >= 0 else { continue }
      let length = lengths[first..<max(first, last)].reduce(0, +)
      steps.append(
        Route.Step(
          instructions: phrases.sentence(move), distance: length,
          polyline: Array(polyline[first...last])))
      if let street = move.street {
        if let known = roads.firstIndex(where: { $0.name == street }) {
          roads[known].length += length
        } else {
          roads.append((street, length))
        }
      }
    }
    var route = Route(
      name: Self.name(roads), distance: lengths.reduce(0, +), expectedTravelTime: duration,
      transport: transport, polyline: polyline, steps: steps,
      advisories: advisories.sorted().map { phrases.advisory($0) }
        + [(phrases.gaps.start, gaps.start), (phrases.gaps.end, gaps.end)].compactMap { text, gap in
          gap.map { text.replacing("{d}", written($0)) }
        },
      engine: engine)
    route.hasTolls = advisories.contains(.toll)
    route.hasMotorways = hasMotorways
    return route
  }

  /// The two roads that most of it lies on, in the order in which they come.
  private static func name(_ roads: [(name: String, length: Double)]) -> String {
    let longest = roads.enumerated().sorted { $0.element.length > $1.element.length }.prefix(2)
    return longest.sorted { $0.offset < $1.offset }.map(\.element.name).joined(separator: ", ")
  }
}
