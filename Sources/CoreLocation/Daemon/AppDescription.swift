import Foundation
import LocationModel

/// The program's words about itself: its name, and its reason to know the location. People are shown
/// both as its own words.
struct AppDescription: Sendable {
  var name: String?
  /// The texts of Info.plist beside the executable; nil where there is none.
  private var texts: [String: String]?
  private var temporary: [String: String] = [:]
  private var flags: Set<String> = []

  init(name: String? = nil, info: [String: Any]? = nil) {
    self.name = name
    guard let info else { return }
    texts = info.compactMapValues { $0 as? String }
    temporary = info["NSLocationTemporaryUsageDescriptionDictionary"] as? [String: String] ?? [:]
    flags = Set(info.filter { ($0.value as? Bool) == true }.keys)
    self.name = texts?["CFBundleDisplayName"] ?? texts?["CFBundleName"] ?? name
  }

  static let ofProgram: AppDescription = {
    let path = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    let program = URL(filePath: path)
    let plist = program.deletingLastPathComponent().appending(path: "Info.plist")
    let data = try? Data(contentsOf: plist)
    let info = data.flatMap {
      try? PropertyListSerialization.propertyList(from: $0, format: nil) as? [String: Any]
    }
    if let info { return AppDescription(name: program.lastPathComponent, info: info) }
    return DesktopEntry.of(program) ?? AppDescription(name: program.lastPathComponent)
  }()

  /// Whether the app may ask for this level. An app that describes itself says why; one that does not
  /// is asked about without a reason.
  func maySay(_ level: Authorization) -> Bool {
    // A reason for use alone is none for always; macOS has one key for both.
    let keys = level == .authorizedAlways ? Self.always + [Self.any] : Self.inUse + Self.always
    return texts == nil || text(keys) != nil
  }

  func purpose(_ level: Authorization) -> String? {
    text(level == .authorizedAlways ? Self.always + Self.inUse : Self.inUse + Self.always)
  }

  private func text(_ keys: [String]) -> String? {
    keys.lazy.compactMap { texts?[$0] }.first { !$0.isEmpty }
  }

  private static let any = "NSLocationUsageDescription"
  private static let inUse = ["NSLocationWhenInUseUsageDescription", any]
  private static let always = [
    "NSLocationAlwaysAndWhenInUseUsageDescription", "NSLocationAlwaysUsageDescription",
  ]

  /// Nil where the app describes itself, but not this purpose.
  func temporaryPurpose(_ key: String) -> String? {
    texts == nil ? key : temporary[key]
  }

  /// Whether streams of updates ask for permission by themselves.
  var needsExplicitSession: Bool {
    !flags.isDisjoint(with: [
      "NSLocationRequireExplicitServiceSession", "CLRequireExplicitServiceSession",
    ])
  }
}

/// The desktop entry of a program: GeoClue's key for the reason is understood, and Apple's keys after
/// `X-`.
private enum DesktopEntry {
  static func of(_ program: URL) -> AppDescription? {
    let environment = ProcessInfo.processInfo.environment
    let home = environment["XDG_DATA_HOME"] ?? (environment["HOME"] ?? "") + "/.local/share"
    let system = environment["XDG_DATA_DIRS"] ?? "/usr/local/share:/usr/share"
    for folder in [home] + system.split(separator: ":").map(String.init) {
      let applications = URL(filePath: folder).appending(path: "applications")
      let names = (try? FileManager.default.contentsOfDirectory(atPath: applications.path)) ?? []
      for name in names.sorted() where name.hasSuffix(".desktop") {
        let text = try? String(contentsOf: applications.appending(path: name), encoding: .utf8)
        if let entry = text.map(parse), starts(entry, program) { return description(entry) }
      }
    }
    return nil
  }

  private static func parse(_ text: String) -> [String: String] {
    var entry: [String: String] = [:]
    var isEntry = false
    for line in text.split(separator: "\n") {
      if line.hasPrefix("[") { isEntry = line == "[Desktop Entry]" }
      guard isEntry, let equals = line.firstIndex(of: "=") else { continue }
      entry[String(line[..<equals])] = String(line[line.index(after: equals)...])
    }
    return entry
  }

  private static func starts(_ entry: [String: String], _ program: URL) -> Bool {
    guard let word = entry["Exec"]?.split(separator: " ").first else { return false }
    guard word.hasPrefix("/") else { return word == program.lastPathComponent[...] }
    return URL(filePath: String(word)).resolvingSymlinksInPath().path == program.path
  }

  private static func description(_ entry: [String: String]) -> AppDescription {
    var info: [String: Any] = [:]
    for (key, value) in entry where key.hasPrefix("X-NSLocation") {
      info[String(key.dropFirst(2))] = value == "true" ? true : value
    }
    if let reason = entry["X-Geoclue-Reason"] {
      for key in ["NSLocationWhenInUseUsageDescription", "NSLocationAlwaysUsageDescription"]
      where info[key] == nil {
        info[key] = reason
      }
    }
    return AppDescription(name: entry["Name"], info: info.isEmpty ? nil : info)
  }
}
