import Console
import Glibc

/// Another of our programs.
enum InstalledProgram {
  /// In the folder of this program, else where programs are installed. Its package is called as it is.
  static func path(_ name: String) throws(Failure) -> String {
    var own = [CChar](repeating: 0, count: 4097)
    let count = readlink("/proc/self/exe", &own, 4096)
    let path = String(
      decoding: own.prefix(max(count, 0)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "/usr/bin"
    for folder in [folder, "/usr/bin"] {
      let program = "\(folder)/\(name)"
      if access(program, X_OK) == 0 { return program }
    }
    throw Failure(
      .failed,
      "\(name) is not installed, neither in \(folder) nor in /usr/bin: the package \(name) has it")
  }
}

/// Lines from a pipe, whole ones, as they come.
final class LineReader {
  /// Negative once the other end is closed.
  private(set) var descriptor: Int32
  private var pending: [UInt8] = []

  /// A longer line is cut.
  private static let longest = 65536

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit { if descriptor >= 0 { close(descriptor) } }

  var isOpen: Bool { descriptor >= 0 }

  func lines() -> [String] {
    var bytes = [UInt8](repeating: 0, count: 4096)
    while descriptor >= 0 {
      let count = read(descriptor, &bytes, bytes.count)
      if count > 0 {
        pending += bytes[..<count]
        if pending.count >= Self.longest { break }
      } else if count == 0 {
        close(descriptor)
        descriptor = -1
      } else if errno != EINTR {
        break
      }
    }
    var lines = pending.split(separator: 0x0A, omittingEmptySubsequences: false)
    let rest = lines.popLast() ?? []
    var told = lines.map { String(decoding: $0, as: UTF8.self) }
    let isEnd = descriptor < 0 || rest.count >= Self.longest
    if isEnd, !rest.isEmpty { told.append(String(decoding: rest, as: UTF8.self)) }
    pending = isEnd ? [] : Array(rest)
    return told
  }
}
