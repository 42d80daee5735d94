/// A part of a town that an address may name.
package enum DistrictKind: UInt8, BitwiseCopyable, Sendable {
  /// In the order in which one of several that hold a place is its district.
  case suburb, quarter, neighbourhood
  /// A part of a large city, which has suburbs itself.
  case borough
  /// A town, or what it lies in: no district, but the districts of a town end at its border.
  case town

  /// By OpenStreetMap's `place`.
  package init?(place: String) {
    switch place {
    case "suburb": self = .suburb
    case "quarter": self = .quarter
    case "neighbourhood": self = .neighbourhood
    case "borough": self = .borough
    case "city", "town", "village", "municipality": self = .town
    default: return nil
    }
  }

  /// By the level of an administrative border, as Nominatim ranks it.
  package init?(level: Int) {
    switch level {
    case 2...8: self = .town
    case 9: self = .borough
    case 10: self = .suburb
    case 11: self = .neighbourhood
    default: return nil
    }
  }

  /// Metres from a point to the end of the district that it stands for. Nominatim takes it for a square of some 1.4 and
  /// 0.7 km to each side.
  package var reach: Double {
    switch self {
    case .suburb: 1500
    case .quarter, .neighbourhood: 750
    case .borough, .town: 0
    }
  }

  package static let farthest = 1500.0
}

/// A district that a place may lie in.
package enum DistrictChoice: Equatable, Sendable {
  /// An area that holds the place. `size`: in any unit.
  case area(DistrictKind, size: Double)
  /// A district whose point is near.
  case point(DistrictKind, metres: Double)

  /// Areas come first, the smallest of the first kind, then the nearest point of the first kind, then boroughs.
  private var order: (Int, UInt8, Double)? {
    switch self {
    case .area(.town, _), .point(.town, _), .point(.borough, _): nil
    case .area(.borough, let size): (2, 0, size)
    case .area(let kind, let size): (0, kind.rawValue, size)
    case .point(let kind, let metres): metres <= kind.reach ? (1, kind.rawValue, metres) : nil
    }
  }

  /// The index of the district that an address names.
  package static func best(of choices: [DistrictChoice]) -> Int? {
    var best: (index: Int, order: (Int, UInt8, Double))?
    for (i, choice) in choices.enumerated() {
      guard let order = choice.order else { continue }
      if best.map({ order < $0.order }) ?? true { best = (i, order) }
    }
    return best?.index
  }
}
