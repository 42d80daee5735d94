internal import CLinux
internal import CSystemd
internal import Glibc

/// The one loop of a program, on sd-event. What it watches is let go of by letting the watch go.
package final class EventLoop {
  private let event: OpaquePointer

  package init() throws(SystemError) {
    var event: OpaquePointer?
    try SystemError.check(sd_event_new(&event), "cannot make an event loop")
    guard let event else { throw SystemError("cannot make an event loop", ENOMEM) }
    self.event = event
  }

  deinit { sd_event_unref(event) }

  /// Runs until `stop`.
  package func run() throws(SystemError) {
    try SystemError.check(sd_event_loop(event), "the event loop failed")
  }

  /// One turn, which waits for something to happen for so many microseconds at most.
  package func turn(within microseconds: UInt64) throws(SystemError) {
    try SystemError.check(sd_event_run(event, microseconds), "the event loop failed")
  }

  package func stop() { sd_event_exit(event, 0) }

  /// Tells systemd that the loop lives, if it asked to be told.
  package func feedWatchdog() throws(SystemError) {
    try SystemError.check(sd_event_set_watchdog(event, 1), "cannot feed the watchdog")
  }
}

/// What a descriptor is ready for.
package struct Readiness: OptionSet, Sendable {
  package let rawValue: UInt32
  package init(rawValue: UInt32) { self.rawValue = rawValue }

  package static let read = Readiness(rawValue: linux_epollin)
  package static let write = Readiness(rawValue: linux_epollout)
  /// Both sides have hung up, or the descriptor is broken; told without being asked for.
  package static let gone = Readiness(rawValue: linux_epollhup | linux_epollerr)
}

extension EventLoop {
  /// A descriptor being watched. It outlives its watch: hold the watch beside the descriptor.
  package final class Watch {
    private var source: OpaquePointer?
    private let body: (Readiness) -> Void

    package convenience init(
      _ descriptor: borrowing Descriptor, for readiness: Readiness, on loop: EventLoop,
      _ body: @escaping (Readiness) -> Void
    ) throws(SystemError) {
      try self.init(descriptor.number, for: readiness, on: loop, body)
    }

    /// Of a descriptor that somebody else keeps open as long.
    package init(
      _ number: Int32, for readiness: Readiness, on loop: EventLoop,
      _ body: @escaping (Readiness) -> Void
    ) throws(SystemError) {
      self.body = body
      let context = Unmanaged.passUnretained(self).toOpaque()
      let result = sd_event_add_io(
        loop.event, &source, number, readiness.rawValue,
        { _, _, events, context in
          let body = object(Watch.self, at: context)?.body
          body?(Readiness(rawValue: events))
          return 0
        }, context)
      try SystemError.check(result, "cannot watch a descriptor")
    }

    deinit { sd_event_source_disable_unref(source) }

    package func wait(for readiness: Readiness) {
      sd_event_source_set_io_events(source, readiness.rawValue)
    }
  }

  /// An alarm on the boot clock, set again and again.
  package final class Timer {
    private var source: OpaquePointer?
    private let body: () -> Void

    /// `slack`: nanoseconds it may be late, so that wake-ups can be joined.
    package init(
      slack: Int64, on loop: EventLoop, _ body: @escaping () -> Void
    ) throws(SystemError) {
      self.body = body
      let context = Unmanaged.passUnretained(self).toOpaque()
      let result = sd_event_add_time(
        loop.event, &source, CLOCK_BOOTTIME, 0, UInt64(max(slack / 1000, 1)),
        { _, _, context in
          let body = object(Timer.self, at: context)?.body
          body?()
          return 0
        }, context)
      try SystemError.check(result, "cannot set a timer")
      sd_event_source_set_enabled(source, Int32(SD_EVENT_OFF))
    }

    deinit { sd_event_source_disable_unref(source) }

    /// Nanoseconds of boottime; nil for never.
    package func set(_ boottime: Int64?) {
      guard let boottime else {
        sd_event_source_set_enabled(source, Int32(SD_EVENT_OFF))
        return
      }
      // Rounded up: an alarm is never early.
      sd_event_source_set_time(source, UInt64(max(boottime, 0) + 999) / 1000)
      sd_event_source_set_enabled(source, Int32(SD_EVENT_ONESHOT))
    }
  }

  /// Something to do in the loop's next turn, once each time it is set.
  package final class Later {
    private var source: OpaquePointer?
    private let body: () -> Void

    package init(on loop: EventLoop, _ body: @escaping () -> Void) throws(SystemError) {
      self.body = body
      let context = Unmanaged.passUnretained(self).toOpaque()
      let result = sd_event_add_defer(
        loop.event, &source,
        { _, context in
          let body = object(Later.self, at: context)?.body
          body?()
          return 0
        }, context)
      try SystemError.check(result, "cannot put something off")
      cancel()
    }

    deinit { sd_event_source_disable_unref(source) }

    package func set() { sd_event_source_set_enabled(source, Int32(SD_EVENT_ONESHOT)) }
    package func cancel() { sd_event_source_set_enabled(source, Int32(SD_EVENT_OFF)) }
  }

  /// A signal that comes as an event like others.
  package final class SignalWatch {
    private var source: OpaquePointer?
    private let body: () -> Void

    package init(
      _ signal: Int32, on loop: EventLoop, _ body: @escaping () -> Void
    ) throws(SystemError) {
      self.body = body
      var set = sigset_t()
      sigemptyset(&set)
      sigaddset(&set, signal)
      // sd-event wants it blocked first.
      pthread_sigmask(SIG_BLOCK, &set, nil)
      let context = Unmanaged.passUnretained(self).toOpaque()
      let result = sd_event_add_signal(
        loop.event, &source, signal,
        { _, _, context in
          let body = object(SignalWatch.self, at: context)?.body
          body?()
          return 0
        }, context)
      try SystemError.check(result, "cannot watch a signal")
    }

    deinit { sd_event_source_disable_unref(source) }
  }
}

/// What a C callback was given, as the object it stands for. Of that only the body is to be held on to
/// while it runs: what lets go of its own watch must find the descriptor unwatched at once.
private func object<Object: AnyObject>(
  _ type: Object.Type, at context: UnsafeMutableRawPointer?
) -> Object? {
  context.map { Unmanaged<Object>.fromOpaque($0).takeUnretainedValue() }
}
