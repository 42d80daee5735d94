internal import CLinux
internal import Glibc

/// A serial line that is none: what is written here is read at a path. The link at the path goes with it.
package final class PseudoTerminal {
  private let leader: Descriptor
  /// Held open: without a reader the line would end.
  private let follower: Descriptor
  private let path: String
  /// The link at the path is ours.
  private var isLinked = false

  /// Another program's file at the path stays; a link that an earlier one left is replaced.
  package init(at path: String, mode: UInt32) throws(SystemError) {
    let attempt = "cannot make a serial line at \(path)"
    var number: Int32 = -1
    var text = [CChar](repeating: 0, count: 128)
    guard linux_pseudo_terminal(&number, &text, text.count) else { throw SystemError(attempt) }
    leader = Descriptor(owning: number)
    self.path = path
    let name = String(
      decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let other = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
    guard other >= 0 else { throw SystemError(attempt) }
    follower = Descriptor(owning: other)
    var settings = termios()
    guard tcgetattr(other, &settings) == 0 else { throw SystemError(attempt) }
    cfmakeraw(&settings)
    guard tcsetattr(other, TCSANOW, &settings) == 0, chmod(name, mode) == 0 else {
      throw SystemError(attempt)
    }
    var entry = stat()
    if lstat(path, &entry) == 0 {
      guard entry.st_mode & S_IFMT == S_IFLNK else { throw SystemError(attempt, EEXIST) }
      unlink(path)
    }
    guard symlink(name, path) == 0 else { throw SystemError(attempt) }
    isLinked = true
  }

  deinit { if isLinked { unlink(path) } }

  /// New bytes take the place of those that wait, where no program reads.
  package func write(_ bytes: UnsafeRawBufferPointer) {
    if case .bytes(bytes.count) = leader.write(bytes) { return }
    drop()
    _ = leader.write(bytes)
  }

  /// Drops what no program has read.
  package func drop() { tcflush(follower.number, TCIFLUSH) }
}
