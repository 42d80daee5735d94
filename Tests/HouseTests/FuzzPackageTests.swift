import Foundation
import Testing

/// The fuzzers are a package of their own, which nobody builds but `make fuzz`.
@Suite("The fuzzers' package") struct FuzzPackageTests {
  /// The wants of a manifest's targets: other targets, and files to be compiled in.
  private func targets(_ path: String) throws -> [String: [String]] {
    let file = House.sources.deletingLastPathComponent().appending(path: path)
    let text = try String(contentsOf: file, encoding: .utf8)
    var targets: [String: [String]] = [:]
    for part in text.split(separator: /\.(target|executableTarget|testTarget|systemLibrary)\(/)
      .dropFirst()
    {
      guard let name = part.firstMatch(of: /name: "([^"]+)"/)?.1 else { continue }
      let lists = part.matches(of: /(?:dependencies: \[|embedInCode\()([^\])]*)/).map(\.1)
      targets[String(name)] = lists.flatMap { $0.matches(of: /"[^"]+"/).map { String($0.0) } }
        .sorted()
    }
    return targets
  }

  @Test("a room wants the same there as here")
  func same() throws {
    let (house, fuzzers) = (try targets("Package.swift"), try targets("Tests/Fuzz/Package.swift"))
    let shared = fuzzers.filter { house[$0.key] != nil }
    #expect(shared.count > 15)
    for (room, wants) in shared { #expect(wants == house[room], "\(room)") }
  }
}
