package import Glibc

/// The cost of a process, as the kernel counts it.
package struct ProcessCost {
  private let pid: pid_t

  package init(of pid: pid_t) { self.pid = pid }

  /// Seconds of processor time so far, of all its threads, from the scheduler's own count.
  package var cpu: Double {
    var total = 0.0
    guard let folder = opendir("/proc/\(pid)/task") else { return 0 }
    defer { closedir(folder) }
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      let first = read("task/\(name)/schedstat").split(separator: " ").first
      total += first.flatMap { Double($0) } ?? 0
    }
    return total / 1e9
  }

  /// Kilobytes that would be free if it ended, and those of its programs and libraries that are mapped.
  package var memory: (own: Int, resident: Int) {
    let lines = read("smaps_rollup").split(separator: "\n")
    func kilobytes(_ key: String) -> Int {
      let line = lines.first { $0.hasPrefix("\(key):") }
      return line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    }
    return (kilobytes("Private_Dirty"), kilobytes("Rss"))
  }

  private func read(_ name: String) -> String {
    let descriptor = open("/proc/\(pid)/\(name)", O_RDONLY)
    guard descriptor >= 0 else { return "" }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 8192)
    let count = max(Glibc.read(descriptor, &bytes, bytes.count), 0)
    return String(decoding: bytes[..<count], as: UTF8.self)
  }
}
