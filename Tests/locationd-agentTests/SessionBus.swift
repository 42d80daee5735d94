import DBus
import Foundation
import LocationModel
import Platform
import TestSupport
import Testing

/// A session's bus of the test's own, that starts nothing.
final class SessionBus {
  private let folder: String
  private let daemon: Child
  let loop: EventLoop
  var address: String { "unix:path=\(folder)/bus" }

  init() throws {
    folder = FileManager.default.temporaryDirectory.path + "/session-\(UUID().uuidString.prefix(8))"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let house = URL(filePath: Checkout.path)
    try String(
      contentsOf: house.appending(path: "Tests/BusPrograms/session-bus.conf"), encoding: .utf8
    )
    .replacingOccurrences(of: "@FOLDER@", with: folder)
    .write(toFile: folder + "/bus.conf", atomically: true, encoding: .utf8)
    daemon = try Child([
      "dbus-daemon", "--nofork", "--nopidfile", "--config-file=\(folder)/bus.conf",
    ])
    loop = try EventLoop()
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  func connect() throws -> BusConnection {
    var limits = BusConnection.Limits()
    limits.firstPause = .milliseconds(5)
    limits.longestPause = .milliseconds(50)
    let connection = try BusConnection(to: .address(address), limits: limits, on: loop) { _ in }
    try wait("the bus") { connection.uniqueName != nil }
    return connection
  }

  func wait(_ what: String, until isSo: () -> Bool) throws {
    let deadline = Clock.boottime + .seconds(patience)
    while !isSo() {
      try #require(Clock.boottime < deadline, "waited for \(what)")
      try loop.turn(within: .milliseconds(10))
    }
  }
}
