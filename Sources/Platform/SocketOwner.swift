internal import CLinux
internal import Glibc

/// The socket of a program at the other end of a connection over the network of this machine, of which the socket
/// here says nothing.
package struct SocketOwner: Equatable, Sendable {
  package var uid: UInt32
  package var inode: UInt32
  /// The number of the control group of the process that made it; nil where the kernel does not say.
  package var group: UInt64?
}

/// The other end of a connection.
package enum ConnectionPeer: Equatable, Sendable {
  /// A socket of this machine, that its program has open.
  case here(SocketOwner)
  /// The kernel knows no program any more: nobody's, though it is told as root's.
  case closed
  /// Another machine, by its address, which this machine has not.
  case elsewhere(String)
  /// A program behind a Unix socket.
  case unix
}

extension Descriptor {
  /// Nil for what is no connection.
  package borrowing func connectionPeer() -> ConnectionPeer? {
    guard let here = address(getsockname), let there = address(getpeername) else { return nil }
    if here.family == AF_UNIX { return .unix }
    guard let here = NetworkEnd(here.bytes, here.family),
      let there = NetworkEnd(there.bytes, there.family)
    else { return nil }
    var found = linux_connection()
    let isWide = there.host.count == 16
    let isThere =
      here.host.count == there.host.count
      && linux_find_connection(
        isWide, there.host, there.port, here.host, here.port, &found)
    guard isThere else {
      let isHere = NetworkRange.isLoopback(there.host) || linux_has_address(isWide, there.host)
      return isHere ? .closed : .elsewhere(there.name)
    }
    guard found.inode != 0 else { return .closed }
    return .here(
      SocketOwner(
        uid: found.uid, inode: found.inode, group: found.group == 0 ? nil : found.group))
  }

  /// The address at the other end, of four bytes or sixteen; nil where it is none of the network's.
  package borrowing func peerHost() -> [UInt8]? {
    address(getpeername).flatMap { NetworkEnd($0.bytes, $0.family)?.host }
  }

  /// The port of this end; nil where it has none.
  borrowing func boundPort() -> UInt16? {
    address(getsockname).flatMap { NetworkEnd($0.bytes, $0.family)?.port }
  }

  /// The address and the port of this end; nil where it has none.
  borrowing func boundName() -> String? {
    guard let end = address(getsockname).flatMap({ NetworkEnd($0.bytes, $0.family) }) else {
      return nil
    }
    return end.host.count == 16 ? "[\(end.name)]:\(end.port)" : "\(end.name):\(end.port)"
  }

  /// The path of a Unix socket's own end; nil where it has none.
  package borrowing func boundPath() -> String? {
    guard let (bytes, family) = address(getsockname), family == AF_UNIX else { return nil }
    let path = bytes.dropFirst(MemoryLayout<sa_family_t>.size).prefix { $0 != 0 }
    return path.isEmpty ? nil : String(decoding: path, as: UTF8.self)
  }

  /// The inode of this socket.
  package borrowing func socketInode() -> UInt32? {
    var entry = stat()
    guard fstat(number, &entry) == 0, entry.st_mode & S_IFMT == S_IFSOCK else { return nil }
    return UInt32(exactly: entry.st_ino)
  }

  /// The kernel keeps about so much of what its reader has not taken; by itself it would keep megabytes.
  package borrowing func limitSending(to bytes: Int32) {
    var bytes = bytes
    setsockopt(number, SOL_SOCKET, SO_SNDBUF, &bytes, 4)
  }

  /// Ends the connection for all that hold it; nothing that waits is sent any more.
  package borrowing func cut() { linux_cut(number) }

  private borrowing func address(
    _ ask: (Int32, UnsafeMutablePointer<sockaddr>?, UnsafeMutablePointer<socklen_t>?) -> Int32
  ) -> (bytes: [UInt8], family: Int32)? {
    var address = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let result = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { ask(number, $0, &size) }
    }
    guard result == 0 else { return nil }
    return (withUnsafeBytes(of: &address) { Array($0) }, Int32(address.ss_family))
  }
}

/// An address and a port.
private struct NetworkEnd {
  /// Four bytes or sixteen.
  var host: [UInt8]
  var port: UInt16
  var name: String

  /// Reads the bytes of a `sockaddr`. IPv4 within IPv6 is IPv4, as the kernel has its sockets.
  init?(_ bytes: [UInt8], _ family: Int32) {
    guard bytes.count >= 24, family == AF_INET || family == AF_INET6 else { return nil }
    port = UInt16(bytes[2]) << 8 | UInt16(bytes[3])
    host = Array(family == AF_INET ? bytes[4..<8] : bytes[8..<24])
    let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
    if host.starts(with: mapped) { host.removeFirst(12) }
    var text = [CChar](repeating: 0, count: 64)
    let family = host.count == 16 ? AF_INET6 : AF_INET
    name =
      inet_ntop(family, host, &text, socklen_t(text.count)) == nil
      ? "?" : String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

extension Process {
  /// SIGTERM comes when the parent ends, however it does. A parent that has ended before is told by its pipes.
  package static func endWithParent() { linux_end_with_parent(15) }
}
