import Console
import Platform
import Testing

@testable import LocationCore
@testable import locationd

@Suite("Rules in policy.d") struct PolicyTextTests {
  private func read(_ text: String) -> PolicyText {
    PolicyText(ConfigurationText(Array(text.utf8)), of: "/p/10-mine.conf", Accounts())
  }

  private func rule(_ app: String) -> PolicyText { read("[Rule]\nApp=\(app)\nAction=deny\n") }

  @Test("a rule about user:NAME is about that user's uid, unless it names others")
  func user() {
    func uids(_ text: String) -> Set<UInt32>? {
      read(text).entries.first?.uids
    }
    #expect(uids("[Rule]\nApp=user:root\nAction=deny\n") == [0])
    #expect(uids("[Rule]\nApp=user:root\nUser=7\nAction=deny\n") == [7])
    #expect(uids("[Rule]\nApp=app:root\nAction=deny\n") == nil)
  }

  @Test(
    "every kind of app can be meant as a whole, or by the beginning of its names",
    arguments: AppName.Kind.allCases.map(\.rawValue))
  func kinds(kind: String) {
    for pattern in ["\(kind):*", "\(kind):/opt/ex*"] {
      let rules = rule(pattern)
      #expect(rules.mistakes.isEmpty, "\(pattern)")
      #expect(rules.entries.map(\.app) == [pattern])
      let policy = Policy(rules.entries)
      #expect(policy.entry(for: App(uid: 5, name: "\(kind):/opt/example"))?.rule == .deny)
      #expect(policy.entry(for: App(uid: 5, name: "other:/opt/example"))?.rule == nil)
    }
  }

  @Test(
    "what no app can be called is a mistake",
    arguments: [
      "*", "ex*", "exe:bin*", "exe:bin", "exe:", "web:*", "app:a\u{202E}*", "app:a\u{200B}",
    ])
  func none(app: String) {
    #expect(rule(app).mistakes.count == 1)
  }

  @Test(
    "a service is meant with its suffix and without, as elsewhere",
    arguments: [
      ("unit:backup", "unit:backup.service"), ("unit:backup.service", "unit:backup.service"),
      ("userunit:maps.service", "userunit:maps"),
    ])
  func suffix(written: String, meant: String) {
    #expect(rule(written).entries.map(\.app) == [meant])
  }

  @Test("each rule knows where it is written")
  func place() {
    let rules = read("# mine\n[Rule]\nAction=deny\n\n[Rule]\nAction=ask\n")
    #expect(rules.entries.map(\.place) == ["/p/10-mine.conf:2", "/p/10-mine.conf:5"])
  }
}
