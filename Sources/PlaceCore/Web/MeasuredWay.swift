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
    var isDeparture: Bool
  }

  let line: [Coordinate]
  private let duration: Double
  /// Metres up to each place of the line.
  private let reached: [Double]
  private(set) var legs: [ArraySlice<Step>] = []

  init(_ way: Way) {
    line = way.polyline
    duration = way.duration
    reached = zip(line, line.dropFirst()).reduce(into: line.isEmpty ? [] : [0]) {
      $0.append(($0.last ?? 0) + $1.0.distance(to: $1.1))
    }
    let last = max(line.count - 1, 0)
    var steps: [Step] = []
    for (i, move) in way.moves.enumerated() {
      let start = min(max(move.start, 0), last)
      let next = i + 1 < way.moves.count ? min(max(way.moves[i + 1].start, start), last) : start
      if move.kind == .via {
        // The stop ends one leg and begins another.
        var arrival = move
        arrival.kind = .arrive(nil)
        steps.append(
          Step(move: arrival, start: start, range: start..<start + 1, isDeparture: false))
        legs.append(steps[...])
        steps = []
      }
      let isFirst = steps.isEmpty && move.kind != .arrive(nil)
      steps.append(
        Step(move: move, start: start, range: start..<next + 1, isDeparture: isFirst))
    }
    if !steps.isEmpty { legs.append(steps[...]) }
  }

  func metres(_ range: Range<Int>) -> Double {
    guard range.count > 1, reached.indices.contains(range.upperBound - 1) else { return 0 }
    return reached[range.upperBound - 1] - reached[range.lowerBound]
  }

  func seconds(_ range: Range<Int>) -> Double {
    guard let whole = reached.last, whole > 0 else { return 0 }
    return duration * metres(range) / whole
  }
}

extension MeasuredWay.Step {
  /// OSRM's words for what the traveller does.
  var words: (type: String, modifier: String?, exit: Int?) {
    if isDeparture, case .arrive = move.kind {} else if isDeparture { return ("depart", nil, nil) }
    switch move.kind {
    case .depart, .via: return ("depart", nil, nil)
    case .turn(let turn): return ("turn", Self.modifiers[turn], nil)
    case .goOn: return ("new name", "straight", nil)
    case .keep(let side): return ("fork", side == .left ? "slight left" : "slight right", nil)
    case .merge(let side): return ("merge", Self.slight(side), nil)
    case .ramp(let side): return ("on ramp", Self.slight(side), nil)
    case .roundabout(let exit): return ("roundabout", "right", exit)
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

/// Google's text of a line: differences of rounded degrees, five bits a letter.
enum EncodedPolyline {
  static func text(_ line: ArraySlice<Coordinate>, decimals: Int) -> String {
    let scale = decimals == 5 ? 1e5 : 1e6
    var letters: [UInt8] = []
    var last: (Int64, Int64) = (0, 0)
    for place in line {
      let next = (
        Int64((place.latitude * scale).rounded()), Int64((place.longitude * scale).rounded())
      )
      append(next.0 - last.0, &letters)
      append(next.1 - last.1, &letters)
      last = next
    }
    return String(decoding: letters, as: UTF8.self)
  }

  private static func append(_ difference: Int64, _ letters: inout [UInt8]) {
    var rest = UInt64(bitPattern: difference << 1)
    if difference < 0 { rest = ~rest }
    while rest >= 0x20 {
      letters.append(UInt8(truncatingIfNeeded: rest & 0x1F | 0x20) + 63)
      rest >>= 5
    }
    letters.append(UInt8(truncatingIfNeeded: rest) + 63)
  }
}
