import Foundation
import Glibc
import TestSupport
import Testing

/// Where a service manager would listen.
final class NoticeSocket {
  let path = "/tmp/notices-\(UUID())"
  private let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)

  init() throws {
    try #require(withUnixAddress(path) { bind(descriptor, $0, $1) } == 0)
  }

  deinit {
    close(descriptor)
    unlink(path)
  }

  func next() throws -> String {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    try #require(poll(&entry, 1, Int32(patience * 1000)) == 1, "no notice came")
    var bytes = [UInt8](repeating: 0, count: 1024)
    let count = recv(descriptor, &bytes, bytes.count, 0)
    return String(decoding: bytes[..<max(count, 0)], as: UTF8.self)
  }
}
