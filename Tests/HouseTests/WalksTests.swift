import Foundation
import Testing

/// The ways through the house that Sources/README.md lists file by file.
@Suite("Walks") struct WalksTests {
  struct Walk: Sendable, CustomTestStringConvertible {
    var title: String
    /// So many files at most.
    var most: Int
    /// `ROOM/FILE`; a file with a dot in it is a path in the room, any other one of Swift.
    var files: [String]

    var testDescription: String { title }
  }

  /// Lists begin with a line that ends in "at most N:", and have a line for each room.
  static let walks: [Walk] = House.page.split(separator: "\n## ").flatMap { section in
    section.matches(of: #/, at most (\d+):\n\n((?: {4}[\w-]+: .+\n)+)/#).map { list in
      let files = list.2.split(separator: "\n").flatMap { line in
        let parts = line.split(separator: ":", maxSplits: 1)
        return parts[1].split(separator: ",").map { name in
          "\(parts[0].drop { $0 == " " })/\(name.drop { $0 == " " })"
        }
      }
      return Walk(
        title: String(section.prefix { $0 != "\n" }), most: Int(list.1) ?? 0, files: files)
    }
  }

  @Test("five walks have lists")
  func lists() {
    #expect(Self.walks.count >= 5)
  }

  @Test(
    "a walk goes through no more files than it says, and each is there and short",
    arguments: walks)
  func files(walk: Walk) throws {
    #expect(Set(walk.files).count == walk.files.count, "a file is listed twice")
    #expect(walk.files.count <= walk.most, "\(walk.files.count)")
    for file in walk.files {
      let lines = try Self.lines(of: file)
      #expect(lines.count == 1, "\(file)")
      for count in lines { #expect(count <= 250, "\(file)") }
    }
  }

  /// The lengths of the files of that name.
  private static func lines(of file: String) throws -> [Int] {
    let parts = file.split(separator: "/", maxSplits: 1).map(String.init)
    guard !parts[1].contains(".") else {
      let text = try? String(contentsOf: House.sources.appending(path: file), encoding: .utf8)
      return text.map { [$0.count { $0 == "\n" }] } ?? []
    }
    return try House.files(of: parts[0]).filter { $0.name.hasSuffix("/\(parts[1]).swift") }
      .map { $0.lines.count - 1 }
  }
}
