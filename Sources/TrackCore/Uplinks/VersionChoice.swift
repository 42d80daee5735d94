internal import LocationModel

package enum MQTTVersion: String, Sendable {
  case v3 = "3.1.1"
  case v5 = "5"

  fileprivate var other: MQTTVersion { self == .v3 ? .v5 : .v3 }
}

/// The version of MQTT that a broker is greeted with: 5 first, and 3.1.1 where the broker speaks no 5. Some say
/// so, some close the connection, some keep silent.
struct VersionChoice: Equatable, Sendable {
  /// The configuration's.
  private let fixed: MQTTVersion?
  private var known: MQTTVersion?
  private var knownSince: Timestamp?
  /// Greetings in a row without an answer, and the version of the next one.
  private var failures = 0
  private var tried: MQTTVersion?

  /// A broker may be replaced by one that speaks 5.
  static let longestKnown: Duration = .seconds(86_400)
  /// A broker that is starting closes connections, too: one that was known to speak a version is believed
  /// to, but for so many in a row.
  static let mostFailures = 3

  init(fixed: MQTTVersion?) { self.fixed = fixed }

  mutating func next(at date: Timestamp) -> MQTTVersion {
    if let fixed { return fixed }
    if let since = knownSince, known == .v3, !(.zero..<Self.longestKnown).contains(date - since) {
      (known, knownSince, tried) = (nil, nil, nil)
    }
    return tried ?? known ?? .v5
  }

  /// The broker has answered the greeting.
  mutating func succeed(_ version: MQTTVersion, at date: Timestamp) {
    (failures, tried) = (0, nil)
    guard fixed == nil, version != known else { return }
    (known, knownSince) = (version, date)
  }

  /// The broker has not answered, or said that it does not speak the version.
  mutating func fail(_ version: MQTTVersion, isCertain: Bool) {
    failures += 1
    let isBelieved = version == known && !isCertain && failures < Self.mostFailures
    guard fixed == nil, !isBelieved else { return }
    tried = version.other
    failures = 0
  }
}

extension VersionChoice {
  var members: [JSON.Member] {
    guard let known else { return [] }
    return [
      .init(key: "version", value: .string(known.rawValue)),
      .init(key: "since", value: .integer(knownSince?.microseconds ?? 0)),
    ]
  }

  mutating func restore(_ json: JSON) {
    guard let version = json["version"]?.string.flatMap(MQTTVersion.init(rawValue:)),
      let since = json["since"]?.integer
    else { return }
    (known, knownSince) = (version, Timestamp(microseconds: since))
  }
}
