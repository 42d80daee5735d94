import LocationModel

/// The connection to a server.
enum UplinkLink: Equatable, Sendable {
  case idle
  /// Until another try; nil while nothing may be sent.
  case waiting(until: Boottime?)
  /// The connection begins once the disk has the memory of the broker.
  case marking(BrokerMemory.Connection)
  /// `until`: a connection that is restricted gives way to another.
  case dialing(until: Boottime?)
  case open(until: Boottime?)

  var due: Boottime? {
    switch self {
    case .waiting(let until), .dialing(let until), .open(let until): until
    case .idle, .marking: nil
    }
  }

  var isOpen: Bool { if case .open = self { true } else { false } }

  var isMade: Bool { if case .dialing = self { true } else { isOpen } }

  mutating func retry(at now: Boottime) { if case .waiting = self { self = .waiting(until: now) } }
}
