/// A client's request, checked: numbers are possible ones, defaults are filled in.
package enum Request: ServiceRequest {
  package typealias Reply = LocationModel.Reply

  case hello(Introduction)
  case status
  case startUpdatingLocation(StandardRequest)
  case stopUpdatingLocation
  case requestLocation(OneShotRequest)
  case location
  case startMonitoringSignificantLocationChanges
  case stopMonitoringSignificantLocationChanges
  case startMonitoringVisits
  case stopMonitoringVisits
  case startMonitoring([Region])
  case stopMonitoring(identifiers: [String])
  case monitoredRegions(after: String?, limit: Int)
  case requestState(identifier: String)
  case acknowledge(event: UInt64)
  /// The service to start when an event is for the app and it is gone; nil for none any more.
  case setActivation(Activation?)
  case startUpdatingHeading(HeadingRequest)
  case stopUpdatingHeading
  case requestAuthorization(Authorization)
  case requestTemporaryFullAccuracy(purpose: String)
  case agentRegister
  /// As an agent by which nobody can be asked now, and which tells programs apart all the same.
  case agentStandBy
  case beginUse
  case endUse
  case permissionsList
  case permissionsSet(PermissionChange)
  case permissionsReset(AppSelection)
  case permissionsUnrestrict(AppSelection)
  case servicesSet(enabled: Bool)
  /// Where the machine stands, by a person's word.
  case hereSet(SetPlace)
  case hereForget
  case hereStatus
  /// The last place, and the networks that are learnt.
  case forget
  case wifiStatus
  /// The accesses of apps to the place.
  case history(HistoryQuery)
  case historyForget(AppSelection)
  case pause(PauseRequest)
  case resume(PauseRequest)
  case may(MayQuery)
  case startRangingBeacons(BeaconConstraint)
  case stopRangingBeacons(BeaconConstraint)
  /// The machine is to be this beacon.
  case startAdvertising(BeaconFrame)
  case stopAdvertising

  package struct Introduction: Equatable, Sendable {
    /// Shown to people as the client's own claim, never believed.
    package var name: String?
    package var purpose: String?

    package init(name: String? = nil, purpose: String? = nil) {
      self.name = name
      self.purpose = purpose
    }
  }
}

/// The wishes of one manager for the standard service.
package struct StandardRequest: Equatable, Sendable {
  /// Metres; -1 is the best there is, -2 the best for navigation.
  package var desiredAccuracy: Double
  /// Metres from the last location delivered; -1 is none.
  package var distanceFilter: Double
  package var activityType = ActivityType.other
  /// Whether it may stop telling while nobody moves.
  package var pausesAutomatically = false
  /// The client is told only what a source says now, as exactly: it is one of locationd-share's.
  package var isForReceiver = false

  package init(desiredAccuracy: Double = -1, distanceFilter: Double = -1) {
    self.desiredAccuracy = desiredAccuracy
    self.distanceFilter = distanceFilter
  }

  /// A client that wishes for no more than this is told a coarse place, whatever it may know.
  package static let reduced = 6_380_000.0

  /// Metres from which on the city of the time zone will do.
  package static let city = 15_000.0

  package var isReduced: Bool { desiredAccuracy >= Self.reduced }
}

/// The wishes of one manager for the heading service.
package struct HeadingRequest: Equatable, Sendable {
  /// Degrees from the last heading delivered; -1 is none.
  package var headingFilter: Double

  package init(headingFilter: Double = 1) {
    self.headingFilter = headingFilter
  }
}

package struct OneShotRequest: Equatable, Sendable {
  /// As the standard service's.
  package var desiredAccuracy: Double
  /// Seconds.
  package var timeout: Double

  package init(desiredAccuracy: Double = -1, timeout: Double = 10) {
    self.desiredAccuracy = desiredAccuracy
    self.timeout = timeout
  }
}

extension Request {
  package static let methods: [Method<Request>] = [
    Method(
      "hello", Introduction(), [.text("name", \.name), .text("purpose", \.purpose)],
      reply: greeting, make: Request.hello
    ) { if case .hello(let introduction) = $0 { introduction } else { nil } },
    Method("status", .status, reply: { Status($0).map(Reply.status) }),
    Method(
      "startUpdatingLocation", StandardRequest(),
      [
        .number("desiredAccuracy", \.desiredAccuracy, Parameters.accuracy),
        .number("distanceFilter", \.distanceFilter, Parameters.distanceFilter),
        Parameter("activityType", \.activityType, Parameters.activityType) {
          $0 == .other ? nil : .string($0.rawValue)
        }, .truth("pausesAutomatically", \.pausesAutomatically),
      ], reply: done, make: Request.startUpdatingLocation
    ) { if case .startUpdatingLocation(let request) = $0 { request } else { nil } },
    Method("stopUpdatingLocation", .stopUpdatingLocation, reply: done),
    Method(
      "requestLocation", OneShotRequest(),
      [
        .number("desiredAccuracy", \.desiredAccuracy, Parameters.accuracy),
        .number("timeout", \.timeout, Parameters.timeout),
      ], reply: location, make: Request.requestLocation
    ) { if case .requestLocation(let request) = $0 { request } else { nil } },
    Method("location", .location, reply: location),
    Method(
      "startMonitoringSignificantLocationChanges", .startMonitoringSignificantLocationChanges,
      reply: done),
    Method(
      "stopMonitoringSignificantLocationChanges", .stopMonitoringSignificantLocationChanges,
      reply: done),
    Method("startMonitoringVisits", .startMonitoringVisits, reply: done),
    Method("stopMonitoringVisits", .stopMonitoringVisits, reply: done),
    Method("startMonitoring", ["region", "regions"], reply: done) {
      (given) throws(Refusal) in
      .startMonitoring(try given.regions())
    } write: {
      guard case .startMonitoring(let regions) = $0 else { return nil }
      return ["regions": .array(regions.map(\.json))]
    },
    Method("stopMonitoring", ["identifier", "identifiers"], reply: done) {
      (given) throws(Refusal) in
      .stopMonitoring(identifiers: try given.identifiers())
    } write: {
      guard case .stopMonitoring(let identifiers) = $0 else { return nil }
      return ["identifiers": .array(identifiers.map(JSON.string))]
    },
    Method("monitoredRegions", ["after", "limit"], reply: regions) {
      (given) throws(Refusal) in
      .monitoredRegions(
        after: try given.text("after"),
        limit: try given.count("limit", least: 1, default: 100))
    } write: {
      guard case .monitoredRegions(let after, let limit) = $0 else { return nil }
      return ["after": after.map(JSON.string), "limit": .integer(Int64(limit))]
    },
    Method("requestState", ["identifier"], reply: state) {
      (given) throws(Refusal) in
      .requestState(identifier: try given.identifier())
    } write: {
      guard case .requestState(let identifier) = $0 else { return nil }
      return ["identifier": .string(identifier)]
    },
    Method("acknowledge", ["event"], reply: done) {
      (given) throws(Refusal) in
      .acknowledge(event: UInt64(try given.count("event")))
    } write: {
      guard case .acknowledge(let event) = $0 else { return nil }
      return ["event": .integer(Int64(clamping: event))]
    },
    Method("setActivation", ["busName", "unit"], reply: done) {
      (given) throws(Refusal) in
      .setActivation(try given.activation())
    } write: {
      guard case .setActivation(let activation) = $0 else { return nil }
      return .object(activation?.members ?? [])
    },
    Method(
      "startUpdatingHeading", HeadingRequest(),
      [.number("headingFilter", \.headingFilter, Parameters.headingFilter)], reply: done,
      make: Request.startUpdatingHeading
    ) { if case .startUpdatingHeading(let request) = $0 { request } else { nil } },
    Method("stopUpdatingHeading", .stopUpdatingHeading, reply: done),
    Method(
      "requestAuthorization", ["level"],
      reply: authorization
    ) {
      (given) throws(Refusal) in
      .requestAuthorization(try given.level())
    } write: {
      guard case .requestAuthorization(let level) = $0 else { return nil }
      return ["level": .string(level == .authorizedAlways ? "always" : "whenInUse")]
    },
    Method(
      "requestTemporaryFullAccuracy", ["purpose"],
      reply: accuracy
    ) {
      (given) throws(Refusal) in
      .requestTemporaryFullAccuracy(purpose: try given.purpose())
    } write: {
      guard case .requestTemporaryFullAccuracy(let purpose) = $0 else { return nil }
      return ["purpose": .string(purpose)]
    },
    Method("agent.register", ["asks"], reply: done) {
      (given) throws(Refusal) in
      try given.truth("asks") ?? true ? .agentRegister : .agentStandBy
    } write: {
      $0 == .agentRegister ? [:] : $0 == .agentStandBy ? ["asks": .bool(false)] : nil
    },
    Method("beginUse", .beginUse, reply: done), Method("endUse", .endUse, reply: done),
    Method(
      "permissions.list", .permissionsList,
      reply: { $0.list("permissions", AppPermission.init).map(Reply.permissions) }),
    Method(
      "permissions.set", PermissionChange(app: ""), PermissionChange.parameters, reply: done,
      make: Request.permissionsSet
    ) {
      if case .permissionsSet(let change) = $0 { change } else { nil }
    } check: { (change) throws(Refusal) in
      try change.check()
    },
    Method(
      "permissions.reset", AppSelection(), AppSelection.parameters, reply: done,
      make: Request.permissionsReset
    ) { if case .permissionsReset(let apps) = $0 { apps } else { nil } },
    Method(
      "permissions.unrestrict", AppSelection(), AppSelection.parameters, reply: done,
      make: Request.permissionsUnrestrict
    ) { if case .permissionsUnrestrict(let apps) = $0 { apps } else { nil } },
    Method("services.set", ["enabled"], reply: done) {
      (given) throws(Refusal) in
      .servicesSet(enabled: try given.enabled())
    } write: {
      if case .servicesSet(let enabled) = $0 { ["enabled": .bool(enabled)] } else { nil }
    },
    Method(
      "here.set", SetPlace.none, SetPlace.parameters, reply: done, make: Request.hereSet
    ) {
      if case .hereSet(let place) = $0 { place } else { nil }
    } check: { (place) throws(Refusal) in
      try place.check()
    },
    Method("here.forget", .hereForget, reply: done),
    Method("here.status", .hereStatus, reply: { .here(HereStatus($0)) }),
    Method("forget", .forget, reply: done),
    Method("wifi.status", .wifiStatus, reply: { WiFiStatus($0).map(Reply.wifi) }),
    Method(
      "history", HistoryQuery(), HistoryQuery.parameters, reply: accesses, make: Request.history
    ) { if case .history(let query) = $0 { query } else { nil } },
    Method(
      "history.forget", AppSelection(), AppSelection.parameters, reply: done,
      make: Request.historyForget
    ) { if case .historyForget(let apps) = $0 { apps } else { nil } },
    Method(
      "pause", PauseRequest(), PauseRequest.parameters, reply: paused, make: Request.pause
    ) { if case .pause(let request) = $0 { request } else { nil } },
    Method("resume", PauseRequest(), PauseRequest.whose, reply: done, make: Request.resume) {
      if case .resume(let request) = $0 { request } else { nil }
    },
    Method(
      "may", MayQuery(), MayQuery.parameters, reply: judged, make: Request.may
    ) { if case .may(let query) = $0 { query } else { nil } },
    ranging("startRangingBeacons", Request.startRangingBeacons) {
      if case .startRangingBeacons(let constraint) = $0 { constraint } else { nil }
    },
    ranging("stopRangingBeacons", Request.stopRangingBeacons) {
      if case .stopRangingBeacons(let constraint) = $0 { constraint } else { nil }
    },
    Method("startAdvertising", ["uuid", "major", "minor", "measuredPower"], reply: done) {
      (given) throws(Refusal) in
      .startAdvertising(try BeaconFrame(given.json))
    } write: {
      if case .startAdvertising(let frame) = $0 { frame.json } else { nil }
    },
    Method("stopAdvertising", .stopAdvertising, reply: done),
  ]

  private static func ranging(
    _ name: String, _ make: @escaping @Sendable (BeaconConstraint) -> Request,
    constraint: @escaping @Sendable (Request) -> BeaconConstraint?
  ) -> Method<Request> {
    Method(
      name, ["uuid", "major", "minor"], reply: done,
      read: { (given) throws(Refusal) in make(try BeaconConstraint(given.json)) },
      write: { constraint($0)?.json })
  }

  private static func accesses(_ json: JSON) -> Reply? {
    json.list("entries", AppAccess.init).map { .history($0, more: json["more"]?.bool ?? false) }
  }

  private static func paused(_ json: JSON) -> Reply? { .pause(PauseStatus(json)) }

  private static func judged(_ json: JSON) -> Reply? { MayReply(json).map(Reply.may) }

  private static func done(_ json: JSON) -> Reply? { .done }

  private static func greeting(_ json: JSON) -> Reply? { .hello(Greeting(json)) }

  private static func state(_ json: JSON) -> Reply? { json.word("state").map(Reply.state) }

  private static func authorization(_ json: JSON) -> Reply? {
    json.word("authorization").map(Reply.authorization)
  }

  private static func accuracy(_ json: JSON) -> Reply? {
    json.word("accuracy").map(Reply.accuracy)
  }

  private static func location(_ json: JSON) -> Reply? {
    .location(json["location"].flatMap(Location.init))
  }

  /// A newer daemon may know regions of other kinds.
  private static func regions(_ json: JSON) -> Reply? {
    let regions = (json["regions"]?.array ?? []).compactMap { try? Region($0) }
    return .regions(regions, more: json["more"]?.bool ?? false)
  }
}

extension Parameters {
  fileprivate func accuracy(_ name: String) throws(Refusal) -> Double? {
    try number(name) { $0 >= 0 || $0 == -1 || $0 == -2 }
  }

  fileprivate func distanceFilter(_ name: String) throws(Refusal) -> Double? {
    try number(name) { $0 >= 0 || $0 == -1 }
  }

  fileprivate func headingFilter(_ name: String) throws(Refusal) -> Double? {
    try number(name) { (0...360).contains($0) || $0 == -1 }
  }

  fileprivate func timeout(_ name: String) throws(Refusal) -> Double? {
    try number(name) { $0 > 0 && $0 <= 3600 }
  }

  fileprivate func activityType(_ name: String) throws(Refusal) -> ActivityType? {
    guard let text = try text(name) else { return nil }
    guard let activity = ActivityType(rawValue: text) else {
      throw Refusal(
        .invalidParameters,
        "\(name) is one of \(ActivityType.allCases.map(\.rawValue).joined(separator: ", ")).")
    }
    return activity
  }

  fileprivate func purpose() throws(Refusal) -> String {
    guard let purpose = try text("purpose"), !purpose.isEmpty else {
      throw Refusal(.invalidParameters, "purpose is missing: say what it is for.")
    }
    return purpose
  }

  fileprivate func enabled() throws(Refusal) -> Bool {
    guard let enabled = try truth("enabled") else {
      throw Refusal(.invalidParameters, "enabled is missing.")
    }
    return enabled
  }
}
