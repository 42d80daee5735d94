package import Foundation
import Testing

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

/// A text that the kernel makes while it is read: Foundation's own ways to a file's text read a page of it and no more.
package func kernelText(_ path: String) throws -> String {
  let file = try FileHandle(forReadingFrom: URL(filePath: path))
  return String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
}

/// Writes a program, by another process: what other tests start meanwhile would hold open a file that is written here,
/// and the kernel runs no such file.
package func writeProgram(_ text: String, to path: String) throws {
  let draft = path + ".draft"
  try text.write(toFile: draft, atomically: true, encoding: .utf8)
  try #require(Child(["install", "-m", "755", draft, path]).exit() == 0)
  try FileManager.default.removeItem(atPath: draft)
}
