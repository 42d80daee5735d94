import LocationModel

enum Clearing: Equatable, Sendable {
  case none, due, sent
  /// On this connection.
  case refused(reason: String)
}

/// The memory of one broker, which outlasts the program: the version of MQTT that it speaks, the program's deaths while
/// connected to it, and the place that it retains.
package struct BrokerMemory: Equatable, Sendable {
  /// How the broker is connected to next.
  package struct Connection: Equatable, Sendable {
    package var version: MQTTVersion
    /// Commands are subscribed to.
    package var subscribes: Bool
    /// The memory is on the disk before the connection begins.
    var isMarked = false
  }

  /// How a connection ended.
  package enum End: Sendable {
    case unreachable, otherVersion, unanswered, refused, tooLong, lost
  }

  private let server: String
  private let isSecure: Bool
  private let takesCommands: Bool
  private var versions: VersionChoice
  private(set) var risk = ConnectionRisk()
  var retained = RetainedPlaces()
  var audience = Audience()
  /// The place that the broker retains was removed.
  var clearing = Clearing.none
  /// The connection that there is, or that is being made.
  private var connection: Connection?

  /// `text`: as the program left it when it ended.
  init(
    _ plan: UplinkPlan, _ text: String? = nil, _ confirmed: Confirmed = Confirmed(),
    at now: Boottime
  ) {
    self.init(plan, plan.address, text, confirmed, at: now)
  }

  private init(
    _ plan: UplinkPlan, _ address: UplinkAddress, _ text: String?, _ confirmed: Confirmed,
    at now: Boottime
  ) {
    server = address.server
    isSecure = address.isSecure
    takesCommands = plan.takesCommands
    versions = VersionChoice(fixed: address.version)
    guard let known = text.flatMap({ try? JSON(parsing: $0) }) else {
      retained = RetainedPlaces(nil, plan, confirmed)
      return
    }
    // The others were never connected to.
    guard let json = (known.array ?? [known]).first(where: { $0["server"]?.string == server })
    else { return }
    retained = RetainedPlaces(json, plan, confirmed)
    audience = Audience(wasThere: json["heard"]?.bool == true)
    versions.restore(json)
    risk = ConnectionRisk(json, at: now)
    clearing = json["clears"]?.bool == true ? .due : .none
  }

  /// A memory for each server of an uplink.
  static func all(_ plan: UplinkPlan, _ memory: UplinkMemory, at now: Boottime) -> [BrokerMemory] {
    plan.addresses.map { .init(plan, $0, memory.broker, memory.confirmed, at: now) }
  }

  static func text(_ memories: [BrokerMemory]) -> String {
    let texts = memories.map(\.text)
    return texts.count == 1 ? texts[0] : "[" + texts.joined(separator: ",") + "]"
  }

  var text: String {
    let members =
      [.init(key: "server", value: .string(server))] + versions.members + risk.members
      + retained.members + audience.members
    let clears: [JSON.Member] =
      clearing == .none ? [] : [.init(key: "clears", value: .bool(true))]
    return JSON.object(members + clears).text
  }
}

// MARK: - Connecting

extension BrokerMemory {
  /// The next connection; nil while the broker is left alone.
  mutating func connect(at now: Boottime, _ date: Timestamp) -> Connection? {
    let restriction = risk.restriction(at: now)
    guard restriction != .uplink else { return nil }
    let version = versions.next(at: date)
    var next = Connection(
      version: version, subscribes: takesCommands && restriction == nil)
    // Of MQTT 5, a broker is told how long a message may be.
    next.isMarked = isSecure && version == .v3
    if next.isMarked { risk.begin(at: now) }
    connection = next
    return next
  }

  /// The broker has taken the connection.
  mutating func open(at date: Timestamp) {
    if let connection { versions.succeed(connection.version, at: date) }
  }

  /// The program has outlived the connection, or the try.
  mutating func end(_ end: End, at now: Boottime) {
    guard let connection else { return }
    risk.end(at: now)
    switch end {
    case .otherVersion, .unanswered:
      versions.fail(connection.version, isCertain: end == .otherVersion)
    case .tooLong: risk.countLongMessage(whileSubscribed: connection.subscribes, at: now)
    case .unreachable, .refused, .lost: break
    }
    self.connection = nil
  }

  /// When more may be risked than now; nil where nothing is left out.
  var restrictedUntil: Boottime? { risk.until }

  /// The version by which there is a connection.
  var version: MQTTVersion? { connection?.version }

  /// The part that is left out, and why, for a person; nil for none.
  func caution(at now: Boottime, _ date: Timestamp) -> String? {
    guard let until = risk.until else { return nil }
    let isAll = risk.deaths >= ConnectionRisk.deathsBeforeUplink
    let time = (date + max(until - now, .zero)).iso8601
    let reason =
      risk.deaths >= ConnectionRisk.deathsBeforeSubscription
      ? "the tracker was killed \(risk.deaths) times in a row while it was connected"
      : "a message was too long"
    return isAll
      ? "waits until \(time): \(reason)"
      : takesCommands ? "its commands are left out until \(time): \(reason)" : nil
  }
}
