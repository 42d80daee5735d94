import LocationModel
import Platform
import TrackCore

/// The socket of `locationctl track`. The kernel lets in root and the group: the file's mode says so.
final class ControlDoor: LineDoor {
  typealias Handler = (TrackCall, @escaping (Result<TrackReply, Refusal>) -> Void) -> Void

  private let lines: LineListener
  private let handler: Handler

  /// A client that reads nothing has one answer waiting: a thousand entries at most.
  private static let limits = {
    var limits = ConnectionLimits()
    (limits.connectionsPerUser, limits.bytesPerConnection, limits.bytesPerUser) =
      (16, 4 << 20, 16 << 20)
    return limits
  }()

  init(
    _ listener: UnixListener, on loop: EventLoop, _ log: Log, _ handler: @escaping Handler
  ) throws(SystemError) {
    self.handler = handler
    lines = LineListener(listener, limits: Self.limits, on: loop, log)
    try lines.open(for: self)
  }

  func welcome(_ connection: LineConnection, _: Peer, _: consuming ProcessHandle?) {
    connection.begin()
  }

  /// One request after the other.
  func handle(_ line: UnsafeRawBufferPointer, from connection: LineConnection) {
    let (id, call) = TrackCall.parse(line)
    switch call {
    case .success(let call):
      connection.pause()
      handler(call) { [weak connection] answer in
        connection?.send(answer.map(\.json), id: id)
        connection?.resume()
      }
    case .failure(let refusal): connection.send(.failure(refusal), id: id)
    }
  }

  func finished(_ connection: LineConnection) { connection.end(because: nil) }

  func tooMany(_ most: Int) -> Refusal {
    Refusal(.limitExceeded, "Your programs already have \(Count(most, "connection")).")
  }
}
