/// Pieces of bytes that are found by their numbers, with a table in front: a mark, how many there are, then number,
/// offset and size of each in the order of their numbers. Nothing is read but what is looked up.
package struct NumberedPieces {
  private let bytes: UnsafeRawBufferPointer
  private let count: Int

  private static let mark: UInt64 = 0x3173_6563_6569_7063  // cpieces1
  private static let (header, entry) = (16, 24)

  /// A piece, and where its bytes lie among those of all.
  package struct Entry: BitwiseCopyable {
    package var number: UInt64
    package var offset: Int
    package var size: Int

    package init(number: UInt64, offset: Int, size: Int) {
      (self.number, self.offset, self.size) = (number, offset, size)
    }
  }

  /// `bytes` must outlive it. Nil where they are none of a table.
  package init?(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
    guard bytes.count >= Self.header, Self.word(bytes, 0) == Self.mark,
      let count = Int(exactly: Self.word(bytes, 8)),
      count <= (bytes.count - Self.header) / Self.entry
    else { return nil }
    self.count = count
  }

  package subscript(number: UInt64) -> UnsafeRawBufferPointer? {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      let place = Self.header + middle * Self.entry
      let own = Self.word(bytes, place)
      if own == number {
        guard let offset = Int(exactly: Self.word(bytes, place + 8)),
          let size = Int(exactly: Self.word(bytes, place + 16)), offset <= bytes.count,
          size <= bytes.count - offset
        else { return nil }
        return UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + size])
      }
      if own < number { low = middle + 1 } else { high = middle }
    }
    return nil
  }

  private static func word(_ bytes: UnsafeRawBufferPointer, _ at: Int) -> UInt64 {
    UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self))
  }

  /// The table of pieces, to be written before their bytes. Their numbers rise.
  package static func table(of entries: some Collection<Entry>) -> [UInt8] {
    let start = header + entries.count * entry
    let words =
      [mark, UInt64(entries.count)]
      + entries.flatMap { [$0.number, UInt64($0.offset + start), UInt64($0.size)] }
    return words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } }
  }
}
