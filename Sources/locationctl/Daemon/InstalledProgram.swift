import Console
import Glibc
import LocationModel
import Platform

/// Another of our programs: in the folder of this one, else where programs are installed.
struct InstalledProgram {
  let path: String

  /// Its package is called as it is.
  init(_ name: String) throws(Failure) {
    let folder = Process.folder ?? "/usr/bin"
    let paths = ["\(folder)/\(name)", "/usr/bin/\(name)"]
    guard let path = paths.first(where: { access($0, X_OK) == 0 }) else {
      throw Failure(
        .failed,
        "\(name) is not installed, neither in \(folder) nor in /usr/bin: the package \(name) has it"
      )
    }
    self.path = path
  }

  func start(
    _ arguments: [String], input: Subprocess.Stream = .nowhere, output: Subprocess.Stream,
    errors: Subprocess.Stream = .inherited, isInOwnGroup: Bool = false
  ) throws(Failure) -> Subprocess {
    do throws(SystemError) {
      return try Subprocess(
        path, arguments, input: input, output: output, errors: errors, isInOwnGroup: isInOwnGroup)
    } catch {
      throw Failure(.failed, "\(error)")
    }
  }
}

/// Lines from a pipe, whole ones, as they come; one that is too long is left out.
final class LineReader {
  private var end: Descriptor?
  private var input = LineBuffer(longest: 65536)

  /// So many at once.
  private static let most = 1000

  /// Takes the end over.
  init(_ end: inout Descriptor?) {
    end?.forgoWaiting()
    self.end = end.take()
  }

  /// Negative once the other end is closed.
  var descriptor: Int32 { end?.number ?? -1 }

  var isOpen: Bool { descriptor >= 0 }

  func lines() -> [String] {
    var lines: [String] = []
    while isOpen, lines.count < Self.most {
      switch input.read(from: descriptor) {
      case .bytes: break
      case .wouldBlock: return lines
      case .ended, .failed:
        input.end()
        end = nil
      }
      while let line = input.next() {
        if case .text(let text) = line { lines.append(String(decoding: text, as: UTF8.self)) }
      }
    }
    return lines
  }
}
