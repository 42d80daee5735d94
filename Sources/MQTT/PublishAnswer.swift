internal import CMosquitto
internal import Glibc

/// A broker's answer to a message; by MQTT 3.1.1 it is always the same.
enum PublishAnswer {
  case confirmed(isHeard: Bool?)
  case rejected(reason: String, mayPass: Bool)

  private static let passing = [MQTT_RC_QUOTA_EXCEEDED, MQTT_RC_PACKET_ID_IN_USE]

  init(_ code: Int32, isVersion5: Bool) {
    guard code >= 0x80 else {
      let isHeard = code != Int32(MQTT_RC_NO_MATCHING_SUBSCRIBERS.rawValue)
      self = .confirmed(isHeard: isVersion5 ? isHeard : nil)
      return
    }
    let reason = mosquitto_reason_string(code).map { String(cString: $0) } ?? "\(code)"
    let mayPass = Self.passing.contains { Int32($0.rawValue) == code }
    self = .rejected(reason: reason, mayPass: mayPass)
  }

  func event(of number: Int32) -> MQTTConnection.Event {
    switch self {
    case .confirmed(let isHeard): .confirmed(number, isHeard: isHeard)
    case .rejected(let reason, let mayPass): .rejected(number, reason: reason, mayPass: mayPass)
    }
  }
}
