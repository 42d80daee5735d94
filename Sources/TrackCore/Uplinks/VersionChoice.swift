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
  /// The times in a row that it has left a greeting by 5 without an answer, and answered the one by 3.1.1.
  private var agreements = 0
  /// Greetings in a row without an answer, and the version of the next one.
  private var failures = 0
  private var tried: MQTTVersion?

  /// A broker that has kept silent or closed the connection may have been starting, or stand behind a proxy that did:
  /// for good, 3.1.1 would let it throw entries away without a word. It is asked again after a day, and after twice
  /// as long each time that it does the same.
  static let shortestKnown: Duration = .seconds(86_400)
  static let mostAgreements = 7
  /// A broker that is starting closes connections, too: one that was known to speak a version is believed
  /// to, but for so many in a row.
  static let mostFailures = 3

  init(fixed: MQTTVersion?) { self.fixed = fixed }

  mutating func next(at date: Timestamp) -> MQTTVersion {
    if let fixed { return fixed }
    if let since = knownSince, known == .v3, !isSaid,
      !(.zero..<Self.shortestKnown * (1 << (max(agreements, 1) - 1))).contains(date - since)
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
    agreements = version == .v5 || isSaid ? 0 : min(agreements + 1, Self.mostAgreements)
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
  /// While the broker is asked anew, its silences stand there alone.
  var members: [JSON.Member] {
    let silences: [JSON.Member] =
      agreements > 0 || known != nil
      ? [.init(key: "agreed", value: .integer(Int64(agreements)))] : []
    guard let known else { return silences }
    return [
      .init(key: "version", value: .string(known.rawValue)),
      .init(key: "since", value: .integer(knownSince?.microseconds ?? 0)),
      .init(key: "said", value: .bool(isSaid)),
    ] + silences
  }

  /// A version in the address forgets what was known: without it the broker is asked anew.
  mutating func restore(_ json: JSON) {
    guard fixed == nil else { return }
    agreements = Int(min(max(json["agreed"]?.integer ?? 0, 0), Int64(Self.mostAgreements)))
    guard let version = json["version"]?.string.flatMap(MQTTVersion.init(rawValue:)),
      let since = json["since"]?.integer
    else { return }
    (known, knownSince) = (version, Timestamp(microseconds: since))
    isSaid = json["said"]?.bool == true
  }
}
