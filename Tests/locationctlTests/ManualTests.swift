import Console
import Foundation
import Testing

@testable import locationctl

/// The program's own table of verbs and options, beside all that names them.
@Suite("The manual of locationctl") struct ManualTests {
  private static let house = URL(filePath: #filePath).appending(path: "../../..").standardized
  /// Every command takes these.
  private static let general: Set<String> = ["--socket", "--help", "--version"]
  /// Two names of one option.
  private static let aliases = [
    "--accuracy": "--desired-accuracy", "--desired-accuracy": "--accuracy",
    "--distance": "--distance-filter", "--distance-filter": "--distance",
  ]

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: house.appending(path: "config/\(path)"), encoding: .utf8)
  }

  /// The page as its reader sees the words: without the macros that begin a line, and fonts.
  private static func manual() throws -> [Substring.SubSequence] {
    try text("man/locationctl.1").replacing("\\-", with: "-").replacing(#/\\f[A-Z]/#, with: "")
      .split(separator: "\n")
  }

  private static func section(_ name: String) throws -> [Substring] {
    let lines = try manual()
    let begin = try #require(lines.firstIndex { $0 == ".SH \(name)" }) + 1
    let end = lines[begin...].firstIndex { $0.hasPrefix(".SH") } ?? lines.endIndex
    return Array(lines[begin..<end])
  }

  private static func options(in text: some StringProtocol) -> Set<String> {
    Set(String(text).matches(of: #/--[a-z][a-z-]*/#).map { String($0.output) })
  }

  /// The options that the command looks for; asked for one that nobody has, it does nothing else.
  private func known(_ command: Command) throws -> Set<String> {
    var arguments = Arguments(["--nobody-has-this"])
    do throws(Failure) {
      try command.run(&arguments)
      Issue.record("\(command.name) has taken it")
    } catch {
      #expect(error.code == .usage, "\(command.name): \(error.message)")
    }
    return arguments.known
  }

  @Test(
    "each command takes a socket, and its help names each other option that it takes, and no more")
  func help() throws {
    for command in Locationctl.commands {
      let known = try known(command)
      #expect(known.contains("--socket"), "\(command.name)")
      let named = Self.options(in: command.help)
      #expect(
        named.union(Self.general) == known.union(Self.general), "\(command.name)")
    }
    #expect(Self.general.isSubset(of: Self.options(in: Locationctl.help)))
  }

  @Test("SYNOPSIS has each command with each of its options")
  func synopsis() throws {
    let lines = try Self.section("SYNOPSIS").filter { $0.hasPrefix("locationctl ") }
    let verbs = lines.compactMap { $0.split(separator: " ").dropFirst().first.map(String.init) }
    #expect(Set(verbs) == Set(Locationctl.commands.map(\.name)).union(["help"]))
    for command in Locationctl.commands {
      let own = lines.filter { $0.split(separator: " ").dropFirst().first ?? "" == command.name }
      let named = Self.options(in: own.joined(separator: " "))
      let known = try known(command).subtracting(Self.general)
      #expect(named.isSubset(of: known), "\(command.name): \(named.subtracting(known))")
      let missing = known.filter {
        !named.contains($0) && Self.aliases[$0].map(named.contains) != true
      }
      #expect(missing.isEmpty, "\(command.name): \(missing)")
    }
  }

  @Test("OPTIONS has an entry for each option, and for none that nothing takes")
  func options() throws {
    let lines = try Self.section("OPTIONS")
    let heads = zip(lines, lines.dropFirst()).filter { $0.0 == ".TP" }.map(\.1)
    let described = Self.options(in: heads.joined(separator: " "))
    var known = Self.general
    for command in Locationctl.commands { known.formUnion(try self.known(command)) }
    #expect(described == known)
  }

  @Test("COMMANDS has an entry for each command")
  func commands() throws {
    let lines = try Self.section("COMMANDS")
    let heads = zip(lines, lines.dropFirst()).filter { $0.0 == ".TP" }.map(\.1).joined(
      separator: " ")
    let words = Set(heads.split { !$0.isLetter }.map(String.init))
    for command in Locationctl.commands { #expect(words.contains(command.name), "\(command.name)") }
  }

  @Test("SEE ALSO names each page of the manual that is there")
  func seeAlso() throws {
    let also = try Self.section("SEE ALSO").joined(separator: " ")
    let folder = Self.house.appending(path: "config/man").path
    for page in try FileManager.default.contentsOfDirectory(atPath: folder) {
      let parts = page.split(separator: ".")
      let name = parts.dropLast().joined(separator: ".")
      // Their programs' own pages lead there.
      let isFile = name.hasSuffix(".conf") && name != "locationd.conf"
      guard name != "locationctl", !isFile else { continue }
      #expect(also.contains("\(name) (\(parts.last ?? ""))"), "\(name)")
    }
  }

  @Test(
    "the completions of bash, zsh and fish find each command and option in help, and know the words after it",
    arguments: ["locationctl", "_locationctl", "locationctl.fish"])
  func completions(file: String) throws {
    let text = try Self.text("completions/\(file)")
    // What they look for in help, where the tests above have found all.
    #expect(text.contains("locationctl help") && text.contains("--[a-z-]"))
    let verbs = Locationctl.help.matches(of: #/(?m)^  ([a-z]+)  +(.*)/#).map { String($0.output.1) }
    #expect(Set(verbs).isSuperset(of: Locationctl.commands.map(\.name)))
    for words in [Command.trackVerbs, Command.placesVerbs, ["when-in-use", "always", "once"]] {
      #expect(text.contains(words.joined(separator: " ")), "\(words)")
    }
    for verb in ["decode", "replay", "map", "reverse", "route", "track", "places", "grant"] {
      #expect(text.contains(verb), "\(verb)")
    }
  }

  @Test("the words after track and places stand in their help and in SYNOPSIS")
  func words() throws {
    let synopsis = try Self.section("SYNOPSIS")
    for (name, words) in [("track", Command.trackVerbs), ("places", Command.placesVerbs)] {
      let help = Locationctl.commands.first { $0.name == name }?.help ?? ""
      let line = synopsis.first { $0.hasPrefix("locationctl \(name)") } ?? ""
      for word in words { #expect(help.contains(word) && line.contains(word), "\(name) \(word)") }
    }
  }
}
