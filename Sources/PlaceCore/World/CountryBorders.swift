/// The country of a place by borders that extracts have whole. The world's are drawn more roughly: up to 3.6 km off
/// at Monaco.
package struct CountryBorders: Equatable, Sendable {
  /// The country that holds the place.
  package private(set) var inside: String?
  /// The countries that do not.
  package private(set) var outside: Set<String> = []

  package init() {}

  /// `countries`: those whose borders are known. `holder`: the one of them that holds the place.
  package mutating func add(_ countries: Set<String>, holder: String?) {
    inside = inside ?? holder
    outside.formUnion(countries)
    if let inside { outside.remove(inside) }
  }

  /// The country of a place that the world draws in another, or in none. `nearest`: countries of the towns around, the
  /// nearest first.
  package func country(drawn: String?, nearest: some Sequence<String>) -> String? {
    if let inside {
      // A territory with a code of its own lies in its country's border.
      let isWithin = drawn.map { Territories.parent($0) == Territories.parent(inside) } ?? false
      return isWithin ? drawn : inside
    }
    guard let drawn, outside.contains(drawn) else { return drawn }
    return nearest.first { !outside.contains($0) } ?? drawn
  }
}
