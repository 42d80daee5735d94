import Foundation
import Testing

@Suite("The tables of the libraries' symbols") struct SymbolsTests {
  private static func page(of library: String) throws -> String {
    try String(
      contentsOf: House.sources.appending(path: "\(library)/\(library).docc/Symbols.md"),
      encoding: .utf8)
  }

  /// The names of all that an app sees.
  private static func declared(in library: String) throws -> Set<String> {
    let declaration =
      #/\b(?:public|open)(?: weak| static| class| nonisolated| convenience| override| required| final| internal\(set\)| mutating| typealias)* (?:var|let|func|init|enum|class|struct|actor|protocol|typealias) ?`?(\w+)?/#
    var names: Set<String> = []
    for file in try House.files(of: library) {
      for line in file.code.split(separator: "\n") {
        if let match = line.firstMatch(of: declaration) {
          names.insert(match.1.map(String.init) ?? "init")
        }
      }
    }
    return names
  }

  private static func names(in text: Substring) -> Set<String> {
    Set(text.matches(of: #/`(\w+)`/#).map { String($0.1) })
  }

  @Test(
    "says what each symbol does, and names none that there is not",
    arguments: [("Contacts", 20), ("CoreLocation", 200), ("GeoToolbox", 8), ("MapKit", 100)])
  func complete(library: String, least: Int) throws {
    let parts = try Self.page(of: library).split(separator: "\n## Not here\n")
    let listed = Self.names(in: parts[0])
    let declared = try Self.declared(in: library)
    #expect(declared.count > least)
    #expect(declared.subtracting(listed).isEmpty, "not in the table")
    for row in parts.dropFirst().joined().split(separator: "\n").dropFirst(2) {
      let cells = row.components(separatedBy: "| not here: ")
      try #require(cells.count == 2, "\(row)")
      #expect(Self.names(in: Substring(cells[0])).isDisjoint(with: declared), "it is here")
      #expect(Self.names(in: Substring(cells[1])).isSubset(of: listed), "there is none of it")
    }
    let elsewhere: Set = ["FoundationNetworking", "NSError"]
    let words = Set(
      try House.files(of: library).flatMap(\.words).map(String.init))
    #expect(listed.subtracting(words).subtracting(elsewhere).isEmpty, "in the table alone")
  }

  @Test("each symbol of a map that works is used by a test", arguments: ["MapKit"])
  func used(library: String) throws {
    var used: Set<Substring> = []
    for (folder, files) in try House.folders()
    where folder.hasSuffix("Tests") || folder.hasPrefix("AppleCode") {
      for file in files { used.formUnion(file.words) }
    }
    for row in try Self.page(of: library).split(separator: "\n") where row.hasPrefix("| `") {
      let cells = row.split(separator: "|")
      guard cells.count == 2, cells[1].hasPrefix(" works") else { continue }
      for symbol in cells[0].matches(of: #/`(\w+)`/#) {
        #expect(used.contains(symbol.1), "\(symbol.1)")
      }
    }
  }

  @Test(
    "each row works, has a limit, or is unavailable with its reason",
    arguments: WallsTests.libraries.sorted())
  func rows(library: String) throws {
    let text = try Self.page(of: library)
    for row in text.split(separator: "\n") where row.hasPrefix("| `") && !row.hasSuffix("| |") {
      let cells = row.split(separator: "|")
      guard cells.count == 2, !row.contains("| comes |") else { continue }
      let answer = cells[1].drop { $0 == " " }
      let isSaid = ["works", "limit: ", "unavailable: ", "not here: ", "Foundation's own"].contains
      {
        answer.hasPrefix($0)
      }
      #expect(isSaid, "\(row)")
    }
  }

  @Test(
    "a property that works is looked at, and one without an effect tells the page nothing",
    arguments: WallsTests.libraries.sorted())
  func effects(library: String) throws {
    var answers: [Substring: [Substring]] = [:]
    for row in try Self.page(of: library).split(separator: "\n") where row.hasPrefix("| `") {
      let cells = row.split(separator: "|")
      guard cells.count == 2 else { continue }
      for symbol in cells[0].matches(of: #/`(\w+)`/#) {
        answers[symbol.1, default: []].append(cells[1])
      }
    }
    let files = try House.files(of: library)
    var uses: [Substring: Int] = [:]
    for word in files.flatMap(\.words) { uses[word, default: 0] += 1 }
    for line in files.flatMap(\.codeLines) {
      for variable in line.matches(of: #/\bvar (\w+)/#) { uses[variable.1, default: 0] -= 1 }
    }
    let stored =
      #/\b(?:public|open)(?: weak| internal\(set\))* var (\w+)([^{]*)(\{ (?:will|did)Set.*)?$/#
    for property in files.flatMap(\.codeLines).compactMap({ $0.firstMatch(of: stored) }) {
      let name = property.1
      let said = answers[name] ?? []
      if uses[name] == 0 {
        #expect(!said.contains { $0.hasPrefix(" works") }, "nothing looks at \(name)")
      }
      if property.3?.contains("changed()") == true {
        let isIdle = said.allSatisfy { $0.hasPrefix(" limit: no effect") }
        #expect(!isIdle, "\(name) tells the page")
      }
    }
  }
}
