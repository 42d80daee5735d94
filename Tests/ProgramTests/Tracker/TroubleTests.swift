import Foundation
import Glibc
import LocationModel
import TestSupport
import Testing

@Suite("Words for what keeps a server from having all", .timeLimit(.minutes(15)))
struct TroubleTests {
  /// A server that takes connections, and says nothing.
  private static func silent() throws -> (Program, Int) {
    let script = """
      import socket
      listener = socket.create_server(("127.0.0.1", 0))
      print(listener.getsockname()[1], flush=True)
      kept = []
      while True: kept.append(listener.accept())
      """
    let program = try Program(["python3", "-c", script])
    return (program, try #require(Int(try program.line())))
  }

  @Test(
    "each state of a server says what is wrong, since when, when it is tried next, and what to look at"
  )
  func states() throws {
    let (authority, other) = (try Authority(), try Authority())
    defer { withExtendedLifetime((authority, other)) {} }
    let secure = try RunningBroker(
      """
      cafile \(authority.path("ca.crt"))
      certfile \(authority.path("server.crt"))
      keyfile \(authority.path("server.key"))
      require_certificate true
      use_identity_as_username true

      """)
    let access = try authority.write("topic read #\n", to: "acl")
    let plain = try RunningBroker("allow_anonymous true\nacl_file \(access)\n")
    let web = try BadServer([])
    try web.order("404")
    let (mute, silent) = try Self.silent()
    let known = "CA=\(authority.path("ca.crt"))\n"
    let own = "Certificate=\(authority.path("client.crt"))\nKey=\(authority.path("client.key"))\n"
    let states: [(name: String, url: String, keys: String, words: [String])] = [
      (
        "denied", "mqtt://127.0.0.1:\(plain.port)/owntracks/ann/van", "",
        ["the broker answers Not authorized"]
      ),
      (
        "path", "http://127.0.0.1:\(web.port)/wrong", "",
        ["answers 404 to everything", "is the path right?"]
      ),
      (
        "authority", "mqtts://localhost:\(secure.port)/t", "CA=\(other.path("ca.crt"))\n" + own,
        ["is signed by nobody who is trusted", "CA="]
      ),
      (
        "name", "mqtts://127.0.0.1:\(secure.port)/t", known + own,
        ["is of another name", "URL="]
      ),
      ("certificate", "mqtts://localhost:\(secure.port)/t", known, ["Certificate=", "Key="]),
      ("without-tls", "mqtts://localhost:\(plain.port)/t", known, ["speaks no TLS", "the port"]),
      ("wants-tls", "mqtt://localhost:\(secure.port)/t", "", ["does it want TLS"]),
      ("mute", "mqtt://127.0.0.1:\(silent)/t", "", ["does not answer the greeting"]),
      ("nobody", "mqtt://nobody.invalid/t", "", ["nobody knows the name nobody.invalid"]),
      ("closed", "mqtt://127.0.0.1:1/t", "", ["nothing listens at 127.0.0.1:1", "the port"]),
    ]
    let configuration = states.map { "[Uplink \($0.name)]\nURL=\($0.url)\n\($0.keys)" }.joined()
    let tracker = try RunningTracker(
      try TrackerTests.driving(rate: 20), "[Record]\nDistance=50\n" + configuration)
    let socket = tracker.daemon.folder.appending(path: "t").path
    for state in states {
      var text = ""
      let isSaid = try eventually(within: patience) {
        let uplink = try tracker.ask("status")["uplinks"]?.array?.first {
          $0["name"]?.string == state.name
        }
        text = uplink?.text ?? ""
        let trouble = uplink?["trouble"]?.string ?? ""
        return state.words.allSatisfy(trouble.contains) && uplink?["since"] != nil
          && uplink?["nextTry"] != nil
      }
      #expect(isSaid, "\(state.name): \(text)")
    }
    let report = try Program([
      Program.path("locationctl"), "track", "status", "--socket", socket,
    ]).text().text
    #expect(report.contains("  since ") && report.contains("tried again at"), "\(report)")
    withExtendedLifetime((mute, secure, plain)) {}
  }
}
