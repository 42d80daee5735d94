import DBus
import Foundation
import Glibc
import LocationModel
import Platform
import TestSupport
import Testing

/// A panel of the person's that shows items, on a bus where everything may be.
private final class PlayedPanel {
  let bus: PrivateBus
  let client: BusClient
  private(set) var items: [String] = []
  private var name: BusName?
  private var object: BusObject?

  private static let watcher = "org.kde.StatusNotifierWatcher"
  private static let item = "org.kde.StatusNotifierItem"
  private static let menu = "com.canonical.dbusmenu"
  private static let interface = BusInterface(
    watcher,
    methods: [
      BusMethod("RegisterStatusNotifierItem", in: [.init("service", "s")]) {
        (panel: PlayedPanel, call) in
        panel.items.append(call.arguments[0].asString ?? "")
        return []
      }
    ],
    properties: [
      BusProperty("IsStatusNotifierHostRegistered", "b") { (_: PlayedPanel) in .bool(true) }
    ])

  init() throws {
    bus = try PrivateBus(
      own: """
        <busconfig><policy context="default">
          <allow own="*"/><allow send_destination="*"/>
        </policy></busconfig>
        """)
    client = try BusClient(bus.address)
    let object = BusObject("/StatusNotifierWatcher", target: self, [Self.interface])
    try client.connection.export(object)
    self.object = object
    var isOwned = false
    name = try client.connection.own(Self.watcher) { isOwned = $0 == .owned }
    try client.wait("the panel") { isOwned }
  }

  /// The newest item's.
  var title: String? {
    get throws {
      let values = try client.ask(
        "/StatusNotifierItem", "org.freedesktop.DBus.Properties", "Get",
        [.string(Self.item), .string("Title")], of: items.last ?? "")
      guard case .variant(let value)? = values.first else { return nil }
      return value.asString
    }
  }

  func click(_ id: Int32) throws {
    _ = try client.ask(
      "/StatusNotifierItem/Menu", Self.menu, "Event",
      [.int32(id), .string("clicked"), .variant(.int32(0)), .uint32(0)], of: items.last ?? "")
  }
}

@Suite("A person who looks at the panel", .serialized) struct IndicatorProgramTests {
  private static let pause: Int32 = 1000

  @Test(
    "a program is in the panel within a second of being told the place; a pause there ends that")
  func seen() throws {
    let panel = try PlayedPanel()
    let daemon = try RunningDaemon()
    let agent = try startAgent(daemon, on: panel.bus)
    let client = try daemon.connect()
    let isThere = try eventually(within: patience) {
      try client.ask("status")["result"]?["agent"] != "none"
    }
    try #require(isThere)
    // The median of some; a machine that is busy has as many seconds as each core has programs that want it.
    var delays: [Duration] = []
    for count in 1...5 {
      let begun = ContinuousClock().now
      client.request("startUpdatingLocation")
      try panel.client.wait("the item") { panel.items.count == count }
      delays.append(ContinuousClock().now - begun)
      guard count < 5 else { break }
      let name = try #require(panel.items.last)
      _ = try client.ask("stopUpdatingLocation")
      try panel.client.wait("its end") { try !panel.client.isThere(name) }
    }
    #expect(delays.sorted()[2] < Duration.seconds(BusyMachine.load), "\(delays)")
    #expect(try panel.title?.hasSuffix(" is told where you are") == true)
    try panel.click(Self.pause)
    let told = try client.event("didChangeAuthorization")
    #expect(told["authorization"] == "denied")
    try panel.client.wait("the pause") {
      try panel.title?.hasPrefix("Location is paused until ") == true
    }
    #expect(try daemon.control("get").exit() == 3)
    #expect(try daemon.control("resume").exit() == 0)
    try panel.client.wait("the program again") {
      try panel.title?.hasSuffix("is told where you are") == true
    }
    withExtendedLifetime(agent) {}
  }

  @Test(
    "a person pauses in the panel, finds the program in the history, and takes its permission on the page",
    .enabled(if: MapOnScreen.isPossible, MapOnScreen.missing))
  func whole() throws {
    let panel = try PlayedPanel()
    let daemon = try RunningDaemon()
    let agent = try startAgent(daemon, on: panel.bus)
    let first = try daemon.connect()
    let isThere = try eventually(within: patience) {
      try first.ask("status")["result"]?["agent"] != "none"
    }
    try #require(isThere)
    let client = try daemon.connect()
    _ = try client.ask("hello")
    client.request("startUpdatingLocation")
    try panel.client.wait("the item") { !panel.items.isEmpty }
    try panel.click(Self.pause)
    #expect(try client.event("didChangeAuthorization")["authorization"] == "denied")
    // By the name that the agent has found.
    let name = try #require(try client.ask("status")["result"]?["client"]?["app"]?.string)
    let (history, exit) = try daemon.control("history").text()
    #expect(exit == 0 && history.contains(name) && history.contains("standard"), "\(history)")
    let page = try daemon.control("settings", "--no-browser")
    try MapOnScreen.drive("settings", [try page.line(), "paused", name])
    // The page has ended the pause, and then what the program may know.
    #expect(try client.event("didChangeAuthorization")["authorization"] != "denied")
    #expect(try client.event("didChangeAuthorization")["authorization"] == "denied")
    let item = try #require(panel.items.last)
    try panel.client.wait("the item to go") { try !panel.client.isThere(item) }
    page.signal(SIGINT)
    #expect(try page.exit() == 0)
    withExtendedLifetime(agent) {}
  }
}
