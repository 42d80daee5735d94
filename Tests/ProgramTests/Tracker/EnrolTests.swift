import Foundation
import Glibc
import LocationModel
import TestSupport
import Testing

/// The reference server, with an authority of its own.
private final class EnrolServer {
  let folder = FileManager.default.temporaryDirectory.appending(path: "enrol-\(UUID())")
  let port = Int.random(in: 20_000...32_000)
  private var program: Program?

  init() throws {
    let tokens = folder.appending(path: "tokens")
    try FileManager.default.createDirectory(at: tokens, withIntermediateDirectories: true)
    for words in [["init"], ["server", "localhost"]] {
      let made = try Program([Checkout.path + "/config/fleet/ca", folder.path] + words)
      try #require(try made.exit() == 0)
    }
    try start()
  }

  deinit {
    program?.signal(SIGKILL)
    try? FileManager.default.removeItem(at: folder)
  }

  var url: String { "https://localhost:\(port)/" }

  func path(_ name: String) -> String { folder.appending(path: name).path }

  private func start() throws {
    let program = try Program([
      "setpriv", "--pdeathsig", "KILL", "python3", Checkout.path + "/config/fleet/enrol.py",
      folder.path, path("tokens"), path("localhost.crt"), path("localhost.key"), "\(port)",
    ])
    while try !program.line().contains("listens") {}
    self.program = program
  }

  func end() throws {
    program?.signal(SIGKILL)
    _ = try program?.exit()
  }

  /// A file with a token that the server takes once.
  func token(_ name: String) throws -> String {
    try Data().write(to: folder.appending(path: "tokens/\(name)"))
    try "\(name)\n".write(toFile: path(name), atomically: true, encoding: .utf8)
    return path(name)
  }
}

@Suite("A machine's own certificate", .timeLimit(.minutes(60))) struct EnrolTests {
  private let server: EnrolServer
  private let state: URL

  init() throws {
    server = try EnrolServer()
    state = server.folder.appending(path: "state")
    try FileManager.default.createDirectory(at: state, withIntermediateDirectories: true)
  }

  private var identity: String { state.appending(path: "enrol/identity.pem").path }
  private var record: URL { state.appending(path: "enrol/enrolment.json") }

  private func enrol(token: String) throws -> (text: String, exit: Int32) {
    try Program([
      Program.path("locationctl"), "track", "enrol", server.url, "--ca", server.path("ca.crt"),
      "--token", token, "--state", state.path,
    ]).text()
  }

  private func renew() throws -> (text: String, exit: Int32) {
    try Program([Program.path("locationd-tracker"), "--renew", "--state", state.path]).text()
  }

  private func said(_ words: [String]) throws -> String {
    let (text, exit) = try Program(["openssl"] + words).text()
    try #require(exit == 0, "\(text)")
    return text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Without spaces, as all versions of openssl write it.
  private func subject(of file: String, _ command: String) throws -> String {
    try said([command, "-in", file, "-noout", "-subject", "-nameopt", "RFC2253"])
  }

  private func machine() throws -> String {
    try Program([
      "systemd-id128", "machine-id", "--app-specific=6f0c59b1d3e84a27b95d4c1e8a7f3062",
    ]).text().text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// As if the certificate were so many days older.
  private func age(_ days: Double) throws {
    let text = try String(contentsOf: record, encoding: .utf8)
    let format = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    let aged = text.replacing(#/"(begins|ends)":"([^"]*)"/#) { match -> String in
      let date = (try? Date(String(match.2), strategy: format)) ?? .distantPast
      return "\"\(match.1)\":\"\(date.addingTimeInterval(-days * 86_400).formatted(format))\""
    }
    try aged.write(to: record, atomically: true, encoding: .utf8)
  }

  @Test("it is made for a token, once; the key stays here, and a broker knows the machine by it")
  func enrolled() throws {
    let token = try server.token("0123456789abcdef")
    let (text, exit) = try enrol(token: token)
    try #require(exit == 0, "\(text)")
    #expect(text.contains(identity))
    var status = stat()
    let found = stat(identity, &status)
    #expect(found == 0 && status.st_mode & 0o777 == 0o600)
    let machine = try machine()
    #expect(try subject(of: identity, "x509") == "subject=CN=\(machine)")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: state.path + "/enrol").sorted() == [
        "enrolment.json", "identity.pem",
      ])
    let before = try String(contentsOfFile: identity, encoding: .utf8)
    let (again, refused) = try enrol(token: token)
    #expect(refused == 1 && again.contains("403: no such token"), "\(again)")
    #expect(try String(contentsOfFile: identity, encoding: .utf8) == before)
    let access = server.path("acl")
    try "pattern write fleet/%u\n".write(toFile: access, atomically: true, encoding: .utf8)
    let broker = try RunningBroker(
      """
      cafile \(server.path("ca.crt"))
      certfile \(server.path("localhost.crt"))
      keyfile \(server.path("localhost.key"))
      require_certificate true
      use_identity_as_username true
      acl_file \(access)

      """)
    let tracker = try RunningTracker(
      try RunningDaemon(),
      """
      [Uplink broker]
      URL=mqtts://localhost:\(broker.port)/fleet/%m
      CA=\(server.path("ca.crt"))
      Certificate=\(identity)
      Key=\(identity)

      """)
    try #require(try eventually(within: patience) { try tracker.entries().count >= 1 })
    #expect(try eventually(within: patience) { try tracker.backlog() == 0 })
  }

  /// A server with the certificate of the reference server that writes down what it is asked, and gives nothing.
  private func recorder() throws -> (Program, url: String) {
    let script = """
      import http.server, json, ssl, sys
      class Handler(http.server.BaseHTTPRequestHandler):
        def log_message(self, *rest): pass
        def do_POST(self):
          body = self.rfile.read(int(self.headers["Content-Length"])).decode()
          print(json.dumps({"body": body, "path": self.path, "headers": dict(self.headers)}), flush=True)
          self.send_response(202)
          self.end_headers()
      server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
      context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
      context.load_cert_chain(sys.argv[1], sys.argv[2])
      server.socket = context.wrap_socket(server.socket, server_side=True)
      print(server.server_address[1], flush=True)
      server.serve_forever()
      """
    let program = try Program([
      "setpriv", "--pdeathsig", "KILL", "python3", "-c", script, server.path("localhost.crt"),
      server.path("localhost.key"),
    ])
    return (program, "https://localhost:\(try program.line())/enrol")
  }

  @Test(
    "the request names number and name of the machine and nothing else; the token is a credential")
  func request() throws {
    let (recorder, url) = try recorder()
    defer { recorder.signal(SIGKILL) }
    let credentials = server.folder.appending(path: "credentials")
    try FileManager.default.createDirectory(at: credentials, withIntermediateDirectories: true)
    try "0011223344\n".write(
      to: credentials.appending(path: "enrol.token"), atomically: true, encoding: .utf8)
    let (text, exit) = try Program(
      [
        Program.path("locationd-tracker"), "--enrol", url, "--ca", server.path("ca.crt"), "--state",
        state.path,
      ], environment: ["CREDENTIALS_DIRECTORY": credentials.path]
    ).text()
    #expect(exit == 1 && text.contains("the server has the request, and answers later"), "\(text)")
    let asked = try JSON(parsing: try recorder.line())
    #expect(asked["path"]?.string == "/enrol")
    #expect(asked["headers"]?["Authorization"]?.string == "Bearer 0011223344")
    #expect(asked["headers"]?["Content-Type"]?.string == "application/x-pem-file")
    let names = Set((asked["headers"]?.members ?? []).map { $0.key.lowercased() })
    #expect(
      names.isSubset(of: [
        "host", "user-agent", "accept", "accept-encoding", "authorization", "content-type",
        "content-length",
      ]), "\(names)")
    let body = try #require(asked["body"]?.string)
    #expect(body.hasPrefix("-----BEGIN CERTIFICATE REQUEST-----") && !body.contains("PRIVATE"))
    let file = server.path("asked.csr")
    try body.write(toFile: file, atomically: true, encoding: .utf8)
    let host = ProcessInfo.processInfo.hostName
    #expect(try subject(of: file, "req") == "subject=CN=\(try machine()),OU=\(host)")
    let text64 = body.split(separator: "\n").filter { !$0.hasPrefix("-") }.joined()
    let bytes = try #require(Data(base64Encoded: text64))
    // The curve P-256; and no attributes stand before the signature by ECDSA with SHA-256.
    #expect(bytes.range(of: Data([6, 8, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 3, 1, 7])) != nil)
    let end: [UInt8] = [0xA0, 0, 0x30, 10, 6, 8, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 4, 3, 2]
    #expect(bytes.range(of: Data(end)) != nil, "\(text64)")
    // Nothing is left of it, as nothing was given.
    #expect(try FileManager.default.contentsOfDirectory(atPath: state.path + "/enrol").isEmpty)
  }

  @Test("it is renewed by the old one, with another key, and a renewal that fails is told")
  func renewed() throws {
    try #require(try enrol(token: try server.token("fedcba9876543210")).exit == 0)
    let first = try said(["pkey", "-in", identity, "-pubout"])
    let (early, exit) = try renew()
    #expect(exit == 0 && early.contains("later"), "\(early)")
    #expect(try said(["pkey", "-in", identity, "-pubout"]) == first)
    try age(61)
    let (text, renewal) = try renew()
    #expect(renewal == 0, "\(text)")
    #expect(try said(["pkey", "-in", identity, "-pubout"]) != first)
    #expect(try subject(of: identity, "x509") == "subject=CN=\(try machine())")
    try server.end()
    try age(80)
    let daemon = try RunningDaemon([])
    try FileManager.default.createDirectory(
      at: daemon.folder.appending(path: "track"), withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      at: state.appending(path: "enrol"), to: daemon.folder.appending(path: "track/enrol"))
    // The tracker tries by itself when it starts.
    let tracker = try RunningTracker(daemon, "")
    try #require(
      try eventually(within: patience) {
        try tracker.ask("status")["certificate"]?["trouble"] != nil
      })
    let (lines, end) = try Program(
      [Program.path("locationctl"), "track", "status"],
      environment: ["LOCATIOND_TRACKER_SOCKET": daemon.folder.appending(path: "t").path]
    ).text()
    #expect(end == 0 && lines.contains("! the certificate of this machine ends at"), "\(lines)")
  }
}
