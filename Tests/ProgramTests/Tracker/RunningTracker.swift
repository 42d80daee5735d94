import CLinux
import Foundation
import Glibc
import LocationModel
import Platform
import TestSupport
import Testing
import TrackCore
import TrackStore

/// A tracker of the test's own on a daemon of the test's own.
final class RunningTracker {
  let daemon: RunningDaemon
  private(set) var program: Program
  private var command: [String]
  private let commonCommand: [String]
  private let environment: [String: String]

  init(
    _ daemon: RunningDaemon, _ configuration: String, bus: PrivateBus? = nil,
    environment: [String: String] = [:], within wrapper: [String] = []
  ) throws {
    self.environment = environment
    self.daemon = daemon
    try daemon.write(configuration, to: "tracker.conf")
    let folder = daemon.folder
    commonCommand = [
      Program.path("locationd-tracker"), "--config", folder.appending(path: "tracker.conf").path,
      "--socket", folder.appending(path: "t").path,
      "--state", folder.appending(path: "track").path, "--daemon", daemon.socket,
      "--bus", bus?.address ?? "none",
    ]
    command = Cgroup.daemon(wrapper + commonCommand)
    program = try Program(command, environment: environment)
    try waitUntilItListens()
  }

  deinit { program.signal(SIGKILL) }

  /// Writes a track, which a tracker then finds in its folder.
  static func fill(_ folder: String, with entries: [TrackEntry]) throws {
    try write(entries, to: folder)
    // The last changes are still written after its end: a tracker would find the file taken.
    try #require(
      eventually(within: patience) {
        (try? Database(path: "\(folder)/\(TrackStore.name)", TrackTables.schema)) != nil
      })
  }

  private static func write(_ entries: [TrackEntry], to folder: String) throws {
    let loop = try EventLoop()
    let store = try TrackStore(folder: folder, on: loop)
    var isDone = false
    store.append(entries, event: nil) { result in
      #expect((try? result.get()) != nil)
      isDone = true
    }
    let deadline = ContinuousClock.now + .seconds(patience)
    while !isDone, ContinuousClock.now < deadline { try loop.turn(within: .milliseconds(50)) }
    try #require(isDone)
  }

  private func waitUntilItListens() throws {
    while try !program.line().contains("listens") {}
  }

  func kill() throws {
    program.signal(SIGKILL)
    _ = try program.exit()
  }

  func startAgain(within wrapper: [String]? = nil) throws {
    if let wrapper { command = Cgroup.daemon(wrapper + commonCommand) }
    program = try Program(command, environment: environment)
    try waitUntilItListens()
  }

  /// Its answer to one request.
  func ask(_ method: String, _ parameters: JSON = [:]) throws -> JSON {
    let client = try SocketClient(path: daemon.folder.appending(path: "t").path, daemon)
    return try #require(try client.ask(method, parameters)["result"])
  }

  /// The whole track.
  func entries() throws -> [JSON] {
    var entries: [JSON] = []
    while true {
      let last = entries.last?["number"]?.integer ?? 0
      let page = try ask("entries", ["after": .integer(last)])
      entries += page["entries"]?.array ?? []
      guard page["more"]?.bool == true else { return entries }
    }
  }

  /// So many regions the daemon watches for it.
  func watchedRegions() throws -> Int64? {
    let monitors = try daemon.connect().ask("status")["result"]?["monitors"]?.array
    return monitors?.compactMap { $0["regions"]?.integer }.first
  }

  /// A message of its log, after those that were looked at before.
  func waitForLog(_ words: String) throws {
    while try !program.line().contains(words) {}
  }

  /// Reads its configuration again, which is this.
  func reload(_ configuration: String) throws {
    try daemon.write(configuration, to: "tracker.conf")
    program.signal(SIGHUP)
  }

  func backlog() throws -> Int64? {
    try ask("status")["uplinks"]?.array?.first?["backlog"]?.integer
  }

  /// A broker keeps no command for a tracker that it does not know yet.
  func waitUntilItIsConnected() throws {
    try #require(
      try eventually(within: patience) {
        try ask("status")["uplinks"]?.array?.first?["connections"]?.integer ?? 0 >= 1
      })
  }
}

/// A broker of the test's own: mosquitto, which keeps sessions on its disk after each message, unless it is to be
/// fast.
final class RunningBroker {
  let port: Int
  /// The name by which clients are let in, with the password `x`; none where all are.
  let user: String?
  private let folder: URL
  private let start: () throws -> Program
  private var program: Program

  convenience init(_ more: String = "allow_anonymous true\n", isDurable: Bool = true) throws {
    // Debian puts it where a user's PATH may not lead.
    let usual = "/usr/sbin/mosquitto"
    let broker = FileManager.default.isExecutableFile(atPath: usual) ? usual : "mosquitto"
    try self.init { folder, port in
      let file = folder.appending(path: "conf")
      try """
      listener \(port) 127.0.0.1
      persistence \(isDurable)
      persistence_location \(folder.path)/
      autosave_on_changes true
      autosave_interval 1
      max_queued_messages 0
      log_type none
      user root
      \(more)
      """.write(to: file, atomically: true, encoding: .utf8)
      return { try Program([broker, "-c", file.path]) }
    }
  }

  /// `prepare` writes the broker's files into a folder, and says how it is started.
  init(
    user: String? = nil, _ prepare: (_ folder: URL, _ port: Int) throws -> () throws -> Program
  ) throws {
    self.user = user
    // Below those that the kernel gives to clients, who would take it while the broker is gone.
    port = Int.random(in: 20_000...32_000)
    folder = FileManager.default.temporaryDirectory.appending(path: "broker-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    start = try prepare(folder, port)
    program = try start()
    try waitUntilItListens()
  }

  deinit {
    program.signal(SIGKILL)
    try? FileManager.default.removeItem(at: folder)
  }

  func kill() throws {
    program.signal(SIGKILL)
    _ = try program.exit()
  }

  /// The files of passwords and access are read again.
  func readAgain() { program.signal(SIGHUP) }

  func startAgain() throws {
    program = try start()
    try waitUntilItListens()
  }

  /// Returns once the broker has written what it has: its files have not changed for a second.
  func rest(within longest: Double) throws {
    try #require(
      eventually(within: longest) {
        let files = FileManager.default.enumerator(
          at: self.folder, includingPropertiesForKeys: [.contentModificationDateKey])
        let dates = (files?.compactMap { $0 as? URL } ?? []).compactMap {
          try? $0.resourceValues(forKeys: [.contentModificationDateKey]).contentModificationDate
        }
        return dates.allSatisfy { $0.timeIntervalSinceNow < -1 }
      })
  }

  /// The words by which mosquitto's clients come in.
  var client: [String] {
    ["-h", "127.0.0.1", "-p", "\(port)"] + (user.map { ["-u", $0, "-P", "x"] } ?? [])
  }

  private func waitUntilItListens() throws {
    try #require(
      eventually(within: patience) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(self.port).bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) {
          $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
          }
        }
      })
  }
}

/// mosquitto_sub, with a session that outlives it. What the broker has retained before is left out, unless it is to
/// be heard.
final class Subscriber {
  private let program: Program
  private(set) var messages: [(topic: String, json: JSON)] = []

  init(
    _ broker: RunningBroker, _ topic: String = "owntracks/#", named name: String = "subscriber",
    quality: Int = 1, hearsRetained: Bool = false
  ) throws {
    let command =
      ["mosquitto_sub"] + broker.client + ["-t", topic, "-q", "\(quality)", "-c", "-i", name]
    // From its end on the broker keeps for this session all that comes.
    if !hearsRetained { try #require(try Program(command + ["-R", "-E"]).exit() == 0) }
    program = try Program(command + ["-v"] + (hearsRetained ? [] : ["-R"]))
  }

  /// Takes in what has come so far.
  func listen() {
    while let line = program.waitingLine() {
      guard let space = line.firstIndex(of: " "),
        let json = try? JSON(parsing: String(line[line.index(after: space)...]))
      else { continue }
      messages.append((String(line[..<space]), json))
    }
  }
}
