import Foundation
import Glibc
import LocationModel
import TestSupport
import Testing

/// An authority, and certificates of it: for `localhost`, and for the client `van`.
final class Authority {
  let folder = FileManager.default.temporaryDirectory.appending(path: "authority-\(UUID())")

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    try openssl(
      ["req", "-x509"] + curve + [
        "-subj", "/CN=test authority", "-days", "2", "-keyout", path("ca.key"), "-out",
        path("ca.crt"),
      ])
    try openssl(
      ["req"] + curve + [
        "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout",
        path("server.key"), "-out", path("server.csr"),
      ])
    try openssl(
      ["req"] + curve + [
        "-subj", "/CN=van", "-keyout", path("client.key"), "-out", path("client.csr"),
      ])
    for name in ["server", "client"] { try sign(name, as: "\(name).crt", days: 2) }
  }

  /// A certificate for the request of that name.
  func sign(_ name: String, as file: String, days: Int) throws {
    try openssl([
      "x509", "-req", "-in", path("\(name).csr"), "-CA", path("ca.crt"), "-CAkey",
      path("ca.key"), "-CAcreateserial", "-days", "\(days)", "-copy_extensions", "copy", "-out",
      path(file),
    ])
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func path(_ name: String) -> String { folder.appending(path: name).path }

  func write(_ text: String, to name: String) throws -> String {
    try text.write(toFile: path(name), atomically: true, encoding: .utf8)
    return path(name)
  }

  private func openssl(_ arguments: [String]) throws {
    let (text, exit) = try Program(["openssl"] + arguments).text()
    try #require(exit == 0, "\(text)")
  }
}

@Suite("A broker that wants TLS and a password", .timeLimit(.minutes(60))) struct TLSTests {
  private func broker(_ authority: Authority) throws -> RunningBroker {
    let file = authority.path("passwords")
    let made = try Program(["mosquitto_passwd", "-b", "-c", file, "ann", "secret"])
    try #require(try made.exit() == 0)
    return try RunningBroker(
      """
      certfile \(authority.path("server.crt"))
      keyfile \(authority.path("server.key"))
      allow_anonymous false
      password_file \(file)

      """)
  }

  private func tracker(
    _ broker: RunningBroker, host: String = "localhost", _ authority: Authority,
    password: String = "secret\n", trusted: Authority? = nil
  ) throws -> RunningTracker {
    try RunningTracker(
      try RunningDaemon(),
      """
      [Uplink broker]
      URL=mqtts://ann@\(host):\(broker.port)/owntracks/ann/van
      Password=@\(try authority.write(password, to: "password-\(UUID())"))
      CA=\((trusted ?? authority).path("ca.crt"))

      """)
  }

  private func trouble(_ tracker: RunningTracker) throws -> String? {
    try tracker.ask("status")["uplinks"]?.array?.first?["trouble"]?.string
  }

  @Test("it is sent the track by somebody who knows it, and is known to it")
  func accepted() throws {
    let authority = try Authority()
    let broker = try broker(authority)
    let tracker = try tracker(broker, authority)
    try #require(try eventually(within: patience) { try tracker.entries().count >= 1 })
    #expect(try eventually(within: patience) { try tracker.backlog() == 0 })
    #expect(try trouble(tracker) == nil)
    try broker.kill()
    #expect(try eventually(within: patience) { try trouble(tracker) != nil })
  }

  @Test("a wrong authority, a wrong name and a wrong password are told, and nothing is sent")
  func refused() throws {
    let authority = try Authority()
    // Its files go with it, and the tracker reads them at each try.
    let other = try Authority()
    defer { withExtendedLifetime(other) {} }
    let broker = try broker(authority)
    for (tracker, words) in [
      (try tracker(broker, authority, trusted: other), ["is signed by nobody who is trusted"]),
      (try tracker(broker, host: "127.0.0.1", authority), ["is of another name"]),
      (try tracker(broker, authority, password: "guess\n"), ["Password="]),
    ] {
      var text = ""
      let isTold = try eventually(within: patience) {
        text = try trouble(tracker) ?? ""
        return words.contains { text.contains($0) }
      }
      try #require(isTold, "\(text)")
      try #require(try eventually(within: patience) { try tracker.entries().count >= 1 })
      #expect(try tracker.backlog() ?? 0 >= 1)
      text = try tracker.ask("status").text
      #expect(!text.contains("secret") && !text.contains("guess"))
    }
  }

  @Test("a broker that wants a certificate is shown the client's own, and knows it by its name")
  func certificate() throws {
    let authority = try Authority()
    let others = try Authority()
    let access = try authority.write("user van\ntopic readwrite owntracks/ann/van\n", to: "acl")
    let broker = try RunningBroker(
      """
      cafile \(authority.path("ca.crt"))
      certfile \(authority.path("server.crt"))
      keyfile \(authority.path("server.key"))
      require_certificate true
      use_identity_as_username true
      acl_file \(access)

      """)
    func tracker(_ more: String) throws -> RunningTracker {
      try RunningTracker(
        try RunningDaemon(),
        """
        [Uplink broker]
        URL=mqtts://localhost:\(broker.port)/owntracks/ann/van
        CA=\(authority.path("ca.crt"))
        \(more)

        """)
    }
    func shown(_ owner: Authority) -> String {
      "Certificate=\(owner.path("client.crt"))\nKey=\(owner.path("client.key"))"
    }
    let known = try tracker(shown(authority))
    try #require(try eventually(within: patience) { try known.entries().count >= 1 })
    #expect(try eventually(within: patience) { try known.backlog() == 0 })
    #expect(try trouble(known) == nil)
    // The broker keeps what only `van` may say.
    let (kept, exit) = try Program([
      "mosquitto_sub", "-h", "localhost", "-p", "\(broker.port)", "--cafile",
      authority.path("ca.crt"), "--cert", authority.path("client.crt"), "--key",
      authority.path("client.key"), "-t", "owntracks/ann/van", "-C", "1", "-W", "30",
    ]).text()
    #expect(exit == 0 && kept.contains("\"_type\":\"location\""), "\(kept)")
    for tracker in [try tracker(""), try tracker(shown(others))] {
      try #require(try eventually(within: patience) { try tracker.entries().count >= 1 })
      #expect(try eventually(within: patience) { try trouble(tracker) != nil })
      #expect(try tracker.backlog() ?? 0 >= 1)
    }
    let other = try tracker(
      "Certificate=\(authority.path("client.crt"))\nKey=\(authority.path("missing.key"))")
    #expect(try eventually(within: patience) { try trouble(other) != nil })
  }
}
