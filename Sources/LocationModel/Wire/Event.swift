/// What the daemon tells without being asked.
package enum Event: Equatable, Sendable {
  case didUpdateLocations(Location, Service)
  case didUpdateHeading(Heading)
  case didFail(Refusal)
  case didChangeAuthorization(Authorization, AccuracyAuthorization)
}

extension Event {
  package var name: StaticString {
    switch self {
    case .didUpdateLocations: "didUpdateLocations"
    case .didUpdateHeading: "didUpdateHeading"
    case .didFail: "didFail"
    case .didChangeAuthorization: "didChangeAuthorization"
    }
  }
}

extension Event {
  /// Whether it says where the machine is, and so may not be read after a revocation.
  package var hasPlace: Bool {
    switch self {
    case .didUpdateLocations: true
    // Beside magnetic north, true north shows a little.
    case .didUpdateHeading(let heading): heading.trueHeading != nil
    case .didFail, .didChangeAuthorization: false
    }
  }
}

/// An event as text, made once; the line for a manager is the two halves with its number between.
package struct EventText: ~Copyable {
  private var head = TextBuffer(capacity: 128)
  private var tail = TextBuffer()

  package init() {}

  package mutating func write(_ event: Event) {
    head.removeAll()
    head.append("{\"jsonrpc\":\"2.0\",\"method\":\"")
    head.append(event.name)
    head.append("\",\"params\":{")

    tail.removeAll()
    tail.appendMembers(of: event)
    tail.append("}}\n")
  }

  package func append(to buffer: inout TextBuffer, manager: Int) {
    buffer.append(head.bytes)
    if manager != 0 {
      buffer.append("\"manager\":")
      buffer.append(integer: Int64(manager))
      buffer.append(UInt8(ascii: ","))
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
    case .didFail(let refusal):
      append("\"code\":")
      append(integer: Int64(refusal.code.rawValue))
      append(",\"error\":")
      append(quoted: refusal.message)
    case .didChangeAuthorization(let authorization, let accuracy):
      append("\"authorization\":\"")
      append(authorization.rawValue)
      append("\",\"accuracy\":\"")
      append(accuracy.rawValue)
      append(UInt8(ascii: "\""))
    }
  }
}
