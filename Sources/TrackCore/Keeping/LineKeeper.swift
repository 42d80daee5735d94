package import LocationModel

/// Keeps what is needed to draw a track again: few points of a straight road, many of a roundabout. No
/// omitted place lies farther than `error` metres from the kept line, or than its own accuracy where
/// that is worse.
///
/// A line leads from the last kept place, the anchor, to the newest place that it can end in and pass all places
/// between (an opening window). A place in which it cannot end cuts it there; a vague one, which may be off
/// the way itself, waits for those after it.
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
  /// The places since the anchor.
  private var passed: [Mark] = []
  /// The newest place that the line can end in.
  private var candidate: Location?
  /// The places after it.
  private var waiting: [Location] = []

  private struct Mark {
    var vector: Vector
    /// The line passes the place within so many metres.
    var tolerance: Double
  }

  package init(_ rule: Rule) { self.rule = rule }

  /// The places that are kept now, in order.
  package mutating func handle(_ location: Location) -> [Location] {
    guard location.horizontalAccuracy <= rule.accuracy else { return [] }
    guard let newest = waiting.last ?? candidate ?? anchor else { return [keep(location)] }
    let pause = location.timestamp - newest.timestamp
    // A clock that was set back, and a receiver that was away, begin another line.
    guard pause >= .zero, pause < rule.interval else { return rest() + [keep(location)] }
    return add(location)
  }

  /// The keeper remembers a place of that time.
  func holds(_ time: ClosedRange<Timestamp>) -> Bool {
    let places = [anchor, candidate].compactMap(\.self) + waiting
    return places.contains { time.contains($0.timestamp) }
  }

  /// The device rests, or nothing more comes: the newest place is kept.
  package mutating func rest() -> [Location] {
    var kept: [Location] = []
    while candidate != nil { kept += cut() }
    return kept
  }

  private mutating func keep(_ location: Location) -> Location {
    anchor = location
    plane = Plane(at: location.coordinate)
    passed.removeAll(keepingCapacity: true)
    candidate = nil
    waiting = []
    return location
  }

  /// Ends the line where it can; another begins there.
  private mutating func cut() -> [Location] {
    guard let candidate else { return [] }
    let rest = waiting
    var kept = [keep(candidate)]
    for location in rest { kept += add(location) }
    return kept
  }

  private mutating func add(_ location: Location) -> [Location] {
    guard let anchor, let vector = plane?.vector(to: location.coordinate) else { return [] }
    let mark = Mark(
      vector: vector, tolerance: max(rule.error, location.horizontalAccuracy))
    let time = location.timestamp - anchor.timestamp
    let isEnd = passed.allSatisfy { $0.vector.distance(toLineTo: vector) <= $0.tolerance }
    passed.append(mark)
    if isEnd {
      candidate = location
      waiting = []
      let isDue =
        vector.length >= rule.distance || time >= rule.interval
        || vector.length > mark.tolerance && turns(anchor, location)
        || passed.count >= Self.mostPassed
      return isDue ? [keep(location)] : []
    }
    waiting.append(location)
    let mayWait =
      mark.tolerance > rule.error && waiting.count <= Self.mostWaiting
      && time < rule.interval && passed.count < Self.mostPassed
    return mayWait ? [] : cut()
  }

  private func turns(_ a: Location, _ b: Location) -> Bool {
    guard let before = a.course, let now = b.course, (b.speed ?? 0) >= Self.leastSpeed else {
      return false
    }
    return abs((now - before).remainder(dividingBy: 360)) >= rule.turn
  }

  /// Bounds of memory, and of the work for each place.
  private static let mostPassed = 1024
  private static let mostWaiting = 8
  /// Slower, a receiver's course is noise.
  private static let leastSpeed = 2.0
}
