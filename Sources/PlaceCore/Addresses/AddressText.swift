package import LocationModel

/// The part of an address that may be its town.
package struct TownText: Equatable, Sendable {
  package var name: String
  /// The parts that stand behind it and say what it lies in: a province, a country.
  package var behind: [String] = []
  /// Nothing stands before it.
  package var isFirst = false
  /// Commas divide it from the rest.
  package var isPart = false
}

/// An address whose street may not be known, and the parts of it that may be its town.
package enum AddressText {
  private static let mostWords = 6

  /// The text asks for a kind of place.
  package static func isKind(_ text: String) -> Bool {
    CategoryWords.category(of: Folding.tokens(text)) != nil
  }

  /// The longest first: behind a comma, at the end, at the beginning. None for a text that is no address.
  package static func towns(of text: String) -> [TownText] {
    let parts = divided(text).split { ",、،;\n".contains($0) }.map(words).filter { !$0.isEmpty }
    let all = parts.flatMap(\.self)
    guard all.count > 1, parts.count > 1 || all.contains(where: isAddressWord) else { return [] }
    let isEastern = text.unicodeScalars.contains { (0x1100...0xD7A3).contains($0.value) }
    var towns: [(words: [String], behind: [[String]])] = []
    // Moscow, Idaho, US: the town itself, with what it lies in.
    if parts.count > 1, !parts[0].contains(where: isAddressWord) {
      towns.append((parts[0], Array(parts.dropFirst())))
    }
    for first in parts.indices.dropFirst() {
      let rest = Array(parts[first...].joined())
      towns.append((rest, []))
      // `Washington, DC 20500, USA`: each may be too much.
      if parts.count - first > 1 { towns.append((parts[first], Array(parts[(first + 1)...]))) }
    }
    // Puerto Rico, USA is not Rico; a town may stand behind its street.
    var cuts: Set<Int> = []
    var start = 0
    for part in parts.dropLast() {
      if !part.contains(where: isAddressWord) { cuts.formUnion(start + 1..<start + part.count) }
      start += part.count
    }
    for count in stride(from: min(mostWords, all.count - 1), through: 1, by: -1) {
      if !cuts.contains(all.count - count) { towns.append((Array(all.suffix(count)), [])) }
      // Behind a comma stands what is around: Paris, Germany is not Paris. In the East the large comes first.
      guard parts.count == 1 || isEastern else { continue }
      let last = parts.count == 1 ? all.suffix(1).map { [$0] } : Array(parts.dropFirst())
      towns.append((Array(all.prefix(count)), last))
    }
    // A postcode stands first where no street is said.
    if let first = parts.first, parts.count > 1, first.allSatisfy({ $0.contains(where: \.isDigit) })
    {
      towns.append((first, Array(parts.dropFirst())))
    }
    var seen: Set<[String]> = []
    // Maple Street 5 is not in Street, England.
    return towns.filter { town in
      town.words.count <= mostWords && !isStreet(town.words) && seen.insert(town.words).inserted
    }.map {
      TownText(
        name: $0.words.joined(separator: " "), behind: $0.behind.map { $0.joined(separator: " ") },
        isFirst: $0.words.count + $0.behind.joined().count == all.count,
        isPart: parts.contains($0.words))
    }
  }

  /// The words of a town without its postcode; nil where nothing is left.
  package static func withoutNumbers(_ town: String) -> String? {
    let names = words(town[...]).filter { !$0.contains(where: \.isDigit) }
    return names.isEmpty ? nil : names.joined(separator: " ")
  }

  private static let towns: Set = ["city", "town", "village", "district", "province"]

  /// A town, a district or a province: not a country, which says too little.
  package static func isTown(_ mark: Placemark) -> Bool {
    mark.category.map(towns.contains) == true
  }

  private static func words(_ part: Substring) -> [String] {
    part.split { $0.isWhitespace }.map(String.init)
  }

  private static let streets: Set<String> = Set(
    [
      "street", "st", "road", "rd", "avenue", "ave", "av", "lane", "drive", "boulevard", "blvd",
      "square",
      "rue", "avenue", "place", "quai", "chemin", "allée", "calle", "avenida", "plaza", "paseo",
      "via",
      "piazza", "viale", "corso", "platz", "straße", "str", "weg", "allee", "gasse", "ulica",
      "улица",
    ].map(Folding.fold))
  private static let ends = [
    "strasse", "str", "platz", "weg", "gasse", "allee", "straat", "gatan", "vej", "로", "길", "丁目",
  ].map(Folding.fold)

  private static func isStreetWord(_ word: String) -> Bool {
    streets.contains(Folding.fold(word))
  }

  /// Words for streets, and their numbers, and no more.
  private static func isStreet(_ words: [String]) -> Bool {
    words.contains(where: isStreetWord)
      && words.allSatisfy { isStreetWord($0) || $0.contains(where: \.isDigit) }
  }

  private static func isAddressWord(_ word: String) -> Bool {
    if word.contains(where: \.isDigit) { return true }
    let folded = Folding.fold(word)
    return streets.contains(folded)
      || ends.contains { folded.hasSuffix($0) && folded.utf8.count > $0.utf8.count + 3 }
  }

  private static let divisions: Set<Character> = [
    "都", "道", "府", "県", "市", "区", "町", "村", "省", "縣", "區",
  ]

  /// Japanese and Chinese stand without spaces, but for one behind a postcode: 東京都千代田区丸の内1-1.
  private static func divided(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { (0x4E00...0x9FFF).contains($0.value) }) else {
      return text
    }
    var divided = ""
    var count = 0
    for letter in text {
      // A number begins the house's part.
      if letter.isDigit, divided.last?.isDigit == false, divided.last != "-" { divided += " " }
      divided.append(letter)
      count = letter == " " ? 0 : count + 1
      if count > 1, divisions.contains(letter) {
        divided += " "
        count = 0
      }
    }
    return divided
  }
}

extension Placemark {
  /// The place around what was asked for.
  package var asPartial: Placemark {
    var mark = self
    mark.isPartial = true
    return mark
  }
}

extension Character {
  /// 京 has a number's value, too.
  fileprivate var isDigit: Bool {
    unicodeScalars.first?.properties.generalCategory == .decimalNumber
  }
}
