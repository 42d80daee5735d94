/// The meaning of a web server's answer for the entries that it was sent.
package enum Verdict: Equatable, Sendable {
  case confirmed
  /// The server does not take the entries as they are.
  case refused
  /// The server may take the entries later.
  case failed

  package init(status: Int) {
    switch status {
    case 200..<300: self = .confirmed
    // A password that is wrong, and a server that is slow or has enough, say nothing of the entries.
    case 401, 403, 407, 408, 425, 429: self = .failed
    case 400..<500: self = .refused
    default: self = .failed
    }
  }

  /// The answer, and what may be wrong.
  package static func words(_ status: Int) -> String {
    "the server answers \(status)" + (advice(status).map { ": \($0)" } ?? "")
  }

  fileprivate static func advice(_ status: Int) -> String? {
    switch status {
    case 300..<400: "has it moved? URL= follows nothing"
    case 400: "does it know this device?"
    case 401, 407: "are the user in URL= and Password= or Token= right?"
    case 402: "is it paid for?"
    case 403: "may this device send there?"
    case 404, 405, 410: "is the path right?"
    case 408, 425, 429: "it has enough for now; Rate= sends less at once"
    case 413: "is Batch= too large?"
    case 415, 422: "is the scheme right?"
    case 500...: "it is in trouble itself; its log says why"
    default: nil
    }
  }
}

/// A server's no to an entry, and what may be wrong where it says so to all.
package struct ServerRefusal: Equatable, Sendable {
  package var reason: String
  package var advice: String?

  private init(reason: String, advice: String) { (self.reason, self.advice) = (reason, advice) }

  package init(status: Int) {
    reason = "the server answers \(status)"
    advice = Verdict.advice(status)
  }

  package init(broker reason: String) {
    self.reason = "the broker answers \(reason)"
    advice = "may this user write to the topic?"
  }

  static let tooLong = ServerRefusal(
    reason: "the broker says that no message may be as long",
    advice: "is its longest message shorter than an entry?")

  package var words: String { told(reason) }
  /// The words where the server refused all that was tried.
  var toEverything: String { told("\(reason) to everything") }

  private func told(_ reason: String) -> String { reason + (advice.map { ": \($0)" } ?? "") }
}
