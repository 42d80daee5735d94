import LocationClient
import LocationModel

/// How a command ends that does not end well.
struct Failure: Error {
  enum Code: Int32 {
    case failed = 1
    case usage = 2
    case denied = 3
    case noLocation = 4
    case noDaemon = 5
  }

  var code: Code
  var message: String

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  init(_ refusal: Refusal) {
    switch refusal.code {
    case .denied: code = .denied
    case .locationUnknown: code = .noLocation
    default: code = .failed
    }
    message = refusal.message
  }

  init(_ error: ConnectionError) {
    switch error {
    case .noDaemon(let path, let reason):
      code = .noDaemon
      message = """
        no daemon at \(path) (\(reason)).
        Is locationd running? Give its socket with --socket or $LOCATIOND_SOCKET.
        """
    case .closed(let refusal):
      code = .noDaemon
      message = refusal?.message ?? "the daemon has gone."
    case .timedOut:
      code = .failed
      message = "the daemon does not answer."
    case .garbled:
      code = .failed
      message = "what answers there is no locationd."
    }
  }
}
