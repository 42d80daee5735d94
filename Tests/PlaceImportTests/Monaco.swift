import Foundation
import PlaceImport
import PlaceStore

/// The extract of Monaco, imported once for all tests that only ask it.
enum Monaco {
  /// `make test` has it from PyPI's osrm-bindings: © OpenStreetMap contributors, ODbL.
  static let file = FileManager.default.currentDirectoryPath + "/.build/places/monaco.osm.pbf"

  private static let own = NSTemporaryDirectory() + "monaco-\(UUID().uuidString)"

  private static let imported = Result {
    atexit { try? FileManager.default.removeItem(atPath: Monaco.own) }
    try ImportJob(file: file, folder: own, report: { _, _ in }, isCancelled: { false }).run()
    return own + "/monaco.places"
  }

  /// The folder of the extract, for an atlas.
  static func folder() throws -> String {
    _ = try imported.get()
    return own
  }

  static func extract() throws -> Extract { try Extract(path: imported.get()) }
}
