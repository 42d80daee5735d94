import LocationModel

/// Where a replay's events are written: lines of JSON, or a table for people.
struct ReplayPage: ~Copyable {
  private let asJSON: Bool
  private var text = TextBuffer(capacity: 1 << 16)

  init(asJSON: Bool) {
    self.asJSON = asJSON
  }

  mutating func write(_ event: Event, at moment: Timestamp) {
    if asJSON {
      text.appendLine(event, at: moment)
    } else {
      text.append("\(Describe.time(moment))  \(Describe.line(event))\n")
    }
  }

  mutating func flush() throws(Failure) {
    try Output.write(text.bytes)
    text.removeAll()
  }
}

extension TextBuffer {
  /// An event line, as programs read it: when it was told, and its parameters.
  mutating func appendLine(_ event: Event, at moment: Timestamp) {
    append("{\"event\":\"")
    append(event.name)
    append("\",\"timestamp\":\"")
    append(moment)
    append("\",")
    appendMembers(of: event)
    append("}\n")
  }
}

extension Describe {
  /// One event as one plain line, without its time.
  static func line(_ event: Event) -> String {
    switch event {
    case .didUpdateLocations(let location, _): "location   \(line(location))"
    case .didUpdateHeading(let heading): "heading    \(line(heading))"
    case .didFail(let refusal): "failed     \(refusal.message)"
    case .didChangeAuthorization(let authorization, _): "permission \(authorization.rawValue)"
    }
  }
}
