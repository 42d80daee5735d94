import Platform
import Testing

@Suite("Pieces of bytes by their numbers") struct NumberedPiecesTests {
  private let texts: [(number: UInt64, text: String)] = [
    (3, "three"), (7, ""), (1 << 60, "many"), (.max, "most"),
  ]

  private var bytes: [UInt8] {
    var (entries, end) = ([NumberedPieces.Entry](), 0)
    for (number, text) in texts {
      entries.append(.init(number: number, offset: end, size: text.utf8.count))
      end += text.utf8.count
    }
    return NumberedPieces.table(of: entries) + texts.flatMap { Array($0.text.utf8) }
  }

  private func find(_ number: UInt64, in bytes: [UInt8]) -> String? {
    bytes.withUnsafeBytes { bytes in
      NumberedPieces(bytes)?[number].map { String(decoding: $0, as: UTF8.self) }
    }
  }

  @Test("each piece is found, and none by another number")
  func found() {
    for (number, text) in texts { #expect(find(number, in: bytes) == text) }
    for number in [0, 4, 8, 1 << 59, .max - 1] as [UInt64] {
      #expect(find(number, in: bytes) == nil)
    }
  }

  @Test("no damage of the bytes is read beyond their end")
  func damage() {
    for length in bytes.indices {
      for (number, text) in texts {
        let found = find(number, in: Array(bytes[..<length]))
        #expect(found == nil || found == text)
      }
    }
    var dice = SystemRandomNumberGenerator()
    for _ in 0..<2000 {
      var damaged = bytes
      for _ in 0..<3 {
        damaged[.random(in: damaged.indices, using: &dice)] = .random(in: 0...255, using: &dice)
      }
      for (number, _) in texts { _ = find(number, in: damaged) }
    }
  }
}
