import DBus
import Foundation
import LocationModel
import Platform
import TestSupport
import Testing

@testable import locationd_agent

/// A session's bus of the test's own, that starts nothing.
private final class SessionBus {
  private let folder: String
  private let daemon: Child
  let loop: EventLoop
  var address: String { "unix:path=\(folder)/bus" }

  init() throws {
    folder = FileManager.default.temporaryDirectory.path + "/session-\(UUID().uuidString.prefix(8))"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let house = URL(filePath: #filePath).appending(path: "../../..").standardized
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

@Suite("Reach of the agent") struct ReachTests {
  private let portal = "org.freedesktop.impl.portal.desktop.gtk"
  private let notifications = "org.freedesktop.Notifications"

  @Test(
    "nobody is asked until a desktop is there, a dialog goes before a notification, and a desktop that leaves is not asked"
  )
  func comesAndGoes() throws {
    let session = try SessionBus()
    var changes = 0
    let reach = Reach(on: try session.connect()) { changes += 1 }
    #expect(reach.means == [])
    let desktop = try session.connect()
    var names = [try desktop.own(notifications) { _ in }]
    try session.wait("a notification") { reach.means == [.notification] }
    names.append(try desktop.own(portal) { _ in })
    try session.wait("a dialog") { reach.means == [.portal(portal), .notification] }
    #expect(changes == 1)
    names = []
    try session.wait("nobody") { reach.means == [] }
    #expect(changes == 2)
  }

  @Test("a desktop that showed nothing is not tried again, until another has its name")
  func doubted() throws {
    let session = try SessionBus()
    let reach = Reach(on: try session.connect()) {}
    let desktop = try session.connect()
    var name: BusName? = try desktop.own(notifications) { _ in }
    try session.wait("a notification") { reach.means == [.notification] }
    reach.doubt(.notification)
    #expect(reach.means == [])
    name = nil
    let another = try session.connect()
    name = try another.own(notifications) { _ in }
    try session.wait("the other") { reach.means == [.notification] }
    withExtendedLifetime(name) {}
  }
}
