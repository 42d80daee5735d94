package import LocationModel

/// The times of which nothing is kept: a person's pause, and all but the hours of the configuration.
package struct Silence: Equatable, Sendable {
  /// A pause; `until`: the end of time where a person is to end it.
  package struct Pause: Equatable, Sendable {
    package var from: Timestamp
    package var until: Timestamp

    package init(from: Timestamp, until: Timestamp?) {
      self.from = from
      self.until = until ?? Timestamp(microseconds: .max)
    }
  }

  package enum Reason: Equatable, Sendable {
    case pause(until: Timestamp?)
    case hours(until: Timestamp?)
  }

  /// Always where there are none.
  package var hours: [Hours] = []
  /// The last pause: what is dated in it is not kept later either.
  package var pause: Pause?

  package init() {}

  /// Why nothing is kept now; nil where the track goes on. A clock that was set back does not end a pause.
  package func reason(at now: Timestamp, _ offset: Duration) -> Reason? {
    if let pause, now < pause.until {
      return .pause(until: pause.until.microseconds == .max ? nil : pause.until)
    }
    guard !isInHours(now, offset) else { return nil }
    let edges = hours.flatMap { $0.edges(after: now, offset) }.sorted()
    return .hours(until: edges.first { isInHours($0, offset) })
  }

  /// Nothing that is dated so is kept.
  func covers(_ date: Timestamp, _ offset: Duration) -> Bool {
    if let pause, pause.from <= date, date < pause.until { return true }
    return !isInHours(date, offset)
  }

  private func isInHours(_ date: Timestamp, _ offset: Duration) -> Bool {
    hours.isEmpty || hours.contains { $0.contains(date, offset) }
  }
}

extension Silence.Reason {
  package var json: JSON {
    let (why, until) =
      switch self {
      case .pause(let until): ("pause", until)
      case .hours(let until): ("hours", until)
      }
    return ["because": .string(why), "until": until.map { .string($0.iso8601) }]
  }

  package init?(_ json: JSON) {
    let until = json["until"]?.string.flatMap(Timestamp.init(iso8601:))
    switch json["because"]?.string {
    case "pause": self = .pause(until: until)
    case "hours": self = .hours(until: until)
    default: return nil
    }
  }
}
