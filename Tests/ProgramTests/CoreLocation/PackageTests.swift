import Foundation
import TestSupport
import Testing

@Suite("A package that depends on the library") struct PackageTests {
  @Test("the example builds by swift build alone, and says where it is")
  func example() throws {
    let daemon = try RunningDaemon()
    let root = URL(filePath: Checkout.path)
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
    let building = try Program([
      "nice", "swift", "build", "--jobs", "1", "--package-path", package.path,
    ])
    let (said, exit) = try building.text()
    try #require(exit == 0, "\(said)")
    #expect(!said.contains("warning"), "\(said)")
    #expect(
      try compiled(by: package) == [
        "CGeographic", "Contacts", "CoreLocation", "Geodesy", "LocationClient", "LocationModel",
        "where_am_i",
      ])
    let app = try Program(
      [package.appending(path: ".build/debug/where-am-i").path],
      environment: ["LOCATIOND_SOCKET": daemon.socket])
    let (words, status) = try app.text()
    #expect(status == 0 && words.contains("<+45.00000000,+7.00000000> +/- 5.00m"), "\(words)")
    try reasons(of: package.appending(path: ".build/debug/where-am-i"))
    try alone(package, daemon)
  }

  /// The app and the parts of the house that its build has compiled.
  private func compiled(by package: URL) throws -> Set<String> {
    let folder = package.appending(path: ".build/debug").resolvingSymlinksInPath()
    let parts = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    return Set(
      parts.filter { part in
        let files = FileManager.default.enumerator(atPath: folder.appending(path: part).path)
        return part.hasSuffix(".build") && files?.contains { "\($0)".hasSuffix(".o") } == true
      }.map { String($0.dropLast(".build".count)) })
  }

  /// Linked with all that it wants, the C library too.
  private func alone(_ package: URL, _ daemon: RunningDaemon) throws {
    let folder = package.appending(path: ".alone")
    let building = try Program([
      "nice", "swift", "build", "--jobs", "1", "--package-path", package.path, "--scratch-path",
      folder.path, "--static-swift-stdlib", "-Xswiftc", "-static-executable",
    ])
    let (said, exit) = try building.text()
    try #require(exit == 0, "\(said)")
    let program = folder.appending(path: "debug/where-am-i").path
    let needed = try Program(["readelf", "-d", program]).text().0
    #expect(needed.contains("no dynamic section"), "\(needed)")
    let (words, status) = try Program(
      [program], environment: ["LOCATIOND_SOCKET": daemon.socket]
    ).text()
    #expect(status == 0 && words.contains("<+45.00000000,+7.00000000> +/- 5.00m"), "\(words)")
  }

  /// The reason comes from the program's desktop entry, else from Info.plist beside it, which comes first.
  private func reasons(of program: URL) throws {
    let entry = """
      [Desktop Entry]
      Name=Wayfinder
      Exec=\(program.path) --quietly
      X-Geoclue-Reason=to find the way
      """
    let plist = """
      <?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict>
      <key>NSLocationWhenInUseUsageDescription</key><string>to find the way home</string>
      </dict></plist>
      """
    for (file, text, reason) in [
      ("share/applications/wayfinder.desktop", entry, "to find the way"),
      ("Info.plist", plist, "to find the way home"),
    ] {
      let daemon = try RunningDaemon(files: ["policy.d/ask.conf": "[Rule]\nAction=ask\n"])
      try FileManager.default.write([file: text], in: program.deletingLastPathComponent())
      let typist = try Typist(daemon, answers: ["w"])
      try typist.wait(for: "come here")
      let app = try Program(
        [program.path],
        environment: [
          "LOCATIOND_SOCKET": daemon.socket,
          "XDG_DATA_HOME": program.deletingLastPathComponent().appending(path: "share").path,
        ])
      try typist.wait(for: reason)
      #expect(try app.text().1 == 0)
    }
  }
}
