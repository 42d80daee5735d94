import Glibc
import LocationModel

/// The bound of a figure.
package enum Bar {
  case atMost(Double)
  case atLeast(Double)
  /// A part of the peer's, by the median of the pairs' ratios.
  case atMostOfPeer(Double)
  case atLeastOfPeer(Double)
}

/// A measure beside its peer's, taken in turns.
package struct Pairs {
  private var ours: [Double] = []
  private var theirs: [Double] = []

  package init() {}

  package init(_ ours: Double, beside theirs: Double) { add(ours, beside: theirs) }

  package mutating func add(_ ours: Double, beside theirs: Double) {
    self.ours.append(ours)
    self.theirs.append(theirs)
  }

  package var median: (ours: Double, theirs: Double) { (ours.median, theirs.median) }

  /// Nil where the peer's are nothing.
  package var ratio: Double? {
    let ratios = zip(ours, theirs).map { $0 / $1 }.filter(\.isFinite)
    return ratios.isEmpty ? nil : ratios.median
  }
}

/// Figures of a bench, a line of JSON each, for the page that `Tests/Benchmarks/run` makes.
package enum Figures {
  /// With BENCH_QUICK=1 a bench takes fewer rounds: for trying, not for quoting.
  package static let isQuick = getenv("BENCH_QUICK").map { String(cString: $0) } == "1"
  // A bench has one thread that says figures.
  nonisolated(unsafe) private static var areGood = true

  package static func say(_ name: String, _ value: Double, _ unit: String, _ bar: Bar? = nil) {
    say(["figure": .string(name), "value": short(value), "unit": .string(unit)], value, nil, bar)
  }

  package static func say(
    _ name: String, _ pairs: Pairs, _ unit: String, beside peer: String, _ bar: Bar? = nil
  ) {
    let (ours, theirs) = pairs.median
    say(
      [
        "figure": .string(name), "value": short(ours), "unit": .string(unit),
        "peer": .string(peer), "beside": short(theirs), "ratio": pairs.ratio.map(short),
      ], ours, pairs.ratio, bar)
  }

  private static func say(_ figure: JSON, _ value: Double, _ ratio: Double?, _ bar: Bar?) {
    var members = figure.members ?? []
    func add(_ key: String, _ value: JSON) {
      members.append(JSON.Member(key: key, value: value))
    }
    if let bar {
      let holds: Bool
      switch bar {
      case .atMost(let most):
        holds = value <= most
        add("most", .number(most))
      case .atLeast(let least):
        holds = value >= least
        add("least", .number(least))
      case .atMostOfPeer(let most):
        holds = ratio.map { $0 <= most } ?? false
        add("mostOfPeer", .number(most))
      case .atLeastOfPeer(let least):
        holds = ratio.map { $0 >= least } ?? false
        add("leastOfPeer", .number(least))
      }
      add("passed", .bool(holds))
      if !holds { areGood = false }
    }
    print(JSON.object(members).text)
    fflush(nil)
  }

  /// Four digits are enough.
  private static func short(_ value: Double) -> JSON {
    guard value.isFinite, value != 0 else { return .number(0) }
    let scale = pow(10, 3 - floor(log10(abs(value))))
    return .number((value * scale).rounded() / scale)
  }

  /// Ends with 3 where a bar is missed: an error of a bench ends it with 1.
  package static func end() -> Never { exit(areGood ? 0 : 3) }
}

extension [Double] {
  /// The value that so much of them is not above; 0 of none.
  package func at(_ share: Double) -> Double {
    guard let last = indices.last else { return 0 }
    return sorted()[Swift.min(last, Int(Double(count) * share))]
  }

  package var median: Double { at(0.5) }
}
