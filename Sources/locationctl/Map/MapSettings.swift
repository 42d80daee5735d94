import Console
import LocationModel
import Platform

/// The person's own settings of the map: ~/.config/locationd/map.conf, and what the command says.
struct MapSettings: Equatable {
  /// The address of pictures, with `{z}`, `{x}` and `{y}` in it; nil for none.
  private(set) var tiles: String?
  /// Words that the server wants to be shown.
  private(set) var attribution: String?
  /// The notation of coordinates; nil for degrees.
  private(set) var notation: String?

  private static let notations = ["decimal", "minutes", "seconds"]

  init(tiles: String?) throws(Failure) {
    if let path = PersonalFile.path("map.conf") { try read(path) }
    if let tiles {
      self.tiles = tiles == "none" ? nil : tiles
      if let tiles = self.tiles { try Self.check(tiles, "--tiles") }
    }
  }

  private mutating func read(_ path: String) throws(Failure) {
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try File.bytes(of: path, atMost: ConfigurationText.largestFile + 1)
    } catch {
      if error.isNotFound { return }
      throw Failure(.failed, "\(error)")
    }
    for line in ConfigurationText(bytes).lines {
      func wrong(_ what: String) -> Failure {
        Failure(.failed, "\(path):\(line.number): \(what)")
      }
      switch line.item {
      case .mistake(let what): throw wrong(what)
      case .section(let name):
        guard name.lowercased() == "map" else { throw wrong("the only section is [Map]") }
      case .assignment(let key, let value):
        switch key.lowercased() {
        case "tiles":
          tiles = value.isEmpty || value == "none" ? nil : value
          if let tiles { try Self.check(tiles, "\(path):\(line.number): Tiles=") }
        case "attribution": attribution = value.isEmpty ? nil : value
        case "notation":
          guard Self.notations.contains(value) else {
            throw wrong("Notation= is one of \(Self.notations.joined(separator: ", "))")
          }
          notation = value
        default:
          let names = "Tiles=, Attribution= and Notation="
          throw wrong("there is no \(key.prefix(40))=; there are \(names)")
        }
      }
    }
  }

  private static func check(_ tiles: String, _ place: String) throws(Failure) {
    guard !servers(of: tiles).isEmpty,
      ["{z}", "{x}", "{y}"].allSatisfy({ tiles.contains($0) }), tiles.utf8.count <= 1024
    else {
      throw Failure(
        .usage,
        "\(place) wants http(s)://HOST/…{z}/{x}/{y}…, as https://tile.example.org/{z}/{x}/{y}.png")
    }
  }

  /// The servers that an address means: `{s}` is a, b and c.
  private static func servers(of tiles: String) -> [String] {
    let form = #/(https?://)([A-Za-z0-9.{}-]+(?::[0-9]{1,5})?)/.*/#
    guard let parts = tiles.wholeMatch(of: form)?.output else { return [] }
    let hosts =
      parts.2.contains("{s}")
      ? ["a", "b", "c"].map { letter in
        parts.2.split(separator: "{s}", omittingEmptySubsequences: false)
          .joined(separator: letter)
      } : [String(parts.2)]
    return hosts.contains { $0.contains("{") || $0.contains("}") } ? [] : hosts.map { parts.1 + $0 }
  }

  /// The servers that the page may ask; none where there are no pictures.
  var servers: [String] { tiles.map(Self.servers) ?? [] }
}
