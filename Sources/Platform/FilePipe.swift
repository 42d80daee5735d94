internal import Glibc
import LocationModel

/// A file as a pipe with a name, for a child that opens it by its name and may not open the file itself.
package final class FilePipe {
  private let file: Int32
  private var offset = 0
  /// Our end, open for both: it is never without a reader.
  private var pipe: Descriptor?
  private var watch: EventLoop.Watch?
  private var alarm: EventLoop.Timer?

  private static let pause: Duration = .milliseconds(20)

  /// The file stays open as long as this is held.
  package init(_ path: String, of file: Int32, on loop: EventLoop) throws(SystemError) {
    self.file = file
    guard mkfifo(path, 0o600) == 0 else { throw SystemError(path) }
    let number = open(path, O_RDWR | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC)
    guard number >= 0 else { throw SystemError(path) }
    pipe = Descriptor(owning: number)
    watch = try EventLoop.Watch(number, for: .write, on: loop) { [unowned self] _ in feed(number) }
    alarm = try EventLoop.Timer(slack: .milliseconds(1), on: loop) { [unowned self] in
      end(number)
    }
  }

  private func feed(_ number: Int32) {
    let count = withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 1) { buffer in
      let count = pread(file, buffer.baseAddress, buffer.count, off_t(offset))
      return count > 0 ? write(number, buffer.baseAddress, count) : 0
    }
    if count > 0 { offset += count }
    if count == 0 { end(number) }
  }

  /// Closed before the child has read the rest, the pipe would lose it.
  private func end(_ number: Int32) {
    watch = nil
    var entry = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
    if poll(&entry, 1, 0) == 1 { alarm?.set(Clock.boottime + Self.pause) } else { pipe = nil }
  }
}
