import HTTPServer
import Testing

@testable import locationd_map

private let secret = "0123456789abcdef0123456789abcdef"

@Suite("The gate of the map") struct GateTests {
  private let gate = Gate(port: 8000, token: secret)

  private func ask(
    _ path: String = "/\(secret)/main.js", _ method: String = "GET",
    host: String? = "127.0.0.1:8000", _ headers: [(String, String)] = []
  ) -> Gate.Verdict {
    let own = host.map { [("host", $0)] } ?? []
    return gate.judge(
      HTTPRequest(
        method: method, path: path, headers: (own + headers).map { (name: $0.0, value: $0.1) }))
  }

  @Test("a browser that knows the token is let in, by each name of this machine")
  func own() {
    #expect(ask() == .pass("main.js"))
    #expect(ask(host: "LOCALHOST:8000") == .pass("main.js"))
    #expect(ask("/\(secret)/") == .pass(""))
    #expect(ask(with: [("Sec-Fetch-Site", "same-origin")]) == .pass("main.js"))
    #expect(ask(with: [("Sec-Fetch-Site", "none")]) == .pass("main.js"))
    // What lies deeper is a name like another: no file is looked for by it.
    #expect(ask("/\(secret)/../x") == .pass("../x"))
  }

  private func ask(with headers: [(String, String)]) -> Gate.Verdict {
    ask("/\(secret)/main.js", "GET", host: "127.0.0.1:8000", headers)
  }

  @Test(
    "another host is another site's name for this address",
    arguments: [
      nil, "", "127.0.0.1", "127.0.0.1:8001", "evil.example:8000", "127.0.0.1:8000.evil.example",
      "[::1]:8000",
    ])
  func host(name: String?) { #expect(ask(host: name) == .refuse(status: 403)) }

  @Test("two hosts are none")
  func twoHosts() { #expect(ask(with: [("Host", "localhost:8000")]) == .refuse(status: 403)) }

  @Test(
    "another site is refused, whatever it knows",
    arguments: [
      ("Origin", "http://evil.example"), ("Origin", "null"), ("Origin", "https://127.0.0.1:8000"),
      ("Origin", "http://localhost:8000"), ("Origin", "http://127.0.0.1:8001"),
      ("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Site", "same-site"),
    ])
  func site(name: String, value: String) {
    #expect(ask(with: [(name, value)]) == .refuse(status: 403))
  }

  @Test(
    "without the token there is nothing",
    arguments: [
      "/", "", "/main.js", "/0123456789abcdef0123456789abcdee/main.js",
      "/0123456789abcdef0123456789abcdef", "/0123456789abcdef0123456789abcde/main.js",
      "//0123456789abcdef0123456789abcdef/main.js", "/favicon.ico",
    ])
  func token(path: String) { #expect(ask(path) == .refuse(status: 404)) }

  @Test("a wish comes from our own page, as JSON")
  func wish() {
    let path = "/\(secret)/wish"
    let type = ("Content-Type", "application/json")
    let origin = ("Origin", "http://127.0.0.1:8000")
    func post(_ headers: [(String, String)]) -> Gate.Verdict {
      ask(path, "POST", host: "127.0.0.1:8000", headers)
    }
    #expect(post([type, origin]) == .pass("wish"))
    #expect(post([type]) == .refuse(status: 403))
    #expect(post([origin]) == .refuse(status: 403))
    #expect(post([origin, ("Content-Type", "text/plain")]) == .refuse(status: 403))
    #expect(ask(path, "PUT") == .refuse(status: 405))
  }

  @Test("no two tokens are the same, and each has 32 digits")
  func tokens() {
    let tokens = (0..<100).map { _ in Gate.makeToken() }
    #expect(Set(tokens).count == 100)
    #expect(tokens.allSatisfy { $0.utf8.count == 32 && $0.allSatisfy(\.isHexDigit) })
  }
}
