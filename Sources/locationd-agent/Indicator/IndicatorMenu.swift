import Console
import DBus
import LocationModel

/// The apps that are told the person's place, and their pause, as the indicator shows them.
struct IndicatorMenu: Equatable {
  /// An entry that does something.
  enum Choice: Int32 {
    case pause = 1000
    case settings
  }

  struct Entry: Equatable {
    var id: Int32
    /// Nil for a line between others.
    var label: String?
    var isEnabled = false
  }

  struct Pause: Equatable {
    /// The moment, as a person reads it.
    var end: String
    /// The services that know the place all the same.
    var services: [MachineService] = []
  }

  private let apps: [AppUse]
  private let pause: Pause?
  private let say: Speech

  init(_ apps: [AppUse] = [], _ pause: Pause? = nil, in speech: Speech = .own) {
    self.apps = apps
    self.pause = pause
    say = speech
  }

  /// There is nothing to show.
  var isEmpty: Bool { apps.isEmpty && pause == nil }

  var title: String {
    if let pause { return say("Location is paused until \(pause.end)") }
    return apps.count == 1
      ? say("\(Self.name(apps[0], in: say)) is told where you are") : say("Location in use")
  }

  var entries: [Entry] {
    let lines = apps.prefix(Self.mostApps).enumerated().map { i, app in
      Entry(id: Int32(i) + 1, label: line(app))
    }
    let more = apps.count - Self.mostApps
    let rest = more > 0 ? [Entry(id: 900, label: say("and \(more) more"))] : []
    let choice =
      pause.map(entries(of:))
      ?? [Entry(id: Choice.pause.rawValue, label: say("Pause for an hour"), isEnabled: true)]
    let settings = Entry(id: Choice.settings.rawValue, label: say("Settings…"), isEnabled: true)
    return lines + rest + (apps.isEmpty ? [] : [Entry(id: 903)]) + choice + [settings]
  }

  /// The pause's end, and the services that go on with what stops each.
  private func entries(of pause: Pause) -> [Entry] {
    let services = pause.services.prefix(Self.mostServices).enumerated().map { i, service in
      let name = service.name.plain(atMost: 100)
      return Entry(
        id: 920 + Int32(i),
        label: say("\(name) goes on; '\(service.command.plain(atMost: 200))' stops it"))
    }
    let more = pause.services.count - Self.mostServices
    return [
      Entry(id: 901, label: say("Paused until \(pause.end)")),
      Entry(id: 902, label: say("'locationctl resume' in a terminal ends that")),
    ] + services + (more > 0 ? [Entry(id: 910, label: say("and \(more) more"))] : [])
  }

  private static let mostApps = 20
  private static let mostServices = 8

  /// The app's own name is its claim, and stands beside the kernel's.
  private func line(_ app: AppUse) -> String {
    var text = Self.name(app, in: say)
    if let own = app.name { text += " \(own.quotation(atMost: 60))" }
    if app.accuracy == .reduced { text = say("\(text), roughly") }
    if app.isBackground { text = say("\(text), in the background") }
    return text
  }

  static func name(_ app: AppUse, in say: Speech) -> String {
    let name = app.app.split(separator: ":", maxSplits: 1).last.map(String.init) ?? app.app
    return app.app.hasPrefix("user:") ? say("a program of yours") : name.plain(atMost: 100)
  }
}

// MARK: - In com.canonical.dbusmenu's types

extension IndicatorMenu {
  /// An underscore would mark the letter after it.
  private static func properties(_ entry: Entry) -> BusValue {
    guard let label = entry.label else { return .dictionary(["type": .string("separator")]) }
    return .dictionary([
      "label": .string(label.replacing("_", with: "__")), "enabled": .bool(entry.isEnabled),
    ])
  }

  /// The menu itself is entry 0, and the only one with others below it.
  func layout(of parent: Int32) -> BusValue? {
    guard parent == 0 else {
      return entries.first { $0.id == parent }.map {
        .structure([.int32($0.id), Self.properties($0), .array(of: "v", [])])
      }
    }
    let children = entries.map {
      BusValue.variant(
        .structure([.int32($0.id), Self.properties($0), .array(of: "v", [])]))
    }
    return .structure([
      .int32(0), .dictionary(["children-display": .string("submenu")]),
      .array(of: "v", children),
    ])
  }

  /// The properties of these entries; of all where none is named.
  func properties(of ids: [Int32]) -> [BusValue] {
    entries.filter { ids.isEmpty || ids.contains($0.id) }.map {
      .structure([.int32($0.id), Self.properties($0)])
    }
  }
}
