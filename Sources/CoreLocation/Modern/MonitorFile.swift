import Foundation

/// A condition on the disk.
struct SavedCondition: Codable {
  var identifier: String
  private var circle: CLMonitor.CircularGeographicCondition?
  private var beacon: CLMonitor.BeaconIdentityCondition?
  var state: UInt
  var date: Date

  init(_ identifier: String, _ condition: any CLCondition, _ event: CLMonitor.Event) {
    self.identifier = identifier
    circle = condition as? CLMonitor.CircularGeographicCondition
    beacon = condition as? CLMonitor.BeaconIdentityCondition
    state = event.state.rawValue
    date = event.date
  }

  /// Nil for a kind that is not known.
  var condition: (any CLCondition)? { circle ?? beacon }
}

/// The file of a monitor, for this program and user: in `STATE_DIRECTORY` where a service manager gives
/// one, else in `XDG_STATE_HOME` or `~/.local/state`.
struct MonitorFile: Sendable {
  private let url: URL?

  init(_ name: String) {
    let environment = ProcessInfo.processInfo.environment
    func folder(_ variable: String) -> URL? {
      environment[variable].flatMap { $0.hasPrefix("/") ? URL(filePath: $0) : nil }
    }
    let home = folder("HOME")?.appending(path: ".local/state")
    let program =
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    url = (folder("STATE_DIRECTORY") ?? folder("XDG_STATE_HOME") ?? home)?
      .appending(path: "CoreLocation").appending(path: Self.plain(program))
      .appending(path: Self.plain(name) + ".monitor")
  }

  /// A text as one name in a folder.
  private static func plain(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
  }

  /// Nothing where there is none, or it is damaged.
  func read() -> [SavedCondition] {
    guard let url, let data = try? Data(contentsOf: url) else { return [] }
    return (try? JSONDecoder().decode([SavedCondition].self, from: data)) ?? []
  }

  /// In one piece; false where it cannot be written.
  func write(_ conditions: [SavedCondition]) -> Bool {
    guard let url, let data = try? JSONEncoder().encode(conditions) else { return false }
    if conditions.isEmpty {
      try? FileManager.default.removeItem(at: url)
      return true
    }
    do {
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
      try data.write(to: url, options: .atomic)
      return true
    } catch {
      return false
    }
  }
}
