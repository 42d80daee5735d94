import DBus
import LocationModel
import Platform

/// The rows of significant changes, visits and regions. What is monitored is the app's, not the client
/// object's: it stays when the object goes.
extension Client1 {
  static let monitoringMethods: [BusMethod] = [
    plain(
      "StartMonitoringSignificantLocationChanges", .startMonitoringSignificantLocationChanges),
    plain("StopMonitoringSignificantLocationChanges", .stopMonitoringSignificantLocationChanges),
    plain("StartMonitoringVisits", .startMonitoringVisits),
    plain("StopMonitoringVisits", .stopMonitoringVisits),
    BusMethod("StartMonitoring", in: [.init("regions", "aa{sv}")]) {
      (client: ClientObject, call) throws(BusError) in
      var regions: [Region] = []
      for value in call.arguments[0].asArray ?? [] {
        do throws(Refusal) {
          regions.append(try Region(JSON(value)))
        } catch {
          throw BusError(error)
        }
      }
      client.ask(.startMonitoring(regions), for: call)
      return nil
    },
    BusMethod("StopMonitoring", in: [.init("identifiers", "as")]) {
      (client: ClientObject, call) throws(BusError) in
      let identifiers = (call.arguments[0].asArray ?? []).compactMap(\.asString)
      client.ask(.stopMonitoring(identifiers: identifiers), for: call)
      return nil
    },
    BusMethod("RequestState", in: [.init("identifier", "s")]) {
      (client: ClientObject, call) throws(BusError) in
      let identifier = call.arguments[0].asString ?? ""
      let request = try Request("requestState", ["identifier": .string(identifier)])
      client.askForState(of: identifier, request, for: call)
      return nil
    },
    BusMethod("Acknowledge", in: [.init("event", "t")]) {
      (client: ClientObject, call) throws(BusError) in
      client.ask(.acknowledge(event: call.arguments[0].asUInt64 ?? 0), for: call)
      return nil
    },
    activation,
  ]

  static let monitoringProperties: [BusProperty] = [
    BusProperty(ClientObject.regionsProperty, "aa{sv}", .invalidated) { (client: ClientObject) in
      .array(of: "a{sv}", client.regions.map(\.busValue))
    },
    BusProperty(
      "ActivityType", "s",
      get: { (client: ClientObject) in .string(client.wishes.activityType.rawValue) },
      set: { (client, _, value) throws(BusError) in
        guard let activity = value.asString.flatMap(ActivityType.init) else {
          throw BusError(Refusal(.invalidParameters, "ActivityType is not one that is known."))
        }
        client.wishes.activityType = activity
        client.wishAgain()
        client.changed(["ActivityType"])
      }),
    BusProperty(
      "PausesLocationUpdatesAutomatically", "b",
      get: { (client: ClientObject) in .bool(client.wishes.pausesAutomatically) },
      set: { (client, _, value) throws(BusError) in
        client.wishes.pausesAutomatically = value.asBool == true
        client.wishAgain()
        client.changed(["PausesLocationUpdatesAutomatically"])
      }),
  ]

  static func plain(_ name: String, _ request: Request) -> BusMethod {
    BusMethod(name) { (client: ClientObject, call) throws(BusError) in
      client.ask(request, for: call)
      return nil
    }
  }

  static let monitoringSignals: [BusSignalDescription] = [
    .init("DidVisit", [.init("visit", "a{sv}"), .init("event", "t")]),
    .init("DidEnterRegion", crossing),
    .init("DidExitRegion", crossing),
    .init("DidDetermineState", [.init("identifier", "s"), .init("state", "s")]),
    .init("DidStartMonitoring", [.init("identifier", "s")]),
    .init(
      "MonitoringDidFail",
      [.init("identifier", "s"), .init("code", "i"), .init("message", "s")]),
    .init("DidPauseLocationUpdates", []),
    .init("DidResumeLocationUpdates", []),
  ]

  private static let crossing: [BusArgument] = [
    .init("identifier", "s"), .init("timestamp", "x"), .init("event", "t"),
  ]

  static func monitoringSignal(_ event: Event, _ number: UInt64) throws(BusError) -> BusSignal {
    switch event {
    case .didVisit(let visit):
      try signal("DidVisit") { (body) throws(BusError) in
        try body.dictionary { (entries) throws(BusError) in try visit.write(into: &entries) }
        try body.uint64(number)
      }
    case .didEnterRegion(let identifier, let moment):
      try crossing("DidEnterRegion", identifier, moment, number)
    case .didExitRegion(let identifier, let moment):
      try crossing("DidExitRegion", identifier, moment, number)
    case .didDetermineState(let identifier, let state):
      try signal("DidDetermineState") { (body) throws(BusError) in
        try body.string(identifier)
        try body.string(state.rawValue)
      }
    case .didStartMonitoring(let identifier):
      try signal("DidStartMonitoring") { (body) throws(BusError) in try body.string(identifier) }
    case .monitoringDidFail(let identifier, let refusal):
      try signal("MonitoringDidFail") { (body) throws(BusError) in
        try body.string(identifier ?? "")
        try body.int32(Int32(refusal.code.number))
        try body.string(refusal.busMessage)
      }
    case .didPauseLocationUpdates: try signal("DidPauseLocationUpdates") { _ in }
    default: try signal("DidResumeLocationUpdates") { _ in }
    }
  }

  private static func crossing(
    _ member: StaticString, _ identifier: String, _ moment: Timestamp, _ number: UInt64
  ) throws(BusError) -> BusSignal {
    try signal(member) { (body) throws(BusError) in
      try body.string(identifier)
      try body.int64(moment.microseconds)
      try body.uint64(number)
    }
  }
}

extension Visit {
  fileprivate func write(into entries: inout some BusEntries) throws(BusError) {
    try entries.set("latitude", coordinate.latitude)
    try entries.set("longitude", coordinate.longitude)
    try entries.set("horizontalAccuracy", horizontalAccuracy)
    if let arrivalDate { try entries.set("arrivalDate", arrivalDate.microseconds) }
    if let departureDate { try entries.set("departureDate", departureDate.microseconds) }
  }
}

extension Region {
  /// As it is given to StartMonitoring.
  fileprivate var busValue: BusValue {
    var entries: [String: BusValue] = [
      "identifier": .string(identifier), "notifyOnEntry": .bool(notifyOnEntry),
      "notifyOnExit": .bool(notifyOnExit),
    ]
    switch shape {
    case .circle(let centre, let radius):
      entries["type"] = .string("circle")
      entries["latitude"] = .double(centre.latitude)
      entries["longitude"] = .double(centre.longitude)
      entries["radius"] = .double(radius)
    case .polygon(let points, let holes):
      entries["type"] = .string("polygon")
      entries["points"] = Self.busValue(points)
      if !holes.isEmpty { entries["holes"] = .array(of: "a(dd)", holes.map(Self.busValue)) }
    case .beacon(let constraint):
      entries["type"] = .string("beacon")
      entries.merge(constraint.busEntries) { $1 }
    }
    return .dictionary(entries)
  }

  private static func busValue(_ ring: [Coordinate]) -> BusValue {
    .array(of: "(dd)", ring.map { .structure([.double($0.latitude), .double($0.longitude)]) })
  }
}

extension ClientObject {
  static let regionsProperty = "MonitoredRegions"

  var regions: [Region] {
    guard
      case .regions(let regions, _) = session.requestNow(.monitoredRegions(after: nil, limit: .max))
    else {
      return []
    }
    return regions
  }

  /// The answer is told by DidDetermineState.
  fileprivate func askForState(
    of identifier: String, _ request: Request, for call: BusInvocation
  ) {
    session.ask(request) { [weak self] answer in
      switch answer {
      case .success(let reply):
        call.answer([])
        guard case .state(let state) = reply else { return }
        self?.deliver(.didDetermineState(identifier: identifier, state))
      case .failure(let refusal): call.refuse(BusError(refusal))
      }
    }
  }
}
