import LocationModel

/// One receiver of locations and events, by its number on the connection.
struct Subscription: Sendable {
  enum Kind: Sendable {
    /// A CLLocationManager; whether it has a delegate yet.
    case manager(hasDelegate: Bool)
    /// A CLMonitor of that name.
    case monitor(String)
    case stream
  }

  /// A wish, and whether the daemon has been told of it on this connection.
  struct Wish<Value: Sendable>: Sendable {
    var value: Value
    var isSent = false
  }

  struct Single: Sendable {
    var id: Int
    var request: OneShotRequest
    var isSent = false
  }

  var kind: Kind
  let deliver: @Sendable (NumberedDelivery) -> Void
  var standard: Wish<StandardRequest>?
  var heading: Wish<HeadingRequest>?
  /// The beacons that it ranges, and whether the daemon has been told of them on this connection.
  var ranging: [BeaconConstraint: Bool] = [:]
  var single: Single?
  /// Whether it wants the app's significant changes, and its visits.
  var wantsChanges = false
  var wantsVisits = false
  /// The last word to it about its rights; nil before the first.
  var lastSituation: Situation?
  /// Deliveries that wait for the first word about its rights.
  var deferred: [NumberedDelivery] = []

  init(_ kind: Kind, _ deliver: @escaping @Sendable (NumberedDelivery) -> Void) {
    self.kind = kind
    self.deliver = deliver
  }

  var isListening: Bool {
    if case .manager(let hasDelegate) = kind { hasDelegate } else { true }
  }
}

/// Regions of monitors share the app's names with those of managers.
enum MonitorName {
  private static let prefix = "CLMonitor/"

  static func region(_ identifier: String, of monitor: String) -> String {
    "\(prefix)\(monitor)/\(identifier)"
  }

  /// Nil where the region is a manager's.
  static func split(_ region: String) -> (monitor: String, identifier: String)? {
    guard region.hasPrefix(prefix) else { return nil }
    let parts = region.dropFirst(prefix.count).split(
      separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    return (String(parts[0]), String(parts[1]))
  }
}
