import Foundation
import Testing

@Suite("README.md") struct ReadmeTests {
  @Test("is short, and its pictures are there and small")
  func pictures() throws {
    let root = House.sources.deletingLastPathComponent()
    let text = try String(contentsOf: root.appending(path: "README.md"), encoding: .utf8)
    #expect(text.utf8.count <= 10_000)
    let names = text.matches(of: #/!\[[^\]]+\]\(([^)]+)\)/#).map { String($0.1) }
    #expect(!names.isEmpty)
    for name in names {
      let picture = try Data(contentsOf: root.appending(path: name))
      #expect((1000..<120_000).contains(picture.count), "\(name)")
    }
  }
}
