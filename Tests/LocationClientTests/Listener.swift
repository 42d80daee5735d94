import Glibc
import Testing

/// A daemon's end of the socket, which greets nobody and answers when it is told to.
final class Listener {
  let path: String
  private let listener: Int32
  private var peer: Int32 = -1

  init() throws {
    path = "/tmp/listener-\(getpid())-\(UInt32.random(in: 0 ... .max))"
    listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(result == 0 && listen(listener, 4) == 0)
  }

  deinit {
    hangUp()
    close(listener)
    unlink(path)
  }

  func accept() throws {
    peer = Glibc.accept(listener, nil, nil)
    try #require(peer >= 0)
  }

  func say(_ lines: String...) {
    let bytes = Array(lines.joined(separator: "\n").utf8) + [0x0A]
    _ = write(bytes)
  }

  /// All of the bytes, however long the other side takes them; how many were written is returned.
  func write(_ bytes: [UInt8], while goesOn: () -> Bool = { true }) -> Int {
    var written = 0
    while written < bytes.count, goesOn() {
      let count = bytes.withUnsafeBytes {
        send(peer, $0.baseAddress.map { $0 + written }, $0.count - written, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { break }
      written += count
    }
    return written
  }

  /// Counts the lines that have come, until there are so many or the other side has gone.
  func lines(_ wanted: Int) -> Int {
    var buffer = [UInt8](repeating: 0, count: 65536)
    var lines = 0
    while lines < wanted {
      let count = read(peer, &buffer, buffer.count)
      guard count > 0 else { break }
      lines += buffer[..<count].count { $0 == 0x0A }
    }
    return lines
  }

  /// A write under way ends, too.
  func shutDown() { shutdown(peer, Int32(SHUT_RDWR)) }

  func hangUp() {
    if peer >= 0 { close(peer) }
    peer = -1
  }
}
