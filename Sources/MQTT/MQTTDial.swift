internal import CMosquitto
internal import Glibc
internal import LocationModel
internal import Platform
internal import Synchronization

/// The thread that dials has the client for itself. Whichever of the two ends last destroys it.
final class Dial: Sendable {
  private struct State {
    var result: Int32 = 0
    var number: Int32 = 0
    var isDone = false
    var isAbandoned = false
  }

  private let state = Mutex(State())
  let done: EventCounter

  init() throws(SystemError) { done = try EventCounter() }

  var result: (Int32, Int32) { state.withLock { ($0.result, $0.number) } }

  func start(_ handle: OpaquePointer, _ broker: MQTTConnection.Broker) throws(SystemError) {
    let address = UInt(bitPattern: handle)
    let (host, port) = (broker.host, Int32(clamping: broker.port))
    let keepAlive = Int32(clamping: Int64(broker.keepAlive.seconds))
    let (keepsSession, isVersion5) = (broker.keepsSession, broker.isVersion5)
    let session = broker.session.map { UInt32(clamping: Int64($0.seconds)) } ?? .max
    let longestPacket = UInt32(clamping: broker.longestPacket)
    do throws(SystemError) {
      try WorkerThread.start { [self] in
        guard let handle = OpaquePointer(bitPattern: address) else { return }
        // In MQTT 5 a session ends with its connection unless it is said how long it lives, and the broker
        // keeps to itself what is too long.
        var properties: OpaquePointer?
        if isVersion5 {
          mosquitto_property_add_int32(
            &properties, Int32(MQTT_PROP_MAXIMUM_PACKET_SIZE.rawValue), longestPacket)
        }
        if isVersion5, keepsSession {
          mosquitto_property_add_int32(
            &properties, Int32(MQTT_PROP_SESSION_EXPIRY_INTERVAL.rawValue), session)
        }
        defer { mosquitto_property_free_all(&properties) }
        let result = mosquitto_connect_bind_v5(handle, host, port, keepAlive, nil, properties)
        let number = errno
        let isAbandoned = state.withLock { state in
          state.result = result
          state.number = number
          state.isDone = true
          return state.isAbandoned
        }
        guard isAbandoned else { return done.raise() }
        // A broker that has taken the connection is told of its end, and does not tell the will.
        mosquitto_disconnect_v5_callback_set(handle, nil)
        mosquitto_disconnect(handle)
        mosquitto_destroy(handle)
      }
    } catch {
      state.withLock { $0.isDone = true }
      throw error
    }
  }

  func wait(until deadline: Boottime) {
    let left = (deadline - Clock.boottime).microseconds / 1000
    if left > 0, !state.withLock({ $0.isDone }) { done.wait(milliseconds: Int32(clamping: left)) }
  }

  /// False where the thread that still dials will do it.
  func mayDestroy() -> Bool {
    state.withLock { state in
      state.isAbandoned = true
      return state.isDone
    }
  }
}
