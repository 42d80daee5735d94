import Geodesy
import LocationModel

/// A way with the lengths and times of its parts, and its legs from stop to stop. An engine tells one time for all: parts
/// have their share by length.
struct MeasuredWay {
  struct Step {
    var move: Move
    var start: Int
    /// From its place to that of the next.
    var range: Range<Int>
    var isFerry = false
  }

  let line: [Coordinate]
  private let duration: Double
  private let pushed: [Range<Int>]
  /// Metres up to each place of the line.
  private let reached: [Double]
  private(set) var legs: [[Step]] = []

  /// `places`: those that were asked for.
  init(_ way: Way, _ places: [Coordinate]) {
    line = way.polyline
    (duration, pushed) = (way.duration, way.pushed)
    reached = zip(line, line.dropFirst()).reduce(into: line.isEmpty ? [] : [0]) {
      $0.append(($0.last ?? 0) + $1.0.distance(to: $1.1))
    }
    let last = max(line.count - 1, 0)
    var steps: [Step] = []
    for (i, move) in way.moves.enumerated() {
      let start = min(max(move.start, 0), last)
      let next = i + 1 < way.moves.count ? min(max(way.moves[i + 1].start, start), last) : start
      // A stop ends one leg and begins another.
      if move.kind == .via {
        steps.append(Step(move: Move(.arrive(nil), street: move.street, start: start), at: start))
        legs.append(steps)
        steps = []
      }
      if steps.isEmpty {
        let isEnd = move.kind.isArrival
        steps.append(
          Step(
            move: Move(.depart(bearing: 0), street: move.street, start: start), start: start,
            range: start..<(isEnd ? start : next) + 1, isFerry: move.kind == .board))
        if !isEnd { continue }
      }
      steps.append(
        Step(
          move: move, start: start, range: start..<next + 1, isFerry: move.kind == .board))
    }
    if !steps.isEmpty { legs.append(steps) }
    addStays(at: places)
  }

  /// A stop where the one before is has a leg of no length, which the way does not tell.
  private mutating func addStays(at places: [Coordinate]) {
    for (i, pair) in zip(places, places.dropFirst()).enumerated()
    where legs.count + 1 < places.count && i <= legs.count {
      guard pair.1.distance(to: pair.0) <= DirectionsSearch.same else { continue }
      let next = i < legs.count ? legs[i].first : legs.last?.last
      guard let next else { continue }
      let street = next.move.street
      legs.insert(
        [.depart(bearing: 0), .arrive(nil)].map {
          Step(move: Move($0, street: street, start: next.start), at: next.start)
        }, at: i)
    }
  }

  /// The place of the way for each that was asked for, and the metres between them.
  func snapped(_ places: [Coordinate]) -> [(place: Coordinate, metres: Double)] {
    let indices = legs.compactMap(\.first?.start) + [line.count - 1]
    return zip(places, indices).compactMap { place, index in
      line.indices.contains(index) ? (line[index], line[index].distance(to: place)) : nil
    }
  }

  func metres(_ range: Range<Int>) -> Double {
    guard range.count > 1, reached.indices.contains(range.upperBound - 1) else { return 0 }
    return reached[range.upperBound - 1] - reached[range.lowerBound]
  }

  /// A bicycle is pushed along more than half of it.
  func isPushed(_ range: Range<Int>) -> Bool {
    let metres = pushed.reduce(0.0) { sum, part in
      let (start, end) = (
        max(part.lowerBound, range.lowerBound), min(part.upperBound + 1, range.upperBound)
      )
      return sum + (start < end ? self.metres(start..<end) : 0)
    }
    return metres * 2 > self.metres(range)
  }

  func seconds(_ range: Range<Int>) -> Double {
    guard let whole = reached.last, whole > 0 else { return 0 }
    return duration * metres(range) / whole
  }
}

extension MeasuredWay.Step {
  /// A move of no length.
  fileprivate init(move: Move, at start: Int) {
    self.init(move: move, start: start, range: start..<start + 1)
  }

  /// OSRM's words for what the traveller does. `isLeft`: traffic keeps to the left there. `before` and `after`: bearings in
  /// degrees.
  func words(
    isLeft: Bool, from before: Double, to after: Double
  ) -> (type: String, modifier: String?, exit: Int?) {
    switch move.kind {
    case .depart, .via: return ("depart", nil, nil)
    case .turn(let turn): return ("turn", Self.modifiers[turn], nil)
    case .goOn:
      // A road that bends where its name ends is a turn there.
      let turn = Turn(from: before, to: after)
      let isBend = ![.straight, .slightLeft, .slightRight].contains(turn)
      return (isBend ? "turn" : "new name", Self.modifiers[turn], nil)
    case .keep(let side): return ("fork", side == .left ? "slight left" : "slight right", nil)
    case .merge(let side): return ("merge", Self.slight(side), nil)
    case .ramp(let side): return ("on ramp", Self.slight(side), nil)
    case .roundabout(let exit): return ("roundabout", isLeft ? "left" : "right", exit)
    case .board: return ("notification", "straight", nil)
    case .arrive(let side):
      return ("arrive", side.map { $0 == .left ? "left" : "right" }, nil)
    }
  }

  private static func slight(_ side: Move.Side?) -> String {
    side.map { $0 == .left ? "slight left" : "slight right" } ?? "straight"
  }

  private static let modifiers: [Turn: String] = [
    .straight: "straight", .slightRight: "slight right", .right: "right",
    .sharpRight: "sharp right", .back: "uturn", .sharpLeft: "sharp left", .left: "left",
    .slightLeft: "slight left",
  ]
}

extension Move.Kind {
  fileprivate var isArrival: Bool { if case .arrive = self { true } else { false } }
}
