// Text from elsewhere, such as names, devices and servers' messages, on its way to people.

extension String {
  /// One line that a terminal, a log or a dialog shows as it reads, of at most `limit` columns.
  ///
  /// U+FFFD takes the place of what moves the cursor, is invisible or turns the direction of writing:
  /// dropped, it would let one name look like another.
  package func plain(atMost limit: Int = 4096) -> String {
    if utf8.count <= limit, utf8.allSatisfy({ 0x20..<0x7F ~= $0 }) { return self }
    var line = UnicodeScalarView()
    var columns = 0
    var marks = 0
    for scalar in unicodeScalars {
      var shown = scalar.isPlain ? scalar : scalar.properties.isWhitespace ? " " : "\u{FFFD}"
      marks = shown.columns == 0 ? marks + 1 : 0
      if marks > Self.mostMarks { shown = "\u{FFFD}" }
      columns += shown.columns
      line.append(shown)
      guard columns > limit else { continue }
      while columns >= limit, let last = line.popLast() { columns -= last.columns }
      line.append("…")
      break
    }
    return String(line)
  }

  /// The same in quotation marks, with none inside that would end them.
  package func quotation(atMost limit: Int) -> String {
    var inside = UnicodeScalarView()
    for scalar in plain(atMost: limit).unicodeScalars {
      inside.append(scalar.properties.isQuotationMark ? "'" : scalar)
    }
    return "“\(inside)”"
  }

  /// How many columns of a terminal it takes, where it is plain.
  package var columns: Int { unicodeScalars.reduce(0) { $0 + $1.columns } }

  /// More marks on one letter reach into the lines above and below; languages need up to three.
  private static let mostMarks = 4
}

extension Unicode.Scalar {
  /// Whether it is seen, and seen where it stands.
  package var isPlain: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate,
      .unassigned:
      false
    default: !properties.isDefaultIgnorableCodePoint
    }
  }

  fileprivate var columns: Int {
    if value < 0x300 { return 1 }
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark: return 0
    default:
      let isWide =
        properties.isEmojiPresentation || Self.wide.contains { $0.contains(value) }
      return isWide ? 2 : 1
    }
  }

  /// East Asian scripts.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3,
    0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x1_7000...0x1_B2FF,
    0x2_0000...0x3_FFFD,
  ]
}
