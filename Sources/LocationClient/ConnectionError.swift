package import LocationModel

/// Why there is no talking to the daemon.
package enum ConnectionError: Error, Equatable {
  /// Nothing listens there.
  case noDaemon(path: String, reason: String)
  /// It was there, and has gone or hung up, with its reason if it gave one.
  case closed(Refusal?)
  /// It did not answer in time.
  case timedOut
  /// It says what no locationd says.
  case garbled
}

extension ConnectionError: CustomStringConvertible {
  /// As the end of a sentence about the daemon.
  package var description: String {
    switch self {
    case .noDaemon(let path, let reason): "nothing answers at \(path) (\(reason))"
    case .closed(nil): "it has gone"
    case .closed(let refusal?):
      String(refusal.message.last == "." ? refusal.message.dropLast() : refusal.message[...])
    case .timedOut: "it does not answer in time"
    case .garbled: "the program there is not locationd"
    }
  }
}

/// Why a request has no reply.
package enum ClientError: Error, Equatable, CustomStringConvertible {
  case refused(Refusal)
  case lost(ConnectionError)

  package var description: String {
    switch self {
    case .refused(let refusal): refusal.message
    case .lost(let error): error.description
    }
  }
}
