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
  /// Each word begins one of the names' words.
  private static let words = 0.3
  /// One letter is wrong: behind all that is not.
  static let misspelt = 0.05
  // One syllable finds 92.6 % of 282 places of Korea among the first five (81.2 without the two).
  /// A syllable of hangul is whole.
  static let wholeSyllable = 8.0
  /// It would have to become another: 서 in 성남.
  private static let otherSyllable = 0.0005

  /// Names are folded, the first is the place's own. A weight for the population: a large place with another
  /// name may come before a small one that is called exactly so. Nil where no name answers. `areAllOwn`: the
  /// others are as good as the first.
  static func weight(
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
        let weight =
          rest.isEmpty ? own ? whole : otherWhole : own ? begun : otherBegun
        best = max(best ?? 0, weight * (isHangul ? hangulFactor(firstScalars(rest)) : 1))
      }
    }
    if let best { return best }
    // Each word begins one of the names' words.
    let all = names.utf8.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: " ") }
    let met = words.count { word in all.contains { $0.starts(with: word.utf8) } }
    return met > 0 ? Self.words * Double(met) / Double(max(words.count, 1)) : nil
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

  private static func isJamo(_ scalar: Unicode.Scalar) -> Bool {
    (0x3131...0x3163).contains(scalar.value)
  }

  private static func isVowel(_ scalar: Unicode.Scalar) -> Bool {
    (0x314F...0x3163).contains(scalar.value)
  }
}
