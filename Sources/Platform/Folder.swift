internal import CLinux
internal import Glibc

/// Folders of files that are made, put in place and taken away as one thing.
package enum Folder {
  package static func make(_ path: String) throws(SystemError) {
    guard mkdir(path, 0o755) == 0 else { throw SystemError(path) }
  }

  /// With the files in it. What is no folder, or holds others, stays.
  package static func remove(_ path: String) {
    let folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard folder >= 0 else { return }
    for name in (try? File.names(in: path)) ?? [] where name != "." && name != ".." {
      unlinkat(folder, name, 0)
    }
    close(folder)
    rmdir(path)
  }

  /// Its files are for all to read, and on the disk.
  package static func seal(_ path: String) throws(SystemError) {
    for name in try File.names(in: path) where !name.hasPrefix(".") {
      try seal(file: "\(path)/\(name)", 0o644)
    }
    try seal(file: path, 0o755)
  }

  private static func seal(file path: String, _ mode: mode_t) throws(SystemError) {
    let file = Descriptor(owning: open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC))
    guard file.number >= 0, fchmod(file.number, mode) == 0, fsync(file.number) == 0 else {
      throw SystemError(path)
    }
  }

  /// What its files are called is on the disk.
  static func sync(_ path: String) {
    let folder = Descriptor(owning: open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
    fsync(folder.number)
  }

  /// Puts one where the other is, and that where the one was, at once; the other need not be there.
  package static func exchange(_ path: String, _ other: String) throws(SystemError) {
    guard linux_exchange(path, other) != 0 else { return }
    // Not every file system can do it.
    if errno != ENOENT { remove(other) }
    guard rename(path, other) == 0 else { throw SystemError(other) }
  }
}
