internal import Glibc

/// Parts that lie behind what another program reads of a file, such as a database. Each begins at a multiple of 4096;
/// at the very end stands what parts there are: 32 bytes each for name, version, offset and size, then their number
/// and a mark.
package enum FileParts {
  private static let mark = Array("locparts".utf8)
  private static let alignment = 4096
  private static let entry = 32
  private static let most = 64

  package struct Part {
    /// At most 8 letters of ASCII.
    var name: String
    var version: UInt32
    var bytes: UnsafeRawBufferPointer

    package init(_ name: String, version: UInt32, _ bytes: UnsafeRawBufferPointer) {
      (self.name, self.version, self.bytes) = (name, version, bytes)
    }
  }

  /// To the end of a file that is open for writing.
  package static func append(_ parts: [Part], to file: Int32) throws(SystemError) {
    var directory: [UInt8] = []
    var end = File.size(of: file)
    for part in parts.prefix(most) {
      end = (end + alignment - 1) / alignment * alignment
      try write(part.bytes, to: file, at: end)
      let name = Array(part.name.utf8.prefix(8))
      directory += name + [UInt8](repeating: 0, count: 8 - name.count)
      for number in [Int(part.version), end, part.bytes.count] { directory += bytes(number) }
      end += part.bytes.count
    }
    directory += bytes(directory.count / entry) + mark
    let tail = directory
    var failure: SystemError?
    tail.withUnsafeBytes { bytes in
      do throws(SystemError) { try write(bytes, to: file, at: end) } catch { failure = error }
    }
    if let failure { throw failure }
  }

  private static func write(
    _ bytes: UnsafeRawBufferPointer, to file: Int32, at offset: Int
  ) throws(SystemError) {
    var done = 0
    while done < bytes.count {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
      let count = pwrite(file, rest.baseAddress, rest.count, offset + done)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw SystemError("the end of the file") }
      done += count
    }
  }

  /// Nil where the file has no such part of that version.
  package static func map(
    _ name: String, version: UInt32, of path: String
  ) throws(SystemError) -> MappedFile? {
    let file = try Descriptor(reading: path)
    let size = File.size(of: file.number)
    guard size >= 16 else { return nil }
    let tail = try MappedFile(file.number, offset: size - 16, size: 16)
    guard tail.bytes.suffix(8).elementsEqual(mark) else { return nil }
    let count = number(tail.bytes, 0)
    guard (1...most).contains(count), size >= 16 + count * entry else { return nil }
    let start = size - 16 - count * entry
    let directory = try MappedFile(file.number, offset: start, size: count * entry)
    for i in 0..<count {
      let one = UnsafeRawBufferPointer(rebasing: directory.bytes[i * entry..<(i + 1) * entry])
      guard one.prefix(8).prefix(while: { $0 != 0 }).elementsEqual(name.utf8),
        number(one, 8) == version
      else { continue }
      let (offset, length) = (number(one, 16), number(one, 24))
      guard offset >= 0, length > 0, offset <= start, length <= start - offset else { return nil }
      return try MappedFile(file.number, offset: offset, size: length)
    }
    return nil
  }

  private static func bytes(_ number: Int) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }

  /// -1 where none is that large.
  private static func number(_ bytes: UnsafeRawBufferPointer, _ at: Int) -> Int {
    let number = (0..<8).reduce(UInt64(0)) { $0 | UInt64(bytes[at + Int($1)]) << (8 * $1) }
    return Int(exactly: number) ?? -1
  }
}
