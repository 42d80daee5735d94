internal import CLinux
internal import Glibc

/// The names of users, from the machine's own list alone.
///
/// A name server is never asked: it may take its time, and while it is away the same user would have
/// another name, to which none of what was allowed belongs. Users of such a server are numbers here.
package final class UserNames {
  private struct Version: Equatable {
    var file: ino_t
    var size: off_t
    var seconds: Int
    var nanoseconds: Int
  }

  private let path: String
  private var version: Version?
  private var known: [UInt32: String] = [:]

  /// As much of the list is looked at.
  private static let longest = 1 << 20
  private static let mostKnown = 1024

  package init(in path: String = "/etc/passwd") { self.path = path }

  /// The number of one who has no name.
  package func name(of uid: UInt32) -> String {
    let current = currentVersion()
    if current != version || known.count >= Self.mostKnown {
      version = current
      known = [:]
    }
    if let name = known[uid] { return name }
    let name = current.flatMap { find(uid, size: Int($0.size)) } ?? "\(uid)"
    known[uid] = name
    return name
  }

  private func currentVersion() -> Version? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return Version(
      file: status.st_ino, size: status.st_size, seconds: status.st_mtim.tv_sec,
      nanoseconds: status.st_mtim.tv_nsec)
  }

  private func find(_ uid: UInt32, size: Int) -> String? {
    guard let text = try? File.bytes(of: path, atMost: min(size, Self.longest)) else { return nil }
    let number = Array("\(uid)".utf8)
    return text.withUnsafeBufferPointer { text in
      for line in text.split(separator: UInt8(ascii: "\n")) {
        let words = line.split(
          separator: UInt8(ascii: ":"), maxSplits: 3, omittingEmptySubsequences: false)
        guard words.count == 4, words[2].elementsEqual(number), !words[0].isEmpty else { continue }
        return String(validating: words[0], as: UTF8.self)
      }
      return nil
    }
  }
}
