import LocationModel
import PlaceCore
import Platform

/// The Unix socket: JSON-RPC, one object a line.
final class SocketDoor: LineDoor {
  private let lines: LineListener
  private let service: PlaceService
  private var clients: [UInt64: PlaceService.Client] = [:]
  /// Questions of each connection that wait for an answer.
  private var waiting: [UInt64: Int] = [:]
  private let changed: () -> Void

  /// `changed`: a client came or went.
  init(
    _ listener: any ConnectionListener, _ service: PlaceService, _ limits: ConnectionLimits,
    on loop: EventLoop, _ log: Log, changed: @escaping () -> Void
  ) throws(SystemError) {
    self.service = service
    self.changed = changed
    lines = LineListener(listener, limits: limits, on: loop, log)
    try lines.open(for: self)
  }

  var isEmpty: Bool { lines.connections.isEmpty }

  func welcome(
    _ connection: LineConnection, _ peer: Peer, _ process: consuming ProcessHandle?
  ) {
    clients[connection.number] = PlaceService.Client(Asker(uid: peer.uid, process))
    connection.begin()
    changed()
  }

  func closed(_ connection: LineConnection) {
    if let client = clients.removeValue(forKey: connection.number) { service.forget(client) }
    waiting[connection.number] = nil
    changed()
  }

  /// Answers that it waits for still come.
  func finished(_ connection: LineConnection) {
    if waiting[connection.number] == nil { connection.end(because: nil) }
  }

  func tooMany(_ most: Int) -> Refusal {
    Refusal(
      .limitExceeded,
      "Your programs already have \(Count(most, "connection"))"
        + " (ConnectionsPerUser= in places.conf).")
  }

  func handle(_ line: UnsafeRawBufferPointer, from connection: LineConnection) {
    var id: JSON?
    do throws(UnusableCall) {
      let envelope = try Envelope(parsing: line)
      id = envelope.id
      let request: PlaceRequest
      do throws(Refusal) {
        request = try PlaceRequest(method: envelope.method, parameters: envelope.parameters)
      } catch {
        throw UnusableCall(id: id, refusal: error)
      }
      ask(request, id, for: connection)
    } catch {
      if let id = error.id { connection.send(.failure(error.refusal), id: id) }
    }
  }

  private func ask(_ request: PlaceRequest, _ id: JSON?, for connection: LineConnection) {
    guard let client = clients[connection.number] else { return }
    waiting[connection.number, default: 0] += 1
    connection.pause()
    service.ask(request, for: client) { [weak connection] in
      connection?.resume()
    } _: { [weak self, weak connection] result in
      guard let self, let connection else { return }
      let left = (waiting[connection.number] ?? 1) - 1
      waiting[connection.number] = left > 0 ? left : nil
      if let id { connection.send(result.map(\.json), id: id) }
      if left == 0, connection.isFinished { connection.end(because: nil) }
    }
  }
}

extension Asker {
  /// What the kernel says of a process: nobody's group where it is gone, or hidden.
  init(uid: UInt32, _ process: consuming ProcessHandle?) {
    let group = process?.look()?.cgroup ?? []
    self.init(uid: uid, group: String(decoding: group, as: UTF8.self))
  }
}
