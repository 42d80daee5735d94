import Foundation
import Glibc
import TestSupport
import Testing

/// The packages of the programs that are tested, and of a world that is a few bytes: made once, by debian/rules.
enum Packages {
  static let folder = FileManager.default.temporaryDirectory.appending(path: "debs-\(UUID())")

  private static let made: Result<Void, any Error> = Result {
    atexit { try? FileManager.default.removeItem(at: Packages.folder) }
    let places = folder.appending(path: "places")
    try FileManager.default.createDirectory(at: places, withIntermediateDirectories: true)
    for name in ["world.sqlite", "postcodes.sqlite"] {
      try Data("data".utf8).write(to: places.appending(path: name))
    }
    let (made, config) = (path("made"), Stage.house.path + "/config")
    try run(["\(config)/source", made, places.path])
    try run(["\(config)/packages", made, Program.folder.path])
  }

  private static func path(_ name: String) -> String { folder.appending(path: name).path }

  private static func run(_ command: [String]) throws {
    // Packages are pressed for a minute else.
    let program = try Program(
      command, environment: ["DPKG_DEB_COMPRESSOR_TYPE": "gzip", "DPKG_DEB_COMPRESSOR_LEVEL": "1"])
    let (text, exit) = try program.text()
    try #require(exit == 0, "\(text)")
  }

  /// Every file that was made whose name ends so.
  static func files(_ ending: String) throws -> [String] {
    try made.get()
    return try FileManager.default.contentsOfDirectory(atPath: path("made"))
      .filter { $0.hasSuffix(ending) }.sorted().map { path("made/\($0)") }
  }

  static func file(_ name: String) throws -> String {
    try #require(try files(".deb").first { $0.contains("/\(name)_") })
  }

  static func field(_ field: String, of name: String) throws -> String {
    try Program(["dpkg-deb", "--field", file(name), field]).text().text
      .trimmingCharacters(in: .newlines)
  }

  /// A maintainer script, as debhelper completed it, or another file of the package's own.
  static func script(_ script: String, of name: String) throws -> String {
    try Program(["dpkg-deb", "--info", file(name), script]).text().text
  }
}
