internal import CLinux
internal import Glibc

/// A bound on the memory that a library may take in one call, for a library that has none of its own.
///
/// The kernel refuses the process more private memory (RLIMIT_DATA), so the library's malloc fails. A Swift
/// program traps where memory is refused: its callbacks run with the bound lifted.
package final class AllocationBound {
  private let bytes: Int
  private let statistics: Descriptor
  private var isSet = false

  /// `bytes`: that a call may take beside what the process has.
  package init(bytes: Int) {
    self.bytes = bytes
    statistics = Descriptor(owning: open("/proc/self/statm", O_RDONLY | O_CLOEXEC))
  }

  package func run<Result>(_ body: () -> Result) -> Result {
    set()
    defer { clear() }
    return body()
  }

  /// For the library's callbacks.
  package func lift(_ body: () -> Void) {
    let wasSet = isSet
    if wasSet { clear() }
    body()
    if wasSet { set() }
  }

  private func set() {
    guard let pages = dataPages else { return }
    var limit = Self.usual
    let most = rlim_t(clamping: pages * sysconf(Int32(_SC_PAGESIZE)) + bytes)
    limit.rlim_cur = min(limit.rlim_cur, most)
    isSet = setrlimit(Self.data, &limit) == 0
  }

  private func clear() {
    var limit = Self.usual
    setrlimit(Self.data, &limit)
    isSet = false
  }

  private static let data = __rlimit_resource_t(RLIMIT_DATA.rawValue)
  private static let usual: rlimit = {
    var limit = rlimit()
    getrlimit(data, &limit)
    return limit
  }()

  /// The sixth number of the file.
  private var dataPages: Int? {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 128) { text in
      let count = pread(statistics.number, text.baseAddress, text.count, 0)
      guard count > 0 else { return nil }
      let words = text[..<count].split(separator: UInt8(ascii: " "), maxSplits: 6)
      guard words.count > 5 else { return nil }
      return words[5].reduce(0) { $0 * 10 + Int($1) - 0x30 }
    }
  }
}
