import Console
import LocationModel

/// Where a replay's events are written.
protocol ReplaySheet: ~Copyable {
  /// A fix of the recording, whatever is told of it.
  mutating func see(_ location: Location)
  mutating func write(_ event: Event, at moment: Timestamp)
  mutating func flush() throws(Failure)
  mutating func end() throws(Failure)
}

/// Lines of JSON, or a table for people.
struct ReplayPage: ReplaySheet, ~Copyable {
  private let asJSON: Bool
  private var text = TextBuffer(capacity: 1 << 16)

  init(asJSON: Bool) {
    self.asJSON = asJSON
  }

  mutating func write(_ event: Event, at moment: Timestamp) {
    if asJSON {
      text.appendLine(event, at: moment)
    } else {
      text.append("\(Describe.time(moment))  \(Describe.line(event, at: moment))".plain())
      text.append("\n")
    }
  }

  mutating func write(_ location: Location) {
    if asJSON {
      text.append(location)
    } else {
      text.append(Describe.line(location).plain())
    }
    text.append("\n")
  }

  mutating func flush() throws(Failure) {
    try Output.write(text.bytes)
    text.removeAll()
  }

  mutating func see(_: Location) {}
  mutating func end() throws(Failure) { try flush() }
}

extension TextBuffer {
  /// An event line, as programs read it: when it was told, and its parameters.
  /// `placemark`: the names of the place that the event is about.
  mutating func appendLine(
    _ event: Event, at moment: Timestamp, placemark: Placemark? = nil
  ) {
    append("{\"event\":\"")
    append(event.name)
    append("\",\"timestamp\":\"")
    append(moment)
    append("\",")
    switch event {
    // When it was told is the one time of the line.
    case .didEnterRegion(let identifier, _), .didExitRegion(let identifier, _):
      append("\"region\":")
      append(quoted: identifier)
    default: appendMembers(of: event)
    }
    if let placemark {
      append(",\"placemark\":")
      append(placemark.json)
    }
    append("}\n")
  }
}

extension Describe {
  private static func line(_ visit: Visit) -> String {
    let place = "\(fixed(visit.coordinate.latitude, 6)) \(fixed(visit.coordinate.longitude, 6))"
    let since = visit.arrivalDate.map { "since \(time($0))" } ?? "since an unknown time"
    guard let end = visit.departureDate else {
      return "arrived    \(place)  ±\(metres(visit.horizontalAccuracy))  \(since)"
    }
    return "departed   \(place)  ±\(metres(visit.horizontalAccuracy))  \(since) until \(time(end))"
  }

  /// One event that is told now as one plain line.
  static func told(_ event: Event) -> String {
    let now = Timestamp.now
    return "\(time(now))  \(line(event, at: now))"
  }

  /// One event as one plain line, without the time at which it was told.
  static func line(_ event: Event, at moment: Timestamp) -> String {
    switch event {
    case .didUpdateLocations(let location, let service):
      (service == .significant ? "moved      " : "location   ") + line(location, at: moment)
    case .didUpdateHeading(let heading): "heading    \(line(heading, at: moment))"
    case .didFail(let refusal): "failed     \(refusal.message)"
    case .didVisit(let visit): line(visit)
    case .didEnterRegion(let identifier, _): "entered    \(identifier)"
    case .didExitRegion(let identifier, _): "left       \(identifier)"
    case .didDetermineState(let identifier, let state): "state      \(state.rawValue) \(identifier)"
    case .didStartMonitoring(let identifier): "monitoring \(identifier)"
    case .monitoringDidFail(let identifier, let refusal):
      "failed     \(identifier ?? "") \(refusal.message)"
    case .didPauseLocationUpdates: "paused"
    case .didResumeLocationUpdates: "resumed"
    case .didChangeAuthorization(let authorization, _): "permission \(authorization.rawValue)"
    case .didRangeBeacons(_, let beacons):
      "beacons    " + (beacons.isEmpty ? "none" : beacons.map(line).joined(separator: "; "))
    case .rangingDidFail(_, let refusal), .advertisingDidFail(let refusal):
      "failed     \(refusal.message)"
    case .didStartAdvertising: "beacon     this machine is one now"
    }
  }
}
