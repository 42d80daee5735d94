import DBus
import Testing

@testable import locationd_agent

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
