import Console
import LocationModel

extension Command {
  static let may = Command(
    name: "may", summary: "the answer that an app would have, and why",
    help: """
      Usage: locationctl may APP|PID [--uid U] [--json] [--socket PATH]

      Shows what the daemon would answer an app, or a process that is connected,
      for each service: allow, ask or refuse, and why each. No person is asked and
      nothing is told. Your own apps; to administrators everybody's.

        --uid U   the user whose app it is (default: you; with sudo, who called sudo)
        --json    the daemon's own answer, as one line of JSON

      """
  ) { (arguments) throws(Failure) in
    let asJSON = arguments.flag("--json")
    let uid = try arguments.uid()
    let socket = try arguments.socket()
    guard let word = arguments.operand() else {
      throw Failure(.usage, "may wants an app or the number of a process")
    }
    try arguments.nothingElse()
    let pid = Int32(word)
    let query = Request.may(
      MayQuery(app: pid == nil ? word : nil, pid: pid, uid: uid ?? (pid == nil ? caller : nil)))
    let daemon = try Daemon(at: socket)
    guard !asJSON else { return try Output.write(try daemon.json(query)) }
    guard let reply = try daemon.ask(query).may else { return }
    try Output.write(MayReport(reply).lines)
  }
}

/// The answers as a person reads them.
struct MayReport {
  let reply: MayReply

  init(_ reply: MayReply) {
    self.reply = reply
  }

  var lines: [String] {
    [
      "\(reply.app.plain()) of \(AppTable.user(reply.uid)): \(reply.authorization.rawValue),"
        + " \(reply.accuracy.rawValue)"
    ]
      + Service.allCases.compactMap { service in
        reply.services[service].map { answer in
          "  \(service.rawValue.padded(to: 12))\(answer.rawValue.padded(to: 8))"
            + (reply.reasons[service] ?? reply.because).plain()
        }
      }
  }
}
