import Foundation
import LocationModel
import Testing

@Suite("Words for reduced accuracy") struct ReducedWordsTests {
  private static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  private func text(_ path: String) throws -> String {
    try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
  }

  @Test("README and manual say the figure that an app is told, as prompts do")
  func figure() throws {
    #expect(AccuracyAuthorization.reducedWords == "within 3 km")
    #expect(AccuracyAuthorization.reducedRadius == 3000)
    for path in ["README.md", "config/man/locationctl.1", "config/man/locationd-socket.7"] {
      #expect(try text(path).contains(AccuracyAuthorization.reducedWords), "\(path)")
    }
    let manual = Self.root.appending(path: "config/man").path
    for page in try FileManager.default.contentsOfDirectory(atPath: manual) {
      #expect(try !text("config/man/\(page)").contains("a cell of"), "\(page)")
    }
    #expect(try !text("README.md").contains("a cell of"))
  }
}
