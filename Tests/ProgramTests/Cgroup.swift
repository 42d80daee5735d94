import Foundation
import Glibc
import Testing

/// A folder of the kernel's control groups, made as systemd would make it. It goes with the test.
final class Cgroup {
  enum Hierarchy: String, CaseIterable {
    case unified
    /// systemd's own, of the first version.
    case named

    /// Where folders may be made without getting in a manager's way.
    var root: String? {
      guard getuid() == 0, !Cgroup.hasManager,
        let mounts = try? String(contentsOfFile: "/proc/self/mountinfo", encoding: .utf8)
      else { return nil }
      for line in mounts.split(separator: "\n") {
        let words = line.split(separator: " ")
        guard let dash = words.firstIndex(of: "-"), words.count > dash + 3, words[3] == "/" else {
          continue
        }
        let isThis =
          self == .unified
          ? words[dash + 1] == "cgroup2" : words[dash + 3].contains("name=systemd")
        let root = String(words[4])
        if isThis, access(root + "/cgroup.procs", W_OK) == 0 { return root }
      }
      return nil
    }
  }

  static let hasManager = access("/run/systemd/system", F_OK) == 0 && comm(of: 1) == "systemd"
  static let areThere = Hierarchy.unified.root != nil
  static let missing: Comment = "folders of control groups are made by root where no manager does"

  let path: String
  private let root: String

  init(_ folder: String, in hierarchy: Hierarchy = .unified) throws {
    root = try #require(hierarchy.root)
    path = root + folder
    let made = eventually(within: patience) {
      // Another test may just have taken a common part away.
      (try? FileManager.default.createDirectory(
        atPath: self.path, withIntermediateDirectories: true)) != nil
    }
    try #require(made, "\(path)")
  }

  deinit {
    try? "1".write(toFile: path + "/cgroup.kill", atomically: false, encoding: .utf8)
    // Whoever ran there may still be ending.
    _ = eventually(within: patience) { rmdir(self.path) == 0 }
    var folder = URL(filePath: path).deletingLastPathComponent()
    while folder.path.hasPrefix(root + "/"), rmdir(folder.path) == 0 {
      folder.deleteLastPathComponent()
    }
  }

  /// A command that goes there first.
  func command(_ command: [String]) -> [String] {
    ["sh", "-c", #"echo $$ > "$0/cgroup.procs" && exec "$@""#, path] + command
  }

  private static func comm(of pid: Int) -> String? {
    (try? String(contentsOfFile: "/proc/\(pid)/comm", encoding: .utf8))?
      .trimmingCharacters(in: .newlines)
  }
}
