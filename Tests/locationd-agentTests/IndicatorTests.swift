import Console
import DBus
import Foundation
import LocationModel
import Platform
import TestSupport
import Testing

@testable import locationd_agent

/// A panel that shows items, and a server of notifications.
private final class PlayedPanel {
  static let notifications = "org.freedesktop.Notifications"

  let connection: BusConnection
  var hasHost = true
  private(set) var items: [String] = []
  private(set) var notices: [String] = []
  private(set) var layouts = 0
  /// The units that are started anew.
  private(set) var restarts: [String] = []
  private var names: [BusName] = []
  private var objects: [BusObject] = []
  private var signals: BusSubscription?
  private let session: SessionBus

  private static let watcher = BusInterface(
    Indicator.watcherName,
    methods: [
      BusMethod("RegisterStatusNotifierItem", in: [.init("service", "s")]) {
        (panel: PlayedPanel, call) in
        panel.items.append(call.arguments[0].asString ?? "")
        return []
      }
    ],
    properties: [
      BusProperty("IsStatusNotifierHostRegistered", "b") { (panel: PlayedPanel) in
        .bool(panel.hasHost)
      }
    ])

  private static let server = BusInterface(
    notifications,
    methods: [
      BusMethod(
        "Notify",
        in: ["s", "u", "s", "s", "s", "as", "a{sv}", "i"].map { .init("a", $0) },
        out: [.init("id", "u")]
      ) { (panel: PlayedPanel, call) in
        panel.notices.append(call.arguments[4].asString ?? "")
        return [.uint32(UInt32(panel.notices.count))]
      }
    ])

  static let systemd = "org.freedesktop.systemd1"
  private static let manager = BusInterface(
    systemd + ".Manager",
    methods: [
      BusMethod(
        "RestartUnit", in: [.init("name", "s"), .init("mode", "s")], out: [.init("job", "o")]
      ) { (panel: PlayedPanel, call) in
        panel.restarts.append(call.arguments[0].asString ?? "")
        return [.path("/org/freedesktop/systemd1/job/1")]
      }
    ])

  init(_ session: SessionBus) throws {
    self.session = session
    connection = try session.connect()
    signals = try connection.listen(
      to: Indicator.ownName, .init(interface: StatusItem.menuName, member: "LayoutUpdated")
    ) { [unowned self] in if case .signal = $0 { layouts += 1 } }
    for (path, interface) in [
      (Indicator.watcherPath, Self.watcher), ("/org/freedesktop/Notifications", Self.server),
      ("/org/freedesktop/systemd1", Self.manager),
    ] {
      objects.append(BusObject(path, target: self, [interface]))
      try connection.export(objects[objects.count - 1])
    }
  }

  func come(as name: String) throws {
    var isOwned = false
    names.append(try connection.own(name) { isOwned = $0 == .owned })
    try session.wait(name) { isOwned }
  }

  func leave() { names = [] }

  func tell(_ member: String) throws {
    let recipient = try BusRecipient(nil, of: Indicator.watcherPath)
    connection.send(try BusSignal(Indicator.watcherName, member, []), to: recipient)
  }

  func ask(
    _ path: String, _ interface: String, _ member: String, _ arguments: [BusValue] = []
  ) throws -> [BusValue] {
    var answer: BusCall.Answer?
    let call = connection.call(
      try BusMessage(to: Indicator.ownName, path, interface, member, arguments)
    ) { answer = $0 }
    try session.wait(member) { answer != nil }
    return try withExtendedLifetime(call) { try #require(answer).get().arguments() }
  }

  func property(_ name: String) throws -> BusValue? {
    let values = try ask(
      StatusItem.path, "org.freedesktop.DBus.Properties", "Get",
      [.string(StatusItem.name), .string(name)])
    guard case .variant(let value)? = values.first else { return nil }
    return value
  }

  /// The labels of the menu, those that can be chosen with a >.
  func labels() throws -> [String] {
    let values = try ask(
      StatusItem.menuPath, StatusItem.menuName, "GetLayout",
      [.int32(0), .int32(-1), .strings([])])
    guard case .structure(let root)? = values.last else { return [] }
    return (root[2].asArray ?? []).map { child in
      guard case .variant(.structure(let entry)) = child, let all = entry[1].asDictionary else {
        return "?"
      }
      let mark = all["enabled"]?.asBool == true ? ">" : ""
      return mark + (all["label"]?.asString ?? "-")
    }
  }

  func isThere() throws -> Bool {
    var answer: BusCall.Answer?
    let call = connection.call(
      try BusMessage(
        to: "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
        "NameHasOwner", [.string(Indicator.ownName)])
    ) { answer = $0 }
    try session.wait("a name") { answer != nil }
    return try withExtendedLifetime(call) {
      try #require(answer).get().arguments().first?.asBool == true
    }
  }
}

@Suite("The indicator in the person's panel", .serialized) struct IndicatorTests {
  private func use(
    _ app: String, name: String? = nil, _ accuracy: AccuracyAuthorization = .full,
    isBackground: Bool = false
  ) -> AppUse {
    AppUse(
      app: app, name: name, since: .epoch, accuracy: accuracy, isBackground: isBackground)
  }

  @Test("an item is in the panel while apps are told the place, with their names in its menu")
  func shown() throws {
    let session = try SessionBus()
    let panel = try PlayedPanel(session)
    try panel.come(as: Indicator.watcherName)
    var pauses = 0
    let display = try UseDisplay(on: session.connect(), in: .english) { pauses += 1 }
    display.show([use("app:org.gnome.Maps", name: "My_Maps")], pausedUntil: nil)
    try session.wait("the item") { panel.items == [Indicator.ownName] }
    #expect(try panel.property("Title") == .string("org.gnome.Maps is told where you are"))
    #expect(try panel.property("Status") == .string("Active"))
    #expect(try panel.property("Menu") == .path(StatusItem.menuPath))
    #expect(
      try panel.labels() == ["org.gnome.Maps “My__Maps”", "-", ">Pause for an hour", ">Settings…"])
    display.show(
      [use("app:org.gnome.Maps"), use("exe:/usr/bin/walk", .reduced, isBackground: true)],
      pausedUntil: nil)
    try session.wait("news of the menu") { panel.layouts == 1 }
    #expect(
      try panel.labels() == [
        "org.gnome.Maps", "/usr/bin/walk, roughly, in the background", "-", ">Pause for an hour",
        ">Settings…",
      ])
    _ = try panel.ask(
      StatusItem.menuPath, StatusItem.menuName, "Event",
      [.int32(1), .string("clicked"), .variant(.int32(0)), .uint32(0)])
    #expect(pauses == 0)
    _ = try panel.ask(
      StatusItem.menuPath, StatusItem.menuName, "Event",
      [.int32(1000), .string("clicked"), .variant(.int32(0)), .uint32(0)])
    #expect(pauses == 1)
    // A panel that uses libdbusmenu tells clicks in groups.
    func event(_ id: Int32, _ kind: String) -> BusValue {
      .structure([.int32(id), .string(kind), .variant(.int32(0)), .uint32(0)])
    }
    let group = [event(1000, "hovered"), event(1, "clicked"), event(1000, "clicked")]
    #expect(
      try panel.ask(
        StatusItem.menuPath, StatusItem.menuName, "EventGroup", [.array(of: "(isvu)", group)])
        == [.array(of: "i", [])])
    #expect(pauses == 2)
    let none = BusValue.array(of: "i", [])
    #expect(
      try panel.ask(StatusItem.menuPath, StatusItem.menuName, "AboutToShowGroup", [none])
        == [none, none])
    #expect(
      try panel.ask(
        StatusItem.menuPath, StatusItem.menuName, "GetProperty", [.int32(1000), .string("label")])
        == [.variant(.string("Pause for an hour"))])
    display.show([], pausedUntil: nil)
    #expect(try eventually { try !panel.isThere() })
    #expect(panel.notices.isEmpty)
  }

  @Test("Settings… starts the page's unit anew each time, and a failure is said")
  func page() throws {
    let session = try SessionBus()
    let panel = try PlayedPanel(session)
    try panel.come(as: Indicator.watcherName)
    var complaints: [String] = []
    let display = try UseDisplay(on: session.connect(), in: .english) {
    } complain: {
      complaints.append($0)
    }
    display.show([use("app:a")], pausedUntil: nil)
    try session.wait("the item") { panel.items.count == 1 }
    func choose() throws {
      _ = try panel.ask(
        StatusItem.menuPath, StatusItem.menuName, "Event",
        [.int32(1001), .string("clicked"), .variant(.int32(0)), .uint32(0)])
    }
    try choose()
    try session.wait("the complaint") { complaints.count == 1 }
    try panel.come(as: PlayedPanel.systemd)
    for count in 1...2 {
      try choose()
      try session.wait("the page") { panel.restarts.count == count }
    }
    #expect(panel.restarts == Array(repeating: "locationd-settings.service", count: 2))
    #expect(complaints.count == 1)
  }

  @Test("while the person has paused the item says so, and the menu does not end that")
  func paused() throws {
    let session = try SessionBus()
    let panel = try PlayedPanel(session)
    try panel.come(as: Indicator.watcherName)
    let display = try UseDisplay(on: session.connect(), in: .english) { Issue.record("it pauses") }
    let end = Timestamp(microseconds: 1_795_206_421_000_000)
    let tracker = MachineService(
      "unit:locationd-tracker.service", stoppedBy: "locationctl track pause")
    display.show([], pausedUntil: end, besides: [tracker])
    try session.wait("the item") { panel.items.count == 1 }
    let clock = LocalTime.clock(end)
    #expect(try panel.property("Title") == .string("Location is paused until \(clock)"))
    #expect(
      try panel.labels() == [
        "Paused until \(clock)", "'locationctl resume' in a terminal ends that",
        "locationd-tracker.service goes on; 'locationctl track pause' stops it", ">Settings…",
      ])
    _ = try panel.ask(
      StatusItem.menuPath, StatusItem.menuName, "Event",
      [.int32(1000), .string("clicked"), .variant(.int32(0)), .uint32(0)])
  }

  @Test("a panel that comes later shows it, and one that comes back does")
  func later() throws {
    let session = try SessionBus()
    let panel = try PlayedPanel(session)
    panel.hasHost = false
    let display = try UseDisplay(on: session.connect(), in: .english) {}
    display.show([use("app:a")], pausedUntil: nil)
    try panel.come(as: Indicator.watcherName)
    panel.hasHost = true
    try panel.tell("StatusNotifierHostRegistered")
    try session.wait("the item") { panel.items.count == 1 }
    panel.leave()
    #expect(try eventually { try !panel.isThere() })
    try panel.come(as: Indicator.watcherName)
    try session.wait("the item again") { panel.items.count == 2 }
  }

  @Test("where no panel shows it, the first use in the background of each app is a notification")
  func notices() throws {
    let session = try SessionBus()
    let panel = try PlayedPanel(session)
    try panel.come(as: PlayedPanel.notifications)
    let display = try UseDisplay(on: session.connect(), in: .english) {}
    display.show([use("app:front"), use("app:<b>", isBackground: true)], pausedUntil: nil)
    try session.wait("the notification") { panel.notices.count == 1 }
    #expect(panel.notices[0].hasPrefix("&lt;b&gt; is told where you are"))
    display.show([], pausedUntil: nil)
    display.show([use("app:<b>", isBackground: true)], pausedUntil: nil)
    display.show([use("app:c", isBackground: true)], pausedUntil: nil)
    try session.wait("the second") { panel.notices.count == 2 }
    #expect(panel.notices[1].hasPrefix("c is told"))
  }

  @Test("Indicator=no turns it off, and a mistake in the file is said and leaves it on")
  func settings() throws {
    let path = FileManager.default.temporaryDirectory.path + "/agent-\(UUID()).conf"
    defer { try? FileManager.default.removeItem(atPath: path) }
    func settings(_ text: String) throws -> (shows: Bool, complaints: Int) {
      try text.write(toFile: path, atomically: true, encoding: .utf8)
      var complaints = 0
      let settings = AgentSettings(path) { _ in complaints += 1 }
      return (settings.showsUses, complaints)
    }
    #expect(try settings("[Agent]\nIndicator=no\n") == (false, 0))
    #expect(try settings("# none\n") == (true, 0))
    #expect(try settings("[Agent]\nIndicator=perhaps\n") == (true, 1))
    #expect(try settings("[Agent]\nColour=red\n[Map]\n") == (true, 2))
    #expect(AgentSettings("/nowhere/agent.conf") { _ in }.showsUses)
  }
}
