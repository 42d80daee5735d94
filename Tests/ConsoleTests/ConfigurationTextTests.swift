import Testing

@testable import Console

@Suite("ConfigurationText") struct ConfigurationTextTests {
  private func items(_ text: String) -> [ConfigurationText.Item] {
    ConfigurationText(Array(text.utf8)).lines.map(\.item)
  }

  @Test("sections and keys are found between comments, blanks and the line ends of others")
  func plain() {
    let text = ConfigurationText(
      Array("# a\n\n[One]\r\n  Key = a = b  \r\n;Key=c\n\t[Two Words]\nEmpty=\n#".utf8))
    #expect(
      text.lines == [
        .init(number: 3, item: .section("One")),
        .init(number: 4, item: .assignment(key: "Key", value: "a = b")),
        .init(number: 6, item: .section("Two Words")),
        .init(number: 7, item: .assignment(key: "Empty", value: "")),
      ])
  }

  @Test("as many lines as a file can have go on in one", .timeLimit(.minutes(60)))
  func manyContinued() {
    let rest = String(repeating: "a\\\n", count: ConfigurationText.largestFile / 3 - 10)
    let text = ConfigurationText(Array("[Sources]\nKey=\(rest)".utf8))
    #expect(text.lines.map(\.number) == [1, 2])
  }

  @Test("a line that ends in a backslash goes on, past comments, and counts from where it began")
  func continued() {
    let text = ConfigurationText(Array("Key=a\\\n# no\n  b\\\n\nNext=1\nLast=x\\".utf8))
    #expect(
      text.lines == [
        .init(number: 1, item: .assignment(key: "Key", value: "a b")),
        .init(number: 5, item: .assignment(key: "Next", value: "1")),
        .init(number: 6, item: .assignment(key: "Last", value: "x")),
      ])
  }

  @Test(
    "what is neither is a mistake on its line", arguments: ["x", "=x", "[", "[]", "[x", "[x]y"])
  func mistakes(line: String) throws {
    let text = ConfigurationText(Array("\n\(line)\nKey=1".utf8))
    try #require(text.lines.count == 2)
    guard case .mistake = text.lines[0].item else {
      Issue.record("\(text.lines[0])")
      return
    }
    #expect(text.lines[0].number == 2)
    #expect(text.lines[1].item == .assignment(key: "Key", value: "1"))
  }

  @Test("what no person wrote is a mistake, and no more than one a line")
  func hostile() {
    for bytes: [UInt8] in [[0], [0xFF], [0x1B], Array(repeating: 0x61, count: 5000)] {
      let lines = ConfigurationText(bytes + [0x0A] + Array("A=1".utf8)).lines
      #expect(lines.count == 2)
      #expect(lines.last == .init(number: 2, item: .assignment(key: "A", value: "1")))
    }
    let huge = [UInt8](repeating: 0x0A, count: ConfigurationText.largestFile + 1)
    #expect(ConfigurationText(huge).lines.count == 1)
  }
}
