internal import CMosquitto
internal import Glibc
package import LocationModel
package import Platform

/// One connection to a broker, by libmosquitto, on the loop. It is made once: after a loss another is made.
///
/// libmosquitto looks up names, connects and greets TLS while its caller waits, and checks the name of a
/// certificate only then: that happens on a thread of its own. From then on all is the loop's.
package final class MQTTConnection {
  package enum Event {
    case opened
    /// The broker has the message, by its number. `isHeard`: somebody has subscribed to it, as far as the broker says so.
    case confirmed(Int32, isHeard: Bool?)
    /// The broker says that it has not taken it; only MQTT 5 has words for that. `mayPass`: it may take it later.
    case rejected(Int32, reason: String, mayPass: Bool)
    /// One that is longer than wanted lacks what follows the first byte too many.
    case received(topic: String, [UInt8])
    /// Told once; nothing follows.
    case closed(reason: String, Cause)
  }

  package enum Cause: Sendable {
    /// No connection was made.
    case unreachable
    /// The broker does not speak this version of MQTT, and says so.
    case otherVersion
    /// The broker took the connection, and ended it before it had answered the greeting.
    case unanswered
    /// The broker let the time for an answer to the greeting pass.
    case silent
    /// The broker's answer to the greeting is another no.
    case refused
    /// A message had no room. The broker was told how long one may be, or is too old for it.
    case tooLong
    case lost
  }

  private let loop: EventLoop
  private let handle: OpaquePointer
  private let body: (Event) -> Void
  private let keepAlive: Duration
  private let patience: Duration
  private let isVersion5: Bool
  private let longestMessage: Int
  /// libmosquitto makes room for a whole packet, and then for its message, before it tells of it.
  private let bound: AllocationBound
  private let dial: Dial
  private var dialWatch: EventLoop.Watch?
  private var watch: EventLoop.Watch?
  private var upkeep: EventLoop.Timer?
  private var isClosed = false
  /// The broker's answer to the greeting, and when it has not come in time.
  private var answer: Int32?
  private var deadline = Boottime.never
  /// The broker's reason to leave; only MQTT 5 has words for that.
  private var farewell: Int32 = 0

  /// Begins to connect. Nothing is told before the loop's next turn. It may not be let go of from within
  /// `body`.
  package init(
    to broker: Broker, on loop: EventLoop, _ body: @escaping (Event) -> Void
  ) throws(SystemError) {
    self.loop = loop
    self.body = body
    keepAlive = broker.keepAlive
    patience = broker.patience
    isVersion5 = broker.isVersion5
    longestMessage = broker.longestMessage
    bound = AllocationBound(bytes: Self.room + 2 * broker.longestPacket)
    dial = try Dial()
    handle = try broker.client()
    listen()
    dialWatch = try EventLoop.Watch(dial.done.number, for: .read, on: loop) { [unowned self] _ in
      begin()
    }
    upkeep = try EventLoop.Timer(slack: .seconds(1), on: loop) { [unowned self] in maintain() }
    try dial.start(handle, broker)
  }

  deinit {
    guard dial.mayDestroy() else { return }
    mosquitto_disconnect_v5_callback_set(handle, nil)
    mosquitto_disconnect(handle)
    mosquitto_destroy(handle)
  }

  /// Waits for a connection that is being made, so that the broker can be told of its end: else it tells the will.
  package func settle(until deadline: Boottime) { dial.wait(until: deadline) }

  /// Sends a message that the broker is to confirm. `expiry`: by MQTT 5 the broker keeps it no longer.
  package func publish(
    _ text: [UInt8], to topic: String, isRetained: Bool = false,
    expiresAfter expiry: Duration? = nil
  ) throws(Unpublished) -> Int32 {
    var number: Int32 = 0
    var properties = isVersion5 ? expiry.flatMap(Self.expiry) : nil
    defer { mosquitto_property_free_all(&properties) }
    let result = mosquitto_publish_v5(
      handle, &number, topic, Int32(text.count), text, 1, isRetained, properties)
    adjust()
    guard result == success else { throw Unpublished(result) }
    return number
  }

  package func subscribe(to topic: String) {
    mosquitto_subscribe(handle, nil, topic, 1)
    adjust()
  }
}

// MARK: - On the loop

extension MQTTConnection {
  /// The thread that dialed has ended.
  private func begin() {
    guard dial.done.drain() else { return }
    dialWatch = nil
    let (result, number) = dial.result
    guard result == success else { return close(result, number) }
    do throws(SystemError) {
      watch = try EventLoop.Watch(mosquitto_socket(handle), for: .read, on: loop) {
        [unowned self] in turn($0)
      }
    } catch {
      return close(errorNumber, errno)
    }
    deadline = Clock.boottime + patience
    maintain()
  }

  private func turn(_ readiness: Readiness) {
    var result = success
    // A farewell is read before a write fails; the library takes it for a success.
    if readiness != .write { result = bound.run { mosquitto_loop_read(handle, 1) } }
    if result == success, mosquitto_socket(handle) < 0 {
      return close(Int32(MOSQ_ERR_CONN_LOST.rawValue), 0)
    }
    if result == success, readiness.contains(.write) { result = mosquitto_loop_write(handle, 1) }
    guard result == success else { return close(result, errno) }
    adjust()
  }

  /// Pings, and notices that nobody answers them.
  private func maintain() {
    let result = mosquitto_loop_misc(handle)
    guard result == success else { return close(result, errno) }
    let isAwaited = answer == nil && watch != nil
    if isAwaited, deadline <= Clock.boottime { return close(errorNumber, ETIMEDOUT) }
    upkeep?.set(min(Clock.boottime + keepAlive / 4, isAwaited ? deadline : .never))
    adjust()
  }

  private func adjust() {
    guard !isClosed else { return }
    watch?.wait(for: mosquitto_want_write(handle) ? [.read, .write] : .read)
  }

  private func close(_ result: Int32, _ number: Int32) {
    guard !isClosed else { return }
    isClosed = true
    let cause = cause(result, number)
    watch = nil
    upkeep?.set(nil)
    body(.closed(reason: reason(result, number, cause), cause))
  }

  private func cause(_ result: Int32, _ number: Int32) -> Cause {
    guard watch != nil else { return .unreachable }
    if result == Int32(MOSQ_ERR_NOMEM.rawValue) { return .tooLong }
    guard let answer else {
      return result == errorNumber && number == ETIMEDOUT ? .silent : .unanswered
    }
    if answer == 0 { return .lost }
    let isOtherVersion =
      answer == Int32(CONNACK_REFUSED_PROTOCOL_VERSION.rawValue)
      || answer == Int32(MQTT_RC_UNSUPPORTED_PROTOCOL_VERSION.rawValue)
    return isOtherVersion ? .otherVersion : .refused
  }

  private func reason(_ result: Int32, _ number: Int32, _ cause: Cause) -> String {
    let text: UnsafePointer<CChar>?
    switch cause {
    case .tooLong:
      return "The broker sends a message that is longer than \(longestMessage / 1024) KiB"
    case .refused, .otherVersion:
      text = (isVersion5 ? mosquitto_reason_string : mosquitto_connack_string)(answer ?? 0)
    case .silent: return "The broker does not answer the greeting"
    case .unreachable, .unanswered, .lost:
      text =
        if farewell >= 0x80 {
          mosquitto_reason_string(farewell)
        } else if result == errorNumber {
          UnsafePointer(strerror(number))
        } else {
          mosquitto_strerror(result)
        }
    }
    return text.map { String(cString: $0) } ?? ""
  }

  /// What a packet, its copy and TLS take beside the message.
  private static let room = 256 << 10
}

// MARK: - libmosquitto

let success = Int32(MOSQ_ERR_SUCCESS.rawValue)
private let errorNumber = Int32(MOSQ_ERR_ERRNO.rawValue)

extension MQTTConnection {
  private func listen() {
    mosquitto_user_data_set(handle, Unmanaged.passUnretained(self).toOpaque())
    mosquitto_connect_callback_set(handle) { _, context, answer in
      guard let connection = connection(at: context) else { return }
      connection.answer = answer
      if answer == 0 { connection.tell(.opened) }
    }
    mosquitto_disconnect_v5_callback_set(handle) { _, context, reason, _ in
      connection(at: context)?.farewell = reason
    }
    mosquitto_publish_v5_callback_set(handle) { _, context, number, answer, _ in
      guard let connection = connection(at: context) else { return }
      let answer = PublishAnswer(answer, isVersion5: connection.isVersion5)
      connection.bound.lift { connection.body(answer.event(of: number)) }
    }
    mosquitto_message_callback_set(handle) { _, context, message in
      guard let message = message?.pointee, let topic = message.topic,
        let connection = connection(at: context)
      else { return }
      connection.bound.lift {
        let count = min(Int(max(message.payloadlen, 0)), connection.longestMessage + 1)
        let bytes = UnsafeRawBufferPointer(start: message.payload, count: count)
        connection.body(.received(topic: String(cString: topic), Array(bytes)))
      }
    }
  }

  private func tell(_ event: Event) { bound.lift { body(event) } }
}

private func connection(at context: UnsafeMutableRawPointer?) -> MQTTConnection? {
  context.map { Unmanaged<MQTTConnection>.fromOpaque($0).takeUnretainedValue() }
}
