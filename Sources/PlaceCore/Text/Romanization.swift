/// Korean names in Latin letters, by the Revised Romanization: 종로구 is Jongno-gu.
package enum Romanization {
  private static let initials = [
    "g", "kk", "n", "d", "tt", "r", "m", "b", "pp", "s", "ss", "", "j", "jj", "ch", "k", "t", "p",
    "h",
  ]
  private static let vowels = [
    "a", "ae", "ya", "yae", "eo", "e", "yeo", "ye", "o", "wa", "wae", "oe", "yo", "u", "wo", "we",
    "wi", "yu", "eu", "ui", "i",
  ]
  /// Before a consonant or nothing, and before a vowel.
  private static let finals: [(closed: String, open: String)] = [
    ("", ""), ("k", "g"), ("k", "kk"), ("k", "ks"), ("n", "n"), ("n", "nj"), ("n", "n"), ("t", "d"),
    ("l", "r"), ("k", "lg"), ("m", "lm"), ("l", "lb"), ("l", "ls"), ("l", "lt"), ("p", "lp"),
    ("l", "r"), ("m", "m"), ("p", "b"), ("p", "ps"), ("t", "s"), ("t", "ss"), ("ng", "ng"),
    ("t", "j"), ("t", "ch"), ("k", "k"), ("t", "t"), ("p", "p"), ("t", ""),
  ]
  /// Divisions of the country, which stand behind a hyphen.
  private static let divisions: [Character: String] = [
    "도": "do", "시": "si", "군": "gun", "구": "gu", "읍": "eup", "면": "myeon", "리": "ri", "동": "dong",
    "가": "ga",
  ]

  /// A district's name; nil where a part of it is not hangul.
  package static func name(of district: String) -> String? {
    guard let last = district.last, let division = divisions[last], district.count > 1 else {
      return letters(of: district)?.capitalizedFirst
    }
    let stem = district.dropLast()
    let digits = String(stem.reversed().prefix { $0.isASCII && $0.isNumber }.reversed())
    guard let name = letters(of: stem.dropLast(digits.count)) else { return nil }
    return name.capitalizedFirst + (digits.isEmpty ? "-" : " \(digits)-") + division
  }

  /// A name and how else it is typed: `Gangnam-gu`, `Gangnamgu`, `Gangnam`.
  package static func forms(of district: String) -> [String] {
    guard let name = name(of: district) else { return [] }
    let parts = name.split { $0 == "-" || $0 == " " }.map(String.init)
    guard parts.count == 2, district.count > 2 else { return [name, parts.joined()] }
    return [name, parts.joined(), parts[0]]
  }

  private static func letters(of text: some StringProtocol) -> String? {
    let syllables = text.unicodeScalars.map { Int($0.value) - 0xAC00 }
    guard !syllables.isEmpty, syllables.allSatisfy({ (0..<11172).contains($0) }) else { return nil }
    var word = ""
    var initial = initials[syllables[0] / 588]
    for (i, syllable) in syllables.enumerated() {
      word += initial + vowels[syllable % 588 / 28]
      let final = finals[syllable % 28]
      guard i + 1 < syllables.count else { return word + final.closed }
      let next = initials[syllables[i + 1] / 588]
      let joined = next.isEmpty ? (final.open, "") : assimilated(final.closed, next)
      word += joined.0
      initial = joined.1
    }
    return word
  }

  private static let nasals = ["k": "ng", "t": "n", "p": "m"]

  /// Consonants as they change each other: 종로 is Jongno, 신라 Silla.
  private static func assimilated(_ final: String, _ next: String) -> (String, String) {
    switch (final, next) {
    case ("n", "r"), ("l", "n"), ("l", "r"): ("l", "l")
    case ("k", "r"), ("t", "r"), ("p", "r"): (nasals[final] ?? final, "n")
    case ("m", "r"), ("ng", "r"): (final, "n")
    case ("k", "n"), ("t", "n"), ("p", "n"), ("k", "m"), ("t", "m"), ("p", "m"):
      (nasals[final] ?? final, next)
    default: (final, next)
    }
  }
}

extension String {
  /// With a capital letter.
  var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
