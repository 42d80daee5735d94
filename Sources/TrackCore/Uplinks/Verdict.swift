/// The meaning of a web server's answer for the entries that it was sent.
package enum Verdict: Equatable, Sendable {
  case confirmed
  /// It will never take them.
  case refused
  /// It may take them later.
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
}
