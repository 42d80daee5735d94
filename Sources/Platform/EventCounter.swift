internal import CLinux
internal import Glibc

/// A number in the kernel that one thread raises and another waits for.
package final class EventCounter: Sendable {
  package let number: Int32

  package init() throws(SystemError) {
    number = linux_event_counter()
    guard number >= 0 else { throw SystemError("cannot make an event counter") }
  }

  deinit { close(number) }

  package func raise() {
    var one: UInt64 = 1
    _ = write(number, &one, 8)
  }

  /// Sets it back; false where it was not raised.
  @discardableResult
  package func drain() -> Bool {
    var count: UInt64 = 0
    return read(number, &count, 8) == 8
  }

  /// False where time is up first; without a time it waits for ever.
  @discardableResult
  package func wait(milliseconds: Int32 = -1) -> Bool {
    while true {
      var entry = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
      let result = poll(&entry, 1, milliseconds)
      if result > 0 { return drain() }
      if result == 0 || errno != EINTR { return false }
    }
  }
}
