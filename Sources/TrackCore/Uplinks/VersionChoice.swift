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
  /// The broker has said itself that it does not speak 5.
  private var isSaid = false
  /// Greetings in a row without an answer, and the version of the next one.
  private var failures = 0
  private var tried: MQTTVersion?

  /// A broker that has kept silent or closed the connection may have been starting, or may be replaced by one that
  /// speaks 5.
  static let longestKnown: Duration = .seconds(86_400)
  /// A broker that is starting closes connections, too: one that was known to speak a version is believed
  /// to, but for so many in a row.
  static let mostFailures = 3

  init(fixed: MQTTVersion?) { self.fixed = fixed }

  mutating func next(at date: Timestamp) -> MQTTVersion {
    if let fixed { return fixed }
    if let since = knownSince, known == .v3, !isSaid,
      !(.zero..<Self.longestKnown).contains(date - since)
    {
      (known, knownSince, tried) = (nil, nil, nil)
    }
    return tried ?? known ?? .v5
  }

  /// The broker has answered the greeting.
  mutating func succeed(_ version: MQTTVersion, at date: Timestamp) {
    (failures, tried) = (0, nil)
    guard fixed == nil, version != known else { return }
    (known, knownSince) = (version, date)
    if version == .v5 { isSaid = false }
  }

  /// The broker has not answered, or said that it does not speak the version.
  mutating func fail(_ version: MQTTVersion, isCertain: Bool) {
    failures += 1
    if isCertain { isSaid = version == .v5 }
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
      .init(key: "said", value: .bool(isSaid)),
    ]
  }

  /// A version in the address forgets what was known: without it the broker is asked anew.
  mutating func restore(_ json: JSON) {
    guard fixed == nil, let version = json["version"]?.string.flatMap(MQTTVersion.init(rawValue:)),
      let since = json["since"]?.integer
    else { return }
    (known, knownSince) = (version, Timestamp(microseconds: since))
    isSaid = json["said"]?.bool == true
  }
}
