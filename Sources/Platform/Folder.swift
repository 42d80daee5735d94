internal import Glibc

/// Folders, as one thing.
package enum Folder {
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

  /// What its files are called is on the disk.
  static func sync(_ path: String) {
    let folder = Descriptor(owning: open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
    fsync(folder.number)
  }
}
