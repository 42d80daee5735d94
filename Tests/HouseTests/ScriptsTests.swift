import Foundation
import Testing

/// Some of them are run but once in a long while.
@Suite("The scripts") struct ScriptsTests {
  @Test("each Python program of the house is one that Debian's Python reads")
  func python() throws {
    let house = House.sources.deletingLastPathComponent()
    var files: [String] = []
    for folder in ["Tests", "config", "Sources"] {
      let all = FileManager.default.enumerator(atPath: house.appending(path: folder).path)
      // The benches are a package, with a folder of its own for what is built.
      while let name = all?.nextObject() as? String {
        if name.hasSuffix(".build") { all?.skipDescendants() }
        if name.hasSuffix(".py") { files.append(house.appending(path: "\(folder)/\(name)").path) }
      }
    }
    #expect(files.count > 60, "\(files.count)")
    let reads = "import ast, sys\nfor name in sys.argv[1:]: ast.parse(open(name).read(), name)"
    let (python, errors) = (Process(), Pipe())
    python.executableURL = URL(filePath: "/usr/bin/python3")
    python.arguments = ["-c", reads] + files
    python.standardError = errors
    try python.run()
    let said = try errors.fileHandleForReading.readToEnd() ?? Data()
    python.waitUntilExit()
    #expect(python.terminationStatus == 0, "\(String(decoding: said, as: UTF8.self))")
  }
}
