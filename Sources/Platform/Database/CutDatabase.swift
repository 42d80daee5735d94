internal import Glibc

/// A database that ends within a page. SQLite reads zeros for what is missing of it: rows that nobody wrote.
package enum CutDatabase {
  /// Writes the whole pages of such a one to another file; false where it ends with a page, or where the
  /// log beside it may have the rest.
  package static func copyWholePages(
    of path: String, to other: String
  ) throws(DatabaseError) -> Bool {
    guard let head = try? File.bytes(of: path, atMost: 18), head.count == 18 else { return false }
    let written = Int(head[16]) << 8 | Int(head[17])
    guard let rest = bytesWithoutPage(path, page: written == 1 ? 65_536 : written) else {
      return false
    }
    do throws(SystemError) {
      try File.copy(path, to: other, without: rest)
    } catch {
      throw DatabaseError(error)
    }
    return true
  }

  /// The bytes after the last whole page; nil where there are none. The file is not opened: to close it would
  /// take away all locks that the process has on it.
  static func bytesWithoutPage(_ path: String, page: Int) -> Int? {
    var (status, log) = (stat(), stat())
    guard page >= 512, lstat(path, &status) == 0 else { return nil }
    if lstat(path + "-wal", &log) == 0, log.st_size > 0 { return nil }
    let rest = Int(status.st_size) % page
    return rest == 0 ? nil : rest
  }
}
