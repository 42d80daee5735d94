internal import CLinux
internal import CSystemd
internal import Glibc
package import LocationModel

// Timers and signals, which sd-event looks after.
extension EventLoop {
  /// An alarm on the boot clock, set again and again.
  package final class Timer {
    private let loop: EventLoop
    private var source: OpaquePointer?
    private let body: () -> Void
    private var isSet = false

    /// `slack`: so much it may be late, so that wake-ups can be joined.
    package init(
      slack: Duration, on loop: EventLoop, _ body: @escaping () -> Void
    ) throws(SystemError) {
      self.loop = loop
      self.body = body
      let context = Unmanaged.passUnretained(self).toOpaque()
      let result = sd_event_add_time(
        loop.event, &source, CLOCK_BOOTTIME, 0, UInt64(max(slack.microseconds, 1)),
        { _, _, context in
          object(Timer.self, at: context)?.isSet = false
          let body = object(Timer.self, at: context)?.body
          body?()
          return 0
        }, context)
      try SystemError.check(result, "cannot set a timer")
      sd_event_source_set_enabled(source, Int32(SD_EVENT_OFF))
    }

    deinit { sd_event_source_disable_unref(source) }

    /// Nil for never.
    package func set(_ boottime: Boottime?) {
      guard boottime != nil || isSet else { return }
      loop.isTouched = true
      isSet = boottime != nil
      guard let boottime else {
        sd_event_source_set_enabled(source, Int32(SD_EVENT_OFF))
        return
      }
      // Rounded up: an alarm is never early.
      sd_event_source_set_time(source, (UInt64(max(boottime.nanoseconds, 0)) + 999) / 1000)
      sd_event_source_set_enabled(source, Int32(SD_EVENT_ONESHOT))
    }
  }

  /// Something to do in one of the loop's next turns, once each time it is set.
  package final class Later {
    private let loop: EventLoop
    private let body: () -> Void

    package init(on loop: EventLoop, _ body: @escaping () -> Void) throws(SystemError) {
      self.loop = loop
      self.body = body
    }

    deinit { cancel() }

    package func set() {
      let key = ObjectIdentifier(self)
      if !loop.putOff.contains(where: { $0.key == key }) { loop.putOff.append((key, body)) }
    }

    package func cancel() { loop.putOff.removeAll { $0.key == ObjectIdentifier(self) } }
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
      loop.isTouched = true
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

// The life of a service.
extension EventLoop {
  /// SIGTERM and SIGINT end a program, SIGHUP has it read its configuration again.
  package func watchSignals(
    end: @escaping () -> Void, reload: (() -> Void)? = nil
  ) throws(SystemError) -> [SignalWatch] {
    var watches = [
      try SignalWatch(SIGTERM, on: self, end), try SignalWatch(SIGINT, on: self, end),
    ]
    if let reload { watches.append(try SignalWatch(SIGHUP, on: self, reload)) }
    return watches
  }

  /// Tells the service manager that the program is ready, and, if it asked, that the loop lives.
  package func serve() throws(SystemError) {
    isTouched = true
    try SystemError.check(sd_event_set_watchdog(event, 1), "cannot feed the watchdog")
    Process.notify("READY=1")
    try run()
  }

  package func end(_ log: Log) {
    log.info("stopping")
    Process.notify("STOPPING=1")
    stop()
  }
}

/// The object that a C callback was given. Only its body is held while it runs: a body that lets go of
/// its own watch must find the descriptor unwatched at once.
private func object<Object: AnyObject>(
  _ type: Object.Type, at context: UnsafeMutableRawPointer?
) -> Object? {
  context.map { Unmanaged<Object>.fromOpaque($0).takeUnretainedValue() }
}
