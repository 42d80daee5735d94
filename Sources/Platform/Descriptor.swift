internal import Glibc
package import LocationModel

/// A file descriptor and the duty to close it.
package struct Descriptor: ~Copyable {
  package let number: Int32

  package init(owning number: Int32) {
    self.number = number
  }

  deinit { close(number) }

  /// Hands the duty on.
  package consuming func give() -> Int32 {
    let number = number
    discard self
    return number
  }
}

/// The result of a read or a write.
package enum Transfer: Equatable {
  case bytes(Int)
  case wouldBlock
  case ended
  case failed(Int32)

  init(_ result: Int) {
    if result > 0 {
      self = .bytes(result)
    } else if result == 0 {
      self = .ended
    } else if errno == EAGAIN || errno == EINTR {
      self = .wouldBlock
    } else {
      self = .failed(errno)
    }
  }
}

extension Descriptor {
  /// A file for reading, never a tty that would become ours.
  package init(reading path: String) throws(SystemError) {
    let number = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard number >= 0 else { throw SystemError(path) }
    self.init(owning: number)
  }

  /// Neither a folder nor a device.
  package borrowing func isFile() -> Bool {
    var status = stat()
    return fstat(number, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// A folder, to read files in it by their names.
  init(folder path: String) throws(SystemError) {
    let number = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard number >= 0 else { throw SystemError(path) }
    self.init(owning: number)
  }

  /// A file in this folder.
  borrowing func file(_ name: String) throws(SystemError) -> Descriptor {
    let number = openat(self.number, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard number >= 0 else { throw SystemError(name) }
    return Descriptor(owning: number)
  }

  package borrowing func read(into buffer: UnsafeMutableRawBufferPointer) -> Transfer {
    Transfer(Glibc.read(number, buffer.baseAddress, buffer.count))
  }

  /// Into a socket, without a signal if nobody is there any more.
  package borrowing func send(_ bytes: UnsafeRawBufferPointer) -> Transfer {
    Transfer(Glibc.send(number, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL)))
  }

  package borrowing func write(_ bytes: UnsafeRawBufferPointer) -> Transfer {
    Transfer(Glibc.write(number, bytes.baseAddress, bytes.count))
  }

  package borrowing func seek(to offset: Int) throws(SystemError) {
    guard lseek(number, offset, SEEK_SET) >= 0 else { throw SystemError("seek") }
  }
}

extension LineBuffer {
  /// Reads what has come, so many bytes at most.
  package mutating func read(from descriptor: Int32, atMost most: Int = 16384) -> Transfer {
    withUnsafeTemporaryAllocation(byteCount: most, alignment: 1) { buffer in
      let transfer = Transfer(Glibc.read(descriptor, buffer.baseAddress, most))
      if case .bytes(let count) = transfer {
        append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      }
      return transfer
    }
  }
}
