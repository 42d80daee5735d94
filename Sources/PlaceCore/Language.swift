/// The language that somebody reads, from a BCP 47 tag (`ko-KR`) or POSIX's words (`ko_KR.UTF-8`).
package struct Language: Equatable, Sendable {
  /// Two or three letters of ISO 639, in lower case.
  package var code: String
  /// Two letters of ISO 3166-1, in upper case.
  package var region: String?

  /// Nil for what names no language, as `C` and `POSIX`.
  package init?(_ tag: String) {
    let words = tag.prefix { $0 != "." && $0 != "@" }.split { $0 == "-" || $0 == "_" }
    guard let first = words.first, (2...3).contains(first.utf8.count),
      first.utf8.allSatisfy({ UInt8(ascii: "a") <= $0 | 0x20 && $0 | 0x20 <= UInt8(ascii: "z") })
    else { return nil }
    code = first.lowercased()
    region = words.dropFirst().first { $0.utf8.count == 2 }.map { $0.uppercased() }
  }
}

extension Language {
  /// The country that a reader of it is likely in.
  package var home: String? { Self.homes[code] }

  private static let homes = [
    "ar": "EG", "da": "DK", "de": "DE", "el": "GR", "en": "US", "es": "ES", "fr": "FR", "he": "IL",
    "hi": "IN", "it": "IT", "ja": "JP", "ko": "KR", "nl": "NL", "pl": "PL", "pt": "PT", "ru": "RU",
    "sv": "SE", "th": "TH", "tr": "TR", "uk": "UA", "vi": "VN", "zh": "CN",
  ]

  /// The locale's; without one, hangul is typed by a reader of Korean, and kana by one of Japanese.
  package static func code(_ locale: String?, for text: String) -> String? {
    if let code = locale.flatMap(Language.init)?.code { return code }
    let isHangul = text.unicodeScalars.contains {
      (0xAC00...0xD7A3).contains($0.value) || (0x3131...0x318E).contains($0.value)
    }
    if isHangul { return "ko" }
    return text.unicodeScalars.contains { (0x3041...0x30FF).contains($0.value) } ? "ja" : nil
  }
}

// MARK: - Letters

extension Language {
  /// False for a name in letters that the language is not written in, as far as Latin, eastern and other letters tell.
  package func reads(_ name: String) -> Bool {
    Letters(of: name).map { $0 == Letters(ofLanguage: code) } ?? true
  }

  private enum Letters {
    /// Hangul, kana and Chinese characters are eastern.
    case latin, eastern, other

    /// By the first letter; nil without one.
    init?(of name: String) {
      let first = name.unicodeScalars.first { $0.properties.isAlphabetic }
      guard let letter = first else { return nil }
      let isLatin = letter.value < 0x250 || (0x1E00...0x1EFF).contains(letter.value)
      self = AddressFormat.isEastern(letter) ? .eastern : isLatin ? .latin : .other
    }

    init(ofLanguage code: String) {
      self =
        ["ja", "ko", "zh"].contains(code)
        ? .eastern : Language.isLatin(code) ? .latin : .other
    }
  }

  static func isLatin(_ code: String) -> Bool { !others.contains(code) }

  private static let others: Set = [
    "am", "ar", "be", "bg", "bn", "el", "fa", "he", "hi", "hy", "ja", "ka", "kk", "km", "ko", "ky",
    "lo", "mk", "mn", "my", "ne", "ps", "ru", "si", "sr", "ta", "te", "tg", "th", "uk", "ur", "zh",
  ]
}
