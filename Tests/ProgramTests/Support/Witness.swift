import LocationModel
import TestSupport
import Testing

/// An administrator's view, by a connection of its own, so that nobody else's events are passed over.
extension RunningDaemon {
  /// Waits until some more fixes have come, or none will, since the sources are closed.
  func waitForFixes(_ count: Int64 = 5) throws {
    let witness = try connect()
    let before = try witness.status()["counters"]?["fixes"]?.integer ?? 0
    let cameOrClosed = try eventually(within: patience) {
      let status = try witness.status()
      return status["counters"]?["fixes"]?.integer ?? 0 >= before + count
        || status["sources"]?.array?.allSatisfy { $0["state"] == "closed" } == true
    }
    try #require(cameOrClosed, "no fixes came")
  }

  /// Waits until its first source is in that state.
  func waitForSource(_ state: String) throws {
    let witness = try connect()
    let isSo = try eventually(within: patience) {
      try witness.status()["sources"]?.array?.first?["state"]?.string == state
    }
    try #require(isSo, "never \(state)")
  }
}

extension SocketClient {
  fileprivate func status() throws -> JSON { try #require(try ask("status")["result"]) }
}
