import Foundation
import TestSupport
import Testing

@Suite("A package that depends on the library") struct PackageTests {
  @Test("the example builds by swift build alone, and says where it is")
  func example() throws {
    let daemon = try RunningDaemon()
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let package = daemon.folder.appending(path: "where-am-i")
    let example = root.appending(path: "config/examples/where-am-i")
    let sources = package.appending(path: "Sources/where-am-i")
    try FileManager.default.createDirectory(at: sources, withIntermediateDirectories: true)
    let manifest = try String(contentsOf: example.appending(path: "Package.swift"), encoding: .utf8)
    try manifest.replacingOccurrences(of: "../../..", with: root.path)
      .write(to: package.appending(path: "Package.swift"), atomically: true, encoding: .utf8)
    try FileManager.default.copyItem(
      at: example.appending(path: "Sources/where-am-i/main.swift"),
      to: sources.appending(path: "main.swift"))
    // Conformances after the fact, which only another package can declare so.
    try """
    import CoreLocation
    extension CLLocationCoordinate2D: @retroactive Equatable {
      public static func == (a: Self, b: Self) -> Bool { a.latitude == b.latitude }
    }
    extension CLAuthorizationStatus: @retroactive CustomStringConvertible {
      public var description: String { "\\(rawValue)" }
    }
    """.write(to: sources.appending(path: "Retroactive.swift"), atomically: true, encoding: .utf8)
    let building = try Program(["swift", "build", "--package-path", package.path])
    let (said, exit) = try building.text()
    try #require(exit == 0, "\(said)")
    #expect(!said.contains("warning"), "\(said)")
    let app = try Program(
      [package.appending(path: ".build/debug/where-am-i").path],
      environment: ["LOCATIOND_SOCKET": daemon.socket])
    let (words, status) = try app.text()
    #expect(status == 0 && words.contains("<+45.00000000,+7.00000000> +/- 5.00m"), "\(words)")
  }
}
