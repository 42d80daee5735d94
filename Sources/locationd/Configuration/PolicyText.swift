import Console
import LocationCore
import LocationModel
import Platform

/// A file of the administrator's rules: each section `[Rule]` is one.
struct PolicyText {
  private(set) var entries: [Policy.Entry] = []
  private(set) var mistakes: [ConfigurationMistake] = []
  private let file: String
  private let accounts: Accounts
  private var begun: Rule?

  private struct Rule {
    var line: Int
    var app: String?
    var uids: Set<UInt32>?
    var action: String?
    var level = Authorization.authorizedWhenInUse
    var accuracy = AccuracyAuthorization.full
  }

  init(_ text: ConfigurationText, of file: String, _ accounts: Accounts) {
    self.file = file
    self.accounts = accounts
    for line in text.lines {
      switch line.item {
      case .mistake(let what): say(line.number, what)
      case .section("Rule"):
        end()
        begun = Rule(line: line.number)
      case .section(let name): say(line.number, "there is no section [\(name.prefix(40))]")
      case .assignment(let key, let value): set(key, value, at: line.number)
      }
    }
    end()
  }

  private mutating func say(_ line: Int, _ what: String) {
    mistakes.append(.init(file: file, line: line, what: what))
  }

  private mutating func set(_ key: String, _ value: String, at line: Int) {
    let accounts = accounts
    guard begun != nil else { return say(line, "'\(key.prefix(40))=' stands before any [Rule]") }
    switch (key, value) {
    case ("App", _):
      guard let pattern = AppName.pattern(value) else {
        return say(line, "App= wants KIND:NAME, and * at its end for any that begins so")
      }
      begun?.app = pattern
    case ("User", _): add(value, at: line, "user") { accounts.uid(of: $0).map { [$0] } }
    case ("Group", _): add(value, at: line, "group") { accounts.members(of: $0) }
    case ("Action", "allow"), ("Action", "deny"), ("Action", "restrict"), ("Action", "ask"):
      begun?.action = value
    case ("Action", _): say(line, "Action= is allow, deny, restrict or ask")
    case ("Level", "when-in-use"): begun?.level = .authorizedWhenInUse
    case ("Level", "always"): begun?.level = .authorizedAlways
    case ("Level", _): say(line, "Level= is when-in-use or always")
    case ("Accuracy", _):
      guard let accuracy = AccuracyAuthorization(rawValue: value) else {
        return say(line, "Accuracy= is full or reduced")
      }
      begun?.accuracy = accuracy
    default: say(line, "there is no key '\(key.prefix(40))' in [Rule]")
    }
  }

  private mutating func add(
    _ names: String, at line: Int, _ what: String, _ find: (String) -> Set<UInt32>?
  ) {
    var uids = begun?.uids ?? []
    for name in names.split(separator: " ") {
      guard let found = find(String(name)) else {
        say(line, "there is no \(what) '\(name.prefix(40))'")
        continue
      }
      uids.formUnion(found)
    }
    begun?.uids = uids
  }

  private mutating func end() {
    guard let rule = begun.take() else { return }
    let decided: PolicyRule
    switch rule.action {
    case "allow": decided = .allow(rule.level, rule.accuracy)
    case "deny": decided = .deny
    case "restrict": decided = .restrict
    case "ask": decided = .ask
    default: return say(rule.line, "a rule wants an Action=")
    }
    // It is that user's programs', too.
    let uids = rule.uids ?? rule.app?.userName.flatMap(accounts.uid).map { [$0] }
    entries.append(
      .init(app: rule.app, uids: uids, rule: decided, at: "\(file):\(rule.line)"))
  }
}

extension Configuration {
  /// The administrator's rules about apps, in folders of their own.
  mutating func readMore(beside files: ConfigurationFiles) -> [ConfigurationMistake] {
    let folder = String(files.path.reversed().drop { $0 != "/" }.reversed()) + "policy.d"
    lazy var accounts = Accounts()
    return ConfigurationFiles.readDropIns(in: files.vendors.map { "\($0)/policy.d" } + [folder]) {
      let rules = PolicyText($0, of: $1, accounts)
      policy.entries += rules.entries
      return rules.mistakes
    }
  }
}

extension String {
  /// NAME of `user:NAME`.
  fileprivate var userName: String? {
    guard let app = AppName(self), app.kind == .user else { return nil }
    return app.name
  }
}
