import LocationModel
import Platform

/// What tells of visits and regions; `event` is what is acknowledged, or 0.
extension Client1 {
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
        try body.int32(Int32(refusal.code.rawValue))
        try body.string(refusal.message)
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
