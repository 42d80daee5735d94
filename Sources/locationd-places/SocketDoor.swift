import LocationModel
import PlaceCore
import Platform

/// The Unix socket: JSON-RPC, one object a line.
final class SocketDoor {
  private let lines: LineListener
  private let service: PlaceService
  private var clients: [UInt64: PlaceService.Client] = [:]
  /// Questions of each connection that wait for an answer.
  private var waiting: [UInt64: Int] = [:]

  /// `changed`: a client came or went.
  init(
    _ listener: UnixListener, _ service: PlaceService, _ limits: ConnectionLimits,
    on loop: EventLoop, _ log: Log, changed: @escaping () -> Void
  ) throws(SystemError) {
    self.service = service
    var admit: (LineConnection, Asker) -> Void = { _, _ in }
    var handle: (LineConnection.Event, LineConnection) -> Void = { _, _ in }
    lines = try LineListener(listener, limits: limits, on: loop, log) {
      Refusal(
        .limitExceeded,
        "Your programs already have \(Count($0.connectionsPerUser, "connection"))"
          + " (ConnectionsPerUser= in places.conf).")
    } welcome: { connection, peer, process in
      admit(connection, Asker(uid: peer.uid, process))
    } handle: {
      handle($0, $1)
    }
    admit = { [unowned self] connection, asker in
      clients[connection.number] = PlaceService.Client(asker)
      connection.begin()
      changed()
    }
    handle = { [unowned self] in self.handle($0, from: $1) }
    lines.closed = { [unowned self] connection in
      if let client = clients.removeValue(forKey: connection.number) { service.forget(client) }
      waiting[connection.number] = nil
      changed()
    }
  }

  var isEmpty: Bool { lines.connections.isEmpty }

  private func handle(_ event: LineConnection.Event, from connection: LineConnection) {
    switch event {
    case .line(.text(let line)): take(line, from: connection)
    case .line(.tooLong):
      let most = LineConnection.longestRequest
      answer(
        connection, .null,
        .failure(Refusal(.invalidRequest, "A request has at most \(most) bytes.")))
    // What it waits for still comes.
    case .finished: if waiting[connection.number] == nil { connection.end(because: nil) }
    case .overflowing:
      lines.end(
        connection,
        because: Refusal(.limitExceeded, "Too much waits that you have not read."))
    case .gone: lines.close(connection)
    }
  }

  private func take(_ line: UnsafeRawBufferPointer, from connection: LineConnection) {
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
      if let id = error.id { answer(connection, id, .failure(error.refusal)) }
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
      if let id { answer(connection, id, result) }
      if left == 0, connection.isFinished { connection.end(because: nil) }
    }
  }

  private func answer(_ connection: LineConnection, _ id: JSON, _ result: PlaceService.Answer) {
    var line = TextBuffer()
    switch result {
    case .success(let reply):
      line.append(["jsonrpc": "2.0", "id": id, "result": reply.json] as JSON)
      line.append(UInt8(ascii: "\n"))
    case .failure(let refusal): line.append(refusal, id: id)
    }
    connection.send(line.bytes)
  }
}

extension Asker {
  /// What the kernel says of a process: nobody's group where it is gone, or hidden.
  init(uid: UInt32, _ process: consuming ProcessHandle?) {
    let group = process?.look()?.cgroup ?? []
    self.init(uid: uid, group: String(decoding: group, as: UTF8.self))
  }
}
