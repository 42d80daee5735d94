/// An address of one line as a street and the town that it is in.
package enum TownSplits {
  private static let most = 6
  private static let marks: Set<Character> = [",", "、", "،", ";"]

  /// A text with a number, or with a town behind a comma.
  package static func isAddress(_ text: String) -> Bool {
    text.contains { $0.isNumber || marks.contains($0) }
  }

  /// The likely ones first: at a comma, then the last words as the town, then the first. `isWithin`: the last part is a
  /// country or a province, and no street.
  package static func of(
    _ text: String, isWithin: Bool = false
  ) -> [(street: String, town: TownText)] {
    let parts = text.split { marks.contains($0) }.map { $0.trimmed }.filter { !$0.isEmpty }
    var splits: [(street: String, town: TownText)] = []
    func add(_ street: some Sequence<String>, _ town: some Sequence<String>) {
      splits.append(
        (street.joined(separator: " "), TownText(name: town.joined(separator: " "))))
    }
    if parts.count > 1 {
      add(parts.prefix(1), parts.dropFirst())
      splits.append((parts[0], TownText(name: parts[1], behind: Array(parts.dropFirst(2)))))
      add(parts.suffix(1), parts.dropLast())
    }
    let words = text.split { $0.isWhitespace || marks.contains($0) }.map(String.init)
    for count in 1...3 where words.count > count {
      add(words.dropLast(count), words.suffix(count))
      add(words.dropFirst(count), words.prefix(count))
    }
    return Array(splits.filter { !isWithin || $0.street != parts.last }.prefix(most))
  }
}

extension Substring {
  fileprivate var trimmed: String {
    let start = drop { $0.isWhitespace }
    return String(
      start[..<(start.lastIndex { !$0.isWhitespace }.map(start.index(after:)) ?? start.startIndex)])
  }
}
