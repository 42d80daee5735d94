package import Foundation

extension FileManager {
  /// Writes files of these names and texts in a folder that need not be there yet.
  package func write(_ files: [String: String], in folder: URL) throws {
    for (name, text) in files {
      let file = folder.appending(path: name)
      try createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file, options: .atomic)
    }
  }
}
