internal import CDBus
import LocationModel
internal import Platform

/// Hangs what one libdbus connection waits for on the loop.
///
/// libdbus has a watch for reading and one for writing on the same descriptor, of which epoll takes
/// one: they are joined. It toggles and removes them while they are told.
final class BusHook {
  private final class Socket {
    var watches: [OpaquePointer] = []
    var onLoop: EventLoop.Watch?
  }

  private let loop: EventLoop
  /// libdbus has had a turn, and may have messages now.
  private let handled: () -> Void
  private var sockets: [Int32: Socket] = [:]
  private var timers: [OpaquePointer: EventLoop.Timer] = [:]
  /// Whether it is told when there is room to write, though libdbus has nothing.
  var isToldOfRoom = false {
    didSet {
      guard isToldOfRoom != oldValue else { return }
      for (number, socket) in sockets { arm(socket, number) }
    }
  }

  init(on loop: EventLoop, handled: @escaping () -> Void) {
    self.loop = loop
    self.handled = handled
  }

  // MARK: - Descriptors

  func add(watch: OpaquePointer) -> Bool {
    let number = dbus_watch_get_unix_fd(watch)
    let socket = sockets[number] ?? Socket()
    sockets[number] = socket
    socket.watches.append(watch)
    return arm(socket, number)
  }

  func toggle(watch: OpaquePointer) {
    for (number, socket) in sockets where socket.watches.contains(watch) { arm(socket, number) }
  }

  func remove(watch: OpaquePointer) {
    // Its descriptor may be closed by now, so it is not asked for its number.
    for (number, socket) in sockets where socket.watches.contains(watch) {
      socket.watches.removeAll { $0 == watch }
      arm(socket, number)
      if socket.watches.isEmpty { sockets[number] = nil }
    }
  }

  @discardableResult
  private func arm(_ socket: Socket, _ number: Int32) -> Bool {
    var readiness = socket.watches.reduce(into: Readiness()) { readiness, watch in
      if dbus_watch_get_enabled(watch) != 0 { readiness.formUnion(wish(of: watch)) }
    }
    if isToldOfRoom, !socket.watches.isEmpty { readiness.insert(.write) }
    if readiness.isEmpty {
      // Not only asked for nothing: a hang-up would be told all the same, again and again.
      socket.onLoop = nil
    } else if let watch = socket.onLoop {
      watch.wait(for: readiness)
    } else {
      socket.onLoop = try? EventLoop.Watch(number, for: readiness, on: loop) {
        [unowned self] in dispatch(socket: number, $0)
      }
      return socket.onLoop != nil
    }
    return true
  }

  private func wish(of watch: OpaquePointer) -> Readiness {
    let flags = dbus_watch_get_flags(watch)
    var readiness = Readiness()
    if flags & DBUS_WATCH_READABLE.rawValue != 0 { readiness.insert(.read) }
    if flags & DBUS_WATCH_WRITABLE.rawValue != 0 { readiness.insert(.write) }
    return readiness
  }

  private func dispatch(socket number: Int32, _ readiness: Readiness) {
    for watch in sockets[number]?.watches ?? [] {
      // The one before may have removed or disabled this one.
      guard sockets[number]?.watches.contains(watch) == true, dbus_watch_get_enabled(watch) != 0
      else { continue }
      let ready = readiness.intersection(wish(of: watch))
      var flags: UInt32 = 0
      if ready.contains(.read) { flags |= DBUS_WATCH_READABLE.rawValue }
      if ready.contains(.write) { flags |= DBUS_WATCH_WRITABLE.rawValue }
      if !readiness.isDisjoint(with: .gone) { flags |= DBUS_WATCH_HANGUP.rawValue }
      if flags != 0 { dbus_watch_handle(watch, flags) }
    }
    handled()
  }

  // MARK: - Alarms

  func add(timeout: OpaquePointer) -> Bool {
    let slack: Duration = .milliseconds(1)
    timers[timeout] = try? EventLoop.Timer(slack: slack, on: loop) { [unowned self] in
      // libdbus means an alarm that rings until it is taken away.
      toggle(timeout: timeout)
      dbus_timeout_handle(timeout)
      handled()
    }
    toggle(timeout: timeout)
    return timers[timeout] != nil
  }

  func toggle(timeout: OpaquePointer) {
    let enabled = dbus_timeout_get_enabled(timeout) != 0
    let pause = Duration.milliseconds(dbus_timeout_get_interval(timeout))
    timers[timeout]?.set(enabled ? Clock.boottime + pause : nil)
  }

  func remove(timeout: OpaquePointer) { timers[timeout] = nil }
}
