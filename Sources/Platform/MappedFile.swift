internal import Glibc

/// A part of a file that nobody writes any more, mapped to be read: what is not looked at costs no memory.
package final class MappedFile {
  private let start: UnsafeMutableRawPointer
  private let size: Int
  /// As long as this object lives.
  package let bytes: UnsafeRawBufferPointer

  /// `file` is open, and may be closed then. A part that reaches beyond its end is an error.
  package init(_ file: Int32, offset: Int, size: Int) throws(SystemError) {
    let all = File.size(of: file)
    guard offset >= 0, size > 0, offset <= all, size <= all - offset else {
      throw SystemError("a part of the file", EINVAL)
    }
    let before = offset % Int(getpagesize())
    guard let start = mmap(nil, size + before, PROT_READ, MAP_SHARED, file, offset - before),
      start != MAP_FAILED
    else { throw SystemError("mmap") }
    self.start = start
    self.size = size + before
    bytes = UnsafeRawBufferPointer(start: start + before, count: size)
  }

  deinit { munmap(start, size) }
}
