/// Cuts a stream into lines as they are asked for, holding an unfinished one only up to a bound.
package struct LineBuffer: ~Copyable {
  package enum Line {
    /// Good until the buffer is next used.
    case text(UnsafeRawBufferPointer)
    /// One longer than the bound; its bytes are gone, and it is told once.
    case tooLong
  }

  private let longest: Int
  private let keepsBlank: Bool
  private static let small = 512
  private var bytes = TextBuffer(capacity: 64)
  /// Where the next line starts, and up to where no line feed is.
  private var start = 0
  private var searched = 0
  private var isSkipping = false

  package init(longest: Int, keepsBlank: Bool = false) {
    self.longest = longest
    self.keepsBlank = keepsBlank
  }

  package var held: Int { bytes.count - start }

  package mutating func append(_ more: UnsafeRawBufferPointer) {
    bytes.append(more)
  }

  /// The end of the stream ends the last line, too.
  package mutating func end() { bytes.append(UInt8(ascii: "\n")) }

  /// The next line without its line feed; blank ones are passed over, unless they are kept.
  package mutating func next() -> Line? {
    while let end = lineFeed() {
      let line = UnsafeRawBufferPointer(rebasing: bytes.bytes[start..<end])
      start = end + 1
      searched = start
      if isSkipping {
        isSkipping = false
      } else if line.count > longest {
        return .tooLong
      } else if keepsBlank || line.contains(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }) {
        return .text(line)
      }
    }
    guard held > longest || isSkipping else {
      if held == 0 { clear() }
      bytes.removeFirst(start)
      searched -= start
      start = 0
      return nil
    }
    let wasSkipping = isSkipping
    clear()
    isSkipping = true
    return wasSkipping ? nil : .tooLong
  }

  private mutating func lineFeed() -> Int? {
    let end = bytes.bytes[searched...].firstIndex(of: UInt8(ascii: "\n"))
    if end == nil { searched = bytes.count }
    return end
  }

  /// A buffer that has grown for large lines is not kept.
  private mutating func clear() {
    if bytes.capacity > Self.small { bytes = TextBuffer(capacity: 64) } else { bytes.removeAll() }
    start = 0
    searched = 0
  }
}
