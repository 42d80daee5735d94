/// A configuration file as systemd writes its own: sections, `Key=value`, comments. What the keys
/// mean is not known here.
package struct ConfigurationText {
  package enum Item: Equatable {
    case section(String)
    case assignment(key: String, value: String)
    case mistake(String)
  }

  package struct Line: Equatable {
    /// Where it begins, counted from 1.
    package var number: Int
    package var item: Item
  }

  package private(set) var lines: [Line] = []

  package static let largestFile = 256 << 10
  static let longestLine = 4096

  package init(_ bytes: [UInt8]) {
    guard bytes.count <= Self.largestFile else {
      lines = [Line(number: 1, item: .mistake("the file has over \(Self.largestFile) bytes"))]
      return
    }
    // A line that ends in a backslash goes on after the comments that follow it.
    var (number, whole) = (0, "")
    for (i, raw) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
      guard let text = Self.text(raw) else {
        whole = ""
        add(i + 1, .mistake("the line is too long, or no plain text"))
        continue
      }
      let line = text.trimmed
      if line.first == "#" || line.first == ";" { continue }
      if whole.isEmpty { number = i + 1 }
      whole += line
      if whole.utf8.last == UInt8(ascii: "\\") {
        whole.unicodeScalars.removeLast()
        whole += " "
      } else {
        read(whole.trimmed, at: number)
        whole = ""
      }
    }
    read(whole.trimmed, at: number)
  }

  /// Nil for what no person wrote.
  private static func text(_ raw: ArraySlice<UInt8>) -> String? {
    let isPlain = raw.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 || $0 == 0x0D }
    guard raw.count <= longestLine, isPlain else { return nil }
    return String(validating: raw, as: UTF8.self)
  }

  private mutating func read(_ line: Substring, at number: Int) {
    guard !line.isEmpty else { return }
    if line.first == "[" {
      guard line.last == "]", line.count > 2 else {
        return add(number, .mistake("a section is written [Name]"))
      }
      return add(number, .section(String(line.dropFirst().dropLast())))
    }
    let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty else {
      return add(number, .mistake("'\(line.prefix(40))' is not Key=value"))
    }
    add(
      number, .assignment(key: String(parts[0].trimmed), value: String(parts[1].trimmed)))
  }

  private mutating func add(_ number: Int, _ item: Item) {
    lines.append(Line(number: number, item: item))
  }
}

extension StringProtocol {
  fileprivate var trimmed: SubSequence {
    let rest = drop { $0.isWhitespace }
    guard let last = rest.lastIndex(where: { !$0.isWhitespace }) else { return rest }
    return rest[...last]
  }
}
