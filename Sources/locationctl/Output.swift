import Console
import Glibc
import LocationModel

/// Standard output and standard error.
enum Output {
  static func write(_ text: String) throws(Failure) {
    var buffer = TextBuffer(capacity: text.utf8.count)
    buffer.append(text)
    try write(buffer.bytes)
  }

  static func write(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
    guard !put(bytes, STDOUT_FILENO) else { return }
    // Whoever reads a pipe may have seen enough: then all is done.
    if errno == EPIPE { exit(0) }
    throw Failure(.failed, String(cString: strerror(errno)))
  }

  static func complain(_ text: String) {
    Array("locationctl: \(text)\n".utf8).withUnsafeBytes { _ = put($0, STDERR_FILENO) }
  }

  private static func put(_ bytes: UnsafeRawBufferPointer, _ descriptor: Int32) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = Glibc.write(descriptor, bytes.baseAddress.map { $0 + sent }, bytes.count - sent)
      if count > 0 { sent += count } else if errno != EINTR { return false }
    }
    return true
  }
}
