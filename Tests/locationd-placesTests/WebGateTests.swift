import HTTPServer
import PlaceCore
import Testing

@testable import locationd_places

@Suite("The gate of HTTP") struct WebGateTests {
  private let gate = WebGate(hosts: ["host.docker.internal"])

  private func status(
    _ host: String?, _ headers: [(String, String)] = [], method: String = "GET"
  ) -> Int? {
    let own = host.map { [("Host", $0)] } ?? []
    let request = HTTPRequest(
      method: method, path: "/search", headers: (own + headers).map { (name: $0.0, value: $0.1) })
    return gate.refusal(of: request)?.status
  }

  @Test("this machine is asked by the names of loopback, and by those of the configuration")
  func hosts() {
    for host in [
      "localhost:2322", "LOCALHOST", "127.0.0.1:2322", "[::1]:2322", "[::1]",
      "Host.Docker.Internal:2322",
    ] {
      #expect(status(host) == nil, "\(host)")
    }
    for host in [
      nil, "", "evil.example", "127.0.0.1.evil.example", "::1", "[::1", "localhost:0",
      "localhost@evil.example", "docker.internal", String(repeating: "a", count: 400),
    ] {
      #expect(status(host) == 403, "\(host ?? "none")")
    }
    #expect(status("localhost", [("Host", "localhost")]) == 403)
  }

  @Test(
    "a request that another site's page has caused is refused",
    arguments: [
      ("Origin", "http://evil.example"), ("Origin", "null"), ("Origin", "http://localhost:8080"),
      ("Origin", "https://localhost:2322"), ("Referer", "http://evil.example/localhost:2322"),
      ("Referer", "http://localhost:23220/"), ("Referer", "about:blank"),
      ("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Site", "same-site"), ("sec-fetch-site", ""),
    ])
  func foreign(header: (String, String)) {
    #expect(status("localhost:2322", [header]) == 403)
  }

  @Test("programs, and a person who types the address, are let in")
  func own() {
    #expect(status("localhost:2322", [("Sec-Fetch-Site", "none")]) == nil)
    #expect(status("localhost:2322", [("Referer", "http://localhost:2322/status")]) == nil)
    #expect(status("localhost:2322", [("User-Agent", "geopy/2.4")], method: "HEAD") == nil)
    for method in ["POST", "PUT", "DELETE", "OPTIONS", "TRACE"] {
      #expect(status("localhost:2322", method: method) == 405)
    }
  }
}
