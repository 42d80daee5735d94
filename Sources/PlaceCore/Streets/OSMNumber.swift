/// OpenStreetMap's type of a thing and its number, as an extract's column has them.
package struct OSMNumber: Hashable, Sendable {
  package enum Kind: String, CaseIterable, Sendable {
    case node, way, relation
  }

  package var type: Kind
  package var number: Int64

  /// Nil where the number is none of OpenStreetMap's.
  package init?(_ type: Kind, _ number: Int64) {
    guard (0...Int64.max / 4 - 1).contains(number) else { return nil }
    (self.type, self.number) = (type, number)
  }

  /// `n`, `w` or `r`, in either case, as in `W23`.
  package init?(letter: Character, _ number: Int64) {
    guard let type = Kind.allCases.first(where: { $0.rawValue.first == letter.lowercased().first })
    else { return nil }
    self.init(type, number)
  }

  /// The number times four, and 1 for a node, 2 for a way, 3 for a relation.
  package init?(column: Int64) {
    let types: [Int64: Kind] = [1: .node, 2: .way, 3: .relation]
    guard column >= 0, let type = types[column % 4] else { return nil }
    self.init(type, column / 4)
  }

  package var column: Int64 {
    switch type {
    case .node: number * 4 + 1
    case .way: number * 4 + 2
    case .relation: number * 4 + 3
    }
  }

  /// The beginning of a search's id that is such a number: `osm:W23`.
  static let prefix = "osm:"

  /// The number that a search's id says; nil where it is another id.
  package init?(id: String) {
    let text = id.dropFirst(Self.prefix.count)
    guard id.hasPrefix(Self.prefix), let letter = text.first, let number = Int64(text.dropFirst())
    else { return nil }
    self.init(letter: letter, number)
  }
}
