/// The words of a feature on the map: its name where it is, a road's number, and its names in the languages of the page.
package struct GroundName: Equatable, Sendable {
  package let name: String
  package let number: String
  /// Names that differ from the one where it is, each behind the two letters of its language.
  package let others: [String]

  /// The languages that the page speaks.
  package static let languages = ["de", "en", "es", "fr", "ja", "ko"]

  /// Bytes of a name with its number; a longer name is cut.
  private static let longest = 200
  /// Letters of a number.
  private static let longestNumber = 15
  /// Bytes of all other names together; those that go beyond are left out.
  private static let mostOthers = 300

  package init(
    _ name: String = "", number: String = "", others: [(language: String, name: String)] = []
  ) {
    self.number = String(number.unicodeScalars.prefix(Self.longestNumber))
    let rest = Self.longest - self.number.utf8.count - 1
    // A letter has at most four bytes.
    self.name =
      name.utf8.count <= rest
      ? name : String(String.UnicodeScalarView(name.unicodeScalars.prefix(rest / 4)))
    var room = Self.mostOthers
    self.others = others.compactMap { other in
      let text = other.language + other.name
      guard other.name != name, !other.name.isEmpty, text.utf8.count < room else { return nil }
      room -= text.utf8.count + 1
      return text
    }
  }

  package var numberAlone: GroundName { GroundName(number: number) }

  /// As a tile has it, with tabs between: `Rue Grimaldi`, `Rue Grimaldi\tD 98`, `Seine\t\tesSena`.
  package var text: String {
    if others.isEmpty { return number.isEmpty ? name : "\(name)\t\(number)" }
    return ([name, number] + others).joined(separator: "\t")
  }
}
