import Console
import Glibc
import LocationModel
import Platform

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

/// Lines from a pipe, whole ones, as they come; one that is too long is left out.
final class LineReader {
  /// Negative once the other end is closed.
  private(set) var descriptor: Int32
  private var input = LineBuffer(longest: 65536)

  /// So many at once.
  private static let most = 1000

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit { if descriptor >= 0 { close(descriptor) } }

  var isOpen: Bool { descriptor >= 0 }

  func lines() -> [String] {
    var lines: [String] = []
    while isOpen, lines.count < Self.most {
      switch input.read(from: descriptor) {
      case .bytes: break
      case .wouldBlock: return lines
      case .ended, .failed:
        input.end()
        close(descriptor)
        descriptor = -1
      }
      while let line = input.next() {
        if case .text(let text) = line { lines.append(String(decoding: text, as: UTF8.self)) }
      }
    }
    return lines
  }
}
