import Foundation
import PlaceImport
import PlaceStore

/// The extract of Monaco, imported once for all tests that only ask it.
enum Monaco {
  /// `make test` has it from PyPI's osrm-bindings: © OpenStreetMap contributors, ODbL.
  static let file = FileManager.default.currentDirectoryPath + "/.build/places/monaco.osm.pbf"

  private static let folder = NSTemporaryDirectory() + "monaco-\(UUID().uuidString)"

  private static let imported = Result {
    atexit { try? FileManager.default.removeItem(atPath: Monaco.folder) }
    try ImportJob(file: file, folder: folder, report: { _, _ in }, isCancelled: { false }).run()
    return folder + "/monaco.places"
  }

  static func extract() throws -> Extract { try Extract(path: imported.get()) }
}
