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
