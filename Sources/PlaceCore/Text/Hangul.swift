/// Hangul as the keys that are typed, so that what is half composed finds the whole: 서우 is ㅅㅓㅇㅜ, and
/// 서울 begins with it. A consonant is one letter, whether it begins a syllable or ends it.
enum Hangul {
  private static let initials = Array("ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ".unicodeScalars)
  private static let vowels =
    ["ㅏ", "ㅐ", "ㅑ", "ㅒ", "ㅓ", "ㅔ", "ㅕ", "ㅖ", "ㅗ", "ㅗㅏ", "ㅗㅐ", "ㅗㅣ"]
    + ["ㅛ", "ㅜ", "ㅜㅓ", "ㅜㅔ", "ㅜㅣ", "ㅠ", "ㅡ", "ㅡㅣ", "ㅣ"]
  private static let finals =
    ["", "ㄱ", "ㄲ", "ㄱㅅ", "ㄴ", "ㄴㅈ", "ㄴㅎ", "ㄷ", "ㄹ", "ㄹㄱ", "ㄹㅁ", "ㄹㅂ"]
    + ["ㄹㅅ", "ㄹㅌ", "ㄹㅍ", "ㄹㅎ", "ㅁ", "ㅂ", "ㅂㅅ", "ㅅ", "ㅆ", "ㅇ", "ㅈ", "ㅊ", "ㅋ", "ㅌ", "ㅍ", "ㅎ"]

  static func fold(_ scalar: Unicode.Scalar, into letters: inout String.UnicodeScalarView) {
    switch scalar.value {
    case 0xAC00...0xD7A3:
      let place = Int(scalar.value) - 0xAC00
      letters.append(initials[place / 588])
      letters.append(contentsOf: vowels[place % 588 / 28].unicodeScalars)
      letters.append(contentsOf: finals[place % 28].unicodeScalars)
    // The jamo of decomposed text.
    case 0x1100...0x1112: letters.append(initials[Int(scalar.value) - 0x1100])
    case 0x1161...0x1175:
      letters.append(contentsOf: vowels[Int(scalar.value) - 0x1161].unicodeScalars)
    case 0x11A8...0x11C2:
      letters.append(contentsOf: finals[Int(scalar.value) - 0x11A7].unicodeScalars)
    default: letters.append(contentsOf: (compounds[scalar] ?? String(scalar)).unicodeScalars)
    }
  }

  /// Letters that take more than one key.
  private static let compounds: [Unicode.Scalar: String] = [
    "ㄳ": "ㄱㅅ", "ㄵ": "ㄴㅈ", "ㄶ": "ㄴㅎ", "ㄺ": "ㄹㄱ", "ㄻ": "ㄹㅁ", "ㄼ": "ㄹㅂ", "ㄽ": "ㄹㅅ", "ㄾ": "ㄹㅌ",
    "ㄿ": "ㄹㅍ", "ㅀ": "ㄹㅎ", "ㅄ": "ㅂㅅ", "ㅘ": "ㅗㅏ", "ㅙ": "ㅗㅐ", "ㅚ": "ㅗㅣ", "ㅝ": "ㅜㅓ", "ㅞ": "ㅜㅔ",
    "ㅟ": "ㅜㅣ", "ㅢ": "ㅡㅣ",
  ]
}
