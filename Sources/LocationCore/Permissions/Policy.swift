/// The rules of the administrator's files, in their order: the last that speaks of an app decides.
package struct Policy: Equatable, Sendable {
  package struct Entry: Equatable, Sendable {
    /// Nil is every app; a `*` at its end stands for anything.
    package var app: String?
    /// Nil is every user.
    package var uids: Set<UInt32>?
    package var rule: PolicyRule

    package init(app: String?, uids: Set<UInt32>?, rule: PolicyRule) {
      self.app = app
      self.uids = uids
      self.rule = rule
    }

    func covers(_ app: App) -> Bool {
      guard uids.map({ $0.contains(app.uid) }) ?? true else { return false }
      guard let pattern = self.app else { return true }
      return pattern.hasSuffix("*") ? app.name.hasPrefix(pattern.dropLast()) : app.name == pattern
    }
  }

  package var entries: [Entry]

  package init(_ entries: [Entry] = []) {
    self.entries = entries
  }

  func rule(for app: App) -> PolicyRule? { entries.last { $0.covers(app) }?.rule }
}
