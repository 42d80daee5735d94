/// An event, which the daemon tells without being asked.
package enum Event: Equatable, Sendable {
  case didUpdateLocations(Location, Service)
  case didUpdateHeading(Heading)
  case didFail(Refusal)
  case didVisit(Visit)
  case didEnterRegion(identifier: String, Timestamp)
  case didExitRegion(identifier: String, Timestamp)
  case didDetermineState(identifier: String, RegionState)
  case didStartMonitoring(identifier: String)
  case monitoringDidFail(identifier: String?, Refusal)
  case didPauseLocationUpdates
  case didResumeLocationUpdates
  case didChangeAuthorization(Authorization, AccuracyAuthorization)
  /// The nearest first.
  case didRangeBeacons(BeaconConstraint, [Beacon])
  case rangingDidFail(BeaconConstraint, Refusal)
  /// The machine is a beacon now.
  case didStartAdvertising
  case advertisingDidFail(Refusal)
}

extension Event {
  package var name: StaticString {
    switch self {
    case .didUpdateLocations: "didUpdateLocations"
    case .didUpdateHeading: "didUpdateHeading"
    case .didFail: "didFail"
    case .didVisit: "didVisit"
    case .didEnterRegion: "didEnterRegion"
    case .didExitRegion: "didExitRegion"
    case .didDetermineState: "didDetermineState"
    case .didStartMonitoring: "didStartMonitoring"
    case .monitoringDidFail: "monitoringDidFail"
    case .didPauseLocationUpdates: "didPauseLocationUpdates"
    case .didResumeLocationUpdates: "didResumeLocationUpdates"
    case .didChangeAuthorization: "didChangeAuthorization"
    case .didRangeBeacons: "didRangeBeacons"
    case .rangingDidFail: "rangingDidFail"
    case .didStartAdvertising: "didStartAdvertising"
    case .advertisingDidFail: "advertisingDidFail"
    }
  }
}

extension Event {
  /// Whether it says where the machine is, and so may not be read after a revocation.
  package var hasPlace: Bool {
    switch self {
    case .didUpdateLocations, .didVisit, .didEnterRegion, .didExitRegion, .didDetermineState,
      .didRangeBeacons:
      true
    // Beside magnetic north, true north shows a little.
    case .didUpdateHeading(let heading): heading.trueHeading != nil
    default: false
    }
  }
}

/// An event as text, made once; the line for a manager is the two halves with its number between.
package struct EventText: ~Copyable {
  private var head = TextBuffer(capacity: 128)
  private var tail = TextBuffer()

  package init() {}

  /// A number that is not 0 is one the client acknowledges it by.
  package mutating func write(_ event: Event, number: UInt64 = 0) {
    head.removeAll()
    head.append("{\"jsonrpc\":\"2.0\",\"method\":\"")
    head.append(event.name)
    head.append("\",\"params\":{")

    tail.removeAll()
    tail.appendMembers(of: event)
    tail.append(number: number)
    tail.append("}}\n")
  }

  package func append(to buffer: inout TextBuffer, manager: Int) {
    buffer.append(head.bytes)
    if manager != 0 {
      buffer.append("\"manager\":")
      buffer.append(integer: Int64(manager))
      if tail.bytes.first != UInt8(ascii: "}") { buffer.append(UInt8(ascii: ",")) }
    }
    buffer.append(tail.bytes)
  }
}

extension TextBuffer {
  /// The members of an event's parameters, without the braces.
  package mutating func appendMembers(of event: Event) {
    switch event {
    case .didUpdateLocations(let location, let service):
      append("\"locations\":[")
      append(location)
      append("],\"service\":\"")
      append(service.rawValue)
      append(UInt8(ascii: "\""))
    case .didUpdateHeading(let heading):
      append("\"heading\":")
      append(heading)
    case .didFail(let refusal), .advertisingDidFail(let refusal): append(membersOf: refusal)
    case .didVisit(let visit):
      append("\"visit\":")
      append(visit)
    case .didEnterRegion(let identifier, let moment), .didExitRegion(let identifier, let moment):
      append("\"region\":")
      append(quoted: identifier)
      append(",\"timestamp\":\"")
      append(moment)
      append("\"")
    case .didDetermineState(let identifier, let state):
      append(identifier: identifier)
      append(",\"state\":")
      append(quoted: state.rawValue)
    case .didStartMonitoring(let identifier): append(identifier: identifier)
    case .monitoringDidFail(let identifier, let refusal):
      if let identifier {
        append(identifier: identifier)
        append(",")
      }
      append(membersOf: refusal)
    case .didPauseLocationUpdates, .didResumeLocationUpdates, .didStartAdvertising: break
    case .didChangeAuthorization(let authorization, let accuracy):
      append("\"authorization\":\"")
      append(authorization.rawValue)
      append("\",\"accuracy\":\"")
      append(accuracy.rawValue)
      append(UInt8(ascii: "\""))
    case .didRangeBeacons(let constraint, let beacons):
      append("\"constraint\":")
      append(constraint.json.text)
      append(",\"beacons\":")
      append(beacons)
    case .rangingDidFail(let constraint, let refusal):
      append("\"constraint\":")
      append(constraint.json.text)
      append(",")
      append(membersOf: refusal)
    }
  }

  /// Nothing, where it is 0.
  package mutating func append(number: UInt64) {
    guard number != 0 else { return }
    append(",\"event\":")
    append(integer: Int64(clamping: number))
  }

  private mutating func append(identifier: String) {
    append("\"identifier\":")
    append(quoted: identifier)
  }

  private mutating func append(membersOf refusal: Refusal) {
    append("\"code\":")
    append(integer: Int64(refusal.code.rawValue))
    append(",\"error\":")
    append(quoted: refusal.message)
  }
}
