import Geodesy
package import LocationModel

/// A way as an engine has found it, before it is put into words.
package struct Way: Equatable, Sendable {
  package var polyline: [Coordinate]
  package var moves: [Move]
  /// Seconds.
  package var duration: Double
  package var advisories: Set<Advisory>
  package var hasMotorways = false
  /// The parts of the line along which a bicycle is pushed, by their places.
  package var pushed: [Range<Int>] = []
  package var engine: String
  /// Metres between what was asked for and the way's ends, where they are worth telling.
  package var gaps: (start: Double?, end: Double?) = (nil, nil)

  package init(
    polyline: [Coordinate], moves: [Move], duration: Double, advisories: Set<Advisory> = [],
    engine: String
  ) {
    self.polyline = polyline
    self.moves = moves
    self.duration = duration
    self.advisories = advisories
    self.engine = engine
  }

  package static func == (a: Way, b: Way) -> Bool {
    (a.polyline, a.moves, a.duration, a.advisories, a.engine)
      == (b.polyline, b.moves, b.duration, b.advisories, b.engine) && a.gaps == b.gaps
      && a.hasMotorways == b.hasMotorways && a.pushed == b.pushed
  }
}

/// Something that the traveller should know before.
package enum Advisory: Int, Comparable, Sendable {
  case ferry, toll, motorway, unpaved, stairs

  package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

/// What the traveller does at one place, and the road from there.
package struct Move: Equatable, Sendable {
  package enum Kind: Equatable, Sendable {
    /// Degrees from north.
    case depart(bearing: Double)
    case turn(Turn)
    /// The road goes on, under another name.
    case goOn
    case keep(Side)
    case merge(Side?)
    case ramp(Side?)
    /// Counted from where it is entered; nil where that is unknown.
    case roundabout(exit: Int?)
    case board
    /// A place on the way is reached.
    case via
    case arrive(Side?)
  }

  package enum Side: Equatable, Sendable { case left, right }

  package var kind: Kind
  package var street: String?
  /// The first place of the polyline that belongs to it.
  package var start: Int

  package init(_ kind: Kind, street: String? = nil, start: Int) {
    self.kind = kind
    self.street = street
    self.start = start
  }
}

/// A change of direction.
package enum Turn: CaseIterable, Sendable {
  case straight, slightRight, right, sharpRight, back, sharpLeft, left, slightLeft

  /// From one bearing to another, both in degrees.
  package init(from: Double, to: Double) {
    let change = (to - from).remainder(dividingBy: 360)
    let size = change.magnitude
    self =
      switch size {
      case ..<20: .straight
      case ..<50: change > 0 ? .slightRight : .slightLeft
      case ..<125: change > 0 ? .right : .left
      case ..<165: change > 0 ? .sharpRight : .sharpLeft
      default: .back
      }
  }
}

extension Coordinate {
  /// On the ellipsoid.
  package func metres(to other: Coordinate) -> Double { distance(to: other) }
}
