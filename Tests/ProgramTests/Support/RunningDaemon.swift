import Foundation
import Glibc
import LocationModel
import TestSupport
import Testing

/// A daemon of the test's own, on a private socket in a folder that goes with it.
final class RunningDaemon {
  let folder: URL
  let socket: String
  private(set) var program: Program

  /// `sources` are URLs; `{folder}` in them and in files is the test's folder. Without any, the file
  /// `locationd.conf` says them.
  init(
    _ sources: [String] = ["static:45,7,100,5"], files: [String: String] = [:],
    bus: PrivateBus? = nil, logLevel: String? = nil, environment: [String: String] = [:],
    state: String? = nil, limits: String? = nil, flags: [String] = [], hasOwnGroups: Bool = true,
    seesGroups: Bool = false
  ) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "locationd-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    self.folder = folder
    socket = folder.appending(path: "s").path
    // The machine's own configuration is not the test's business.
    let none = sources.isEmpty ? "[Sources]\nSource=none\n" : ""
    for (name, text) in files.merging(["locationd.conf": none], uniquingKeysWith: { own, _ in own })
    {
      try Self.write(text, to: name, in: folder)
    }
    let arguments = sources.flatMap {
      ["--source", $0.replacingOccurrences(of: "{folder}", with: "\(folder.path)")]
    }
    let file = folder.appending(path: "locationd.conf").path
    command = [Program.path("locationd"), "--config", file, "--socket", socket] + arguments
    command += ["--bus", bus?.address ?? "none"]
    command += ["--state", state ?? folder.appending(path: "state").path]
    command += flags
    if let logLevel { command += ["--log-level", logLevel] }
    if let limits { command = ["sh", "-c", "\(limits) exec \"$@\"", "sh"] + command }
    if hasOwnGroups { command = Cgroup.daemon(command, seesThem: seesGroups) }
    // Nor is its time zone, where the city of that would be a place.
    self.environment = ["TZ": "UTC"].merging(environment) { $1 }
    program = try Program(command, environment: self.environment)
    try waitUntilItListens()
  }

  /// A daemon that has told a place of a drive, and has ended, leaves that place in the state.
  static func learnPlace(state: String) throws {
    let daemon = try RunningDaemon(
      ["replay://{folder}/drive.nmea?loop=1"], files: ["drive.nmea": Recording.drive(seconds: 5)],
      state: state)
    #expect(try daemon.control("get").exit() == 0)
    daemon.program.signal(SIGTERM)
    _ = try daemon.program.exit()
  }

  private var command: [String]
  private let environment: [String: String]
  /// Its words until it listened.
  private(set) var firstLine = ""
  private(set) var lines: [String] = []

  func write(_ text: String, to name: String) throws {
    try Self.write(text, to: name, in: folder)
  }

  private static func write(_ text: String, to name: String, in folder: URL) throws {
    let text = text.replacingOccurrences(of: "{folder}", with: folder.path)
    try FileManager.default.write([name: text], in: folder)
  }

  deinit {
    program.signal(SIGKILL)
    try? FileManager.default.removeItem(at: folder)
  }

  func restart() throws {
    // Two at a time would find the socket taken.
    program.signal(SIGKILL)
    _ = try program.exit()
    try startAgain()
  }

  /// After it has ended.
  func startAgain() throws {
    firstLine = ""
    program = try Program(command, environment: environment)
    try waitUntilItListens()
  }

  private func waitUntilItListens() throws {
    lines = []
    while !firstLine.contains("listens") {
      firstLine = try program.line()
      lines.append(firstLine)
    }
  }

  func connect() throws -> SocketClient { try SocketClient(self) }

  /// locationctl on this daemon.
  func control(_ arguments: String..., environment: [String: String] = [:]) throws -> Program {
    var variables = ["LOCATIOND_SOCKET": socket]
    variables.merge(environment) { $1 }
    return try Program([Program.path("locationctl")] + arguments, environment: variables)
  }
}

/// A client that speaks the protocol by hand, so that it can also speak it badly.
final class SocketClient {
  let descriptor: Int32
  /// Runs as long as the connection is held.
  let daemon: RunningDaemon?
  private var pending: [UInt8] = []
  private var lastID = 0

  convenience init(_ daemon: RunningDaemon) throws {
    try self.init(path: daemon.socket, daemon)
  }

  /// On the socket of another program beside the daemon.
  init(path: String, _ daemon: RunningDaemon? = nil) throws {
    self.daemon = daemon
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(result == 0, "\(String(cString: strerror(errno)))")
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
  }

  deinit { close(descriptor) }

  /// Sends it all, or as much as is taken in the time.
  @discardableResult
  func send(_ text: String, within seconds: Double = patience) -> Int {
    let bytes = Array(text.utf8)
    var sent = 0
    _ = eventually(within: seconds) {
      bytes.withUnsafeBytes { raw in
        let count = Glibc.send(
          self.descriptor, raw.baseAddress.map { $0 + sent }, raw.count - sent, Int32(MSG_NOSIGNAL))
        if count > 0 { sent += count }
        return sent == raw.count || count < 0 && errno != EAGAIN
      }
    }
    return sent
  }

  @discardableResult
  func request(_ method: String, _ parameters: JSON = [:]) -> Int {
    lastID += 1
    let line: JSON = [
      "jsonrpc": "2.0", "id": .integer(Int64(lastID)), "method": .string(method),
      "params": parameters,
    ]
    send(line.text + "\n")
    return lastID
  }

  func line(within seconds: Double = patience) throws -> JSON {
    let line = try nextLine(within: seconds)
    return try #require(line, "no line came; so far: \(String(decoding: pending, as: UTF8.self))")
  }

  /// Nil where none comes in time.
  private func nextLine(within seconds: Double) throws -> JSON? {
    let reached = eventually(within: seconds) {
      if !self.pending.contains(0x0A) { self.readMore() }
      return self.pending.contains(0x0A)
    }
    guard reached, let end = pending.firstIndex(of: 0x0A) else { return nil }
    defer { pending.removeFirst(end + 1) }
    return try JSON(parsing: String(decoding: pending[..<end], as: UTF8.self))
  }

  /// A line that is here already.
  func waitingLine(reading: Bool = false) -> JSON? {
    if reading { readMore() }
    guard let end = pending.firstIndex(of: 0x0A) else { return nil }
    defer { pending.removeFirst(end + 1) }
    return try? JSON(parsing: String(decoding: pending[..<end], as: UTF8.self))
  }

  func hasLine() -> Bool {
    readMore()
    return pending.contains(0x0A)
  }

  /// The next location, if one comes in time.
  func location(within seconds: Double) throws -> Location? {
    while let json = try nextLine(within: seconds) {
      guard json["method"] == "didUpdateLocations" else { continue }
      return json["params"]?["locations"]?.array?.last.flatMap(Location.init)
    }
    return nil
  }

  /// The next heading, if one comes in time.
  func heading(within seconds: Double) throws -> Heading? {
    while let json = try nextLine(within: seconds) {
      guard json["method"] == "didUpdateHeading" else { continue }
      return json["params"]?["heading"].flatMap(Heading.init)
    }
    return nil
  }

  /// The reply to a request, passing over events.
  func reply(to id: Int, within seconds: Double = patience) throws -> JSON {
    while true {
      let json = try line(within: seconds)
      if json["id"] == .integer(Int64(id)) { return json }
    }
  }

  func ask(_ method: String, _ parameters: JSON = [:]) throws -> JSON {
    try reply(to: request(method, parameters))
  }

  /// The next event of that name.
  func event(_ name: String = "didUpdateLocations", within seconds: Double = patience) throws
    -> JSON
  {
    while true {
      let json = try line(within: seconds)
      if json["method"]?.string == name { return try #require(json["params"]) }
    }
  }

  /// Everything that is there now; nil once the other side has gone.
  @discardableResult
  func readMore() -> Int? {
    var bytes = [UInt8](repeating: 0, count: 65536)
    let count = read(descriptor, &bytes, bytes.count)
    if count > 0 { pending += bytes[..<count] }
    return count == 0 || count < 0 && errno != EAGAIN ? nil : max(count, 0)
  }

  func isClosed(within seconds: Double = patience) -> Bool {
    eventually(within: seconds) { self.readMore() == nil }
  }

  func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }
}

/// NMEA as a receiver would have recorded it.
enum Recording {
  static func sentence(_ body: String) -> String {
    let sum = body.utf8.reduce(0, ^)
    let digits = String(sum, radix: 16, uppercase: true)
    return "$\(body)*\(digits.count < 2 ? "0" : "")\(digits)\r\n"
  }

  /// Driving north from 45° N 7° E at 10 m/s, a fix every `step` seconds.
  static func drive(seconds: Double, step: Double = 1) -> String {
    stride(from: 0, to: seconds, by: step).map(epoch).joined()
  }

  /// The same, second by second.
  static func epochs(_ count: Int) -> [String] { (0..<count).map { epoch(at: Double($0)) } }

  /// The machine of these epochs goes north.
  static func latitude(at second: Int) -> Double { 45 + Double(second) * 10 / 1853.25 / 60 }

  private static func epoch(at seconds: Double) -> String {
    let minutes = seconds * 10 / 1853.25
    let hundredths = Int((seconds * 100).rounded())
    let time = String(
      format: "12%02d%02d.%02d", hundredths / 6000, hundredths / 100 % 60, hundredths % 100)
    let place = String(format: "45%09.6f,N,00700.000000,E", minutes)
    return sentence("GPRMC,\(time),A,\(place),19.44,0.0,201126,,,A")
      + sentence("GPGGA,\(time),\(place),1,09,0.9,240.0,M,48.0,M,,")
  }
}
