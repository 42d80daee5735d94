import LocationModel

/// An app's name, `KIND:NAME`. A permission belongs to a uid and such a name.
package struct AppName: Hashable, Sendable, CustomStringConvertible {
  package enum Kind: String, CaseIterable, Sendable {
    case flatpak, snap
    /// A system service.
    case unit
    /// A service of the user's manager.
    case userunit
    /// A desktop's app.
    case app
    /// A program, told by the agent of the same user.
    case exe
    /// A script, as `INTERPRETER:FILE`, told likewise.
    case script
    /// A user's programs at locationd-share's doors that have no better name.
    case gpsd
    /// Every program of a user that has no better name.
    case user
  }

  package let kind: Kind
  package let name: String

  /// Nil for what is no name: empty, endless, or not what it looks like to a person who reads it.
  package init?(_ kind: Kind, _ name: String) {
    var name = name
    // As the contract with people has it: of the two, only a system service carries its suffix.
    if kind == .userunit, name.hasSuffix(".service") { name.removeLast(8) }
    if kind == .unit, !name.hasSuffix(".service") { name += ".service" }
    guard !name.isEmpty, name.utf8.count <= Self.longest, name != ".service", Self.isPlain(name),
      kind != .exe || name.hasPrefix("/"), kind != .script || Self.isScript(name)
    else { return nil }
    self.kind = kind
    self.name = name
  }

  /// In bytes. Each record of an app repeats its name.
  private static let longest = 512

  package init?(_ text: String) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let kind = Kind(rawValue: String(parts[0])) else { return nil }
    self.init(kind, String(parts[1]))
  }

  package var description: String { "\(kind.rawValue):\(name)" }

  /// Two whole paths.
  private static func isScript(_ name: String) -> Bool {
    let parts = name.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    return parts.count == 2 && parts.allSatisfy { $0.hasPrefix("/") }
  }

  /// A program that the same user's agent tells, a desktop's app, or those at locationd-share's doors: what an administrator decides about
  /// `user:NAME` is for it too, as long as nothing of its own is decided.
  var isOfUser: Bool { kind == .exe || kind == .script || kind == .app || kind == .gpsd }

  /// Nothing in it is hidden. U+FFFD stands for bytes that are no text: two names with different ones
  /// would be the same.
  private static func isPlain(_ name: some StringProtocol) -> Bool {
    name.unicodeScalars.allSatisfy { $0.isPlain && $0 != "\u{FFFD}" }
  }
}

extension AppName {
  /// The pattern of a rule: a name, or the beginning of names with `*` at its end. Nil where no app
  /// could be called so.
  package static func pattern(_ text: String) -> String? {
    guard text.hasSuffix("*") else { return AppName(text)?.description }
    let beginning = text.dropLast()
    let parts = beginning.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let kind = Kind(rawValue: String(parts[0])), isPlain(parts[1]),
      kind != .exe && kind != .script || parts[1].isEmpty || parts[1].hasPrefix("/")
    else { return nil }
    return text
  }
}
