import Foundation
import TestSupport
import Testing

@Suite("The parts of the page") struct PagePartsTests {
  private static let folder = Checkout.path + "/Sources/locationd-map/Page/"

  private func text(_ name: String) throws -> String {
    try String(contentsOfFile: Self.folder + name, encoding: .utf8)
  }

  @Test("app.js and app.css have at most 15 kB, and no page but an app's loads them")
  func app() throws {
    #expect(try text("app.js").utf8.count + text("app.css").utf8.count <= 15_000)
    for name in try FileManager.default.contentsOfDirectory(atPath: Self.folder) {
      let loads = try text(name).matches(of: #/(import|from|src=|href).*app\.(js|css)/#)
      #expect(loads.count == (["main.js", "app.js"].contains(name) ? 1 : 0), "\(name)")
    }
    #expect(try text("main.js").contains("if (about.app && !app)"))
  }

  @Test("the page of locationctl map has at most 110 kB of its own, and 35 kB packed")
  func whole() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder)
      .filter { name in !["app.", "phrases.", "settings."].contains { name.hasPrefix($0) } }
      .sorted()
    let whole = try names.map(text).joined()
    #expect(names.count > 15 && whole.utf8.count <= 110_000, "\(whole.utf8.count)")
    let file = FileManager.default.temporaryDirectory.appending(path: "page-\(UUID())")
    defer { try? FileManager.default.removeItem(at: file) }
    try whole.write(to: file, atomically: true, encoding: .utf8)
    let (packed, pipe) = (Process(), Pipe())
    packed.executableURL = URL(filePath: "/bin/gzip")
    // Without the name of the file, which is none of the page.
    packed.arguments = ["-9", "-n", "-c", file.path]
    packed.standardOutput = pipe
    try packed.run()
    let size = try pipe.fileHandleForReading.readToEnd()?.count ?? 0
    packed.waitUntilExit()
    #expect((1...35_000).contains(size), "\(size)")
  }
}
