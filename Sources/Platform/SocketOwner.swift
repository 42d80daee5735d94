internal import CLinux

/// The user behind a connection over the network of this machine, of which a socket itself says nothing.
package enum SocketOwner {
  /// The user at the first end of a connection between two ports of this machine, by the kernel's list of sockets;
  /// nil where there is none. Addresses are of IPv4, in this machine's order of bytes.
  package static func uid(
    of host: UInt32, _ port: UInt16, connectedTo peer: UInt32, _ peerPort: UInt16
  ) -> UInt32? {
    var uid: UInt32 = 0
    return linux_connection_owner(host, port, peer, peerPort, &uid) ? uid : nil
  }

  package static let loopback: UInt32 = 0x7F00_0001
}

extension Process {
  /// SIGTERM comes when the parent ends, however it does. A parent that has ended before is told by its pipes.
  package static func endWithParent() { linux_end_with_parent(15) }
}
