import Foundation
import Glibc
import Testing

/// A folder of the kernel's control groups, made as systemd would make it. It goes with the test.
///
/// It lies in a folder of this run's own, which the run's daemons take for all there is: two runs at
/// once do not meet.
final class Cgroup {
  enum Hierarchy: CaseIterable {
    case unified
    /// systemd's own, of the first version.
    case named

    /// Nil where folders would get in a manager's way.
    fileprivate var mount: String? {
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
        let mount = String(words[4])
        if isThis, access(mount + "/cgroup.procs", W_OK) == 0 { return mount }
      }
      return nil
    }
  }

  static let hasManager = access("/run/systemd/system", F_OK) == 0 && comm(of: 1) == "systemd"
  static let areThere = roots[.unified] != nil
  static let missing: Comment = "folders of control groups are made by root where no manager does"

  /// This run's folder in each hierarchy.
  static let roots: [Hierarchy: String] = {
    var roots: [Hierarchy: String] = [:]
    for hierarchy in Hierarchy.allCases {
      guard let mount = hierarchy.mount else { continue }
      let root = "\(mount)/locationd-tests-\(getpid())"
      if mkdir(root, 0o755) == 0 || errno == EEXIST { roots[hierarchy] = root }
    }
    atexit { for root in Cgroup.roots.values { rmdir(root) } }
    return roots
  }()

  let path: String
  private let root: String

  init(_ folder: String, in hierarchy: Hierarchy = .unified) throws {
    root = try #require(Self.roots[hierarchy])
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
    // In the run's folder of the other hierarchies, too, as a daemon's machine has nothing else.
    Self.enter(Self.roots.values + [path], command)
  }

  /// A daemon to which this run's folder is the root.
  static func daemon(_ command: [String]) -> [String] {
    areThere ? enter(Array(roots.values), ["unshare", "--cgroup"] + command) : command
  }

  private static func enter(_ folders: [String], _ command: [String]) -> [String] {
    let script = """
      while [ "$1" != -- ]; do echo $$ > "$1/cgroup.procs" || exit; shift; done; shift; exec "$@"
      """
    return ["sh", "-c", script, "sh"] + folders + ["--"] + command
  }

  private static func comm(of pid: Int) -> String? {
    (try? String(contentsOfFile: "/proc/\(pid)/comm", encoding: .utf8))?
      .trimmingCharacters(in: .newlines)
  }
}
