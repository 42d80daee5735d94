internal import CLinux
internal import Glibc

/// The user, other than root, who may rename what leads to a folder or lies in it. Root that writes there becomes
/// that user first: else a name that is swapped meanwhile has root write somewhere else.
package struct FolderOwner {
  private let uid: uid_t
  private let gid: gid_t

  /// Nil for anybody but root, and where all that leads to the folder is root's. A folder that is not there yet is
  /// its parent's.
  package init?(of folder: String) {
    guard geteuid() == 0 else { return nil }
    for path in [folder, try? File.wholePath(folder)].compactMap(\.self) {
      for part in Self.parts(of: path) {
        var status = stat()
        guard lstat(part, &status) == 0, status.st_uid != 0 else { continue }
        uid = status.st_uid
        gid = Accounts().group(of: uid) ?? status.st_gid
        return
      }
    }
    return nil
  }

  /// `/`, `/var`, `/var/lib`: from the root down.
  private static func parts(of path: String) -> [String] {
    path.utf8.indices.filter { path.utf8[$0] == UInt8(ascii: "/") }.map {
      $0 == path.startIndex ? "/" : String(path[..<$0])
    } + [path]
  }

  /// Folders right in that one, which root made before it became anybody, are the user's from now on.
  package func take(_ names: [String], in folder: String) {
    let place = Descriptor(owning: open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC))
    var status = stat()
    guard fstat(place.number, &status) == 0, status.st_uid == uid else { return }
    for name in names {
      // A folder has one name: this one, in a folder that is the user's already.
      let found = Descriptor(
        owning: openat(place.number, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC))
      guard fstat(found.number, &status) == 0, status.st_uid == 0 else { continue }
      fchown(found.number, uid, gid)
    }
  }

  /// For good, in all threads.
  package func become() throws(SystemError) {
    guard setgroups(0, nil) == 0, setgid(gid) == 0, setuid(uid) == 0, setuid(0) != 0 else {
      throw SystemError("cannot become uid \(uid)")
    }
  }
}
