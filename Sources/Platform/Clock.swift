internal import CLinux
internal import Glibc
package import LocationModel
internal import Synchronization

/// The machine's clocks.
package enum Clock {
  package static var boottime: Boottime {
    Boottime(nanoseconds: now(CLOCK_BOOTTIME, unit: 1_000_000_000))
  }

  /// Microseconds since the machine started, suspend left out: what systemd counts by.
  package static var monotonic: Int64 { now(CLOCK_MONOTONIC, unit: 1_000_000) }

  /// The processor's time that this thread has had.
  static var processorTime: Duration {
    .nanoseconds(now(CLOCK_THREAD_CPUTIME_ID, unit: 1_000_000_000))
  }

  package static var utc: Timestamp {
    Timestamp(microseconds: now(CLOCK_REALTIME, unit: 1_000_000))
  }

  /// The offset of local time from UTC now, by the zone of time that the machine has at this moment.
  package static var localOffset: Duration {
    tzset()
    var (now, parts) = (time(nil), tm())
    return localtime_r(&now, &parts) == nil ? .zero : .seconds(parts.tm_gmtoff)
  }

  /// Whether something steers the clock now, so that its date can be believed. It costs a system call,
  /// and is found out once a second.
  package static func isSet(at boottime: Boottime) -> Bool {
    let second = boottime.nanoseconds / 1_000_000_000
    let known = lastAnswer.load(ordering: .relaxed)
    if known >> 1 == second { return known & 1 == 1 }
    let answer = findOut()
    lastAnswer.store(second << 1 | (answer ? 1 : 0), ordering: .relaxed)
    return answer
  }

  /// In which second of boottime it was found out, and what, in the last bit.
  private static let lastAnswer = Atomic<Int64>(-2)

  private static func findOut() -> Bool {
    let answer = linux_clock_is_set()
    // A service that may not touch the clock may not ask about it either; systemd's own keeper leaves
    // a word for all.
    guard answer < 0 else { return answer != 0 }
    return access("/run/systemd/timesync/synchronized", F_OK) == 0
  }

  private static func now(_ clock: clockid_t, unit: Int64) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * unit + Int64(time.tv_nsec) / (1_000_000_000 / unit)
  }
}
