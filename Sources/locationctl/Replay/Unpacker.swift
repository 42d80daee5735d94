import Console
import Glibc
import Platform

/// gzip, which unpacks a recording that is packed.
enum Unpacker {
  /// Nil where the file is not packed. One that comes through a pipe is not looked into.
  static func start(
    on file: borrowing Descriptor, _ name: String
  ) throws(Failure) -> Subprocess? {
    let number = file.number
    var head: [UInt8] = [0, 0]
    guard pread(number, &head, 2, lseek(number, 0, SEEK_CUR)) == 2, head == [0x1F, 0x8B] else {
      return nil
    }
    do throws(SystemError) {
      return try Subprocess("gzip", ["-dc"], input: .descriptor(number), output: .pipe)
    } catch {
      throw Failure(.failed, "\(name): it is packed, and there is no gzip here to unpack it")
    }
  }
}
