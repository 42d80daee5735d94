package import Platform

/// A part of an extract's file behind its tables. Each has a version of its own: an older file works with the parts
/// that it has.
package struct ExtractPart: Sendable {
  let name: String
  let version: UInt32

  package static let roads = ExtractPart(name: "roads", version: 2)
  package static let ground = ExtractPart(name: "ground", version: 1)

  /// As it is written. The bytes must outlive it.
  package func with(_ bytes: UnsafeRawBufferPointer) -> FileParts.Part {
    FileParts.Part(name, version: version, bytes)
  }

  /// Nil where a file does not have it in this version.
  func map(of path: String) -> MappedFile? {
    (try? FileParts.map(name, version: version, of: path)).flatMap(\.self)
  }
}
