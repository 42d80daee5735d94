import Foundation
import Glibc
import LocationModel
import TestSupport
import Testing

@Suite("Words for what keeps a server from having all", .timeLimit(.minutes(60)))
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
    func secured(_ certificate: String) throws -> RunningBroker {
      try RunningBroker(
        """
        cafile \(authority.path("ca.crt"))
        certfile \(authority.path(certificate))
        keyfile \(authority.path("server.key"))
        require_certificate true
        use_identity_as_username true

        """)
    }
    let secure = try secured("server.crt")
    try authority.sign("server", as: "expired.crt", days: -1)
    let expired = try secured("expired.crt")
    let passwords = authority.path("passwords")
    let made = try Program(["mosquitto_passwd", "-b", "-c", passwords, "ann", "secret"])
    try #require(try made.exit() == 0)
    let guarded = try RunningBroker("allow_anonymous false\npassword_file \(passwords)\n")
    let guess = try authority.write("guess\n", to: "guess")
    let open = try RunningBroker()
    let access = try authority.write("topic read #\n", to: "acl")
    let plain = try RunningBroker("allow_anonymous true\nacl_file \(access)\n")
    let web = try BadServer([])
    try web.order("404")
    let (locked, broken) = (try BadServer([]), try BadServer([]))
    try locked.order("401")
    try broken.order("500")
    let (mute, silent) = try Self.silent()
    let known = "CA=\(authority.path("ca.crt"))\n"
    let own = "Certificate=\(authority.path("client.crt"))\nKey=\(authority.path("client.key"))\n"
    let states: [(name: String, url: String, keys: String, words: [String])] = [
      (
        "denied", "mqtt://127.0.0.1:\(plain.port)/owntracks/ann/van", "",
        ["Not authorized", "topic"]
      ),
      (
        "path", "http://127.0.0.1:\(web.port)/wrong", "",
        ["404", "path"]
      ),
      (
        "locked", "http://127.0.0.1:\(locked.port)/", "",
        ["the server answers 401", "URL=", "Password=", "Token="]
      ),
      (
        "broken", "owntracks+http://127.0.0.1:\(broken.port)/", "",
        ["the server answers 500", "its log"]
      ),
      (
        "unknown-authority", "mqtts://localhost:\(secure.port)/t", own,
        ["localhost", "nobody who is trusted", "CA="]
      ),
      (
        "unknown-authority-web", "https://localhost:\(secure.port)/", "",
        ["localhost", "nobody who is trusted", "CA="]
      ),
      (
        "authority", "mqtts://localhost:\(secure.port)/t", "CA=\(other.path("ca.crt"))\n" + own,
        ["localhost", "CA="]
      ),
      (
        "name", "mqtts://127.0.0.1:\(secure.port)/t", known + own,
        ["127.0.0.1", "name", "URL="]
      ),
      (
        "expired", "mqtts://localhost:\(expired.port)/t", known + own,
        ["localhost", "date", "clock"]
      ),
      (
        "password", "mqtt://ann@127.0.0.1:\(guarded.port)/t", "Password=@\(guess)\n",
        ["127.0.0.1:\(guarded.port)", "URL=", "Password="]
      ),
      (
        "password-3", "mqtt://127.0.0.1:\(guarded.port)/t?version=3.1.1", "",
        ["127.0.0.1:\(guarded.port)", "URL=", "Password="]
      ),
      ("twin", "mqtt://127.0.0.1:\(open.port)/t", "ClientID=twin\n", ["ClientID="]),
      (
        "twin-3", "mqtt://127.0.0.1:\(open.port)/u?version=3.1.1", "ClientID=twin\n",
        ["127.0.0.1:\(open.port)", "ClientID="]
      ),
      (
        "certificate", "mqtts://localhost:\(secure.port)/t", known,
        ["localhost", "Certificate=", "Key="]
      ),
      (
        "without-tls", "mqtts://localhost:\(plain.port)/t", known,
        ["localhost:\(plain.port)", "TLS", "port"]
      ),
      ("wants-tls", "mqtt://localhost:\(secure.port)/t", "", ["localhost:\(secure.port)", "TLS"]),
      ("mute", "mqtt://127.0.0.1:\(silent)/t", "", ["127.0.0.1:\(silent)", "answer"]),
      ("nobody", "mqtt://nobody.invalid/t", "", ["nobody.invalid", "name"]),
      ("closed", "mqtt://127.0.0.1:1/t", "", ["127.0.0.1:1", "port"]),
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
    withExtendedLifetime((mute, secure, plain, expired, guarded, open)) {}
  }

  @Test("a daemon that is not there is said to, since when and when it is tried next")
  func daemon() throws {
    let tracker = try RunningTracker(try RunningDaemon([]), "")
    tracker.daemon.program.signal(SIGKILL)
    var text = ""
    #expect(
      try eventually(within: patience) {
        let status = try tracker.ask("status")
        text = status.text
        return status["trouble"]?.string?.contains("locationd is not there: ") == true
          && status["trouble"]?.string?.hasSuffix("does it run?") == true
          && status["since"] != nil && status["nextTry"] != nil
      }, "\(text)")
  }

  @Test("once a topic is allowed that the access list denied, all of it arrives")
  func denied() throws {
    let authority = try Authority()
    let access = try authority.write("topic read #\n", to: "acl")
    let broker = try RunningBroker("allow_anonymous true\nacl_file \(access)\n")
    let subscriber = try Subscriber(broker)
    let board = try Board("van", broker, entries: 100)
    try board.start()
    let socket = board.folder.appending(path: "t").path
    func status() throws -> String {
      try Program([Program.path("locationctl"), "track", "status", "--socket", socket]).text().text
    }
    #expect(
      try eventually(within: patience) {
        let text = try status()
        return text.contains("100 entries to send") && text.contains("may this user write")
      })
    _ = try authority.write("topic readwrite #\n", to: "acl")
    broker.readAgain()
    #expect(
      eventually(within: patience) {
        subscriber.listen()
        return subscriber.numbers(of: "van").count >= 100
      })
    #expect(subscriber.numbers(of: "van") == Array(1...100))
    // The last confirmation comes after the last entry.
    #expect(try eventually(within: patience) { try status().contains("has all") })
  }

  @Test("a file that may not be read is named, with the user who may not")
  func unreadable() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "files-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let secret = folder.appending(path: "secret").path
    let configuration = folder.appending(path: "conf").path
    try "x".write(toFile: secret, atomically: true, encoding: .utf8)
    try "[Uplink fleet]\nURL=mqtt://ann@b/t\nPassword=@\(secret)\n".write(
      toFile: configuration, atomically: true, encoding: .utf8)
    chmod(secret, 0)
    // Root may read everything.
    let other = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"]
    let user = geteuid() == 0 ? 65_534 : geteuid()
    let name = try Program(["id", "-nu", "\(user)"]).text().text.dropLast()
    let command = [
      Program.path("locationd-tracker"), "--check", "--bus", "none", "--config", configuration,
    ]
    let (text, exit) = try Program((geteuid() == 0 ? other : []) + command).text()
    #expect(exit == 1, "\(text)")
    #expect(
      text.contains("Password=: \(name) (uid \(user)) may not read \(secret)"),
      "\(text)")
  }
}
