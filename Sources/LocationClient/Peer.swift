import LocationModel

/// A program that is talked to: where it listens, and the words for a person when it cannot be talked to.
package enum Peer: Sendable {
  case daemon, places, tracker

  package var defaultPath: String {
    switch self {
    case .daemon: SocketPath.named(by: "LOCATIOND_SOCKET", else: "/run/locationd/locationd.sock")
    case .places:
      SocketPath.named(by: "LOCATIOND_PLACES_SOCKET", else: "/run/locationd/places.sock")
    case .tracker:
      SocketPath.named(by: "LOCATIOND_TRACKER_SOCKET", else: "/run/locationd/tracker.sock")
    }
  }

  /// Seconds for an answer, where nothing else is said.
  package var patience: Double {
    switch self {
    case .daemon: 10
    case .places: 15
    case .tracker: 60
    }
  }

  /// The error and its remedy, in a sentence.
  package func message(_ error: ConnectionError, at path: String) -> String {
    switch error {
    case .noDaemon(_, let reason): absence(path, reason)
    case .closed(let refusal?): refusal.message
    case .closed(nil):
      switch self {
      case .daemon: "the daemon has gone."
      case .tracker: "the tracker has gone."
      case .places: "The service that knows names of places has gone. Ask again."
      }
    case .timedOut:
      switch self {
      case .daemon: "the daemon does not answer."
      case .tracker: "the tracker does not answer."
      case .places: "The service that knows names of places does not answer. Ask again later."
      }
    case .garbled:
      switch self {
      case .daemon: "the program there is not locationd."
      case .places: "The program at \(path) is not locationd-places."
      case .tracker: "the program at \(path) is not locationd-tracker."
      }
    }
  }

  private func absence(_ path: String, _ reason: String) -> String {
    switch self {
    case .daemon:
      "no daemon at \(path) (\(reason)). Is locationd running? Give its socket with --socket or"
        + " $LOCATIOND_SOCKET."
    case .places:
      "No service knows names of places at \(path) (\(reason)). Install the package locationd-places;"
        + " where it is, 'sudo systemctl start locationd-places.socket' starts it, and"
        + " $LOCATIOND_PLACES_SOCKET names another socket."
    case .tracker:
      "no tracker at \(path) (\(reason)). Is the package locationd-tracker installed and the tracker"
        + " running, and are you root or of the group locationd-track?"
    }
  }
}
