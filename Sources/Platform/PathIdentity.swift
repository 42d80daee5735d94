internal import CLinux
internal import Glibc

/// The file that a path leads to, and its rights, to notice when they change.
package struct PathIdentity: Equatable {
  private var file: [UInt64]
  private var rights: [Int64]

  /// Nil where it leads nowhere.
  package init?(of path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    file = [UInt64(status.st_dev), UInt64(status.st_ino), UInt64(status.st_rdev)]
    rights = [
      Int64(status.st_mode), Int64(status.st_uid), Int64(status.st_gid),
      Int64(status.st_ctim.tv_sec), Int64(status.st_ctim.tv_nsec),
    ]
  }

  /// Whether it is the same file, whoever may open it.
  package func isSameFile(as other: PathIdentity) -> Bool { file == other.file }

  /// Both paths lead to one file or device.
  package static func areSame(_ a: String, _ b: String) -> Bool {
    guard let a = PathIdentity(of: a), let b = PathIdentity(of: b) else { return false }
    return a.isSameFile(as: b)
  }
}
