internal import CDBus
internal import Platform

/// One connection to a bus, from its opening to its end. It does not come back: `BusConnection`
/// makes another.
///
/// Two writers share the socket: libdbus (calls, messages over 32 KiB) and `BusOutbox` (signals, answers). What holds:
/// * Each writes whole messages. The outbox writes only while libdbus has nothing to send; libdbus sends only
///   after the outbox was flushed, or while the outbox keeps what the bus did not take.
/// * Signals and answers over 32 KiB wait in the outbox, too: libdbus, which takes nothing back, gets one at a time.
/// * The outbox never leaves half a message: one `send` takes at most 32 KiB, which a Unix socket takes wholly
///   or not at all. If the kernel breaks that rule, the link ends.
/// * Serial numbers of the outbox begin at 2³¹, those of libdbus at 1: an answer is never taken for another's.
/// * The order between the two writers is not kept; the order within the outbox is, and libdbus keeps its own.
/// * libdbus alone reads. It is dispatched after it had a turn, never from inside its own callbacks.
/// * After `close` nothing is sent; the end is told once, from the loop, and may release this link.
final class BusLink {
  /// Bytes that wait to be sent or are handled, before the bus is read no further.
  private static let mostReceived = 4 << 20
  /// Messages handled before others on the loop have their turn.
  private static let mostPerTurn = 64
  /// Bytes that the bus reads at once: so many, and it begins with them while the rest is written.
  private static let mostGathered = 2 << 10

  private struct Waiting {
    weak var call: BusCall?
  }

  let connection: OpaquePointer
  private let loop: EventLoop
  private let received: (BusMessage) -> Void
  private let ended: (BusError) -> Void
  private(set) var hook: BusHook?
  private var outbox = BusOutbox()
  private var socket: Int32 = -1
  private var isGathering = false
  /// Bytes that go at once: the first message alone, for the bus to wake up by, then what it reads.
  private var enough = 0
  /// Whether libdbus has had a turn since it was seen to have nothing to send.
  private var mayBeSending = true
  private(set) var later: EventLoop.Later?
  private var hello: BusCall?
  private var waiting: [ObjectIdentifier: Waiting] = [:]
  private var reason: BusError?
  private(set) var uniqueName: String?

  /// Opening costs a `connect` of a Unix socket, some 50 µs: libdbus connects without waiting for
  /// the handshake, which goes through the loop, and so does our Hello. That `connect` would wait
  /// if nobody took connections any more and the bus's backlog were full, which is tried first.
  init(
    to address: BusAddress, patience: Int32, on loop: EventLoop,
    up: @escaping () -> Void, received: @escaping (BusMessage) -> Void,
    drained: @escaping () -> Void, ended: @escaping (BusError) -> Void
  ) throws(BusError) {
    try address.tryOut()
    var error = DBusError()
    dbus_error_init(&error)
    defer { dbus_error_free(&error) }
    guard let connection = dbus_connection_open_private(address.text, &error) else {
      throw BusError(
        error.name.map { String(cString: $0) } ?? BusError.noMemory.name,
        error.message.map { String(cString: $0) } ?? "")
    }
    self.connection = connection
    self.loop = loop
    self.received = received
    self.ended = ended
    dbus_connection_set_exit_on_disconnect(connection, 0)
    // Pings come here, and are answered as other calls are: libdbus would do so without a bound.
    dbus_connection_set_route_peer_messages(connection, 1)
    // A bound for one message would be no bound but an end: libdbus leaves the bus when it sees a
    // bigger one, so that any client could cut us off. The bus has a bound (32 MiB).
    dbus_connection_set_max_received_size(connection, Self.mostReceived)
    do throws(SystemError) {
      later = try EventLoop.Later(on: loop) { [unowned self] in dispatch() }
    } catch {
      throw .failed("\(error)")
    }
    hook = BusHook(on: loop) { [unowned self] in
      dispatch()
      flush()
      if isUp { drained() }
    }
    setFunctions()
    try sayHello(patience: patience, up)
  }

  deinit {
    // Nobody is called back from here on.
    dbus_connection_set_watch_functions(connection, nil, nil, nil, nil, nil)
    dbus_connection_set_timeout_functions(connection, nil, nil, nil, nil, nil)
    dbus_connection_set_dispatch_status_function(connection, nil, nil, nil)
    dbus_connection_remove_filter(
      connection, receiveFromBus, Unmanaged.passUnretained(self).toOpaque())
    dbus_connection_close(connection)
    // Calls that await an answer hold the connection until they see its end.
    while dbus_connection_dispatch(connection) == DBUS_DISPATCH_DATA_REMAINS {}
    dbus_connection_unref(connection)
  }

  var isUp: Bool { uniqueName != nil && reason == nil }

  /// Bytes that the bus has not taken yet.
  var unsent: Int { dbus_connection_get_outgoing_size(connection) + outbox.count }
  /// Bytes of signals and answers, which are all there is most of the time.
  var untold: Int { outbox.count }

  @discardableResult
  func send(_ message: BusMessage) -> Bool {
    // Earlier signals go first.
    flush()
    mayBeSending = true
    return reason == nil && dbus_connection_send(connection, message.pointer, nil) != 0
  }

  /// `patience`: milliseconds.
  func call(
    _ message: BusMessage, patience: Int32, completion: @escaping (BusCall.Answer) -> Void
  ) -> BusCall {
    flush()
    mayBeSending = true
    var pending: OpaquePointer?
    guard
      dbus_connection_send_with_reply(connection, message.pointer, &pending, patience) != 0
    else { return BusCall(failed: .noMemory, on: loop, completion: completion) }
    guard let pending else {
      let error = reason ?? .disconnected("the bus is gone")
      return BusCall(failed: error, on: loop, completion: completion)
    }
    let call = BusCall(owning: pending, on: self, completion: completion)
    waiting[ObjectIdentifier(call)] = Waiting(call: call)
    return call
  }

  /// Messages that are sent within the body go in about as few writes as the bus reads.
  func gather(_ body: () -> Void) {
    isGathering = true
    enough = 0
    body()
    isGathering = false
    flush()
  }

  func send(_ signal: BusSignal, to recipient: BusRecipient) {
    outbox.add(signal, to: recipient)
    guard isGathering, outbox.count < enough else {
      enough = Self.mostGathered
      return flush()
    }
  }

  func nextSerial() -> UInt32 { outbox.nextSerial() }

  /// A message made with `nextSerial`.
  func send(_ bytes: [UInt8], _ kind: BusOutbox.Kind) {
    outbox.add(bytes, kind)
    if !isGathering { flush() }
  }

  func purge(_ recipient: BusRecipient, owner: String) { outbox.purge(recipient, owner: owner) }

  /// The rest is tried again when the bus has taken some.
  private func flush() {
    guard isUp else { return }
    while !outbox.isEmpty, sendSome() {}
    hook?.isToldOfRoom = !outbox.isEmpty
  }

  /// Sends what it can; true where more may go at once.
  private func sendSome() -> Bool {
    // Some of a message of libdbus's may be out, and the rest comes first.
    if mayBeSending, dbus_connection_has_messages_to_send(connection) != 0 { return false }
    mayBeSending = false
    switch outbox.flush(into: socket) {
    case .all: return true
    case .some: return false
    case .long(let bytes):
      mayBeSending = true
      let message = try? BusMessage(bytes)
      if let message { dbus_connection_send(connection, message.pointer, nil) }
      return true
    case .half:
      close(because: .failed("the bus took half a message"))
      return false
    }
  }

  func forget(_ call: ObjectIdentifier) { waiting[call] = nil }

  /// Ends it; that it did is told later.
  func close(because reason: BusError) {
    guard self.reason == nil else { return }
    self.reason = reason
    dbus_connection_close(connection)
    later?.set()
  }
}

// MARK: - libdbus

extension BusLink {
  private func sayHello(patience: Int32, _ up: @escaping () -> Void) throws(BusError) {
    let message = try BusMessage(to: Bus.name, Bus.path, Bus.interface, "Hello")
    hello = call(message, patience: patience) { [unowned self] answer in
      switch answer {
      case .success(let reply):
        guard let name = (try? reply.arguments())?.first?.asString else {
          return close(because: .failed("the bus did not say who we are"))
        }
        dbus_bus_set_unique_name(connection, name)
        dbus_connection_get_socket(connection, &socket)
        uniqueName = name
        up()
      case .failure(let error): close(because: error)
      }
    }
  }

  private func dispatch() {
    mayBeSending = true
    // An end that is told in between may let go of this link.
    withExtendedLifetime(self) {
      for _ in 0..<Self.mostPerTurn {
        guard dbus_connection_dispatch(connection) == DBUS_DISPATCH_DATA_REMAINS else {
          later?.cancel()
          return
        }
      }
      later?.set()
    }
  }

  func receive(_ message: BusMessage) {
    // Nobody but libdbus can say this: it refuses such messages from the bus.
    if message.interface == "org.freedesktop.DBus.Local" {
      if message.member == "Disconnected" {
        let why = reason ?? .disconnected("the bus is gone")
        reason = why
        uniqueName = nil
        let calls = waiting.values.compactMap(\.call)
        waiting = [:]
        for call in calls { call.fail(why) }
        ended(why)
      }
    } else if isUp {
      received(message)
    }
  }
}
