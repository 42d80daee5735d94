import HTTPServer

/// Who is let in: a browser that knows the token, at our own address, for a page of our own.
struct Gate {
  let token: String
  private let hosts: Set<String>

  init(port: UInt16, token: String) {
    self.token = token
    hosts = ["127.0.0.1:\(port)", "localhost:\(port)"]
  }

  enum Verdict: Equatable {
    /// The path behind the token.
    case pass(String)
    case refuse(status: UInt32)
  }

  func judge(_ request: HTTPRequest) -> Verdict {
    // Another name for this address is another site's, which would so read what is ours.
    guard let host = request.header("Host")?.lowercased(), hosts.contains(host) else {
      return .refuse(status: 403)
    }
    guard !request.isForeign(to: host) else { return .refuse(status: 403) }
    let parts = request.path.split(
      separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].isEmpty, isToken(parts[1]) else {
      return .refuse(status: 404)
    }
    switch request.method {
    case "GET", "HEAD": break
    case "POST":
      guard request.header("Origin") != nil, request.header("Content-Type") == "application/json"
      else {
        return .refuse(status: 403)
      }
    default: return .refuse(status: 405)
    }
    return .pass(String(parts[2]))
  }

  /// In the same time wherever it differs.
  private func isToken(_ text: Substring) -> Bool {
    let (given, own) = (Array(text.utf8), Array(token.utf8))
    guard given.count == own.count else { return false }
    return zip(given, own).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }

  /// 128 bits that nobody can guess.
  static func makeToken() -> String {
    var generator = SystemRandomNumberGenerator()
    return (0..<4).map { _ in
      let word = String(UInt32.random(in: .min ... .max, using: &generator), radix: 16)
      return String(repeating: "0", count: 8 - word.count) + word
    }.joined()
  }
}
