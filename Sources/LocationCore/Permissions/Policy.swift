/// The rules of the administrator's files, in their order: the last that speaks of an app decides.
package struct Policy: Equatable, Sendable {
  package struct Entry: Equatable, Sendable {
    /// Nil is every app; a `*` at its end stands for anything.
    package var app: String?
    /// Nil is every user.
    package var uids: Set<UInt32>?
    package var rule: PolicyRule
    /// Where it is written, as `FILE:LINE`.
    package var place: String?

    package init(app: String?, uids: Set<UInt32>?, rule: PolicyRule, at place: String? = nil) {
      self.app = app
      self.uids = uids
      self.rule = rule
      self.place = place
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

  /// The rule about `user:NAME`, whose uid it names.
  func entry(forAllOf uid: UInt32) -> Entry? {
    entries.last {
      $0.app?.hasPrefix("user:") == true && ($0.uids?.contains(uid) ?? ($0.app == "user:*"))
    }
  }

  func entry(for app: App) -> Entry? { entries.last { $0.covers(app) } }
}
