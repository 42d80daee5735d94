/// How well a place's names answer what is typed: the weights are factors of its population. By the completion of
/// the 1,000 largest cities, which bench-places counts: 91.5, 98.2, 99.5 and 100 % at three to six letters.
enum NameMatch {
  /// The name is all of what was typed.
  static let whole = 30.0
  /// The name begins with what was typed.
  private static let begun = 10.0
  /// The same of another name than the place's own.
  private static let otherWhole = 3.0
  private static let otherBegun = 1.0
  /// As above, by a name that no answer shows.
  private static let hiddenWhole = 0.3
  private static let hiddenBegun = 0.1
  /// Each word begins one of the names' words.
  private static let words = 0.3
  /// One letter is wrong: behind all that is not.
  static let misspelt = 0.05
  // One syllable finds 92.6 % of 282 places of Korea among the first five (81.2 without the two).
  /// A syllable of hangul is whole.
  static let wholeSyllable = 8.0
  /// It would have to become another: 서 in 성남.
  private static let otherSyllable = 0.0005

  /// Names are folded, a line each: the place's own, behind an empty line those in languages, behind another those
  /// that no answer shows. A weight for the population: a large place with another name may come before a small
  /// one that is called exactly so. Nil where no name answers. `areAllOwn`: the others are as good as the first. `isPrefix`: the last
  /// word may be the beginning of one, as hangul always may. `isWithin`: what it lies in may stand behind its name.
  static func weight(
    of typed: String, words: [String], names: String, areAllOwn: Bool = false,
    isPrefix: Bool = true, isWithin: Bool = true
  ) -> Double? {
    var (best, first) = (Double?.none, Double?.none)
    var bytes = names
    let wanted = Array(typed.utf8)
    let isHangul = typed.unicodeScalars.last.map(isJamo) == true
    bytes.withUTF8 { names in
      var part = 0
      forEach(of: names, between: UInt8(ascii: "\n")) { name in
        if name.isEmpty { part += 1 }
        if isWithin, isFirst(name, of: wanted) {
          let weight = areAllOwn || part == 0 ? whole : part == 1 ? otherWhole : hiddenWhole
          first = max(first ?? 0, weight)
        }
        guard name.starts(with: wanted) else { return }
        let rest = name.dropFirst(wanted.count)
        if !isPrefix, !isHangul, let next = rest.first, next != UInt8(ascii: " ") { return }
        // Hangul stands among the other names: it is as good as the place's own.
        let own = areAllOwn || part == 0 || firstScalars(name).first.map(isJamo) == true
        let weight =
          own
          ? rest.isEmpty ? whole : begun
          : part == 1
            ? rest.isEmpty ? otherWhole : otherBegun : rest.isEmpty ? hiddenWhole : hiddenBegun
        best = max(best ?? 0, weight * (isHangul ? hangulFactor(firstScalars(rest)) : 1))
      }
    }
    if let best = best ?? first { return best }
    // Each word begins one of the names' words.
    let all = names.utf8.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: " ") }
    let met = words.count { word in all.contains { $0.starts(with: word.utf8) } }
    return met > 0 ? Self.words * Double(met) / Double(max(words.count, 1)) : nil
  }

  /// The name is the first of the words: the others say what the place lies in, as Naples, FL. East Naples has them all, too.
  private static func isFirst(_ name: Slice<UnsafeBufferPointer<UInt8>>, of typed: [UInt8]) -> Bool
  {
    name.count < typed.count && typed[name.count] == UInt8(ascii: " ") && typed.starts(with: name)
      && !name.isEmpty
  }

  /// The name that no answer shows, where only such a name answers.
  static func hiddenName(of typed: String, in names: String) -> String? {
    var (part, hidden) = (0, String?.none)
    for name in names.split(separator: "\n", omittingEmptySubsequences: false) {
      if name.isEmpty { part += 1 }
      guard name.hasPrefix(typed) else { continue }
      if part < 2 { return nil }
      if hidden == nil || name == typed { hidden = String(name) }
    }
    return hidden
  }

  /// 서 rather begins 서산 than 성남, though it may become either: its syllable is whole where a new one follows.
  private static func hangulFactor(_ rest: [Unicode.Scalar]) -> Double {
    guard let first = rest.first, isJamo(first) else { return wholeSyllable }
    guard rest.count > 1 else { return otherSyllable }
    return !isVowel(first) && isVowel(rest[1]) ? wholeSyllable : otherSyllable
  }

  /// Two of them, as far as there are so many.
  private static func firstScalars(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> [Unicode.Scalar] {
    Array(String(decoding: bytes.prefix(8), as: UTF8.self).unicodeScalars.prefix(2))
  }

  /// Without an array of them: most of the time that an answer takes would go there.
  static func forEach<Names: RandomAccessCollection>(
    of names: Names, between: Names.Element, _ body: (Names.SubSequence) -> Void
  ) where Names.Element: Equatable {
    var rest = names[...]
    while !rest.isEmpty {
      let name = rest.prefix { $0 != between }
      body(name)
      rest = rest[name.endIndex...].dropFirst()
    }
  }

  static func isJamo(_ scalar: Unicode.Scalar) -> Bool {
    (0x3131...0x3163).contains(scalar.value)
  }

  private static func isVowel(_ scalar: Unicode.Scalar) -> Bool {
    (0x314F...0x3163).contains(scalar.value)
  }
}
