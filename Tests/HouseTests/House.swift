import Foundation

/// The sources, as this checkout has them.
enum House {
  static let sources = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources")

  /// Sources/README.md.
  static let page =
    (try? String(contentsOf: sources.appending(path: "README.md"), encoding: .utf8)) ?? ""

  struct File {
    var name: String
    var lines: [Substring]

    init(name: String, text: String) {
      self.name = name
      lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    }

    /// Without comments.
    var code: String {
      lines.map { $0.split(separator: "//", maxSplits: 1, omittingEmptySubsequences: false)[0] }
        .joined(separator: "\n")
    }

    var words: [Substring] {
      lines.flatMap {
        $0.split(separator: "//", maxSplits: 1, omittingEmptySubsequences: false)[0]
          .split { !$0.isLetter && !$0.isNumber && $0 != "_" }
      }
    }

    var imports: [String] {
      lines.compactMap { line in
        var words = line.split(separator: " ")[...]
        while let first = words.first, first != "import" {
          guard
            first.hasPrefix("@")
              || ["internal", "package", "public", "private", "fileprivate"]
                .contains(first)
          else { return nil }
          words = words.dropFirst()
        }
        words = words.dropFirst()
        if let kind = words.first, ["struct", "class", "enum", "func", "protocol"].contains(kind) {
          words = words.dropFirst()
        }
        return words.first.map { String($0.split(separator: ".")[0]) }
      }
    }
  }

  static func files(of room: String) throws -> [File] {
    try files(in: sources.appending(path: room), room)
  }

  /// The files of each room and each folder of tests.
  static func folders() throws -> [String: [File]] {
    let tests = sources.deletingLastPathComponent().appending(path: "Tests")
    var folders: [String: [File]] = [:]
    for parent in [sources, tests] {
      for name in try FileManager.default.contentsOfDirectory(atPath: parent.path)
      where !["Benchmarks", "Fuzz"].contains(name) {
        folders[name] = try files(in: parent.appending(path: name), name)
      }
    }
    return folders
  }

  private static func files(in folder: URL, _ room: String) throws -> [File] {
    let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String }
    return try (paths ?? []).filter { $0.hasSuffix(".swift") }.map {
      File(
        name: "\(room)/\($0)",
        text: try String(contentsOf: folder.appending(path: $0), encoding: .utf8))
    }
  }
}
