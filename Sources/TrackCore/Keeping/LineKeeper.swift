package import LocationModel

/// Keeps what is needed to draw a track again: few points of a straight road, many of a roundabout. No
/// omitted place lies farther than `error` metres from the kept line, or than its own accuracy where
/// that is worse.
///
/// The directions in which a line from the last kept point passes all places since within that bound
/// form a cone. A place outside of the cone ends the line at the place before it (sleeve fitting, Zhao
/// and Saalfeld 1997): constant time and memory for each.
package struct LineKeeper: Sendable {
  package struct Rule: Equatable, Sendable {
    /// A place is kept at the latest after so many metres, and after so long.
    package var distance = 1000.0
    package var interval: Duration = .seconds(300)
    /// A place is kept where the course has changed by so many degrees since the last.
    package var turn = 30.0
    /// Fixes that are worse are passed over.
    package var accuracy = 100.0
    package var error = 10.0

    package init() {}
  }

  package let rule: Rule
  private var anchor: Location?
  private var plane: Plane?
  /// The newest place that is not kept yet.
  private var candidate: Location?
  private var cone: Cone?
  private var farthest = 0.0

  package init(_ rule: Rule) { self.rule = rule }

  /// The places that are kept now, in order: the one before, this one, both or none.
  package mutating func handle(_ location: Location) -> [Location] {
    guard location.horizontalAccuracy <= rule.accuracy else { return [] }
    var kept: [Location] = []
    if let newest = candidate ?? anchor {
      let pause = location.timestamp - newest.timestamp
      // A clock that was set back, and a receiver that was away, begin another line.
      if pause < .zero || pause >= rule.interval { kept += rest() + [keep(location)] }
    } else {
      kept.append(keep(location))
    }
    guard kept.isEmpty else { return kept }
    if let candidate, !extends(location) { kept.append(keep(candidate)) }
    if add(location) { kept.append(keep(location)) }
    return kept
  }

  /// The device rests, or nothing more comes: the newest place is kept.
  package mutating func rest() -> [Location] { candidate.map { [keep($0)] } ?? [] }

  private mutating func keep(_ location: Location) -> Location {
    anchor = location
    plane = Plane(at: location.coordinate)
    candidate = nil
    cone = nil
    farthest = 0
    return location
  }

  /// True where the line from the anchor to this place passes all that lie between.
  private func extends(_ location: Location) -> Bool {
    guard let vector = plane?.vector(to: location.coordinate) else { return true }
    let tolerance = tolerance(of: location)
    guard vector.length >= farthest - tolerance * Self.backwards else { return false }
    return vector.length <= tolerance || cone?.contains(vector) ?? true
  }

  /// True where this place is to be kept itself.
  private mutating func add(_ location: Location) -> Bool {
    guard let anchor, let vector = plane?.vector(to: location.coordinate) else { return true }
    let tolerance = tolerance(of: location)
    candidate = location
    farthest = max(farthest, vector.length)
    if let new = Cone(around: vector, width: tolerance * Self.sideways) {
      cone = cone.map { $0.intersection(new) } ?? new
    }
    return vector.length >= rule.distance || location.timestamp - anchor.timestamp >= rule.interval
      || vector.length > tolerance && turns(anchor, location)
  }

  private func turns(_ a: Location, _ b: Location) -> Bool {
    guard let before = a.course, let now = b.course, (b.speed ?? 0) >= Self.leastSpeed else {
      return false
    }
    return abs((now - before).remainder(dividingBy: 360)) >= rule.turn
  }

  private func tolerance(of location: Location) -> Double {
    max(rule.error, location.horizontalAccuracy)
  }

  /// A place may lie so far beside the line, and so far beyond its end, in parts of the tolerance:
  /// together no more than the whole.
  private static let sideways = 0.9
  private static let backwards = 0.43
  /// Slower, a receiver's course is noise.
  private static let leastSpeed = 2.0
}
