internal import Glibc

/// The names of control groups by their numbers, which are those of their folders.
package final class ControlGroups {
  private let root: String?
  private var known: [UInt64: String] = [:]

  private static let mostKnown = 1024
  /// A machine has some hundred.
  private static let mostSeen = 16384
  private static let deepest = 16
  /// Files of each group begin with these.
  private static let controllers: Set<Substring> = [
    "cgroup", "cpu", "cpuset", "dmem", "hugetlb", "io", "irq", "memory", "misc", "pids", "rdma",
  ]

  package convenience init() {
    // The groups are mounted by themselves, or beside those of version 1.
    let places = ["/sys/fs/cgroup", "/sys/fs/cgroup/unified"]
    self.init(in: places.first { access("\($0)/cgroup.procs", F_OK) == 0 })
  }

  package init(in root: String?) { self.root = root }

  /// The path below the root, with its slash; nil where there is none any more.
  package func path(of number: UInt64) -> String? {
    guard let root else { return nil }
    if let path = known[number], Self.number(of: root + path) == number {
      return path
    }
    if known.count >= Self.mostKnown { known = [:] }
    var rest = Self.mostSeen
    let path = find(number, in: root, below: "", depth: 0, &rest)
    known[number] = path
    return path
  }

  private func find(
    _ number: UInt64, in root: String, below path: String, depth: Int, _ rest: inout Int
  ) -> String? {
    if Self.number(of: root + path) == number { return path.isEmpty ? "/" : path }
    guard depth < Self.deepest, rest > 0, let names = try? File.names(in: root + path) else {
      return nil
    }
    for name in names where name != "." && name != ".." {
      if let word = name.split(separator: ".").first, Self.controllers.contains(word) { continue }
      rest -= 1
      guard Self.isFolder("\(root)\(path)/\(name)") else { continue }
      if let found = find(number, in: root, below: "\(path)/\(name)", depth: depth + 1, &rest) {
        return found
      }
    }
    return nil
  }

  private static func isFolder(_ path: String) -> Bool {
    var entry = stat()
    return lstat(path, &entry) == 0 && entry.st_mode & S_IFMT == S_IFDIR
  }

  private static func number(of folder: String) -> UInt64? {
    var entry = stat()
    return stat(folder, &entry) == 0 ? UInt64(entry.st_ino) : nil
  }
}
