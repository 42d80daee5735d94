/// The members of a JSON object, each value as it stands in the text, unread: what a program only passes on it does not
/// parse and write again. Brackets match and no control character is in it, so that a value stays one line and one
/// value; more is not checked.
package struct UnreadObject {
  private var members: [(key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer)] = []

  /// Nil for what is no object. The values are valid as long as the text.
  package init?(_ text: UnsafeRawBufferPointer) {
    var scanner = Scanner(text: text)
    scanner.skipSpace()
    guard scanner.passes(UInt8(ascii: "{")) else { return nil }
    scanner.skipSpace()
    var isFirst = true
    while !scanner.passes(UInt8(ascii: "}")) {
      if !isFirst {
        guard scanner.passes(UInt8(ascii: ",")) else { return nil }
        scanner.skipSpace()
      }
      isFirst = false
      guard let key = scanner.string() else { return nil }
      scanner.skipSpace()
      guard scanner.passes(UInt8(ascii: ":")) else { return nil }
      scanner.skipSpace()
      guard let value = scanner.value() else { return nil }
      scanner.skipSpace()
      members.append((key, value))
    }
    scanner.skipSpace()
    guard scanner.at == text.count else { return nil }
  }

  /// The last member of that name, as it is written without escapes.
  package subscript(key: String) -> UnsafeRawBufferPointer? {
    members.last { $0.key.dropFirst().dropLast().elementsEqual(key.utf8) }?.value
  }
}

private struct Scanner {
  let text: UnsafeRawBufferPointer
  var at = 0

  private static let deepest = 32

  init(text: UnsafeRawBufferPointer) { self.text = text }

  mutating func skipSpace() { while at < text.count, text[at] == 0x20 { at += 1 } }

  mutating func passes(_ byte: UInt8) -> Bool {
    guard at < text.count, text[at] == byte else { return false }
    at += 1
    return true
  }

  /// With its quotes.
  mutating func string() -> UnsafeRawBufferPointer? {
    let start = at
    guard passes(UInt8(ascii: "\"")) else { return nil }
    while at < text.count {
      let byte = text[at]
      at += 1
      if byte == UInt8(ascii: "\"") { return UnsafeRawBufferPointer(rebasing: text[start..<at]) }
      guard byte >= 0x20 else { return nil }
      if byte == UInt8(ascii: "\\") {
        guard at < text.count, text[at] >= 0x20 else { return nil }
        at += 1
      }
    }
    return nil
  }

  mutating func value() -> UnsafeRawBufferPointer? {
    let start = at
    var closing: [UInt8] = []
    repeat {
      guard at < text.count else { return nil }
      switch text[at] {
      case UInt8(ascii: "\""): guard string() != nil else { return nil }
      case UInt8(ascii: "{"):
        closing.append(UInt8(ascii: "}"))
        at += 1
      case UInt8(ascii: "["):
        closing.append(UInt8(ascii: "]"))
        at += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        guard closing.popLast() == text[at] else { return nil }
        at += 1
      case UInt8(ascii: ","), UInt8(ascii: ":"), 0x20:
        guard !closing.isEmpty else { return nil }
        at += 1
      case 0..<0x20: return nil
      default: guard skipsWord() else { return nil }
      }
      guard closing.count <= Self.deepest else { return nil }
    } while !closing.isEmpty
    return UnsafeRawBufferPointer(rebasing: text[start..<at])
  }

  /// A number, or true, false or null.
  private mutating func skipsWord() -> Bool {
    let start = at
    while at < text.count {
      switch text[at] {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"), UInt8(ascii: "+"),
        UInt8(ascii: "."):
        at += 1
      default: return at > start
      }
    }
    return at > start
  }
}
