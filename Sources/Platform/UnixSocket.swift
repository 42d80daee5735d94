internal import CLinux
internal import CSystemd
internal import Glibc

/// A Unix socket that listens. The file of one made here goes with it.
package final class UnixListener: ConnectionListener {
  private let descriptor: Descriptor
  package var number: Int32 { descriptor.number }
  private let made: (path: String, inode: ino_t)?

  private init(given descriptor: consuming Descriptor) {
    self.descriptor = descriptor
    made = nil
  }

  /// The socket that the service manager made for us, if it did; its file is no business of ours.
  package static func given() throws(SystemError) -> UnixListener? {
    let attempt = "cannot take the socket of the service manager"
    let count = try SystemError.check(sd_listen_fds(1), attempt)
    guard count > 0 else { return nil }
    let descriptor = Descriptor(owning: SD_LISTEN_FDS_START)
    let listening: Int32 = 1
    guard count == 1,
      sd_is_socket_unix(descriptor.number, Int32(SOCK_STREAM.rawValue), listening, nil, 0) > 0
    else { throw SystemError("\(attempt): it is to be one Unix stream socket", EINVAL) }
    guard fcntl(descriptor.number, F_SETFL, O_NONBLOCK) >= 0 else { throw SystemError(attempt) }
    return UnixListener(given: descriptor)
  }

  /// By default everyone may connect: who is served is decided by who they are, not by the file's mode.
  /// The folder is made if it is missing, such as one under `/run` after each start of the machine.
  package init(path: String, mode: UInt32 = 0o666) throws(SystemError) {
    if let slash = path.lastIndex(of: "/"), slash > path.startIndex {
      mkdir(String(path[..<slash]), 0o755)
    }
    let descriptor = Descriptor(owning: try makeUnixSocket())
    if try !bound(descriptor, to: path) {
      try removeAbandoned(path)
      guard try bound(descriptor, to: path) else {
        throw SystemError("cannot listen on \(path)", EADDRINUSE)
      }
    }
    guard chmod(path, mode) == 0, listen(descriptor.number, 128) == 0 else {
      throw SystemError("cannot listen on \(path)")
    }
    self.descriptor = descriptor
    made = (path, identity(of: path) ?? 0)
  }

  deinit {
    // Somebody else's by now? Then it stays.
    if let made, identity(of: made.path) == made.inode { unlink(made.path) }
  }
}

func makeUnixSocket() throws(SystemError) -> Int32 {
  let number = socket(
    AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
  guard number >= 0 else { throw SystemError("cannot make a socket") }
  return number
}

private func identity(of path: String) -> ino_t? {
  var status = stat()
  return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK ? status.st_ino : nil
}

/// False where something is there already.
private func bound(_ socket: borrowing Descriptor, to path: String) throws(SystemError) -> Bool {
  let number = socket.number
  let result = try withAddress(of: path) { bind(number, $0, $1) }
  if result == 0 { return true }
  guard errno == EADDRINUSE else { throw SystemError("cannot listen on \(path)") }
  return false
}

/// A socket file that nobody listens at any more is what a crash left behind.
private func removeAbandoned(_ path: String) throws(SystemError) {
  guard identity(of: path) != nil else {
    throw SystemError("cannot listen on \(path): something that is no socket is there", EEXIST)
  }
  let probe = Descriptor(owning: try makeUnixSocket())
  let number = probe.number
  let result = try withAddress(of: path) { connect(number, $0, $1) }
  guard result != 0, errno == ECONNREFUSED else {
    throw SystemError("cannot listen on \(path): another locationd does", EADDRINUSE)
  }
  guard unlink(path) == 0 else { throw SystemError("cannot replace \(path)") }
}

func withAddress(
  of path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
) throws(SystemError) -> Int32 {
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  let bytes = Array(path.utf8)
  guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
    throw SystemError("the path of a socket is too long: \(path)", ENAMETOOLONG)
  }
  withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
  return withUnsafePointer(to: &address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
    }
  }
}
