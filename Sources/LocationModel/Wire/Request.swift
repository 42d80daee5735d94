/// A client's request, checked: numbers are possible ones, defaults are filled in.
package enum Request: Equatable, Sendable {
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

  package init(desiredAccuracy: Double = -1, distanceFilter: Double = -1) {
    self.desiredAccuracy = desiredAccuracy
    self.distanceFilter = distanceFilter
  }

  /// A client that wishes for no more than this is told a coarse place, whatever it may know.
  package static let reduced = 6_380_000.0

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
  package var method: String {
    switch self {
    case .hello: "hello"
    case .status: "status"
    case .startUpdatingLocation: "startUpdatingLocation"
    case .stopUpdatingLocation: "stopUpdatingLocation"
    case .requestLocation: "requestLocation"
    case .location: "location"
    case .startMonitoringSignificantLocationChanges: "startMonitoringSignificantLocationChanges"
    case .stopMonitoringSignificantLocationChanges: "stopMonitoringSignificantLocationChanges"
    case .startMonitoringVisits: "startMonitoringVisits"
    case .stopMonitoringVisits: "stopMonitoringVisits"
    case .startMonitoring: "startMonitoring"
    case .stopMonitoring: "stopMonitoring"
    case .monitoredRegions: "monitoredRegions"
    case .requestState: "requestState"
    case .acknowledge: "acknowledge"
    case .setActivation: "setActivation"
    case .startUpdatingHeading: "startUpdatingHeading"
    case .stopUpdatingHeading: "stopUpdatingHeading"
    case .requestAuthorization: "requestAuthorization"
    case .requestTemporaryFullAccuracy: "requestTemporaryFullAccuracy"
    case .agentRegister, .agentStandBy: "agent.register"
    case .beginUse: "beginUse"
    case .endUse: "endUse"
    case .permissionsList: "permissions.list"
    case .permissionsSet: "permissions.set"
    case .permissionsReset: "permissions.reset"
    case .permissionsUnrestrict: "permissions.unrestrict"
    case .servicesSet: "services.set"
    }
  }

  /// The parameters of each method that has any, beside `manager`.
  private static let names: [String: [String]] = [
    "hello": ["name", "purpose"],
    "startUpdatingLocation": [
      "desiredAccuracy", "distanceFilter", "activityType", "pausesAutomatically",
    ],
    "requestLocation": ["desiredAccuracy", "timeout"],
    "startMonitoring": ["region", "regions"],
    "stopMonitoring": ["identifier", "identifiers"],
    "monitoredRegions": ["after", "limit"],
    "requestState": ["identifier"],
    "acknowledge": ["event"],
    "setActivation": ["busName", "unit"],
    "startUpdatingHeading": ["headingFilter"],
    "requestAuthorization": ["level"],
    "requestTemporaryFullAccuracy": ["purpose"],
    "agent.register": ["asks"],
    "permissions.set": ["app", "uid", "authorization", "accuracy", "once"],
    "permissions.reset": ["app", "uid"],
    "permissions.unrestrict": ["app", "uid"],
    "services.set": ["enabled"],
  ]

  package init(method: String, parameters: Parameters) throws(Refusal) {
    try self.init(known: method, parameters)
    try parameters.check(Self.names[method] ?? [], of: method)
  }

  private init(known method: String, _ parameters: Parameters) throws(Refusal) {
    switch method {
    case "hello":
      self = .hello(
        Introduction(
          name: try parameters.text("name"), purpose: try parameters.text("purpose")))
    case "status": self = .status
    case "startUpdatingLocation":
      var request = StandardRequest(
        desiredAccuracy: try parameters.desiredAccuracy(),
        distanceFilter: try parameters.number("distanceFilter", default: -1) {
          $0 >= 0 || $0 == -1
        })
      request.activityType = try parameters.activityType()
      request.pausesAutomatically = try parameters.truth("pausesAutomatically") ?? false
      self = .startUpdatingLocation(request)
    case "stopUpdatingLocation": self = .stopUpdatingLocation
    case "requestLocation":
      self = .requestLocation(
        OneShotRequest(
          desiredAccuracy: try parameters.desiredAccuracy(),
          timeout: try parameters.number("timeout", default: 10) { $0 > 0 && $0 <= 3600 }))
    case "location": self = .location
    case "startMonitoringSignificantLocationChanges":
      self = .startMonitoringSignificantLocationChanges
    case "stopMonitoringSignificantLocationChanges":
      self = .stopMonitoringSignificantLocationChanges
    case "startMonitoringVisits": self = .startMonitoringVisits
    case "stopMonitoringVisits": self = .stopMonitoringVisits
    case "startMonitoring": self = .startMonitoring(try parameters.regions())
    case "stopMonitoring": self = .stopMonitoring(identifiers: try parameters.identifiers())
    case "monitoredRegions":
      self = .monitoredRegions(
        after: try parameters.text("after"),
        limit: try parameters.count("limit", least: 1, default: 100))
    case "requestState": self = .requestState(identifier: try parameters.identifier())
    case "acknowledge": self = .acknowledge(event: UInt64(try parameters.count("event")))
    case "setActivation": self = .setActivation(try parameters.activation())
    case "startUpdatingHeading":
      self = .startUpdatingHeading(
        HeadingRequest(
          headingFilter: try parameters.number("headingFilter", default: 1) {
            (0...360).contains($0) || $0 == -1
          }))
    case "stopUpdatingHeading": self = .stopUpdatingHeading
    case "requestAuthorization": self = .requestAuthorization(try parameters.level())
    case "requestTemporaryFullAccuracy":
      guard let purpose = try parameters.text("purpose"), !purpose.isEmpty else {
        throw Refusal(.invalidParameters, "purpose is missing: say what it is for.")
      }
      self = .requestTemporaryFullAccuracy(purpose: purpose)
    case "agent.register":
      self = try parameters.truth("asks") ?? true ? .agentRegister : .agentStandBy
    case "beginUse": self = .beginUse
    case "endUse": self = .endUse
    case "permissions.list": self = .permissionsList
    case "permissions.set": self = .permissionsSet(try PermissionChange(parameters))
    case "permissions.reset": self = .permissionsReset(try AppSelection(parameters))
    case "permissions.unrestrict": self = .permissionsUnrestrict(try AppSelection(parameters))
    case "services.set":
      guard let enabled = try parameters.truth("enabled") else {
        throw Refusal(.invalidParameters, "enabled is missing.")
      }
      self = .servicesSet(enabled: enabled)
    default: throw Refusal(.unknownMethod, "There is no method '\(method.prefix(64))'.")
    }
  }

  package var parameters: JSON {
    switch self {
    case .hello(let introduction):
      [
        "name": introduction.name.map(JSON.string),
        "purpose": introduction.purpose.map(JSON.string),
      ]
    case .startUpdatingLocation(let request):
      [
        "desiredAccuracy": .number(request.desiredAccuracy),
        "distanceFilter": .number(request.distanceFilter),
        "activityType": request.activityType == .other
          ? nil : .string(request.activityType.rawValue),
        "pausesAutomatically": request.pausesAutomatically ? .bool(true) : nil,
      ]
    case .startMonitoring(let regions): ["regions": .array(regions.map(\.json))]
    case .stopMonitoring(let identifiers): ["identifiers": .array(identifiers.map(JSON.string))]
    case .monitoredRegions(let after, let limit):
      ["after": after.map(JSON.string), "limit": .integer(Int64(limit))]
    case .requestState(let identifier): ["identifier": .string(identifier)]
    case .acknowledge(let event): ["event": .integer(Int64(clamping: event))]
    case .setActivation(let activation): .object(activation?.members ?? [])
    case .startMonitoringSignificantLocationChanges, .stopMonitoringSignificantLocationChanges,
      .startMonitoringVisits, .stopMonitoringVisits:
      [:]
    case .requestLocation(let request):
      ["desiredAccuracy": .number(request.desiredAccuracy), "timeout": .number(request.timeout)]
    case .startUpdatingHeading(let request): ["headingFilter": .number(request.headingFilter)]
    case .requestAuthorization(let level):
      ["level": .string(level == .authorizedAlways ? "always" : "whenInUse")]
    case .requestTemporaryFullAccuracy(let purpose): ["purpose": .string(purpose)]
    case .permissionsSet(let change): change.json
    case .permissionsReset(let apps), .permissionsUnrestrict(let apps): apps.json
    case .servicesSet(let enabled): ["enabled": .bool(enabled)]
    case .agentStandBy: ["asks": .bool(false)]
    case .status, .stopUpdatingLocation, .location, .permissionsList, .beginUse, .endUse,
      .agentRegister, .stopUpdatingHeading:
      [:]
    }
  }
}

/// The `params` of a request, read with errors that name the member.
package struct Parameters: Sendable {
  let json: JSON

  package init(_ json: JSON?) throws(Refusal) {
    self.json = json ?? [:]
    guard self.json.members != nil else {
      throw Refusal(.invalidParameters, "Parameters go by name: params must be an object.")
    }
  }

  /// Refuses names that the method does not know: a misspelt one would be ignored.
  func check(_ names: [String], of method: String) throws(Refusal) {
    let unknown = json.members?.first { $0.key != "manager" && !names.contains($0.key) }
    guard let unknown else { return }
    let known = names.isEmpty ? "It has none." : "It has \(names.joined(separator: ", "))."
    throw Refusal(
      .invalidParameters,
      "\(method) has no parameter '\(unknown.key.plain(atMost: 64))'. \(known)")
  }

  package func manager() throws(Refusal) -> Int {
    guard let value = json["manager"] else { return 0 }
    guard let number = value.integer, let manager = Int32(exactly: number), manager >= 0 else {
      throw Refusal(.invalidParameters, "manager must be a whole number from 0 to \(Int32.max).")
    }
    return Int(manager)
  }

  func text(_ name: String) throws(Refusal) -> String? {
    guard let value = json[name] else { return nil }
    guard let text = value.string, text.utf8.count <= 1024 else {
      throw Refusal(.invalidParameters, "\(name) must be a string of at most 1024 bytes.")
    }
    return text
  }

  fileprivate func number(
    _ name: String, default standard: Double, where isPossible: (Double) -> Bool
  ) throws(Refusal) -> Double {
    guard let value = json[name] else { return standard }
    guard let number = value.double, isPossible(number) else {
      throw Refusal(.invalidParameters, "\(name) is not a possible number.")
    }
    return number
  }

  func truth(_ name: String) throws(Refusal) -> Bool? {
    guard let value = json[name] else { return nil }
    guard let truth = value.bool else {
      throw Refusal(.invalidParameters, "\(name) must be true or false.")
    }
    return truth
  }

  func whole(_ name: String, _ range: ClosedRange<Int64>) throws(Refusal) -> Int64? {
    guard let value = json[name] else { return nil }
    guard let number = value.integer, range.contains(number) else {
      throw Refusal(
        .invalidParameters,
        "\(name) must be a whole number from \(range.lowerBound) to \(range.upperBound).")
    }
    return number
  }

  fileprivate func activityType() throws(Refusal) -> ActivityType {
    guard let name = try text("activityType") else { return .other }
    guard let activity = ActivityType(rawValue: name) else {
      throw Refusal(
        .invalidParameters,
        "activityType is one of \(ActivityType.allCases.map(\.rawValue).joined(separator: ", ")).")
    }
    return activity
  }

  fileprivate func desiredAccuracy() throws(Refusal) -> Double {
    try number("desiredAccuracy", default: -1) { $0 >= 0 || $0 == -1 || $0 == -2 }
  }
}
