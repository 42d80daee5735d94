/// Names and questions in the letters that they are compared by: lower case, no accents, one form of
/// apostrophes and hyphens, hangul as the keys that are typed. The data is made with it and asked with it.
package enum Folding {
  /// The words of a text. Letters of one word stand together; what divides words is gone.
  package static func words(_ text: String) -> [FoldedWord] {
    var words: [FoldedWord] = []
    var letters = String.UnicodeScalarView()
    var ends: [Int] = []
    var start = 0
    var position = 0
    func finish() {
      guard !letters.isEmpty else { return }
      words.append(FoldedWord(text: String(letters), start: start, ends: ends))
      letters.removeAll()
      ends.removeAll(keepingCapacity: true)
    }
    for scalar in text.unicodeScalars {
      let end = position + (scalar.value > 0xFFFF ? 2 : 1)
      if isSilent(scalar) {
        // An accent belongs to the letter before it.
        if let last = ends.indices.last { ends[last] = end }
      } else if fold(scalar, into: &letters) {
        if ends.isEmpty { start = position }
        let count = letters.count
        while ends.count < count { ends.append(end) }
      } else {
        finish()
      }
      position = end
    }
    finish()
    return words
  }

  package static func tokens(_ text: String) -> [String] { words(text).map(\.text) }

  /// The words with one space between them.
  package static func fold(_ text: String) -> String { tokens(text).joined(separator: " ") }

  /// False for what divides words.
  private static func fold(
    _ scalar: Unicode.Scalar, into letters: inout String.UnicodeScalarView
  ) -> Bool {
    switch scalar.value {
    case 0x61...0x7A, 0x30...0x39: letters.append(scalar)
    case 0x41...0x5A: letters.append(Unicode.Scalar(UInt8(scalar.value + 0x20)))
    case 0..<0x80, 0xD7, 0xF7: return false
    case 0xC0...0x24F, 0x1E00...0x1EFF: Latin.fold(scalar, into: &letters)
    case 0x1100...0x11FF, 0x3131...0x318E, 0xAC00...0xD7A3: Hangul.fold(scalar, into: &letters)
    case 0xFF01...0xFF5E:
      // Full width.
      return Unicode.Scalar(scalar.value - 0xFEE0).map { fold($0, into: &letters) } ?? false
    case 0xFF66...0xFF9F: letters.append(Kana.wide(scalar))
    case 0x30A1...0x30F6:
      // Katakana as hiragana.
      letters.append(Unicode.Scalar(scalar.value - 0x60) ?? scalar)
    case 0x370...0x3FF, 0x400...0x52F, 0x600...0x6FF, 0x1F00...0x1FFF:
      return foldOther(Alphabets.plain(scalar), into: &letters)
    default: return foldOther(scalar, into: &letters)
    }
    return true
  }

  private static func foldOther(
    _ scalar: Unicode.Scalar, into letters: inout String.UnicodeScalarView
  ) -> Bool {
    let properties = scalar.properties
    switch properties.generalCategory {
    case .decimalNumber:
      let digit = UInt8(exactly: properties.numericValue ?? 0) ?? 0
      letters.append(Unicode.Scalar(UInt8(ascii: "0") + min(digit, 9)))
    case .uppercaseLetter, .titlecaseLetter:
      letters.append(contentsOf: properties.lowercaseMapping.unicodeScalars)
    case .lowercaseLetter, .otherLetter, .modifierLetter, .letterNumber, .otherNumber,
      .spacingMark, .nonspacingMark:
      letters.append(scalar)
    default: return false
    }
    return true
  }

  /// Apostrophes and accents: the word goes on without them.
  private static func isSilent(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x27, 0x60, 0xB4, 0xAD, 0xB7, 0x2B0...0x36F, 0x2018...0x201B, 0x2032, 0xFF07: true
    // Arabic and Hebrew vowels, tatweel; joiners, marks of direction, variation selectors.
    case 0x591...0x5C7, 0x610...0x61A, 0x640, 0x64B...0x65F, 0x670, 0x6D6...0x6ED: true
    case 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20F0: true
    case 0x200B...0x200F, 0x202A...0x202E, 0x2060...0x2069, 0xFE00...0xFE0F, 0xFEFF: true
    // The marks that make ぱ and が of half width kana are kept as the letters are: without.
    case 0x3099...0x309C, 0xFF9E, 0xFF9F: true
    default: false
    }
  }
}

/// A word as it is compared, and where it stands in the text that it is from.
package struct FoldedWord: Equatable, Sendable {
  package var text: String
  /// In UTF-16 units, as all places here.
  package var start: Int
  /// For each scalar of `text`, the end of the letter that it is from.
  package var ends: [Int]

  /// Where the first letters of the word stand.
  package func range(ofFirst count: Int) -> Range<Int> {
    guard count > 0, !ends.isEmpty else { return start..<start }
    return start..<ends[min(count, ends.count) - 1]
  }
}
