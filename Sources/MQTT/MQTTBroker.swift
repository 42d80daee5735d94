internal import CMosquitto
internal import Glibc
import LocationModel
internal import Platform

extension MQTTConnection {
  /// Why a message is not published.
  package enum Unpublished: Error, CustomStringConvertible {
    case notNow
    /// The broker has said how long one may be.
    case tooLong

    init(_ result: Int32) {
      self = result == Int32(MOSQ_ERR_OVERSIZE_PACKET.rawValue) ? .tooLong : .notNow
    }

    package var description: String {
      switch self {
      case .notNow: "the message cannot be sent now"
      case .tooLong: "the message is longer than the broker takes"
      }
    }
  }

  /// A server, and how the client presents itself there.
  package struct Broker: Equatable, Sendable {
    package var host: String
    package var port: Int
    package var isSecure = false
    package var isVersion5 = false
    package var clientID: String
    /// The broker keeps what was subscribed to, and what came for it, while the client is gone.
    package var keepsSession = false
    /// The broker keeps the session for so long, by MQTT 5.
    package var session: Duration?
    package var user: String?
    package var password: String?
    /// Files; without an authority those of the system are trusted.
    package var authority: String?
    package var certificate: String?
    package var key: String?
    /// Said by the broker when the client has gone without a word.
    package var will: (topic: String, text: String)?
    package var keepAlive: Duration = .seconds(60)
    /// A message that is received has so many bytes at most.
    package var longestMessage = 65_536
    /// The broker answers the greeting in this time.
    package var patience: Duration = .seconds(20)

    package init(host: String, port: Int, clientID: String) {
      self.host = host
      self.port = port
      self.clientID = clientID
    }

    package static func == (a: Broker, b: Broker) -> Bool {
      (a.host, a.port, a.isSecure, a.clientID, a.keepsSession, a.user)
        == (b.host, b.port, b.isSecure, b.clientID, b.keepsSession, b.user)
        && a.isVersion5 == b.isVersion5 && a.session == b.session
        && (a.password, a.authority, a.certificate, a.key) == (
          b.password, b.authority, b.certificate, b.key
        )
        && a.will?.topic == b.will?.topic && a.will?.text == b.will?.text
        && a.keepAlive == b.keepAlive && a.longestMessage == b.longestMessage
        && a.patience == b.patience
    }
  }
}

extension MQTTConnection.Broker {
  /// With the topic and what else goes before the message itself.
  var longestPacket: Int { longestMessage + 65_600 }

  /// A client of libmosquitto's, to be dialed.
  func client() throws(SystemError) -> OpaquePointer {
    guard isReady, let handle = mosquitto_new(clientID, !keepsSession, nil) else {
      throw SystemError("cannot make an MQTT client", errno)
    }
    var results = [success]
    if isVersion5 {
      results.append(mosquitto_int_option(handle, MOSQ_OPT_PROTOCOL_VERSION, MQTT_PROTOCOL_V5))
    }
    if user != nil || password != nil {
      results.append(mosquitto_username_pw_set(handle, user ?? "", password))
    }
    if let will {
      let text = Array(will.text.utf8)
      results.append(mosquitto_will_set(handle, will.topic, Int32(text.count), text, 1, false))
    }
    if isSecure {
      results.append(
        mosquitto_tls_set(
          handle, authority, authority == nil ? "/etc/ssl/certs" : nil,
          certificate, key, nil))
    }
    if let wrong = results.first(where: { $0 != success }) {
      mosquitto_destroy(handle)
      throw SystemError(String(cString: mosquitto_strerror(wrong)), EINVAL)
    }
    return handle
  }
}

extension MQTTConnection {
  /// The property of a message that a broker keeps so long.
  static func expiry(_ time: Duration) -> OpaquePointer? {
    var properties: OpaquePointer?
    mosquitto_property_add_int32(
      &properties, Int32(MQTT_PROP_MESSAGE_EXPIRY_INTERVAL.rawValue),
      UInt32(clamping: Int64(time.seconds)))
    return properties
  }
}

/// The library is never let go of.
private let isReady = mosquitto_lib_init() == success
