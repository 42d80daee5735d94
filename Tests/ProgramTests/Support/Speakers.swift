import CLinux
import Foundation
import Glibc
import LocationModel
import TestSupport
import Testing

/// Something that speaks like a receiver, at the other end of a real line.
final class Speaker {
  let descriptor: Int32
  init(_ descriptor: Int32) { self.descriptor = descriptor }
  deinit { close(descriptor) }

  /// One that calls a Unix socket; nil where nobody listens.
  init?(to path: String) {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    let result = withUnixAddress(path) { [descriptor] in connect(descriptor, $0, $1) }
    if result != 0 { return nil }
  }

  func say(_ text: String) { say(Array(text.utf8)) }

  /// All of it, unless nobody takes it in all that time.
  func say(_ bytes: [UInt8]) {
    var rest = bytes[...]
    _ = eventually(within: patience) {
      let count = rest.withUnsafeBytes { raw in
        let sent = send(self.descriptor, raw.baseAddress, raw.count, Int32(MSG_NOSIGNAL))
        guard sent < 0, errno == ENOTSOCK else { return sent }
        return write(self.descriptor, raw.baseAddress, raw.count)
      }
      if count > 0 { rest = rest.dropFirst(count) }
      return rest.isEmpty || count < 0 && errno != EAGAIN
    }
  }
}

extension Speaker {
  /// Says an epoch again and again, each at the time that it is, until the client hears of one.
  func speak(to client: SocketClient) throws -> Location {
    var location: Location?
    let isHeard = try eventually(within: patience) {
      say(Recording.epoch(now: Date()))
      location = try client.location(within: 0.1)
      return location != nil
    }
    #expect(isHeard)
    return try #require(location)
  }
}

/// A pty: what is said to one end comes out of the device at `path`.
func makePty() throws -> (speaker: Speaker, path: String) {
  // Unlike openpty's, nothing that another test starts just now inherits it: that would keep the line
  // from ever hanging up.
  let master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
  try #require(master >= 0)
  // TIOCSPTLCK and TIOCGPTN, macros that Swift does not see.
  var number: Int32 = 0
  try #require(ioctl(master, 0x4004_5431, &number) == 0)
  try #require(ioctl(master, 0x8004_5430, &number) == 0)
  return (Speaker(master), "/dev/pts/\(number)")
}

/// A socket that listens, and whoever comes.
final class Listener {
  let descriptor: Int32
  init(_ family: Int32) {
    descriptor = socket(family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
  }
  deinit { close(descriptor) }

  static func tcp() throws -> (Listener, port: Int) {
    let listener = Listener(AF_INET)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    try withUnsafeMutablePointer(to: &address) {
      try $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        try #require(bind(listener.descriptor, $0, size) == 0)
        try #require(listen(listener.descriptor, 4) == 0)
        try #require(getsockname(listener.descriptor, $0, &size) == 0)
      }
    }
    return (listener, Int(UInt16(bigEndian: address.sin_port)))
  }

  static func isFree(port: Int) -> Bool {
    let listener = Listener(AF_INET)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener.descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }

  static func unix(_ path: String) throws -> Listener {
    let listener = Listener(AF_UNIX)
    try #require(withUnixAddress(path) { bind(listener.descriptor, $0, $1) } == 0)
    try #require(listen(listener.descriptor, 4) == 0)
    return listener
  }

  func accept(within seconds: Double = patience) throws -> Speaker {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    try #require(poll(&entry, 1, Int32(seconds * 1000)) == 1, "nobody came")
    return Speaker(linux_accept(descriptor))
  }
}
