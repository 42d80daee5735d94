extension Sequence<String> {
  /// The word that was probably meant: the one with the fewest letters wrong, missing, too many or swapped.
  /// Nil where none is near.
  package func nearest(to typed: String) -> String? {
    guard typed.utf8.count <= 64 else { return nil }
    let letters = Array(typed.lowercased().utf8)
    // One in three letters may be wrong.
    let most = Swift.max(1, Swift.min(letters.count / 3, 3))
    let ranked = map { (word: $0, mistakes: mistakes(letters, Array($0.lowercased().utf8))) }
    let best = ranked.min { $0.mistakes < $1.mistakes }
    return best.flatMap { $0.mistakes <= most ? $0.word : nil }
  }
}

/// The distance of Damerau and Levenshtein, with swaps of neighbours.
private func mistakes(_ a: [UInt8], _ b: [UInt8]) -> Int {
  var beforeLast: [Int] = []
  var last = Array(0...b.count)
  for i in a.indices {
    var row = [i + 1]
    for j in b.indices {
      var least = Swift.min(last[j + 1], row[j]) + 1
      least = Swift.min(least, last[j] + (a[i] == b[j] ? 0 : 1))
      if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
        least = Swift.min(least, beforeLast[j - 1] + 1)
      }
      row.append(least)
    }
    (beforeLast, last) = (last, row)
  }
  return last[b.count]
}
