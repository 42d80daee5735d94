/// What an app is called: `KIND:NAME`. A permission belongs to a uid and such a name.
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
    guard !name.isEmpty, name.utf8.count <= 4096, name != ".service", name.isPlain,
      kind != .exe || name.hasPrefix("/")
    else { return nil }
    self.kind = kind
    self.name = name
  }

  package init?(_ text: String) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let kind = Kind(rawValue: String(parts[0])) else { return nil }
    self.init(kind, String(parts[1]))
  }

  package var description: String { "\(kind.rawValue):\(name)" }
}

extension String {
  /// Nothing in it moves the cursor, is invisible or turns the direction of writing.
  fileprivate var isPlain: Bool {
    unicodeScalars.allSatisfy {
      switch $0.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: false
      default: true
      }
    }
  }
}
