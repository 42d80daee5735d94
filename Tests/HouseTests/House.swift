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
    /// The lines without comments.
    var codeLines: [Substring]
    var code: String

    init(name: String, text: String) {
      self.name = name
      lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      codeLines = lines.map { line in
        var last: UInt8 = 0
        let comment = line.utf8.firstIndex { byte in
          defer { last = byte }
          return byte == UInt8(ascii: "/") && last == byte
        }
        return comment.map { line[..<line.utf8.index(before: $0)] } ?? line
      }
      code = codeLines.joined(separator: "\n")
    }

    var words: [Substring] {
      codeLines.flatMap { line in
        line.utf8.split { byte in
          switch byte {
          case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
            false
          default: true
          }
        }.map { Substring($0) }
      }
    }

    var imports: [String] {
      codeLines.compactMap { line in
        guard line.contains("import") else { return nil }
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
    try rooms.get()[room] ?? []
  }

  /// The files of each room, read once.
  private static let rooms = Result { try folders(in: sources) }

  /// The files of each room and each folder of tests.
  static func folders() throws -> [String: [File]] {
    let tests = sources.deletingLastPathComponent().appending(path: "Tests")
    return try rooms.get().merging(folders(in: tests)) { $1 }
  }

  private static func folders(in parent: URL) throws -> [String: [File]] {
    var folders: [String: [File]] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: parent.path)
    where !["Benchmarks", "Fuzz"].contains(name) {
      folders[name] = try files(in: parent.appending(path: name), name)
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
