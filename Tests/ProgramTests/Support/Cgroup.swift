import Foundation
import Glibc
import TestSupport
import Testing

/// A control group, as systemd would make it for a unit. It goes with the test.
///
/// Root makes a folder of the kernel's, in a folder of this run's own, which the run's daemons take for
/// all there is: two runs at once do not meet. Where systemd manages the folders, the run's own is one
/// that systemd leaves to it. In a plain user's namespaces it is a file, mounted over what the kernel says.
final class Cgroup: Sendable {
  enum Hierarchy: CaseIterable {
    case unified
    /// systemd's own, of the first version.
    case named
  }

  let path: String
  private let root: String

  init(_ folder: String, in hierarchy: Hierarchy = .unified) throws {
    guard !AsRoot.isInside else {
      root = ""
      path = FileManager.default.temporaryDirectory.appending(path: "cgroup-\(UUID())").path
      let text = hierarchy == .unified ? "0::\(folder)\n" : "1:name=systemd:\(folder)\n0::/\n"
      try text.write(toFile: path, atomically: false, encoding: .utf8)
      return
    }
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
    guard !root.isEmpty else {
      unlink(path)
      return
    }
    try? "1".write(toFile: path + "/cgroup.kill", atomically: false, encoding: .utf8)
    // Processes there may still be ending.
    _ = eventually(within: patience) { rmdir(self.path) == 0 || errno == ENOENT }
    var folder = URL(filePath: path).deletingLastPathComponent()
    while folder.path.hasPrefix(root + "/"), rmdir(folder.path) == 0 {
      folder.deleteLastPathComponent()
    }
  }

  /// A command that goes there first.
  func command(_ command: [String]) -> [String] {
    guard root.isEmpty else {
      // In the run's folder of the other hierarchies, too, as a daemon's machine has nothing else.
      return Self.enter(Self.roots.values + [path], command)
    }
    let script = #"mount --bind "$1" /proc/$$/cgroup || exit; shift; exec "$@""#
    return ["sh", "-c", script, "sh", path] + command
  }

  /// A daemon to which this run's folder is the root. `seesThem`: also where it looks for the folder of a number.
  static func daemon(_ command: [String], seesThem: Bool = false) -> [String] {
    guard !roots.isEmpty else { return command }
    guard seesThem else { return enter(Array(roots.values), ["unshare", "--cgroup"] + command) }
    let script = "mount -t cgroup2 none /sys/fs/cgroup && exec \"$@\""
    return enter(
      Array(roots.values), ["unshare", "--cgroup", "--mount", "sh", "-c", script, "sh"] + command)
  }

  private static func enter(_ folders: [String], _ command: [String]) -> [String] {
    let script = """
      while [ "$1" != -- ]; do echo $$ > "$1/cgroup.procs" || exit; shift; done; shift; exec "$@"
      """
    return ["sh", "-c", script, "sh"] + folders + ["--"] + command
  }
}

// MARK: - This run's own folders

extension Cgroup {
  static let isUnderSystemd = access("/run/systemd/system", F_OK) == 0

  /// This run's folder in each hierarchy where root can make one.
  static let roots: [Hierarchy: String] = {
    guard getuid() == 0, !AsRoot.isInside else { return [:] }
    var roots: [Hierarchy: String] = [:]
    for hierarchy in Hierarchy.allCases {
      guard let mount = mount(of: hierarchy), let place = isUnderSystemd ? delegated : "" else {
        continue
      }
      let root = "\(mount)\(place)/locationd-tests-\(UUID())"
      if mkdir(root, 0o755) == 0 { roots[hierarchy] = root }
    }
    atexit { Cgroup.removeRoots() }
    return roots
  }()

  private static func mount(of hierarchy: Hierarchy) -> String? {
    guard let mounts = try? kernelText("/proc/self/mountinfo") else {
      return nil
    }
    for line in mounts.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard let dash = words.firstIndex(of: "-"), words.count > dash + 3, words[3] == "/" else {
        continue
      }
      let isThis =
        hierarchy == .unified
        ? words[dash + 1] == "cgroup2" : words[dash + 3].contains("name=systemd")
      let mount = String(words[4])
      if isThis, access(mount + "/cgroup.procs", W_OK) == 0 { return mount }
    }
    return nil
  }

  private static let delegate = "locationd-tests-\(UUID()).service"

  /// The control group of a service that systemd leaves to this run; nil where systemd makes none.
  private static let delegated: String? = {
    let run = [
      "systemd-run", "--quiet", "--collect", "--unit=\(delegate)", "--property=Delegate=yes",
      "--property=RuntimeMaxSec=2h", "sleep", "infinity",
    ]
    guard (try? Program(run).exit()) == 0 else { return nil }
    let show = ["systemctl", "show", "--property=ControlGroup", "--value", delegate]
    guard let text = try? Program(show).text().text else { return nil }
    return text.trimmingCharacters(in: .newlines)
  }()

  private static func removeRoots() {
    for root in roots.values {
      // The deepest first.
      let all = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []
      for folder in all.sorted(by: >) { rmdir("\(root)/\(folder)") }
      rmdir(root)
    }
    guard isUnderSystemd, delegated != nil else { return }
    _ = try? Program(["systemctl", "stop", "--quiet", delegate]).exit()
  }
}

// MARK: - Sessions

extension Cgroup {
  private static let sessions: [UInt32: Cgroup] = {
    let users: Set<UInt32> = [getuid(), 65534]
    let sessions = users.map { (uid: UInt32) -> (UInt32, Cgroup)? in
      (try? Cgroup("/user.slice/user-\(uid).slice/session-1.scope")).map { (uid, $0) }
    }
    return Dictionary(uniqueKeysWithValues: sessions.compactMap { $0 })
  }()

  /// A command in a session of a user's, where agents are. Without systemd it needs none.
  static func inSession(_ command: [String], uid: UInt32 = getuid()) throws -> [String] {
    guard isUnderSystemd else { return command }
    if AsRoot.makesCgroups { return try #require(sessions[uid]).command(command) }
    let own = try kernelText("/proc/self/cgroup")
    if own.contains("/user.slice/user-\(uid).slice/") { return command }
    // A program that a service started, or that became another user.
    return ["systemd-run", "--user", "--scope", "--quiet"] + command
  }
}
