/// An address of one line as a street and the town that it is in.
package enum TownSplits {
  private static let most = 6

  /// The likely ones first: at a comma, then the last words as the town, then the first.
  package static func of(_ text: String) -> [(street: String, town: String)] {
    let parts = text.split { ",、،;".contains($0) }.map { $0.trimmed }.filter { !$0.isEmpty }
    var splits: [(street: String, town: String)] = []
    if parts.count > 1 {
      splits.append((parts[0], parts.dropFirst().joined(separator: " ")))
      splits.append((parts[0], parts[1]))
      splits.append((parts[parts.count - 1], parts.dropLast().joined(separator: " ")))
    }
    let words = text.split { $0.isWhitespace || ",、،;".contains($0) }.map(String.init)
    for count in 1...3 where words.count > count {
      splits.append(
        (
          words.dropLast(count).joined(separator: " "), words.suffix(count).joined(separator: " ")
        ))
      splits.append(
        (
          words.dropFirst(count).joined(separator: " "), words.prefix(count).joined(separator: " ")
        ))
    }
    return Array(splits.prefix(most))
  }
}

extension Substring {
  fileprivate var trimmed: String {
    let start = drop { $0.isWhitespace }
    return String(
      start[..<(start.lastIndex { !$0.isWhitespace }.map(start.index(after:)) ?? start.startIndex)])
  }
}
