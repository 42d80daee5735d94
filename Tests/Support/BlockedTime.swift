import Foundation
import Glibc

/// How long this thread has neither run nor waited for its turn on a processor, up to now: the time it
/// was blocked, however busy the machine is.
package struct BlockedTime {
  private let nanoseconds: Int64
  /// How often it has gone to sleep by itself. One that has not was held up by others.
  private let sleeps: Int

  package init() {
    let text = try? kernelText("/proc/thread-self/schedstat")
    let schedule = text ?? ""
    let delay = schedule.split(separator: " ").dropFirst().first.flatMap { Int64($0) } ?? 0
    nanoseconds = Self.read(CLOCK_MONOTONIC) - Self.read(CLOCK_THREAD_CPUTIME_ID) - delay
    var usage = rusage()
    // RUSAGE_THREAD, which the Glibc module lacks.
    getrusage(1, &usage)
    sleeps = usage.ru_nvcsw
  }

  package static func - (a: Self, b: Self) -> Int64 {
    a.sleeps == b.sleeps ? 0 : a.nanoseconds - b.nanoseconds
  }

  private static func read(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
