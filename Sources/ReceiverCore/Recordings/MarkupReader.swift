import LocationModel

/// Splits XML into tags and the text before each, a bounded piece at a time.
///
/// It knows no entities, fetches nothing and keeps nothing: a hostile document costs no more than
/// reading it.
struct MarkupReader: ~Copyable {
  /// The text between `<` and `>`, without them; one that is too long reads as empty.
  private(set) var tag = TextBuffer(capacity: Self.longest)
  /// The text before the tag; what is too long to be a number or a date reads as empty.
  private(set) var text = TextBuffer(capacity: Self.longest)
  private var isTextTooLong = false

  private enum State { case text, tag, comment, data, instruction, declaration }
  private var state = State.text
  private var quote: UInt8 = 0
  private var depth = 0
  /// The last bytes, to know `-->`, `]]>` and `?>` by.
  private var last: (UInt8, UInt8) = (0, 0)
  private var isTooLong = false

  private static let longest = 512

  /// Takes one byte; returns whether a tag has just ended.
  mutating func read(_ byte: UInt8) -> Bool {
    defer { last = (last.1, byte) }
    switch state {
    case .text:
      if byte == UInt8(ascii: "<") {
        begin()
      } else if text.count < Self.longest {
        text.append(byte)
      } else {
        isTextTooLong = true
      }
    case .tag: return readInTag(byte)
    case .comment: end(if: byte, after: (UInt8(ascii: "-"), UInt8(ascii: "-")))
    case .data: end(if: byte, after: (UInt8(ascii: "]"), UInt8(ascii: "]")))
    case .instruction: end(if: byte, after: (last.0, UInt8(ascii: "?")))
    case .declaration: readInDeclaration(byte)
    }
    return false
  }

  /// After a tag has been seen to.
  mutating func forget() {
    text.removeAll()
    isTextTooLong = false
  }

  private mutating func begin() {
    state = .tag
    tag.removeAll()
    isTooLong = false
    quote = 0
    depth = 0
  }

  private mutating func readInTag(_ byte: UInt8) -> Bool {
    if quote != 0 {
      if byte == quote { quote = 0 }
    } else if byte == UInt8(ascii: ">") {
      state = .text
      if isTooLong { tag.removeAll() }
      if isTextTooLong { text.removeAll() }
      return true
    } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
      quote = byte
    }
    if tag.count < Self.longest { tag.append(byte) } else { isTooLong = true }
    if tag.count == 1 {
      if byte == UInt8(ascii: "?") { state = .instruction }
      if byte == UInt8(ascii: "!") { state = .declaration }
    }
    return false
  }

  private mutating func readInDeclaration(_ byte: UInt8) {
    if tag.count < 8 {
      tag.append(byte)
      if tag.bytes.elementsEqual("!--".utf8) { state = .comment }
      if tag.bytes.elementsEqual("![CDATA[".utf8) { state = .data }
    }
    switch byte {
    case _ where quote != 0: if byte == quote { quote = 0 }
    case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = byte
    case UInt8(ascii: "["): depth += 1
    case UInt8(ascii: "]"): depth = max(depth - 1, 0)
    case UInt8(ascii: ">") where depth == 0: state = .text
    default: break
    }
  }

  private mutating func end(if byte: UInt8, after marks: (UInt8, UInt8)) {
    if byte == UInt8(ascii: ">"), last == marks { state = .text }
  }
}
