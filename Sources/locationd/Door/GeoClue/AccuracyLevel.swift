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

  /// Anything but the exact place is one of some kilometres, which is the same for all of them.
  var isCoarse: Bool { self < .exact }
}
