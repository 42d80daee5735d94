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
    let member = "D" + "\(event.name)".dropFirst()
    return switch event {
    case .didVisit(let visit):
      try BusSignal(name, member) { (body) throws(BusError) in
        try body.dictionary { (entries) throws(BusError) in try visit.write(into: &entries) }
        try body.uint64(number)
      }
    case .didEnterRegion(let identifier, let moment), .didExitRegion(let identifier, let moment):
      try BusSignal(name, member) { (body) throws(BusError) in
        try body.string(identifier)
        try body.int64(moment.microseconds)
        try body.uint64(number)
      }
    case .didDetermineState(let identifier, let state):
      try BusSignal(name, member) { (body) throws(BusError) in
        try body.string(identifier)
        try body.string(state.rawValue)
      }
    case .didStartMonitoring(let identifier):
      try BusSignal(name, member) { (body) throws(BusError) in try body.string(identifier) }
    case .monitoringDidFail(let identifier, let refusal):
      try BusSignal(name, "MonitoringDidFail") { (body) throws(BusError) in
        try body.string(identifier ?? "")
        try body.int32(Int32(refusal.code.rawValue))
        try body.string(refusal.message)
      }
    default: try BusSignal(name, member) { (_) throws(BusError) in }
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
