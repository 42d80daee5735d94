internal import Platform

/// A bit for each node of an extract.
final class NodeSet {
  private let words: ScratchArray<UInt64>
  /// Members before each eighth word, once they are counted.
  private let sums: ScratchArray<UInt32>

  init(in folder: String) throws(SystemError) {
    words = try ScratchArray(in: folder)
    sums = try ScratchArray(in: folder)
  }

  func contains(_ node: UInt32) -> Bool {
    let word = Int(node >> 6)
    return word < words.count && words[word] >> UInt64(node & 63) & 1 == 1
  }

  /// False where it is in it already.
  @discardableResult
  func insert(_ node: UInt32) throws(SystemError) -> Bool {
    let word = Int(node >> 6)
    if word >= words.count { try words.resize(word + 1) }
    let bit = UInt64(1) << UInt64(node & 63)
    guard words[word] & bit == 0 else { return false }
    words[word] |= bit
    return true
  }

  /// How many there are; `rank` is right until another comes.
  func count() throws(SystemError) -> Int {
    var sum = 0
    try sums.resize(0)
    for (i, word) in words.buffer.enumerated() {
      if i & 7 == 0 { try sums.append(UInt32(clamping: sum)) }
      sum += word.nonzeroBitCount
    }
    return sum
  }

  /// How many lie before one.
  func rank(_ node: UInt32) -> UInt32 {
    let word = Int(node >> 6)
    guard word < words.count else { return 0 }
    var sum = Int(sums[word >> 3])
    for i in (word & ~7)..<word { sum += words[i].nonzeroBitCount }
    let below = words[word] & ((1 << UInt64(node & 63)) - 1)
    return UInt32(clamping: sum + below.nonzeroBitCount)
  }
}
