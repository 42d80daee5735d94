/// Words of a text that may be a postcode, and the others.
package struct PostcodeText: Equatable, Sendable {
  /// Folded, without what divides it: `sw1a1aa`, `1000001`.
  package var code: String
  /// Folded: the town, the country.
  package var rest: [String]

  private static let mostWords = 6
  private static let lengths = 3...10

  /// The longest code first; none for most texts. Codes of two words, as `SW1A 1AA`, are tried as one.
  package static func candidates(in text: String) -> [PostcodeText] {
    let words = Folding.tokens(text)
    guard !words.isEmpty, words.count <= mostWords else { return [] }
    var candidates: [PostcodeText] = []
    for count in [2, 1] where words.count >= count {
      for start in 0...(words.count - count) {
        let code = words[start..<start + count].joined()
        guard isCode(code) else { continue }
        candidates.append(
          PostcodeText(code: code, rest: Array(words[..<start] + words[(start + count)...])))
      }
    }
    return candidates
  }

  private static func isCode(_ text: String) -> Bool {
    let bytes = text.utf8
    return lengths.contains(bytes.count) && bytes.contains(where: isDigit)
      && bytes.allSatisfy { isDigit($0) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
  }

  package static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  /// As the country's post writes a folded code: `SW1A 1AA`, `100-0001`.
  package static func written(_ code: String, in country: String) -> String {
    let letters = Array(code.uppercased())
    let style: (behind: Int, mark: String)? =
      switch (country, letters.count) {
      case ("GB", 5...7), ("CA", 6): (letters.count - 3, " ")
      case ("JP", 7): (3, "-")
      case ("PL", 5): (2, "-")
      case ("PT", 7): (4, "-")
      case ("BR", 8): (5, "-")
      case ("CZ", 5), ("SK", 5), ("SE", 5), ("GR", 5): (3, " ")
      case ("NL", 6): (4, " ")
      case ("US", 9): (5, "-")
      default: nil
      }
    guard let style else { return String(letters) }
    return String(letters[..<style.behind]) + style.mark + String(letters[style.behind...])
  }
}
