import LocationModel

/// How good a fix somebody needs, and how often: what receivers are on for.
package struct Need: Equatable, Sendable {
  /// Metres that will do; 0 for the best there is.
  package var accuracy: Double
  /// Seconds between two fixes that will do; 0 for all of them, nil for as long as a moving device
  /// takes to get that far.
  package var every: Double?

  package init(accuracy: Double, every: Double? = nil) {
    self.accuracy = accuracy
    self.every = every
  }

  /// Everything, as it comes.
  package static let all = Need(accuracy: 0, every: 0)

  /// A device that rests is looked after once a minute.
  static let rest = Need(accuracy: 100, every: 60)

  /// A coarse place is told seldom.
  static let coarsePlace = Need(accuracy: Grain.city.accuracy, every: Grain.city.interval.seconds)

  /// How long a fix will do, in seconds, at a pace in metres per second.
  func pause(at pace: Double) -> Double {
    if let every { return every }
    return accuracy < Self.coarse ? 0 : accuracy / max(pace, TrackPoint.walk)
  }

  /// A client that asks for less than this wants each change at once.
  private static let coarse = 100.0
}

/// The demand on one source while it is open.
package struct SourceDemand: Equatable, Sendable {
  /// Metres that will do; 0 for the best there is, nil where no fix is needed.
  package var accuracy: Double?
  /// How long the source may sleep between two fixes: a power of two seconds, so that it is not told
  /// each change of pace.
  package var pause: Duration
  package var headings: Bool
  /// A modem is to say its cell.
  package var cells: Bool
  /// How near beacons are is wanted, not only which ones come and go.
  package var ranging = false

  package static let all = SourceDemand(accuracy: 0, pause: 0, headings: true)
  /// Beacons, and nothing else.
  static func beacons(ranging: Bool) -> SourceDemand {
    var demand = SourceDemand(accuracy: nil, pause: 0, headings: false)
    demand.ranging = ranging
    return demand
  }

  package init(accuracy: Double?, pause: Double, headings: Bool, cells: Bool = false) {
    self.accuracy = accuracy
    self.pause = pause < 1 ? .zero : Duration(clamping: pause.binade)
    self.headings = headings
    self.cells = cells
  }
}

extension SourceDemand: CustomStringConvertible {
  package var description: String {
    var parts: [String] = []
    if let accuracy { parts.append(accuracy > 0 ? "fixes within \(accuracy) m" : "the best fixes") }
    if pause > .zero { parts.append("one in \(pause.components.seconds) s") }
    if headings { parts.append("headings") }
    if cells { parts.append("the cell") }
    if ranging { parts.append("how near beacons are") }
    return parts.joined(separator: ", ")
  }
}

/// The sum of all needs: the best of the accuracies, the shortest of the pauses.
struct Demand {
  private(set) var accuracy = Double.infinity
  private(set) var pause = Double.infinity
  /// Metres per second.
  private let pace: Double

  init(pace: Double) { self.pace = pace }

  mutating func add(_ need: Need) {
    accuracy = min(accuracy, need.accuracy)
    pause = min(pause, need.pause(at: pace))
  }
}
