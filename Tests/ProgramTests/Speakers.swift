import Foundation
import Glibc
import Testing

/// Something that speaks like a receiver, at the other end of a real line.
final class Speaker {
  let descriptor: Int32
  init(_ descriptor: Int32) { self.descriptor = descriptor }
  deinit { close(descriptor) }

  func say(_ text: String) {
    let bytes = Array(text.utf8)
    _ = write(descriptor, bytes, bytes.count)
  }
}

/// A pty: what is said to one end comes out of the device at `path`.
func makePty() throws -> (speaker: Speaker, path: String) {
  var master: Int32 = -1
  var slave: Int32 = -1
  var name = [CChar](repeating: 0, count: 128)
  try #require(openpty(&master, &slave, &name, nil, nil) == 0)
  close(slave)
  _ = fcntl(master, F_SETFD, FD_CLOEXEC)
  return (Speaker(master), String(decoding: name.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self))
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

  static func unix(_ path: String) throws -> Listener {
    let listener = Listener(AF_UNIX)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    try withUnsafePointer(to: &address) {
      try $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        try #require(
          bind(listener.descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0)
        try #require(listen(listener.descriptor, 4) == 0)
      }
    }
    return listener
  }

  func accept(within seconds: Double = patience) throws -> Speaker {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    try #require(poll(&entry, 1, Int32(seconds * 1000)) == 1, "nobody came")
    let number = Glibc.accept(descriptor, nil, nil)
    _ = fcntl(number, F_SETFD, FD_CLOEXEC)
    return Speaker(number)
  }
}
