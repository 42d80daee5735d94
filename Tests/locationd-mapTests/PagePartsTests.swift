import Foundation
import TestSupport
import Testing

@Suite("The parts of the page") struct PagePartsTests {
  private static let folder = Checkout.path + "/Sources/locationd-map/Page/"

  private func text(_ name: String) throws -> String {
    try String(contentsOfFile: Self.folder + name, encoding: .utf8)
  }

  @Test("what an app's page has more is at most 14 kB, and loaded by no other page")
  func app() throws {
    #expect(try text("app.js").utf8.count <= 14_000)
    for name in try FileManager.default.contentsOfDirectory(atPath: Self.folder) {
      let loads = try text(name).matches(of: #/(import|from|src=).*app\.js/#)
      #expect(loads.count == (name == "main.js" ? 1 : 0), "\(name)")
    }
    #expect(try text("main.js").contains("if (about.app && !app)"))
  }
}
