import Foundation
import TestSupport
import Testing

@Suite("Completions of the command line") struct CompletionTests {
  private static let house = Checkout.path

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
    #expect(all.isSuperset(of: ["geocode", "reverse", "search", "route", "places"]))
    #expect(try words("route", "h") == ["here"] && words("reverse", "") == ["here"])
    #expect(
      Set(try words("route", "here", "--")).isSuperset(of: [
        "--via", "--walking", "--cycling", "--alternates", "--gpx", "--geojson", "--json",
      ]))
    #expect(Set(try words("geocode", "--")).isSuperset(of: ["--near", "--limit", "--locale"]))
    #expect(try words("history", "f") == ["forget"])
    #expect(Set(try words("timezone", "")) == ["follow", "status"])
    #expect(Set(try words("timezone", "follow", "")) == ["on", "off", "status"])
    #expect(Set(try words("places", "")) == Set(["status", "import", "update", "remove", "serve"]))
    // The manual's test compares help with what the program takes.
    for verb in all where verb != "help" {
      let help = try Program([Program.path("locationctl"), "help", String(verb)]).text().text
      let options = Set(help.matches(of: #/--[a-z][a-z-]*/#).map { String($0.output) })
      #expect(Set(try words(String(verb), "--").map(String.init)) == options, "\(verb)")
    }
  }

  @Test(
    "no line of help is wider than 80 columns",
    arguments: [
      "history", "pause", "resume", "may", "settings", "here", "forget", "timezone", "geocode",
      "reverse", "search", "route", "places", "watch",
    ])
  func help(verb: String) throws {
    let (text, exit) = try Program([Program.path("locationctl"), "help", verb]).text()
    #expect(exit == 0 && text.hasPrefix("Usage: locationctl \(verb)"))
    for line in text.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
  }
}
