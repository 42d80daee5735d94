internal import CLinux
internal import Glibc

/// The process at the other end of a socket, as the kernel noted it when it connected.
package struct Peer: Equatable, Sendable {
  /// 0 where it lives beyond what we may see.
  package var pid: Int32
  package var uid: UInt32
  var gid: UInt32
  /// The label of a security module.
  package var label: String?
  /// The inode of our end of the connection.
  package var socket: UInt32?
}

extension Descriptor {
  package borrowing func peer() throws(SystemError) -> Peer {
    var peer = Peer(pid: 0, uid: 0, gid: 0)
    guard linux_peer(number, &peer.pid, &peer.uid, &peer.gid) else {
      throw SystemError("cannot tell who connected")
    }
    peer.label = peerLabel()
    var entry = stat()
    if fstat(number, &entry) == 0 { peer.socket = UInt32(exactly: entry.st_ino) }
    return peer
  }

  private borrowing func peerLabel() -> String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4096) { buffer in
      let count = linux_peer_label(number, buffer.baseAddress, buffer.count)
      guard count > 0 else { return nil }
      return String(
        decoding: buffer.prefix(count).lazy.map { UInt8(bitPattern: $0) }.prefix { $0 != 0 },
        as: UTF8.self)
    }
  }
}
