extension RandomAccessCollection where Index == Int {
  /// The first index whose element passes; none after it may fail.
  @inlinable package func partitioningIndex(where passes: (Element) -> Bool) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = (low + high) / 2
      if passes(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
