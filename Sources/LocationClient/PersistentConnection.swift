package import LocationModel

/// A connection that is made again whenever it is lost. It has no thread and never waits: its owner calls
/// `step` when the descriptor can be read, and at `retriesAt`.
package final class PersistentConnection {
  package enum Event: Sendable {
    case opened
    case received(Message)
    /// Requests without a reply get none any more.
    case lost(ConnectionError)
  }

  private let path: String
  /// Another one after each `opened`; nil while there is none.
  package private(set) var connection: Connection?
  private var pause = PersistentConnection.firstPause
  private let longestPause: Duration
  /// When to try again; nil while there is a connection.
  package private(set) var retriesAt: Boottime?

  /// When a daemon that had said yes was lost.
  private var lostAt: Boottime?
  private var hasSucceeded = false

  private static let firstPause: Duration = .milliseconds(500)
  /// A daemon that starts anew, or is upgraded, is back by then: until then it is looked for often.
  private static let restart: Duration = .seconds(60)
  package static let longestPause: Duration = .seconds(30)

  package init(
    path: String = Connection.defaultPath,
    longestPause: Duration = PersistentConnection.longestPause
  ) {
    self.path = path
    self.longestPause = longestPause
    retriesAt = .start
  }

  package var descriptor: Int32? { connection?.descriptor }

  /// Whether `step` has something to give at once.
  package var hasUnread: Bool { connection?.hasUnread == true }

  /// Connects if it is time to, or takes what has come.
  package func step(at now: Boottime) -> [Event] {
    var events: [Event] = []
    do throws(ConnectionError) {
      guard let connection else {
        guard let retriesAt, retriesAt <= now else { return [] }
        connection = try Connection(path: path)
        self.retriesAt = nil
        return [.opened]
      }
      for message in try connection.receive() {
        if case .farewell(let refusal) = message { throw .closed(refusal) }
        events.append(.received(message))
      }
    } catch {
      lose(at: now)
      events.append(.lost(error))
    }
    return events
  }

  /// Sends a request; its reply carries the number returned.
  @discardableResult
  package func send(
    _ request: Request, manager: Int = 0
  ) throws(ConnectionError) -> Int64 {
    guard let connection else { throw .closed(nil) }
    return try connection.send(request, manager: manager)
  }

  package func send(_ answer: ClientAnswer) throws(ConnectionError) {
    guard let connection else { throw .closed(nil) }
    try connection.send(answer)
  }

  /// The daemon has said yes: what is lost next is looked for soon.
  package func succeed() {
    pause = Self.firstPause
    lostAt = nil
    hasSucceeded = true
  }

  /// Lets the connection go, and tries again after a while: each time after twice as long, or as long as
  /// is said.
  package func lose(for pause: Duration? = nil, at now: Boottime) {
    connection = nil
    if hasSucceeded { lostAt = now }
    hasSucceeded = false
    if let pause { self.pause = pause }
    retriesAt = now + self.pause
    if pause == nil, let lostAt, now - lostAt < Self.restart { return }
    self.pause = min(self.pause * 2, longestPause)
  }
}
