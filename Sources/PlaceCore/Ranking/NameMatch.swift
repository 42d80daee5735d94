/// How well a place's names answer what is typed.
package enum NameMatch {
  /// The weight of a name that is all of what was typed.
  package static let whole = 30.0

  /// Names are folded, the first is the place's own. A weight for the population: a large place with another
  /// name may come before a small one that is called exactly so. Nil where no name answers. `areAllOwn`: the
  /// others are as good as the first.
  package static func weight(
    of typed: String, words: [String], names: String, areAllOwn: Bool = false
  ) -> Double? {
    var best: Double?
    for (i, name) in names.utf8.split(separator: UInt8(ascii: "\n")).enumerated() {
      // Hangul stands among the other names: it is as good as the place's own.
      let own = areAllOwn || i == 0 || Substring(name).unicodeScalars.first.map(isJamo) == true
      let weight: Double
      if name.elementsEqual(typed.utf8) {
        weight = (own ? whole : 3) * hangulFactor(of: ""[...].utf8, typed)
      } else if name.starts(with: typed.utf8) {
        weight = (own ? 10 : 1) * hangulFactor(of: name.dropFirst(typed.utf8.count), typed)
      } else {
        continue
      }
      best = max(best ?? 0, weight)
    }
    if let best { return best }
    // Each word begins one of the names' words.
    let all = names.utf8.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: " ") }
    let met = words.count { word in all.contains { $0.starts(with: word.utf8) } }
    return met > 0 ? 0.3 * Double(met) / Double(max(words.count, 1)) : nil
  }

  /// 서 rather begins 서산 than 성남, though it may become either: its syllable is whole where a new one follows.
  private static func hangulFactor(of rest: Substring.UTF8View, _ typed: String) -> Double {
    guard let last = typed.unicodeScalars.last, isJamo(last) else { return 1 }
    var rest = Substring(rest).unicodeScalars.makeIterator()
    guard let first = rest.next(), isJamo(first) else { return 8 }
    guard let second = rest.next() else { return 0.0005 }
    return !isVowel(first) && isVowel(second) ? 8 : 0.0005
  }

  private static func isJamo(_ scalar: Unicode.Scalar) -> Bool {
    (0x3131...0x3163).contains(scalar.value)
  }

  private static func isVowel(_ scalar: Unicode.Scalar) -> Bool {
    (0x314F...0x3163).contains(scalar.value)
  }

  /// Whether a name begins with the text but for one letter wrong, missing, too much or exchanged.
  package static func nearlyBegins(_ name: [Unicode.Scalar], with typed: [Unicode.Scalar]) -> Bool {
    var i = 0
    while i < typed.count, i < name.count, typed[i] == name[i] { i += 1 }
    if i == typed.count { return true }
    func goesOn(_ a: Int, _ b: Int) -> Bool {
      a <= typed.count && b <= name.count && typed.count - a <= name.count - b
        && zip(typed[a...], name[b...]).allSatisfy(==)
    }
    if goesOn(i + 1, i + 1) || goesOn(i + 1, i) || goesOn(i, i + 1) { return true }
    return i + 1 < typed.count && i + 1 < name.count && typed[i] == name[i + 1]
      && typed[i + 1] == name[i] && goesOn(i + 2, i + 2)
  }
}
