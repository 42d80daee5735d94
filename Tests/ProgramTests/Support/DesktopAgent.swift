import DBus
import LocationModel
import Platform
import TestSupport
import Testing

private let service = "org.freedesktop.GeoClue2"
private let manager = "org.freedesktop.GeoClue2.Manager"
private let managerPath = "/org/freedesktop/GeoClue2/Manager"

/// A desktop's agent, as gnome-shell has one.
final class DesktopAgent {
  let loop: EventLoop
  var level: UInt32 = 8
  private var connection: BusConnection?
  private var object: BusObject?

  private static let interface = BusInterface(
    "org.freedesktop.GeoClue2.Agent",
    methods: [
      BusMethod(
        "AuthorizeApp", in: [.init("id", "s"), .init("level", "u")],
        out: [.init("authorized", "b"), .init("allowed", "u")]
      ) { (_: DesktopAgent, _) throws(BusError) in [.bool(true), .uint32(8)] }
    ],
    properties: [
      BusProperty("MaxAccuracyLevel", "u") { (agent: DesktopAgent) in .uint32(agent.level) }
    ])

  init(_ address: String) throws {
    loop = try EventLoop()
    connection = try BusConnection(to: .address(address), on: loop) { _ in }
    let object = BusObject("/org/freedesktop/GeoClue2/Agent", target: self, [Self.interface])
    self.object = object
    try connection?.export(object)
    try wait { connection?.uniqueName != nil }
  }

  private func wait(until isSo: () -> Bool) throws {
    let deadline = Clock.boottime + .seconds(patience)
    while !isSo() {
      try #require(Clock.boottime < deadline)
      try turn()
    }
  }

  func turn() throws { try loop.turn(within: .milliseconds(1)) }

  func register() throws {
    var answer: BusCall.Answer?
    let call = connection?.call(
      try BusMessage(to: service, managerPath, manager, "AddAgent", [.string("test")]),
      patience: Int32(patience * 1000)
    ) { answer = $0 }
    try wait { answer != nil }
    _ = try withExtendedLifetime(call) { try answer?.get() }
  }

  func change(to level: UInt32) {
    self.level = level
    if let object {
      try? connection?.propertiesChanged(
        ["MaxAccuracyLevel"], of: "org.freedesktop.GeoClue2.Agent", on: object)
    }
  }

  /// Waits until what was said has been heard: it is answered in turn.
  func settle() throws {
    var answer: BusCall.Answer?
    let call = connection?.call(
      try BusMessage(to: service, managerPath, "org.freedesktop.DBus.Peer", "Ping")
    ) { answer = $0 }
    try wait { answer != nil }
    withExtendedLifetime(call) {}
  }

  func leave() { connection = nil }
}
