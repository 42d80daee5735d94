import Foundation
import LocationModel
import TestSupport
import Testing

@Suite("locationctl track test", .timeLimit(.minutes(60))) struct TrialTests {
  private func test(_ tracker: RunningTracker, _ uplink: String) throws -> (text: String, Int32) {
    let (text, exit) = try Program([
      Program.path("locationctl"), "track", "test", uplink, "--socket",
      tracker.daemon.folder.appending(path: "t").path,
    ]).text()
    return (text, exit)
  }

  @Test("a broker with TLS and a password is tried step by step, and told no place")
  func broker() throws {
    let authority = try Authority()
    let others = try Authority()
    defer { withExtendedLifetime(others) {} }
    let passwords = authority.path("passwords")
    let made = try Program(["mosquitto_passwd", "-b", "-c", passwords, "ann", "secret"])
    try #require(try made.exit() == 0)
    let access = try authority.write("user ann\ntopic readwrite owntracks/ann/van/#\n", to: "acl")
    let broker = try RunningBroker(
      """
      certfile \(authority.path("server.crt"))
      keyfile \(authority.path("server.key"))
      allow_anonymous false
      password_file \(passwords)
      acl_file \(access)

      """)
    let right = try authority.write("secret\n", to: "right")
    let wrong = try authority.write("guess\n", to: "wrong")
    func uplink(
      _ name: String, _ host: String = "localhost", port: Int? = nil, topic: String = "ann/van",
      ca: Authority? = nil, password: String? = nil
    ) -> String {
      """
      [Uplink \(name)]
      URL=mqtts://ann@\(host):\(port ?? broker.port)/owntracks/\(topic)
      CA=\((ca ?? authority).path("ca.crt"))
      Password=@\(password ?? right)

      """
    }
    let tracker = try RunningTracker(
      try RunningDaemon([]),
      uplink("good") + uplink("denied", topic: "bob/van") + uplink("stranger", ca: others)
        + uplink("address", "127.0.0.1") + uplink("password", password: wrong)
        + uplink("password-3", topic: "ann/van?version=3.1.1", password: wrong)
        + uplink("nowhere", "nowhere.invalid") + uplink("closed", port: 1)
        + uplink("file", password: "/nowhere"))
    let (text, exit) = try test(tracker, "good")
    #expect(exit == 0, "\(text)")
    for words in ["files", "name", "connection", "its certificate is trusted", "by MQTT 5"] {
      #expect(text.contains(words), "\(text)")
    }
    #expect(text.contains("  answer      the broker confirms a message\n"), "\(text)")
    for (name, words) in [
      ("denied", "! answer      the broker refuses a message: Not authorized"),
      ("stranger", "! encryption  the certificate of localhost is signed by nobody"),
      ("address", "! encryption  the certificate at 127.0.0.1"),
      ("password", "! login       localhost:\(broker.port) does not let this client in"),
      ("password-3", "! login       localhost:\(broker.port) does not let this client in"),
      ("nowhere", "! name        nobody knows the name"),
      ("closed", "! connection  nothing listens at"),
      ("file", "! files       Password=: there is no"),
    ] {
      let (text, exit) = try test(tracker, name)
      #expect(exit == 1 && text.contains(words), "\(name): \(text)")
      #expect(!text.contains("secret") && !text.contains("guess"))
    }
    #expect(try test(tracker, "goood").text.contains("There is no uplink 'goood'"))
  }

  @Test("a web server is asked what has no place in it")
  func web() throws {
    let server = try RunningBroker { folder, port in
      let command = [
        "python3", "-m", "http.server", "--bind", "127.0.0.1", "--directory", folder.path,
      ]
      return { try Program(command + ["\(port)"]) }
    }
    let tracker = try RunningTracker(
      try RunningDaemon([]),
      "[Uplink fleet]\nURL=http://127.0.0.1:\(server.port)/track\n"
        + "[Uplink closed]\nURL=http://127.0.0.1:1/\n")
    let (text, exit) = try test(tracker, "fleet")
    #expect(exit == 0 && text.contains("  answer      the server answers "), "\(text)")
    #expect(try test(tracker, "closed").text.contains("! connection  nothing listens"))
  }

  @Test("a tracker that is stopped while it connects leaves no last will at the broker")
  func farewell() throws {
    let broker = try RunningBroker()
    let witness = try Subscriber(broker)
    try witness.takeAll(of: broker, 1, within: patience)
    let board = try Board("van", broker, entries: 1)
    for _ in 0..<25 {
      try board.start()
      board.program.signal(SIGTERM)
      #expect(try board.program.exit() == 0)
    }
    try witness.takeAll(of: broker, 2, within: patience)
    #expect(!witness.messages.contains { $0.json["_type"]?.string == "lwt" })
  }
}
