/// Words that differ by one letter: changed, missing, added, or exchanged with its neighbour.
package enum OneLetter {
  static let latin = Array("abcdefghijklmnopqrstuvwxyz".unicodeScalars)
  static let hangul = Array("ㄱㄴㄷㄹㅁㅂㅅㅇㅈㅊㅋㅌㅍㅎㅏㅐㅓㅔㅗㅜㅡㅣㅕㅛ".unicodeScalars)

  /// Nil for letters that are of neither.
  static func alphabet(of letters: [Unicode.Scalar]) -> [Unicode.Scalar]? {
    letters.allSatisfy(\.isASCII)
      ? latin : letters.allSatisfy(NameMatch.isJamo) ? hangul : nil
  }

  /// The words that one may have been meant as, of a word in Latin letters; none for others, and for those so short
  /// or long that a letter says too much or too little.
  package static func variants(of word: String) -> [String] {
    guard (4...24).contains(word.utf8.count), word.utf8.allSatisfy({ (0x61...0x7A).contains($0) })
    else { return [] }
    let letters = Array(word.unicodeScalars)
    return variants(of: letters, in: ..<(letters.count + 1), alphabet: latin).map { String($0) }
  }

  /// `places`: where the wrong letter stands, or is missing.
  static func variants(
    of letters: [Unicode.Scalar], in places: PartialRangeUpTo<Int>, alphabet: [Unicode.Scalar]
  ) -> [[Unicode.Scalar]] {
    let own = letters.indices.prefix(places.upperBound)
    var variants: [[Unicode.Scalar]] = []
    for i in own where i + 1 < letters.count && letters[i] != letters[i + 1] {
      var other = letters
      other.swapAt(i, i + 1)
      variants.append(other)
    }
    for i in own {
      variants.append(Array(letters[..<i] + letters[(i + 1)...]))
      for letter in alphabet where letter != letters[i] {
        var other = letters
        other[i] = letter
        variants.append(other)
      }
    }
    for i in 0..<min(places.upperBound, letters.count + 1) {
      // Doubled, a letter is added behind itself.
      for letter in alphabet where i == letters.count || letter != letters[i] {
        variants.append(letters[..<i] + [letter] + letters[i...])
      }
    }
    return variants
  }

  enum Misspelling: Equatable { case begun, whole }

  /// Whether one of the names, a line each, begins with the text but for one letter, and whether that is all of it.
  static func misspelling(of typed: String, in names: String) -> Misspelling? {
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
    NameMatch.forEach(of: names, between: between) { name in
      guard best != .whole, begins(name, with: typed) else { return }
      best = abs(name.count - typed.count) <= 1 ? .whole : .begun
    }
    return best
  }

  private static func begins<Letter: Equatable>(
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

extension String {
  init(_ letters: some Sequence<Unicode.Scalar>) {
    var view = UnicodeScalarView()
    view.append(contentsOf: letters)
    self.init(view)
  }
}
