import Foundation
import LocationClient
import LocationModel
import TestSupport
import Testing

@testable import CoreLocation

extension RunningDaemon {
  /// A device that drives north at 10 m/s, `rate` seconds of it in each.
  static func driving(rate: Int = 20, files: [String: String] = [:]) throws -> RunningDaemon {
    try RunningDaemon(
      ["replay://{folder}/drive.nmea?rate=\(rate)&loop=1"],
      files: files.merging(["drive.nmea": Recording.drive(seconds: 600)]) { $1 })
  }

  /// A drive to and fro, of two minutes each; two minutes of it take a second.
  static func toAndFro() throws -> RunningDaemon {
    try RunningDaemon(
      ["replay://{folder}/track.jsonl?rate=120&loop=1"],
      files: ["track.jsonl": MonitoringProgramTests.toAndFro + "\n"])
  }

  /// The library's end of a connection to this daemon, which may be slow on a busy machine.
  func library(_ description: AppDescription = AppDescription(name: "test")) -> CoreLocation.Daemon
  {
    CoreLocation.Daemon(path: socket, description, patience: .seconds(patience))
  }

  /// Requests for locations that go on.
  func updating() throws -> Int {
    try #require(try status(connect()).clients).map(\.updating).reduce(0, +)
  }

  /// Whether a client says by itself that it is in use.
  func holdsUse() throws -> Bool {
    try #require(try status(connect()).clients).contains { $0.holdsUse }
  }

  func status(_ client: SocketClient) throws -> Status {
    let result = try client.ask("status")["result"]
    return try #require(result.flatMap(Status.init))
  }

  /// Ends once `count` more fixes have come, and the library has told its managers of them.
  @MainActor func gives(_ count: Int = 3, to library: CoreLocation.Daemon) async throws {
    let watcher = try connect()
    _ = try watcher.ask("startUpdatingLocation")
    func fixes() throws -> Int { try #require(try status(watcher).counters).fixes }
    let enough = try fixes() + count
    try #require(await until { try fixes() >= enough })
    await library.catchesUp()
  }
}

/// Files of a daemon that asks about every app.
let askingAboutEveryApp = ["policy.d/ask.conf": "[Rule]\nAction=ask\n"]

extension CoreLocation.Daemon {
  /// Managers that are made in `body` talk to this daemon.
  @MainActor func serves<R>(_ body: () throws -> R) rethrows -> R {
    try CoreLocation.Daemon.$current.withValue(self, operation: body)
  }

  @MainActor func manager() -> (CLLocationManager, Recorder) {
    let recorder = Recorder()
    let manager = serves { CLLocationManager() }
    manager.delegate = recorder
    return (manager, recorder)
  }

  @MainActor func monitor(
    _ name: String = "test\(UInt32.random(in: 0 ... .max))"
  ) async -> CLMonitor {
    await CoreLocation.Daemon.$current.withValue(self) { await CLMonitor(name) }
  }

  /// Ends once all that the daemon has said by now has been told on the main queue.
  @MainActor func catchesUp() async {
    await withCheckedContinuation { continuation in
      state.withLock { state in
        state.send(.status) { _ in DispatchQueue.main.async { continuation.resume() } }
      }
    }
  }
}
