import Console
import LocationClient
import LocationModel

extension Arguments {
  /// Metres that are good enough, by either name of the option.
  mutating func accuracy() throws(Failure) -> Double? {
    let short = try number("--accuracy", "metres") { $0 >= -2 }
    return try number("--desired-accuracy", "metres") { $0 >= -2 } ?? short
  }

  mutating func distance() throws(Failure) -> Double? {
    let short = try number("--distance", "metres") { $0 >= -1 }
    return try number("--distance-filter", "metres") { $0 >= -1 } ?? short
  }

  mutating func socket() throws(Failure) -> String {
    try value("--socket") ?? Peer.daemon.defaultPath
  }

  /// The daemon's reply; nil where --json wants it written as it comes. `verb`: a word that may be left out.
  mutating func reply(to request: Request, verb: String? = nil) throws(Failure) -> Reply? {
    let asJSON = flag("--json")
    let socket = try socket()
    if let verb, let word = operand(), word != verb {
      throw Failure(.usage, "'\(word)' is not '\(verb)'")
    }
    try nothingElse()
    let daemon = try Daemon(at: socket)
    guard asJSON else { return try daemon.ask(request) }
    try Output.write(try daemon.json(request))
    return nil
  }
}
