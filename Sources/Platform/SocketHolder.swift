internal import CLinux
internal import Glibc

/// The program that has a socket, as far as one may look: root at all programs, others at those of their own user.
package enum SocketHolder {
  /// The process, itself first and then its ancestors. Nil where several have the socket, or none that may be looked at.
  package static func lineage(of inode: UInt32, uid: UInt32) -> [ProcessMark]? {
    let name = Array("socket:[\(inode)]".utf8)
    var holder: Int32?
    for entry in (try? File.names(in: "/proc")) ?? [] {
      guard let pid = Int32(entry), isOwn("/proc/\(entry)", uid) else { continue }
      let open = (try? File.names(in: "/proc/\(entry)/fd")) ?? []
      guard open.contains(where: { leads("/proc/\(entry)/fd/\($0)", to: name) }) else { continue }
      guard holder == nil else { return nil }
      holder = pid
    }
    guard let holder, let process = ProcessHandle.of(holder, uid: uid) else { return nil }
    return process.look()?.lineage
  }

  private static func isOwn(_ folder: String, _ uid: UInt32) -> Bool {
    var entry = stat()
    return stat(folder, &entry) == 0 && entry.st_uid == uid
  }

  private static func leads(_ path: String, to name: [UInt8]) -> Bool {
    withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { buffer in
      guard let start = buffer.baseAddress else { return false }
      let count = readlink(path, start.assumingMemoryBound(to: CChar.self), buffer.count)
      return count == name.count && buffer.prefix(count).elementsEqual(name)
    }
  }
}
