import LocationCore
import LocationModel
import Platform

/// The Unix socket: JSON-RPC, one object a line.
final class SocketDoor: Door {
  private let loop: EventLoop
  private let log: Log
  /// New ones hold for what comes from then on.
  var limits: ConnectionLimits {
    didSet { for user in users.values { user.limits = limits } }
  }
  private let listener: UnixListener
  private let identifier: Identifier
  private let post: (Input) -> Void
  private var watch: EventLoop.Watch?
  private var retry: EventLoop.Timer?
  private var sweep: EventLoop.Timer?
  /// Connections that are to end, and when, whether or not they read why.
  private var ending: [(id: ClientID, at: Boottime)] = []
  private var connections: [ClientID: LineConnection] = [:]
  /// Those of whom it is known who they are.
  private var callers: [ClientID: Caller] = [:]
  private var users: [UInt32: UserAccount] = [:]
  private var lastID: UInt64 = 0
  private var text = EventText()
  private var line = TextBuffer()

  init(
    _ listener: UnixListener, _ identifier: Identifier, limits: ConnectionLimits,
    on loop: EventLoop,
    _ log: Log,
    post: @escaping (Input) -> Void
  ) throws(SystemError) {
    self.loop = loop
    self.log = log
    self.limits = limits
    self.post = post
    self.listener = listener
    self.identifier = identifier
    try listen()
    retry = try EventLoop.Timer(slack: .seconds(1), on: loop) { [unowned self] in
      do throws(SystemError) { try listen() } catch { log.error("\(error)") }
    }
    sweep = try EventLoop.Timer(slack: .seconds(1), on: loop) { [unowned self] in closeEnded() }
  }

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
}

// MARK: - Clients come and go

extension SocketDoor {
  /// Bytes that wait, of all users.
  var held: Int { users.values.reduce(0) { $0 + $1.held } }

  private func welcome(_ descriptor: consuming Descriptor) {
    do throws(SystemError) {
      let peer = try descriptor.peer()
      let process = ProcessHandle.of(peer, at: descriptor)
      lastID += 1
      let id = ClientID(lastID, at: .socket)
      let user = users[peer.uid] ?? UserAccount(limits)
      users[peer.uid] = user
      let connection = try LineConnection(
        descriptor, of: peer.uid, user, number: lastID, on: loop
      ) { [unowned self] in handle($1, from: $0) }
      connections[id] = connection
      guard user.connections <= limits.connectionsPerUser else {
        return end(
          connection,
          .limit(
            "Your programs already have \(Count(limits.connectionsPerUser, "connection"))",
            "ConnectionsPerUser"))
      }
      let facts = ProcessFacts(uid: peer.uid, pid: peer.pid, label: peer.label, process)
      identifier.identify(facts, process) { [unowned self] in begin(id, as: $0) }
    } catch {
      log.warning("\(error)")
    }
  }

  private func begin(_ id: ClientID, as caller: Caller) {
    guard let connection = connections[id], !connection.isEnding else { return }
    callers[id] = caller
    post(.connected(id, caller))
    connection.begin()
  }

  private func handle(_ event: LineConnection.Event, from connection: LineConnection) {
    switch event {
    case .line(.text(let line)):
      do throws(UnusableCall) {
        post(.called(connection.id, try Call(parsing: line)))
      } catch {
        if let answer = ClientAnswer(parsing: line) {
          guard let call = AgentCall(id: answer.id) else { return }
          return post(.answered(connection.id, call, answer.result))
        }
        guard let id = error.id else { return }
        refuse(connection.id, id, error.refusal)
      }
    case .line(.tooLong):
      refuse(
        connection.id, .null,
        Refusal(
          .invalidRequest, "A request has at most \(LineConnection.longestRequest) bytes."))
    case .finished: post(.finished(connection.id))
    case .overflowing:
      let isAlone = connection.held > limits.bytesPerConnection
      end(
        connection,
        .limit(
          "Too much waits: \(connection.held) bytes here, \(connection.user.held) for all of you",
          isAlone ? "BytesPerConnection" : "BytesPerUser"))
    case .gone: close(connection)
    }
  }

  private func close(_ connection: LineConnection) {
    connection.stop()
    guard connections.removeValue(forKey: connection.id) != nil else { return }
    if connection.user.connections == 1 { users[connection.uid] = nil }
    if callers.removeValue(forKey: connection.id) != nil { post(.gone(connection.id)) }
  }

  /// A client that reads its reason is gone at once, another after some seconds.
  private func end(_ connection: LineConnection, _ reason: Refusal) {
    guard !connection.isEnding else { return }
    log.notice("closing a connection of \(name(of: connection)): \(reason.message)")
    // Not in `line`: that may be under way to others.
    var farewell = TextBuffer()
    farewell.append(reason, id: .null)
    if ending.isEmpty { sweep?.set(Clock.boottime + Self.farewell) }
    ending.append((connection.id, Clock.boottime + Self.farewell))
    connection.end(because: farewell.bytes)
  }

  private func closeEnded() {
    let now = Clock.boottime
    while let first = ending.first, first.at <= now {
      ending.removeFirst()
      if let connection = connections[first.id] { close(connection) }
    }
    sweep?.set(ending.first?.at)
  }

  private static let farewell: Duration = .seconds(5)

  /// The client's name in the log.
  private func name(of connection: LineConnection) -> String {
    callers[connection.id]?.app ?? "uid \(connection.uid)"
  }
}

extension LineConnection {
  fileprivate var id: ClientID { ClientID(number, at: .socket) }
}

// MARK: - What the service says

extension SocketDoor {
  func deliver(_ recipients: [Recipient], _ event: Event, _ number: UInt64) {
    if connections.isEmpty { return }
    var written: Int?
    for recipient in recipients {
      guard let connection = connections[recipient.client] else { continue }
      // Others may come by other doors.
      if written == nil { text.write(event, number: number) }
      if written != recipient.manager {
        line.removeAll()
        text.append(to: &line, manager: recipient.manager)
        written = recipient.manager
      }
      let kind = event.replaceableKind.map { recipient.manager << 2 | $0 }
      connection.send(line.bytes, replaceable: kind, hasPlace: event.hasPlace)
    }
  }

  func answer(_ client: ClientID, _ id: JSON, _ reply: Reply) {
    guard let connection = connections[client] else { return }
    line.removeAll()
    line.append(reply, id: id)
    connection.send(line.bytes, hasPlace: reply.hasPlace)
  }

  /// Nothing with a place that waits may be read any more; where such a line is half-way out already,
  /// only the end of the connection keeps the other half back.
  func purge(_ client: ClientID) {
    guard let connection = connections[client], !connection.purge() else { return }
    log.notice("closing a connection of \(name(of: connection)): what it was being told is revoked")
    close(connection)
  }

  func refuse(_ client: ClientID, _ id: JSON, _ refusal: Refusal) {
    guard let connection = connections[client] else { return }
    line.removeAll()
    line.append(refusal, id: id)
    connection.send(line.bytes)
  }

  func ask(_ agent: ClientID, _ request: AgentRequest, _ call: AgentCall?) {
    guard let connection = connections[agent] else { return }
    line.removeAll()
    line.append(request.json(id: call?.id))
    line.append(UInt8(ascii: "\n"))
    connection.send(line.bytes)
  }

  func hangUp(_ client: ClientID) {
    connections[client]?.end(because: nil)
  }
}
