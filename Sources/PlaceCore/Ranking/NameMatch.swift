/// How well a place's names answer what is typed.
package enum NameMatch {
  /// The weight of a name that is all of what was typed.
  package static let whole = 30.0
  /// The weight of a name with one letter wrong.
  package static let misspelt = 0.05

  /// Names are folded, the first is the place's own. A weight for the population: a large place with another
  /// name may come before a small one that is called exactly so. Nil where no name answers. `areAllOwn`: the
  /// others are as good as the first.
  package static func weight(
    of typed: String, words: [String], names: String, areAllOwn: Bool = false
  ) -> Double? {
    var best: Double?
    var bytes = names
    let wanted = Array(typed.utf8)
    let isHangul = typed.unicodeScalars.last.map(isJamo) == true
    bytes.withUTF8 { names in
      forEach(of: names, between: UInt8(ascii: "\n")) { name in
        guard name.starts(with: wanted) else { return }
        let rest = name.dropFirst(wanted.count)
        // Hangul stands among the other names: it is as good as the place's own.
        let own = areAllOwn || name.startIndex == 0 || firstScalars(name).first.map(isJamo) == true
        let weight = rest.isEmpty ? own ? whole : 3 : own ? 10 : 1
        best = max(best ?? 0, weight * (isHangul ? hangulFactor(firstScalars(rest)) : 1))
      }
    }
    if let best { return best }
    // Each word begins one of the names' words.
    let all = names.utf8.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: " ") }
    let met = words.count { word in all.contains { $0.starts(with: word.utf8) } }
    return met > 0 ? 0.3 * Double(met) / Double(max(words.count, 1)) : nil
  }

  /// 서 rather begins 서산 than 성남, though it may become either: its syllable is whole where a new one follows.
  private static func hangulFactor(_ rest: [Unicode.Scalar]) -> Double {
    guard let first = rest.first, isJamo(first) else { return 8 }
    guard rest.count > 1 else { return 0.0005 }
    return !isVowel(first) && isVowel(rest[1]) ? 8 : 0.0005
  }

  /// Two of them, as far as there are so many.
  private static func firstScalars(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> [Unicode.Scalar] {
    Array(String(decoding: bytes.prefix(8), as: UTF8.self).unicodeScalars.prefix(2))
  }

  /// Without an array of them: most of the time that an answer takes would go there.
  private static func forEach<Names: RandomAccessCollection>(
    of names: Names, between: Names.Element, _ body: (Names.SubSequence) -> Void
  ) where Names.Element: Equatable {
    var rest = names[...]
    while !rest.isEmpty {
      let name = rest.prefix { $0 != between }
      body(name)
      rest = rest[name.endIndex...].dropFirst()
    }
  }

  private static func isJamo(_ scalar: Unicode.Scalar) -> Bool {
    (0x3131...0x3163).contains(scalar.value)
  }

  private static func isVowel(_ scalar: Unicode.Scalar) -> Bool {
    (0x314F...0x3163).contains(scalar.value)
  }

  package enum Misspelling: Equatable { case begun, whole }

  /// Whether one of the names begins with the text but for one letter wrong, missing, too much or exchanged, and
  /// whether that is all of it.
  package static func misspelling(of typed: String, in names: String) -> Misspelling? {
    if typed.utf8.allSatisfy({ $0 < 0x80 }) {
      var names = names
      let typed = Array(typed.utf8)
      return names.withUTF8 { misspelling(of: typed, in: $0, between: UInt8(ascii: "\n")) }
    }
    return misspelling(
      of: Array(typed.unicodeScalars), in: Array(names.unicodeScalars), between: "\n")
  }

  private static func misspelling<Letter: Equatable>(
    of typed: [Letter], in names: some RandomAccessCollection<Letter>, between: Letter
  ) -> Misspelling? {
    var best: Misspelling?
    forEach(of: names, between: between) { name in
      guard best != .whole, nearlyBegins(name, with: typed) else { return }
      best = abs(name.count - typed.count) <= 1 ? .whole : .begun
    }
    return best
  }

  private static func nearlyBegins<Letter: Equatable>(
    _ name: some RandomAccessCollection<Letter>, with typed: [Letter]
  ) -> Bool {
    var (rest, wanted) = (name[...], typed[...])
    while let letter = wanted.first, letter == rest.first {
      rest = rest.dropFirst()
      wanted = wanted.dropFirst()
    }
    if wanted.isEmpty { return true }
    let (next, wantedNext) = (rest.dropFirst(), wanted.dropFirst())
    if next.starts(with: wantedNext) || rest.starts(with: wantedNext) || next.starts(with: wanted) {
      return true
    }
    return rest.first == wantedNext.first && next.first == wanted.first
      && next.dropFirst().starts(with: wantedNext.dropFirst())
  }
}
