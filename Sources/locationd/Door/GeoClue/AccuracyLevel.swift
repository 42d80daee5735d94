import LocationCore
import LocationModel

/// How exactly a GeoClue client wants to be told, or a desktop allows it.
enum AccuracyLevel: UInt32, Comparable {
  case none = 0
  case country = 1
  case city = 4
  case neighborhood = 5
  case street = 6
  case exact = 8

  static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }

  /// Numbers between the levels, and beyond them, are the next coarser one.
  init(rounding number: UInt32) {
    let levels: [Self] = [.exact, .street, .neighborhood, .city, .country]
    self = levels.first { $0.rawValue <= number } ?? .none
  }

  /// The level of a place that is known so well; nil for no place.
  init(accuracy: Double?) {
    self =
      switch accuracy {
      case nil: .none
      case .some(...100): .exact
      case .some(...1000): .neighborhood
      case .some: .city
      }
  }

  /// How coarse the place is that it is told; nil for the exact one.
  var grain: Grain? {
    switch self {
    case .exact: nil
    case .street: .street
    case .neighborhood: .neighborhood
    case .none, .country, .city: .city
    }
  }

  /// Metres that will do; for a city or a country, that of the time zone.
  var desiredAccuracy: Double {
    switch self {
    case .exact: -1
    case .street, .neighborhood: grain?.accuracy ?? -1
    case .none, .country, .city: StandardRequest.city
    }
  }

  var isCoarse: Bool { grain != nil }
}
