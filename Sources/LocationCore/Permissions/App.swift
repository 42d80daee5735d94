/// Whose a permission is: a program of a user.
package struct App: Hashable, Sendable {
  package var uid: UInt32
  /// `KIND:NAME`, as the kernel and systemd tell programs apart.
  package var name: String

  package init(uid: UInt32, name: String) {
    self.uid = uid
    self.name = name
  }
}

extension App {
  package static let kinds = ["flatpak", "snap", "unit", "userunit", "app", "exe", "user"]

  /// Whether an app can be called so.
  package static func isPossible(_ name: String) -> Bool {
    guard let colon = name.firstIndex(of: ":"), name.utf8.count <= 1024 else { return false }
    return kinds.contains(String(name[..<colon])) && name.index(after: colon) < name.endIndex
      && !name.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
  }

  var kind: Substring { name.prefix { $0 != ":" } }

  /// Kept apart from the rest of its user's programs, and so no part of what the user says.
  var isSandboxed: Bool { kind == "flatpak" || kind == "snap" }

  /// What nobody sits in front of.
  var isService: Bool { kind == "unit" || kind == "userunit" }
}

extension Caller {
  package var owner: App { App(uid: uid, name: app) }
}
