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
  mutating func socket() throws(Failure) -> String {
    try value("--socket") ?? Connection.defaultPath
  }
}
