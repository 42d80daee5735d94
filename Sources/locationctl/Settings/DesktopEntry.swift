import Console
import Glibc
import LocationModel
import Platform

/// The name and icon of a desktop's app, from its file in the folders of XDG_DATA_DIRS. They are shown beside the
/// app's identity, which alone is known to be right.
struct DesktopEntry: Equatable {
  private(set) var name: String?
  /// As an address that a page shows: `data:`.
  private(set) var icon: String?

  private static let longestName = 80
  private static let largestIcon = 64 << 10
  private static let sizes = ["scalable", "48x48", "64x64", "128x128", "256x256", "32x32"]
  private static let types = [("svg", "image/svg+xml"), ("png", "image/png")]

  /// The folders of the machine's data.
  static var folders: [String] {
    let text = getenv("XDG_DATA_DIRS").map { String(cString: $0) } ?? ""
    return (text.isEmpty ? "/usr/local/share:/usr/share" : text).split(separator: ":")
      .map(String.init).filter { $0.hasPrefix("/") }
  }

  /// Nil where no folder has a file of that app's. `app`: as `app:ID` or `flatpak:ID`. `language`: as `ko` or `en-GB`.
  init?(of app: String, language: String, in folders: [String] = Self.folders) {
    let parts = app.split(separator: ":", maxSplits: 1)
    guard parts.count == 2, parts[0] == "app" || parts[0] == "flatpak", Self.isFileName(parts[1])
    else { return nil }
    let file = folders.lazy.compactMap { folder in
      try? File.bytes(
        of: "\(folder)/applications/\(parts[1]).desktop", atMost: ConfigurationText.largestFile)
    }.first
    guard let file else { return nil }
    let keys = Self.keys(in: file)
    let languages = [language.replacing("-", with: "_"), String(language.prefix { $0 != "-" })]
    name = (languages.lazy.compactMap { keys["Name[\($0)]"] }.first ?? keys["Name"])?
      .plain(atMost: Self.longestName)
    icon = keys["Icon"].flatMap { Self.icon($0, in: folders) }
  }

  private static func keys(in file: [UInt8]) -> [String: String] {
    var (keys, isEntry) = ([String: String](), false)
    for line in ConfigurationText(file).lines {
      switch line.item {
      case .section(let name): isEntry = name == "Desktop Entry"
      case .assignment(let key, let value) where isEntry && keys[key] == nil: keys[key] = value
      case .assignment, .mistake: break
      }
    }
    return keys
  }

  private static func isFileName(_ name: some StringProtocol) -> Bool {
    !name.isEmpty && !name.contains("/") && name.utf8.count <= 240
  }

  /// The icon of the theme that each other one falls back to.
  private static func icon(_ name: String, in folders: [String]) -> String? {
    guard isFileName(name) else { return nil }
    for folder in folders {
      for place in sizes.map({ "icons/hicolor/\($0)/apps" }) + ["pixmaps"] {
        for (ending, type) in types {
          let path = "\(folder)/\(place)/\(name).\(ending)"
          guard let bytes = try? File.bytes(of: path, atMost: largestIcon + 1),
            bytes.count <= largestIcon
          else { continue }
          return "data:\(type);base64,\(Base64.text(of: bytes))"
        }
      }
    }
    return nil
  }

  var json: JSON { ["name": name.map(JSON.string), "icon": icon.map(JSON.string)] }
}
