import Console
import LocationModel
import Platform

/// The files that the page is made of: ours, which are in the program, Leaflet as Debian packages it, and the base
/// map.
struct PageFiles {
  struct Kind {
    var type: String
    var bytes: [UInt8]
  }

  private var files: [String: Kind] = [:]
  private let names: String
  private let world: WorldGround

  private static let script = "text/javascript; charset=utf-8"
  private static let style = "text/css; charset=utf-8"
  private static let leaflet = "/usr/share/javascript/leaflet/"
  private static let packaged = [
    ("leaflet.js", "leaflet.min.js", script), ("leaflet.css", "leaflet.css", style),
    ("cluster.js", "leaflet.markercluster.min.js", script),
    ("cluster.css", "MarkerCluster.css", style),
  ]
  private static let own: [(String, [UInt8], String)] = [
    ("", PackageResources.index_html, "text/html; charset=utf-8"),
    ("style.css", PackageResources.style_css, style),
    ("main.js", PackageResources.main_js, script),
    ("parent.js", PackageResources.parent_js, script),
    ("speech.js", PackageResources.speech_js, script),
    ("words.js", PackageResources.words_js, script),
    ("draw.js", PackageResources.draw_js, script),
    ("ground.js", PackageResources.ground_js, script),
    ("labels.js", PackageResources.labels_js, script),
    ("style.js", PackageResources.style_js, script),
    ("live.js", PackageResources.live_js, script),
    ("search.js", PackageResources.search_js, script),
    ("view.js", PackageResources.view_js, script),
    ("ways.js", PackageResources.ways_js, script),
    ("place.js", PackageResources.place_js, script),
    ("regions.js", PackageResources.regions_js, script),
    ("stand.js", PackageResources.stand_js, script),
    ("things.js", PackageResources.things_js, script),
    ("days.js", PackageResources.days_js, script),
    ("dom.js", PackageResources.dom_js, script),
    ("app.js", PackageResources.app_js, script),
    ("app.css", PackageResources.app_css, style),
    ("files.js", PackageResources.files_js, script),
    ("settings.html", PackageResources.settings_html, "text/html; charset=utf-8"),
    ("settings.css", PackageResources.settings_css, style),
    ("settings.js", PackageResources.settings_js, script),
  ]
  private static let longestFile = 64 << 20

  init(data: String) throws(SystemError) {
    names = data + "/names.json"
    world = WorldGround(path: data + "/ground.bin")
    for (name, bytes, type) in Self.own { files[name] = Kind(type: type, bytes: bytes) }
    for (name, file, type) in Self.packaged {
      do throws(SystemError) {
        files[name] = Kind(
          type: type,
          bytes: try File.bytes(of: Self.leaflet + file, atMost: Self.longestFile))
      } catch {
        throw SystemError(
          "\(Self.leaflet)\(file) is of Debian's packages libjs-leaflet and libjs-leaflet-markercluster",
          error.number)
      }
    }
  }

  func file(_ name: String) -> Kind? {
    if name.hasPrefix("ground/") {
      return world.features(name.dropFirst("ground/".count)).map {
        Kind(type: "application/octet-stream", bytes: $0)
      }
    }
    if name.hasPrefix("phrases/") { return Self.phrases(in: name.dropFirst("phrases/".count)) }
    guard name == "names.json" else { return files[name] }
    // It may have been installed since.
    let bytes = try? File.bytes(of: names, atMost: Self.longestFile)
    return bytes.map { Kind(type: "application/json", bytes: $0) }
  }

  /// The pages' sentences in a language, by the English ones; none in one that they are not in.
  private static func phrases(in language: Substring) -> Kind {
    let text = String(decoding: PackageResources.phrases_txt, as: UTF8.self)
    let sentences = Phrases(text).sentences(in: String(language))
    let members = sentences.map { JSON.Member(key: $0.key, value: .string($0.value)) }
    return Kind(type: "application/json", bytes: Array(JSON.object(members).text.utf8))
  }
}
