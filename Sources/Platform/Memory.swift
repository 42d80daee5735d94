internal import CLinux
internal import Glibc

/// What the daemon holds of the machine's memory.
package enum Memory {
  /// One heap for both threads: the other one's would lie idle.
  package static func holdLittle() {
    mallopt(M_ARENA_MAX, 1)
  }

  /// Gives back what a busy time needed and the quiet after it does not: free pages of the heap, and
  /// the code of beginnings and ends, which is mapped again where it is used again.
  package static func giveBack() {
    malloc_trim(0)
    guard let maps = try? File.bytes(of: "/proc/self/maps", atMost: 1 << 16) else { return }
    for line in maps.split(separator: UInt8(ascii: "\n")) {
      let words = line.split(separator: UInt8(ascii: " "), maxSplits: 5)
      // Code alone: other pages of a file may have been written to since.
      guard words.count == 6, words[1].elementsEqual("r-xp".utf8),
        words[5].drop(while: { $0 == UInt8(ascii: " ") }).first == UInt8(ascii: "/"),
        let range = range(words[0])
      else { continue }
      madvise(UnsafeMutableRawPointer(bitPattern: range.lowerBound), range.count, MADV_DONTNEED)
    }
  }

  private static func range(_ text: some Sequence<UInt8>) -> Range<UInt>? {
    let ends = String(decoding: Array(text), as: UTF8.self).split(separator: "-")
    guard ends.count == 2, let start = UInt(ends[0], radix: 16), let end = UInt(ends[1], radix: 16),
      start < end
    else { return nil }
    return start..<end
  }
}
