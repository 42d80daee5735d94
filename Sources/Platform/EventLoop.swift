internal import CLinux
internal import CSystemd
internal import Glibc
import LocationModel

/// The one loop of a program. What it watches is let go of by letting the watch go.
///
/// Alarms, signals and the watchdog are sd-event's, and its descriptor is one of those watched here.
/// Descriptors are watched past it: what it does between one that is ready and whoever waits for that
/// costs a daemon that wakes once in a while a tenth of its time.
///
/// Alarms and signals come first, then descriptors that are ready, then one thing that was put off. After it,
/// descriptors have as much time as it took, as long as some are ready: long work keeps nobody from being read.
package final class EventLoop {
  let event: OpaquePointer
  private let poll: Descriptor
  private let ready = UnsafeMutablePointer<epoll_event>.allocate(capacity: EventLoop.most)
  private var watches: [Slot] = []
  private var free: [Int] = []
  /// Whether an alarm or a signal has been set since sd-event looked.
  var isTouched = true
  /// Whether sd-event has looked, and now waits.
  private var isArmed = false
  private var isStopped = false
  /// What is put off to a later turn, each once, in the order in which it was set.
  var putOff: [(key: ObjectIdentifier, body: () -> Void)] = []
  /// Until then ready descriptors come before what is put off.
  private var descriptorsFirst = Boottime.start

  /// So many descriptors have their turn before it is looked again.
  private static let most = 16
  /// In a descriptor's place, sd-event's own.
  private static let own = UInt64.max

  package init() throws(SystemError) {
    let attempt = "cannot make an event loop"
    poll = Descriptor(owning: try SystemError.check(epoll_create1(linux_epoll_cloexec), attempt))
    var event: OpaquePointer?
    try SystemError.check(sd_event_new(&event), attempt)
    guard let event else { throw SystemError(attempt, ENOMEM) }
    self.event = event
    try control(EPOLL_CTL_ADD, sd_event_get_fd(event), .read, Self.own)
  }

  deinit {
    ready.deallocate()
    sd_event_unref(event)
  }

  /// Runs until `stop`.
  package func run() throws(SystemError) {
    while !isStopped { try turn(within: nil) }
  }

  /// One turn, which waits for something to happen, that long at most.
  package func turn(within longest: Duration?) throws(SystemError) {
    var wait = longest.map { Int32(clamping: (max($0.microseconds, 0) + 999) / 1000) } ?? -1
    var hadAlarm = try dispatchAlarms()
    if hadAlarm || !putOff.isEmpty { wait = 0 }
    let count = epoll_wait(poll.number, ready, Int32(Self.most), wait)
    guard count >= 0 else {
      if errno == EINTR { return }
      throw SystemError("the event loop failed")
    }
    for i in 0..<Int(count) where !isStopped {
      let readiness = Readiness(rawValue: ready[i].events)
      if ready[i].data.u64 == Self.own {
        isTouched = true
        hadAlarm = try dispatchAlarms() || hadAlarm
      } else {
        dispatch(ready[i].data.u64, readiness)
      }
    }
    if !hadAlarm { runPutOff(isBusy: count > 0) }
  }

  private func runPutOff(isBusy: Bool) {
    guard !isStopped, !putOff.isEmpty else { return }
    let start = Clock.boottime
    guard !isBusy || start >= descriptorsFirst else { return }
    putOff.removeFirst().body()
    let end = Clock.boottime
    descriptorsFirst = end + (end - start)
  }

  package func stop() { isStopped = true }

  /// Does one thing of sd-event's that is due, or has it wait. Whether it did one.
  private func dispatchAlarms() throws(SystemError) -> Bool {
    guard isTouched else { return false }
    isTouched = false
    var isDue = false
    if isArmed {
      isArmed = false
      isDue = try SystemError.check(sd_event_wait(event, 0), "the event loop failed") > 0
    }
    if !isDue {
      isDue = try SystemError.check(sd_event_prepare(event), "the event loop failed") > 0
    }
    guard isDue else {
      isArmed = true
      return false
    }
    // There may be more.
    isTouched = true
    try SystemError.check(sd_event_dispatch(event), "the event loop failed")
    return true
  }
}

// MARK: - Descriptors

extension EventLoop {
  /// One watched descriptor's place.
  private struct Slot {
    var number: Int32 = -1
    var readiness: Readiness = []
    var body: ((Readiness) -> Void)?
    /// Goes up with each use: what was ready for the one before is not for this one.
    var use: UInt32 = 0
  }

  private func control(
    _ operation: Int32, _ number: Int32, _ readiness: Readiness, _ key: UInt64
  ) throws(SystemError) {
    var event = epoll_event(events: readiness.rawValue, data: epoll_data_t(u64: key))
    try SystemError.check(
      epoll_ctl(poll.number, operation, number, &event), "cannot watch a descriptor")
  }

  private func key(of slot: Int) -> UInt64 { UInt64(watches[slot].use) << 32 | UInt64(slot) }

  fileprivate func watch(
    _ number: Int32, for readiness: Readiness, _ body: @escaping (Readiness) -> Void
  ) throws(SystemError) -> Int {
    let slot = free.popLast() ?? watches.count
    if slot == watches.count { watches.append(Slot()) }
    do throws(SystemError) {
      try control(EPOLL_CTL_ADD, number, readiness, key(of: slot))
    } catch {
      free.append(slot)
      throw error
    }
    watches[slot].number = number
    watches[slot].readiness = readiness
    watches[slot].body = body
    return slot
  }

  fileprivate func wait(_ slot: Int, for readiness: Readiness) {
    guard watches[slot].readiness != readiness else { return }
    watches[slot].readiness = readiness
    try? control(EPOLL_CTL_MOD, watches[slot].number, readiness, key(of: slot))
  }

  fileprivate func forget(_ slot: Int) {
    // Fails where it is closed already, which is as good.
    try? control(EPOLL_CTL_DEL, watches[slot].number, [], 0)
    watches[slot].body = nil
    watches[slot].use &+= 1
    free.append(slot)
  }

  /// Only the body is held while it runs: a body that lets go of its own watch must find the descriptor
  /// unwatched at once.
  private func dispatch(_ key: UInt64, _ readiness: Readiness) {
    let slot = Int(key & 0xFFFF_FFFF)
    guard watches[slot].use == UInt32(key >> 32), let body = watches[slot].body else { return }
    let wanted = readiness.intersection(watches[slot].readiness.union(.gone))
    if !wanted.isEmpty { body(wanted) }
  }
}

/// The operations that a descriptor is ready for.
package struct Readiness: OptionSet, Sendable {
  package let rawValue: UInt32
  package init(rawValue: UInt32) { self.rawValue = rawValue }

  package static let read = Readiness(rawValue: linux_epollin)
  package static let write = Readiness(rawValue: linux_epollout)
  /// The other side says no more, or has gone.
  package static let finished = Readiness(rawValue: linux_epollrdhup)
  /// Both sides have hung up, or the descriptor is broken; told without being asked for.
  package static let gone = Readiness(rawValue: linux_epollhup | linux_epollerr)
}

extension EventLoop {
  /// A descriptor being watched. It outlives its watch: hold the watch beside the descriptor.
  package final class Watch {
    private let loop: EventLoop
    private let slot: Int

    package convenience init(
      _ descriptor: borrowing Descriptor, for readiness: Readiness, on loop: EventLoop,
      _ body: @escaping (Readiness) -> Void
    ) throws(SystemError) {
      try self.init(descriptor.number, for: readiness, on: loop, body)
    }

    /// Watches a descriptor that somebody else keeps open as long.
    package init(
      _ number: Int32, for readiness: Readiness, on loop: EventLoop,
      _ body: @escaping (Readiness) -> Void
    ) throws(SystemError) {
      self.loop = loop
      slot = try loop.watch(number, for: readiness, body)
    }

    deinit { loop.forget(slot) }

    package func wait(for readiness: Readiness) { loop.wait(slot, for: readiness) }
  }
}
