import LocationModel
import PlaceCore
import Platform

/// The Unix socket: JSON-RPC, one object a line.
final class SocketDoor {
  private let listener: UnixListener
  private let service: PlaceService
  private let limits: ConnectionLimits
  private let loop: EventLoop
  private let log: Log
  private let changed: () -> Void
  private var watch: EventLoop.Watch?
  private var retry: EventLoop.Timer?
  private var sweep: EventLoop.Timer?
  /// Connections that are to end, and when, whether or not they read why.
  private var ending: [(number: UInt64, at: Boottime)] = []
  private var connections: [UInt64: LineConnection] = [:]
  private var askers: [UInt64: Asker] = [:]
  private var users: [UInt32: UserAccount] = [:]
  private var last: UInt64 = 0

  private static let farewell: Duration = .seconds(5)

  /// `changed`: a client came or went.
  init(
    _ listener: UnixListener, _ service: PlaceService, _ limits: ConnectionLimits,
    on loop: EventLoop, _ log: Log, changed: @escaping () -> Void
  ) throws(SystemError) {
    self.listener = listener
    self.service = service
    self.limits = limits
    self.loop = loop
    self.log = log
    self.changed = changed
    try listen()
    retry = try EventLoop.Timer(slack: .seconds(1), on: loop) { [unowned self] in
      do throws(SystemError) { try listen() } catch { log.error("\(error)") }
    }
    sweep = try EventLoop.Timer(slack: .seconds(1), on: loop) { [unowned self] in closeEnded() }
  }

  var isEmpty: Bool { connections.isEmpty }

  private func listen() throws(SystemError) {
    watch = try listener.watch(on: loop) { [unowned self] in
      welcome($0)
    } failed: { [unowned self] error in
      // Out of descriptors, as a rule: the ones waiting stay in the kernel's queue for a while.
      log.warning("\(error)")
      watch = nil
      retry?.set(Clock.boottime + .seconds(1))
    }
  }

  private func welcome(_ descriptor: consuming Descriptor) {
    do throws(SystemError) {
      let peer = try descriptor.peer()
      let process = ProcessHandle.of(peer, at: descriptor)
      last += 1
      let user = users[peer.uid] ?? UserAccount(limits)
      users[peer.uid] = user
      let connection = try LineConnection(descriptor, of: peer.uid, user, number: last, on: loop) {
        [unowned self] in handle($1, from: $0)
      }
      connections[last] = connection
      askers[last] = Asker(uid: peer.uid, process)
      guard user.connections <= limits.connectionsPerUser else {
        return end(
          connection,
          "Your programs already have \(Count(limits.connectionsPerUser, "connection"))"
            + " (ConnectionsPerUser= in places.conf).")
      }
      connection.begin()
      changed()
    } catch {
      log.warning("\(error)")
    }
  }

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
    case .overflowing: end(connection, "Too much waits that you have not read.")
    case .gone: close(connection)
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

  /// Questions of each connection that wait for an answer, and whether it will ask no more.
  private var waiting: [UInt64: Int] = [:]

  private func ask(_ request: PlaceRequest, _ id: JSON?, for connection: LineConnection) {
    guard let asker = askers[connection.number] else { return }
    waiting[connection.number, default: 0] += 1
    connection.pause()
    service.ask(request, for: asker) { [weak connection] in
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
    case .success(let value):
      line.append(["jsonrpc": "2.0", "id": id, "result": value] as JSON)
      line.append(UInt8(ascii: "\n"))
    case .failure(let refusal): line.append(refusal, id: id)
    }
    connection.send(line.bytes)
  }

  /// A client that reads its reason is gone at once, another after some seconds.
  private func end(_ connection: LineConnection, _ reason: String) {
    guard !connection.isEnding else { return }
    log.notice("closing a connection of uid \(connection.uid): \(reason)")
    var line = TextBuffer()
    line.append(Refusal(.limitExceeded, reason), id: .null)
    if ending.isEmpty { sweep?.set(Clock.boottime + Self.farewell) }
    ending.append((connection.number, Clock.boottime + Self.farewell))
    connection.end(because: line.bytes)
  }

  private func closeEnded() {
    let now = Clock.boottime
    while let first = ending.first, first.at <= now {
      ending.removeFirst()
      if let connection = connections[first.number] { close(connection) }
    }
    sweep?.set(ending.first?.at)
  }

  private func close(_ connection: LineConnection) {
    connection.stop()
    guard connections.removeValue(forKey: connection.number) != nil else { return }
    askers[connection.number] = nil
    waiting[connection.number] = nil
    if connection.user.connections == 1 { users[connection.uid] = nil }
    changed()
  }
}

extension Asker {
  /// What the kernel says of a process: nobody's group where it is gone, or hidden.
  init(uid: UInt32, _ process: consuming ProcessHandle?) {
    let group = process?.look()?.cgroup ?? []
    self.init(uid: uid, group: String(decoding: group, as: UTF8.self))
  }
}
