import Console
import Glibc
import HTTPClient
import LocationModel
import Platform
import TrackCore

/// Asks a server for this machine's certificate. The key is made here and never sent; the request names the machine's
/// number and name. See locationd-tracker(8).
struct Enroller {
  /// A key, a certificate and what is known of them, in a folder of the track's.
  private let folder: String

  init(state: String) { folder = "\(state)/enrol" }

  private static let longestAnswer = 65_536

  private var identity: String { "\(folder)/identity.pem" }
  private var key: String { "\(folder)/key.new" }
  private var request: String { "\(folder)/request.new" }
  private var certificate: String { "\(folder)/certificate.new" }
  private var said: String { "\(folder)/said.new" }
  private var record: String { "\(folder)/enrolment.json" }

  var enrolment: Enrolment? {
    guard let bytes = try? File.bytes(of: record, atMost: Self.longestAnswer) else { return nil }
    return Enrolment(String(decoding: bytes, as: UTF8.self))
  }

  /// Tells where the certificate lies, and until when it holds. `token`: once; a renewal shows the old certificate.
  func enrol(_ url: String, authority: String?, token: String?) throws(Unusable) -> String {
    guard url.hasPrefix("https://") else {
      throw Unusable(what: "an enrolment is by https:// only")
    }
    let files = [key, request, certificate, said]
    defer { for file in files { File.remove(file) } }
    umask(0o077)
    mkdir(folder, 0o700)
    for file in files { File.remove(file) }
    try openssl(["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", key])
    let name = try Specifiers.here.expand("/OU=%H/CN=%m")
    try openssl(["req", "-new", "-key", key, "-subj", name, "-out", request])
    let answer = try ask(url, authority, token)
    try attempt { () throws(SystemError) in try File.write(answer, to: certificate) }
    guard
      try output(["x509", "-in", certificate, "-noout", "-pubkey"])
        == output(["pkey", "-in", key, "-pubout"])
    else { throw Unusable(what: "the server's certificate is of another key") }
    let text = try output(["x509", "-in", certificate, "-noout", "-dates", "-dateopt", "iso_8601"])
    guard let dates = Enrolment.dates(String(decoding: text, as: UTF8.self)) else {
      throw Unusable(what: "the server's certificate has no dates")
    }
    // Both at once: a key without its certificate is of no use.
    let whole = try bytes(key) + answer
    try attempt { () throws(SystemError) in try File.replace(identity, with: whole) }
    try keep(
      Enrolment(url: url, authority: authority, begins: dates.begins, ends: dates.ends))
    return "Certificate= and Key= are \(identity), which holds until \(dates.ends.iso8601)"
  }

  /// With what the first time was done with.
  func renew() throws(Unusable) -> String {
    guard var old = enrolment else { throw Unusable(what: "nothing was enrolled in \(folder)") }
    guard old.isDue(at: Clock.utc) else {
      return "the certificate is renewed later; it ends at \(old.ends.iso8601)"
    }
    do throws(Unusable) {
      return try enrol(old.url, authority: old.authority, token: nil)
    } catch {
      old.trouble = error.what
      try keep(old)
      throw error
    }
  }

  private func keep(_ enrolment: Enrolment) throws(Unusable) {
    try attempt { () throws(SystemError) in
      try File.replace(record, with: Array(enrolment.text.utf8))
    }
  }

  private func bytes(_ file: String) throws(Unusable) -> [UInt8] {
    try attempt { () throws(SystemError) in try File.bytes(of: file, atMost: Self.longestAnswer) }
  }

  private func attempt<Value>(_ body: () throws(SystemError) -> Value) throws(Unusable) -> Value {
    do throws(SystemError) {
      return try body()
    } catch {
      throw Unusable(what: "\(error)")
    }
  }

  private func ask(
    _ url: String, _ authority: String?, _ token: String?
  ) throws(Unusable) -> [UInt8] {
    var http = HTTPRequest(url)
    http.headers = [("Content-Type", "application/x-pem-file")]
    http.body = try bytes(request)
    http.authority = authority
    if let token {
      http.headers.append(("Authorization", "Bearer \(token)"))
    } else if File.isThere(identity) {
      (http.certificate, http.key) = (identity, identity)
    }
    http.longestAnswer = Self.longestAnswer
    let sent = http
    let outcome = try attempt { () throws(SystemError) in
      let loop = try EventLoop()
      let client = try HTTPClient(on: loop, agent: "locationd-tracker/\(version)")
      var outcome: HTTPOutcome?
      client.send(sent) {
        outcome = $0
        loop.stop()
      }
      try loop.run()
      return outcome
    }
    switch outcome {
    case .answered(200, _, let body), .answered(201, _, let body): return body
    case .answered(let status, _, let body):
      throw Unusable(what: Enrolment.refusal(status: status, body: body))
    case .failed(let reason): throw Unusable(what: reason)
    case nil: throw Unusable(what: "there is no answer")
    }
  }
}

// MARK: - openssl

extension Enroller {
  private func openssl(
    _ words: [String], output: Subprocess.Stream = .nowhere
  ) throws(Unusable) {
    let child = try attempt { () throws(SystemError) in
      try Subprocess("openssl", words, output: output)
    }
    guard child.wait() == 0 else {
      throw Unusable(what: "openssl \(words.first ?? "") has failed")
    }
  }

  private func output(_ words: [String]) throws(Unusable) -> [UInt8] {
    try attempt { () throws(SystemError) in try File.write([], to: said) }
    let file = Descriptor(owning: open(said, O_WRONLY | O_CLOEXEC | O_NOFOLLOW))
    try openssl(words, output: .descriptor(file.number))
    return try bytes(said)
  }
}

// MARK: - The program's options, and the running tracker

/// `--enrol URL` and `--renew`: the program does that, and ends.
struct EnrolOptions {
  private let url: String?
  private let authority: String?
  private let token: String?

  /// Nil where neither is given.
  init?(_ arguments: inout Arguments) throws(Failure) {
    url = try arguments.value("--enrol")
    authority = try arguments.value("--ca")
    token = try arguments.value("--token")
    guard arguments.flag("--renew") || url != nil else {
      guard authority == nil, token == nil else {
        throw Failure(.usage, "--ca and --token are for --enrol")
      }
      return nil
    }
  }

  /// Root reads the token, and then becomes the folder's owner: the key is the tracker's user's.
  func run(state: String) throws(SystemError) {
    let standard = Process.credentialsFolder.map { "\($0)/enrol.token" }
    let file = token ?? standard.flatMap { File.isThere($0) ? $0 : nil }
    let text = try file.map { (file) throws(SystemError) in
      String(decoding: try File.bytes(of: file, atMost: 4096), as: UTF8.self)
    }
    let line = text?.split(whereSeparator: \.isNewline).first.map(String.init)
    try FolderOwner(of: state)?.become()
    do throws(Unusable) {
      let enroller = Enroller(state: state)
      let said =
        if let url { try enroller.enrol(url, authority: authority, token: line) } else {
          try enroller.renew()
        }
      Log(level: .info).info(said.plain())
    } catch {
      LocationdTracker.complain(error.what.plain())
      exit(1)
    }
  }
}

/// The renewal of the running tracker's certificate: this program beside it, with `--renew`.
final class Renewal {
  private let state: String
  private let log: Log
  private var child: Subprocess?

  init(state: String, _ log: Log) { (self.state, self.log) = (state, log) }

  private var enrolment: Enrolment? { Enroller(state: state).enrolment }

  /// Each hour; what it says goes to the log, and to the status.
  func turn() {
    if let child, child.status == nil { return }
    child = nil
    guard let enrolment, enrolment.isDue(at: Clock.utc) else { return }
    if let warning = enrolment.warning(at: Clock.utc) { log.warning(warning) }
    do throws(SystemError) {
      child = try Subprocess("/proc/self/exe", ["--renew", "--state", state])
    } catch {
      log.error("the certificate is not renewed: \(error)")
    }
  }

  var status: JSON? { enrolment?.status(at: Clock.utc) }
}
