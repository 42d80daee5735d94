import Console
import LocationClient
import LocationModel

extension Command {
  static let settings = Command(
    name: "settings", summary: "who may know the place and who was told it: a page for you",
    help: """
      Usage: locationctl settings [--port N] [--no-browser] [--until-closed]

      Opens a page in your browser, for you alone: your apps, what each may know, what
      it was told on the last 30 days, and a pause. A change asks for a password where
      the command does. Ctrl-C ends it.

        --port N        serve the page on this port (default: any)
        --no-browser    print the page's address, and open nothing
        --until-closed  end when the page has been closed for half a minute
        --data DIR      the folder with the base map, as of the map
        --socket PATH   where the daemon listens

      """,
    isPrivate: true
  ) { (arguments) throws(Failure) in
    let port = try arguments.number("--port", "a port, 1 to 65535") {
      (1...65_535).contains($0) && $0 == $0.rounded()
    }
    let opensBrowser = !arguments.flag("--no-browser")
    let endsByItself = arguments.flag("--until-closed")
    let data = try arguments.value("--data")
    let socket = try arguments.socket()
    try arguments.nothingElse()
    Interrupts.begin()
    let helper = try MapHelper(port: port.map { Int($0) }, data: data)
    let address = try helper.address() + "settings.html"
    try Browser.open(address, as: "The page", isWanted: opensBrowser)
    let agent = PasswordAgent()
    defer { withExtendedLifetime(agent) {} }
    try SettingsSession(helper, daemon: socket, endsByItself: endsByItself).run()
  }
}

/// A run of `locationctl settings`: what the person wishes on the page is asked of the daemon.
final class SettingsSession {
  private let helper: MapHelper
  private let daemon: Inquiry
  private let examiner: Examiner
  private let path: String
  private var attendance: PageAttendance?
  /// Why the helper could not be told an answer; it has ended then.
  private var failure: Failure?

  /// The daemon may ask for a password.
  private static let patience: Duration = .seconds(Command.patience)
  /// The page may ask these of the daemon.
  private static let questions: Set<String> = [
    "status", "permissions.list", "permissions.set", "permissions.reset", "history",
    "history.forget", "pause", "resume", "services.set",
  ]

  init(_ helper: MapHelper, daemon: String, endsByItself: Bool) {
    self.helper = helper
    self.daemon = Inquiry(daemon)
    examiner = Examiner(self.daemon, at: daemon, as: "locationctl settings")
    path = daemon
    attendance = endsByItself ? PageAttendance() : nil
  }

  func run() throws(Failure) {
    while true {
      try helper.tellZone()
      for request in try helper.requests() { try handle(request) }
      daemon.step()
      if let failure { throw failure }
      if attendance?.isOver(pages: helper.pages) == true { return }
      let descriptors = [helper.descriptor, daemon.descriptor].compactMap { $0 }
      if Interrupts.wait(for: descriptors, milliseconds: 500) == nil { return }
    }
  }

  /// The name and the icon that the desktop has for an app.
  private static func program(_ wish: JSON) -> JSON {
    let language = wish["language"]?.string ?? ""
    return wish["of"]?["app"]?.string.flatMap { DesktopEntry(of: $0, language: language)?.json }
      ?? [:]
  }

  /// Answers with doctor's findings, in the page's language.
  private func examine(_ request: MapHelper.Request, _ say: Speech) {
    let isTrying = request.json["of"]?["tries"]?.bool == true
    examiner.examine(isTrying: isTrying) { [unowned self] examination in
      send { () throws(Failure) in
        try helper.answer(
          request,
          [
            "result": [
              "findings": .array(examination.findings.map { $0.json(in: say) }),
              "mayTry": .bool(examination.status?.client.authorization.isAuthorized == true),
            ]
          ])
      }
    }
  }

  private func send(_ body: () throws(Failure) -> Void) {
    do throws(Failure) { try body() } catch { failure = error }
  }

  private func handle(_ request: MapHelper.Request) throws(Failure) {
    if request.json["ask"] == "program" {
      return try helper.answer(request, ["result": Self.program(request.json)])
    }
    let say = Speech(request.json["language"]?.string)
    if request.json["ask"] == "doctor" { return examine(request, say) }
    guard let question = request.json["ask"]?.string, Self.questions.contains(question) else {
      let refusal = Refusal(.invalidRequest, "The page knows no such wish.")
      return try helper.answer(request, MapAnswer.refused(refusal, in: say))
    }
    daemon.ask(question, request.json["of"] ?? [:], within: Self.patience) {
      [unowned self] answer in
      send { () throws(Failure) in
        switch answer {
        case .success(let result): try helper.answer(request, unread: result)
        case .failure(.refused(let refusal)):
          try helper.answer(request, MapAnswer.refused(refusal, in: say))
        case .failure(.lost(let error)):
          try helper.answer(
            request,
            MapAnswer.unanswered("noDaemon", Peer.daemon.message(error, at: path), in: say))
        }
      }
    }
  }
}
