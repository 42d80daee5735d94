internal import CLinux
internal import Glibc

extension File {
  /// A user's rights to a file or folder.
  package struct Rights: OptionSet {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    package static let pass = Rights(rawValue: 1)
    package static let write = Rights(rawValue: 2)
    package static let read = Rights(rawValue: 4)
  }

  /// The rights of a user in a group, as the kernel sees them; an access list's lines for groups are left out. None
  /// where the path cannot be looked at.
  package static func rights(of uid: UInt32, in group: UInt32, at path: String) -> Rights {
    var entry = stat()
    guard stat(path, &entry) == 0 else { return [] }
    let listed = linux_listed_rights(path, uid)
    let shift: UInt32 = entry.st_uid == uid ? 6 : entry.st_gid == group ? 3 : 0
    if shift != 6, listed >= 0 { return Rights(rawValue: UInt32(listed)) }
    return Rights(rawValue: entry.st_mode >> shift & 7)
  }
}
