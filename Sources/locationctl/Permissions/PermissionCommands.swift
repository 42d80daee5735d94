import Console
import Glibc
import LocationModel

extension Command {
  static let permissions = [apps, grant, revoke, reset, restrict, unrestrict, enable, disable]

  private static let apps = Command(
    name: "apps", summary: "every app, its permission, its last use",
    help: """
      Usage: locationctl apps [--json] [--socket PATH]

      Shows your apps that something was decided about, or that have used a service; to
      administrators everybody's.

        --json   the daemon's own answer, as one line of JSON

      """
  ) { (arguments) throws(Failure) in
    guard let list = try arguments.reply(to: .permissionsList)?.permissions else { return }
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    let moment = Timestamp(microseconds: Int64(now.tv_sec) * 1_000_000)
    try Output.write(list.isEmpty ? ["No app yet."] : AppTable(list, at: moment).lines)
  }

  private static let grant = Command(
    name: "grant", summary: "allow an app: when-in-use, always or once",
    help: """
      Usage: locationctl grant APP when-in-use|always|once [--reduced] [--uid U] [--socket PATH]

      Allows an app to know the location; 'locationctl apps' and what a refused program is told
      show how apps are called. For administrators.

        --reduced   only about where: \(AccuracyAuthorization.reducedWords)
        --uid U     the user whose app it is (default: you; with sudo, who called sudo; of
                    user:NAME that user)

      """
  ) { (arguments) throws(Failure) in
    let isReduced = arguments.flag("--reduced")
    let asked = try arguments.uid()
    let socket = try arguments.socket()
    let app = try arguments.app()
    let uid = asked ?? owner(of: app) ?? caller
    guard let word = arguments.operand(), let level = levels[word] else {
      throw Failure(.usage, "grant wants an app, and when-in-use, always or once")
    }
    try arguments.nothingElse()
    try administrate(
      .permissionsSet(
        PermissionChange(
          app: app, uid: uid, authorization: level, accuracy: isReduced ? .reduced : .full,
          once: word == "once")), at: socket)
    let whom = "\(app) of \(AppTable.user(uid))"
    try Output.write("\(whom) may know the location: \(word)\(isReduced ? ", reduced" : "").")
    if app.hasPrefix("user:"), word != "once" {
      try Output.write(
        "So may that user's exe:, script: and app: programs about which nothing of their own is decided,"
          + " but no service and nothing in a sandbox.")
    } else if try !isKnown(app, uid, at: socket) {
      Output.complain(
        "nobody has seen \(app) yet; 'locationctl apps' and what a refused program is told show names"
      )
    }
  }

  /// Whether the app has used a service, or is there now.
  private static func isKnown(_ app: String, _ uid: UInt32, at socket: String) throws(Failure)
    -> Bool
  {
    let daemon = try Daemon(at: socket)
    // Others than administrators see no clients.
    guard let clients = try daemon.ask(.status).status?.clients else { return true }
    if clients.contains(where: { $0.app == app && $0.uid == uid }) { return true }
    let list = try daemon.ask(.permissionsList).permissions ?? []
    return list.contains {
      $0.app == app && $0.uid == uid && ($0.uses > 0 || $0.waiting > 0)
    }
  }

  /// The user of `user:NAME`.
  fileprivate static func owner(of app: String) -> UInt32? {
    guard app.hasPrefix("user:") else { return nil }
    return getpwnam(String(app.dropFirst(5))).map { $0.pointee.pw_uid }
  }

  private static let levels: [String: Authorization] = [
    "when-in-use": .authorizedWhenInUse, "always": .authorizedAlways, "once": .authorizedWhenInUse,
  ]

  private static let revoke = Command(
    name: "revoke", summary: "deny an app: it is told nothing more, at once",
    help: """
      Usage: locationctl revoke APP [--uid U] [--socket PATH]

      Denies an app the location. When this returns, nothing more reaches it. For administrators.

        --uid U   the user whose app it is (default: you; with sudo, who called sudo)

      """
  ) { (arguments) throws(Failure) in
    let (app, user, socket) = try arguments.appAlone()
    let uid = user ?? caller
    try administrate(
      .permissionsSet(PermissionChange(app: app, uid: uid, authorization: .denied)), at: socket)
    try Output.write("\(app) of \(AppTable.user(uid)) is told nothing more.")
  }

  private static let reset = Command(
    name: "reset", summary: "forget what was decided about an app: it may ask again",
    help: """
      Usage: locationctl reset APP|--all [--uid U] [--socket PATH]

      Forgets what was decided about an app, and all else that is kept of it. For administrators.

        --all     every app; of one user with --uid, else of all
        --uid U   the user whose app it is (default: you; with sudo, who called sudo)

      """
  ) { (arguments) throws(Failure) in
    let isAll = arguments.flag("--all")
    let uid = try arguments.uid()
    let socket = try arguments.socket()
    let app = isAll ? nil : try arguments.app()
    try arguments.nothingElse()
    let whose = uid ?? app.flatMap(owner) ?? (isAll ? nil : caller)
    try administrate(.permissionsReset(AppSelection(app: app, uid: whose)), at: socket)
    let user = whose.map { " of \(AppTable.user($0))" } ?? ""
    let restricted = try Daemon(at: socket).ask(.permissionsList).permissions?.filter {
      $0.authorization == .restricted && (app ?? $0.app) == $0.app
        && ($0.uid == nil || $0.uid == whose ?? $0.uid)
    }
    let forgotten = "what was decided is forgotten"
    if restricted?.isEmpty != false {
      try Output.write("\(app ?? "Every app")\(user) may ask again: \(forgotten).")
    } else if let app {
      try Output.write(
        "\(app)\(user): \(forgotten); it stays restricted until 'locationctl unrestrict \(app)'.")
    } else {
      try Output.write(
        "Every app\(user) that is not restricted may ask again: \(forgotten). 'locationctl apps' shows which are."
      )
    }
  }

  private static let restrict = Command(
    name: "restrict", summary: "keep an app from the location, whatever its user decides",
    help: """
      Usage: locationctl restrict APP [--uid U] [--socket PATH]

      Keeps an app from the location, and nobody is asked about it. What its user decided is kept
      for when 'locationctl unrestrict' ends this. For administrators.

        --uid U   only the app of this user (default: of all)

      """
  ) { (arguments) throws(Failure) in
    let (app, uid, socket) = try arguments.appAlone()
    try administrate(
      .permissionsSet(PermissionChange(app: app, uid: uid, authorization: .restricted)), at: socket)
    let user = uid.map(AppTable.user) ?? "all users"
    try Output.write("\(app) of \(user) is kept from the location until 'unrestrict'.")
  }

  private static let unrestrict = Command(
    name: "unrestrict", summary: "end what restrict began",
    help: """
      Usage: locationctl unrestrict APP [--uid U] [--socket PATH]

      Ends a restriction: what the app's user decided holds again. For administrators.

        --uid U   as restrict was given it

      """
  ) { (arguments) throws(Failure) in
    let (app, uid, socket) = try arguments.appAlone()
    try administrate(.permissionsUnrestrict(AppSelection(app: app, uid: uid)), at: socket)
    let user = uid.map(AppTable.user) ?? "all users"
    try Output.write("\(app) of \(user): what was decided about it holds again.")
  }

  private static let enable = master("enable", true, "let apps that may know the location know it")
  private static let disable = master("disable", false, "tell no app the location, whatever it may")

  private static func master(_ name: String, _ enabled: Bool, _ summary: String) -> Command {
    Command(
      name: name, summary: summary,
      help: """
        Usage: locationctl \(name) [--socket PATH]

        The master switch: \(summary). For administrators.

        """
    ) { (arguments) throws(Failure) in
      let socket = try arguments.socket()
      try arguments.nothingElse()
      try administrate(.servicesSet(enabled: enabled), at: socket)
      try Output.write(
        enabled
          ? "Location is on: each app is told as much as it may know."
          : "Location is off: no app is told anything, until 'locationctl enable'.")
    }
  }

  /// Seconds for an answer that waits for a disk, or for somebody who types a password.
  static let patience = 200.0

  static func administrate(_ request: Request, at socket: String) throws(Failure) {
    let daemon = try Daemon(at: socket)
    let agent = PasswordAgent()
    defer { withExtendedLifetime(agent) {} }
    try daemon.ask(request, seconds: patience)
  }

  /// The user who is meant by default: with sudo that is not root.
  static var caller: UInt32 {
    guard geteuid() == 0, let text = getenv("SUDO_UID"), let uid = UInt32(String(cString: text))
    else { return geteuid() }
    return uid
  }
}

extension Arguments {
  fileprivate mutating func app() throws(Failure) -> String {
    guard let app = operand() else {
      throw Failure(
        .usage, "which app? One like flatpak:org.gnome.Maps; 'locationctl apps' shows those known")
    }
    return app
  }

  /// An app, its user and the daemon's socket, and nothing else.
  fileprivate mutating func appAlone() throws(Failure) -> (String, uid: UInt32?, socket: String) {
    let asked = try uid()
    let socket = try socket()
    let app = try app()
    try nothingElse()
    return (app, asked ?? Command.owner(of: app), socket)
  }

  /// A number or a name.
  mutating func uid() throws(Failure) -> UInt32? {
    guard let text = try value("--uid") else { return nil }
    if let number = UInt32(text) { return number }
    guard let entry = getpwnam(text) else {
      throw Failure(.usage, "--uid wants a user, not '\(text)'")
    }
    return entry.pointee.pw_uid
  }
}

extension AppClaim {
  /// The app's own words, as its own: lines that a terminal has room for.
  var lines: [String] {
    let called = name.map { "  calls itself \($0.quotation(atMost: Self.longest))" }
    let says = purpose.map { "  says \($0.quotation(atMost: Self.longest))" }
    return [called, says].compactMap { $0 }
  }

  private static let longest = 60
}

/// Apps as a person reads them.
struct AppTable {
  let apps: [AppPermission]
  let now: Timestamp

  init(_ apps: [AppPermission], at now: Timestamp) {
    self.apps = apps
    self.now = now
  }

  var lines: [String] {
    // Few are started by anything.
    let isStarting = apps.contains { $0.activation != nil }
    let starting = isStarting ? ["STARTED BY"] : []
    let rows = Self.aligned(
      [["APP", "USER", "MAY", "BY", "LAST USE", "USES"] + starting]
        + apps.map { row($0) + (isStarting ? [$0.activation?.name ?? ""] : []) })
    let told = [[]] + apps.map(Self.details)
    return zip(rows, told).flatMap { [$0] + $1 }
  }

  /// The lines below an app's own.
  private static func details(_ app: AppPermission) -> [String] {
    app.lines.map { "  tells \($0.plain())" } + app.claim.lines
  }

  /// Columns as wide as their widest cell.
  static func aligned(_ rows: [[String]]) -> [String] {
    let rows = rows.map { $0.map { $0.plain() } }
    let widths = rows.first?.indices.map { column in rows.map { $0[column].columns }.max() ?? 0 }
    return rows.map { row in
      let cells = row.enumerated().map { $1.padded(to: widths?[$0] ?? 0) }.joined(separator: "  ")
      return String(cells.reversed().drop { $0 == " " }.reversed())
    }
  }

  private func row(_ app: AppPermission) -> [String] {
    [
      app.app, app.uid.map(Self.user) ?? "all", Self.words(app), app.source?.rawValue ?? "",
      app.lastUsed.map { "\(Describe.age(max(0, now.seconds(since: $0)))) ago" } ?? "never",
      "\(app.uses)",
    ]
  }

  /// As it is said to `grant`.
  private static func words(_ app: AppPermission) -> String {
    let word: String
    switch app.authorization {
    case .notDetermined: return "not decided"
    case .restricted, .denied: return app.authorization.rawValue
    case .authorizedWhenInUse: word = app.isOnce ? "once" : "when-in-use"
    case .authorizedAlways: word = "always"
    }
    return word + (app.accuracy == .reduced ? ", reduced" : "")
  }

  static func user(_ uid: UInt32) -> String {
    getpwuid(uid).map { String(cString: $0.pointee.pw_name) } ?? "\(uid)"
  }
}
