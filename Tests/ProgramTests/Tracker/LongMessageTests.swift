import Foundation
import Glibc
import LocationModel
import TestSupport
import Testing

/// Memory for a program, as `MemoryMax=` gives a unit. Where this machine makes no such group, the program's own
/// peak is all that is looked at.
private final class MemoryGroup {
  static let most = 64 << 20
  private let folder: String?

  init() {
    let name = "locationd-memory-\(UUID())"
    let places = [
      ("/sys/fs/cgroup/memory/\(name)", "memory.limit_in_bytes"),
      ("/sys/fs/cgroup/\(name)", "memory.max"),
    ]
    folder =
      places.first { place, file in
        guard mkdir(place, 0o755) == 0 else { return false }
        let isSet =
          (try? "\(Self.most)".write(toFile: "\(place)/\(file)", atomically: false, encoding: .utf8))
          != nil
        if !isSet { rmdir(place) }
        return isSet
      }?.0
  }

  deinit {
    if let folder { _ = eventually(within: 5) { rmdir(folder) == 0 } }
  }

  var wrapper: [String] {
    guard let folder else { return [] }
    return ["sh", "-c", "echo $$ > \"$1/cgroup.procs\" || exit; shift; exec \"$@\"", "sh", folder]
  }
}

extension Program {
  /// The most memory that it has held at a time, in bytes.
  fileprivate var peak: Int {
    let status = (try? kernelText("/proc/\(pid)/status")) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return (line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) << 10
  }
}

/// A broker that does not speak MQTT 5, in front of one that does.
final class OldBroker {
  enum Manner: String, CaseIterable { case saysSo, closes, keepsSilent }

  let port: Int
  private let program: Program
  /// The versions that clients have greeted it with.
  private(set) var greetings: [String] = []

  init(_ manner: Manner, before broker: RunningBroker) throws {
    let script = """
      import socket, sys, threading
      manner, behind = sys.argv[1], int(sys.argv[2])
      listener = socket.create_server(("127.0.0.1", 0))
      print(listener.getsockname()[1], flush=True)
      def copy(a, b):
          try:
              while (text := a.recv(65536)): b.sendall(text)
          except OSError: pass
          for one in (a, b):
              try: one.shutdown(socket.SHUT_RDWR)
              except OSError: pass
      def serve(client):
          greeting = client.recv(65536)
          if not greeting: return
          version = greeting[greeting.index(b"MQTT") + 4]
          print("version", version, flush=True)
          if version == 5:
              if manner == "saysSo": client.sendall(bytes([0x20, 2, 0, 1]))
              if manner == "keepsSilent": client.recv(1)
              return client.close()
          server = socket.create_connection(("127.0.0.1", behind))
          server.sendall(greeting)
          threading.Thread(target=copy, args=(server, client), daemon=True).start()
          copy(client, server)
      while True:
          threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
      """
    program = try Program(["python3", "-c", script, manner.rawValue, "\(broker.port)"])
    port = try #require(Int(try program.line()))
  }

  func listen() {
    while let line = program.waitingLine() { greetings.append(String(line.suffix(1))) }
  }
}

@Suite("Messages that are too long, and brokers of an older day", .timeLimit(.minutes(60)))
struct LongMessageTests {
  enum Way: String, CaseIterable {
    case plain5, plain3, secure3

    var isSecure: Bool { self == .secure3 }
    var version: String { self == .plain5 ? "" : "?version=3.1.1" }
  }

  private static func broker(_ authority: Authority?) throws -> RunningBroker {
    let more = authority.map {
      "certfile \($0.path("server.crt"))\nkeyfile \($0.path("server.key"))\n"
    }
    return try RunningBroker("allow_anonymous true\n" + (more ?? ""), isDurable: false)
  }

  private static func configuration(
    _ broker: RunningBroker, _ version: String, _ authority: Authority?
  ) -> String {
    """
    [Record]
    Distance=10
    [Uplink broker]
    URL=mqtt\(authority == nil ? "" : "s")://localhost:\(broker.port)/owntracks/ann/van\(version)
    Commands=yes
    \(authority.map { "CA=\($0.path("ca.crt"))" } ?? "")

    """
  }

  private func uplink(_ tracker: RunningTracker) throws -> JSON? {
    try tracker.ask("status")["uplinks"]?.array?.first
  }

  @Test(
    "a retained message of 100 MB ends no tracker of 64 MB at any of five starts, and the track goes on",
    arguments: Way.allCases)
  func retained(way: Way) throws {
    let authority = way.isSecure ? try Authority() : nil
    defer { withExtendedLifetime(authority) {} }
    let broker = try Self.broker(authority)
    let file = FileManager.default.temporaryDirectory.appending(path: "long-\(UUID())")
    try Data(count: 100_000_000).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let publishing = try Program(
      [
        "mosquitto_pub", "-h", "localhost", "-p", "\(broker.port)", "-q", "1", "-r", "-t",
        "owntracks/ann/van/cmd", "-f", file.path,
      ] + (authority.map { ["--cafile", $0.path("ca.crt")] } ?? []))
    try #require(try publishing.exit() == 0)
    let group = MemoryGroup()
    let tracker = try RunningTracker(
      try TrackerTests.driving(rate: 20), Self.configuration(broker, way.version, authority),
      within: group.wrapper)
    var kept = 0
    for start in 0..<5 {
      if start > 0 {
        tracker.program.signal(SIGTERM)
        try #require(try tracker.program.exit() == 0, "start \(start)")
        try tracker.startAgain()
      }
      try #require(
        try eventually(within: patience) {
          try uplink(tracker)?["lastConfirmation"] != nil && tracker.entries().count > kept + 20
        }, "start \(start)")
      kept = try tracker.entries().count
      #expect(tracker.program.peak < MemoryGroup.most, "start \(start)")
    }
    let status = try #require(try uplink(tracker))
    #expect(status["mqtt"]?.string == (way == .plain5 ? "5" : "3.1.1"))
    let report = try Program([
      Program.path("locationctl"), "track", "status", "--socket",
      tracker.daemon.folder.appending(path: "t").path,
    ]).text().text
    if way == .plain5 {
      // The broker keeps it to itself, and other commands are followed.
      #expect(status["longMessages"] == nil && status["caution"] == nil, "\(status)")
      try Commander(broker: broker).ask("reportSteps")
      #expect(
        try eventually(within: patience) {
          try uplink(tracker)?["commands"]?["followed"]?.integer == 1
        })
    } else {
      #expect(status["longMessages"]?.integer == 1, "\(status)")
      #expect(report.contains("1 message too long to be read"), "\(report)")
      #expect(report.contains("its commands are left out until"), "\(report)")
    }
    withExtendedLifetime(group) {}
  }

  @Test(
    "two kills in a row while connected by 3.1.1 over TLS leave the commands out, four the uplink; the track goes on"
  )
  func marks() throws {
    let authority = try Authority()
    defer { withExtendedLifetime(authority) {} }
    let broker = try Self.broker(authority)
    let tracker = try RunningTracker(
      try TrackerTests.driving(rate: 20),
      Self.configuration(broker, Way.secure3.version, authority))
    var cautions: [String] = []
    for _ in 0..<4 {
      try #require(
        try eventually(within: patience) { try uplink(tracker)?["lastConfirmation"] != nil })
      cautions.append(try uplink(tracker)?["caution"]?.string ?? "")
      try tracker.kill()
      try tracker.startAgain()
    }
    #expect(
      cautions.map { $0.hasPrefix("its commands are left out until") } == [
        false, false, true, true,
      ])
    let left = try #require(try uplink(tracker)?["caution"]?.string)
    #expect(
      left.hasPrefix("waits until")
        && left.hasSuffix("killed 4 times in a row while it was connected"))
    let kept = try tracker.entries().count
    try #require(try eventually(within: patience) { try tracker.entries().count > kept + 20 })
    #expect(try uplink(tracker)?["lastConfirmation"] == nil && tracker.backlog() ?? 0 > 20)
  }

  @Test(
    "a broker that speaks no MQTT 5 is sent the track by 3.1.1, which is remembered",
    arguments: OldBroker.Manner.allCases)
  func old(manner: OldBroker.Manner) throws {
    let behind = try RunningBroker()
    let broker = try OldBroker(manner, before: behind)
    let tracker = try RunningTracker(
      try RunningDaemon(),
      "[Uplink broker]\nURL=mqtt://127.0.0.1:\(broker.port)/owntracks/ann/van\n")
    try #require(try eventually(within: patience) { try tracker.entries().count >= 1 })
    try #require(try eventually(within: patience) { try tracker.backlog() == 0 })
    #expect(try uplink(tracker)?["mqtt"]?.string == "3.1.1")
    broker.listen()
    #expect(broker.greetings == ["5", "4"])
    try tracker.kill()
    try tracker.startAgain()
    try #require(
      try eventually(within: patience) { try uplink(tracker)?["mqtt"]?.string == "3.1.1" })
    try #require(
      eventually(within: patience) {
        broker.listen()
        return broker.greetings.count >= 3
      })
    #expect(broker.greetings == ["5", "4", "4"])
  }
}
