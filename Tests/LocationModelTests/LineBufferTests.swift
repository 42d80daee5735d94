import Testing

@testable import LocationModel

@Suite("LineBuffer") struct LineBufferTests {
  private func lines(_ pieces: [String], longest: Int = 10) -> [String] {
    var buffer = LineBuffer(longest: longest)
    var lines: [String] = []
    for piece in pieces {
      Array(piece.utf8).withUnsafeBytes { buffer.append($0) }
      while let line = buffer.next() {
        switch line {
        case .text(let text): lines.append(String(decoding: text, as: UTF8.self))
        case .tooLong: lines.append("TOO LONG")
        }
      }
      #expect(buffer.held <= longest)
    }
    return lines
  }

  @Test("lines come out however they are cut", arguments: 1...9)
  func cuts(length: Int) {
    let text = Array("one\ntwo\r\n\n  \nthree\n")
    let pieces = stride(from: 0, to: text.count, by: length).map {
      String(text[$0..<min($0 + length, text.count)])
    }
    #expect(lines(pieces) == ["one", "two\r", "three"])
  }

  @Test("a line that is too long is told once, and the next one is whole")
  func tooLong() {
    #expect(lines(["0123456789\n"]) == ["0123456789"])
    #expect(lines(["01234567890\nnext\n"]) == ["TOO LONG", "next"])
    #expect(
      lines(["0123456", "789012", "3456", "78901234567890123", "end\nnext\n"])
        == ["TOO LONG", "next"])
  }

  @Test("an endless line is not kept")
  func endless() {
    var buffer = LineBuffer(longest: 64)
    var told = 0
    for _ in 0..<10_000 {
      [UInt8](repeating: 0x41, count: 1000).withUnsafeBytes { buffer.append($0) }
      while buffer.next() != nil { told += 1 }
      #expect(buffer.held == 0)
    }
    #expect(told == 1)
  }
}
