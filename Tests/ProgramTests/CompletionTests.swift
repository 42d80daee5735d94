import Foundation
import Testing

@Suite("Completions of the command line") struct CompletionTests {
  private static let house = URL(filePath: #filePath).appending(path: "../../..").standardized.path

  private func words(_ typed: String...) throws -> [Substring] {
    let words = (["locationctl"] + typed).map { "'\($0)'" }.joined(separator: " ")
    let script = """
      PATH="$1:$PATH"; . "$2"; COMP_WORDS=(\(words)); COMP_CWORD=\(typed.count); _locationctl
      echo "${COMPREPLY[@]}"
      """
    let file = "\(Self.house)/config/completions/locationctl"
    let (text, exit) = try Program(["bash", "-c", script, "bash", Program.folder.path, file]).text()
    #expect(exit == 0)
    return text.split { $0.isWhitespace }
  }

  @Test("in bash each command and each of its options is offered, as help has them")
  func bash() throws {
    #expect(try words("gr") == ["grant"])
    let all = Set(try words(""))
    #expect(all.isSuperset(of: ["status", "get", "watch", "apps", "doctor", "replay", "help"]))
    #expect(Set(try words("watch", "--")).isSuperset(of: ["--visits", "--json", "--accuracy"]))
    #expect(try words("grant", "app:a", "w") == ["when-in-use"])
  }
}
