import Console
import LocationClient
import LocationModel

extension Failure {
  init(_ refusal: Refusal) {
    let code: Code =
      switch refusal.code {
      case .denied: .denied
      case .locationUnknown: .noLocation
      default: .failed
      }
    self.init(code, refusal.message)
  }

  init(_ error: ConnectionError) {
    switch error {
    case .noDaemon(let path, let reason):
      self.init(
        .noDaemon,
        "no daemon at \(path) (\(reason)). Is locationd running? Give its socket with --socket or"
          + " $LOCATIOND_SOCKET.")
    case .closed(let refusal):
      self.init(.noDaemon, refusal?.message ?? "the daemon has gone.")
    case .timedOut:
      self.init(.failed, "the daemon does not answer.")
    case .garbled:
      self.init(.failed, "what answers there is no locationd.")
    }
  }
}

extension Arguments {
  /// Metres that are good enough, by either name of the option.
  mutating func accuracy() throws(Failure) -> Double? {
    let short = try number("--accuracy", "metres") { $0 >= -2 }
    return try number("--desired-accuracy", "metres") { $0 >= -2 } ?? short
  }

  mutating func distance() throws(Failure) -> Double? {
    let short = try number("--distance", "metres") { $0 >= -1 }
    return try number("--distance-filter", "metres") { $0 >= -1 } ?? short
  }

  mutating func socket() throws(Failure) -> String {
    try value("--socket") ?? Connection.defaultPath
  }
}
