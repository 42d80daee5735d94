import Console
import LocationModel
import Platform
import TrackCore
import TrackStore

/// The settings that servers have sent, in a file of their own, and their trial.
final class Settings {
  private(set) var trial: SettingsTrial
  private let path: String
  private let log: Log
  private var timer: EventLoop.Timer?
  private var change: EventLoop.Later?
  private var reports = false

  private static let longest = 65_536

  static func read(in folder: String) -> SettingsTrial {
    guard let bytes = try? File.bytes(of: path(folder), atMost: longest) else { return .init() }
    return SettingsTrial(String(decoding: bytes, as: UTF8.self), at: Clock.boottime)
  }

  private static func path(_ folder: String) -> String { "\(folder)/settings.json" }

  /// `changed`: others are in force; `report`: the newest place is kept once more.
  init(
    _ trial: SettingsTrial, in folder: String, on loop: EventLoop, _ log: Log,
    changed: @escaping () -> Void, report: @escaping () -> Void
  ) throws(SystemError) {
    self.trial = trial
    path = Self.path(folder)
    self.log = log
    timer = try EventLoop.Timer(slack: .seconds(1), on: loop) { [unowned self] in handle(.timer) }
    // An uplink is not made anew from within its own command.
    change = try EventLoop.Later(on: loop) { [unowned self] in
      changed()
      if reports { report() }
      reports = false
    }
  }

  func handle(_ input: SettingsTrial.Input) {
    for step in trial.handle(input, at: .now) {
      switch step {
      case .save: save()
      case .use: change?.set()
      case .report: reports = true
      case .wake(let moment): timer?.set(moment)
      case .log(let remark): log.write(remark)
      }
    }
  }

  private func save() {
    do throws(SystemError) {
      try File.replace(path, with: Array(trial.text.utf8))
    } catch {
      log.error("the settings cannot be written: \(error)")
    }
  }
}

extension Tracker {
  /// Tries what a server has set.
  func take(_ new: ServerSettings) throws(Unusable) {
    _ = try files.trying(new)
    settings?.handle(.set(new, newest: store.newest))
  }

  /// Without NetworkManager a network is thought to be there. A trial waits while its uplink may not send.
  func watchNetwork() {
    let isOffline = surroundings?.circumstances.network == Circumstances.Network.none
    let owner = settings?.trial.inForce?.owner
    let maySend = uplinks.first { $0.plan.name == owner }?.maySend ?? true
    settings?.handle(.network(isUp: !isOffline && maySend))
  }
}

extension Configuration {
  /// With what a server has set, as far as it may.
  func with(_ settings: ServerSettings?) -> Configuration {
    guard let settings, mayBeSet(by: settings.owner) else { return self }
    return (try? trying(settings)) ?? self
  }

  /// The same, for settings that are new.
  func trying(_ settings: ServerSettings) throws(Unusable) -> Configuration {
    guard mayBeSet(by: settings.owner) else {
      throw Unusable(what: "settings are followed with Commands=settings only")
    }
    var configuration = self
    for value in settings.values {
      let key = Self.keys.first {
        $0.name == value.key && ["Record", "Uplink"].contains($0.section)
      }
      guard let key, ServerSettings.keys.contains(value.key) else {
        throw Unusable(what: "a server may not set '\(value.key.plain(atMost: 64))'")
      }
      try key.assign(value.text, settings.owner, &configuration)
    }
    return configuration
  }

  private func mayBeSet(by owner: String) -> Bool {
    uplinks.contains { $0.name == owner && $0.takesSettings }
  }
}
