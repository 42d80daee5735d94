import LocationCore
import LocationModel
import Platform

/// The Unix socket: JSON-RPC, one object a line.
final class SocketDoor: Door, LineDoor {
  private let log: Log
  private let identifier: Identifier
  /// New ones hold for what comes from then on.
  var limits: ConnectionLimits {
    get { lines.limits }
    set { lines.limits = newValue }
  }
  private let lines: LineListener
  private let post: (Input) -> Void
  /// The door behind locationd-share, which comes by this one.
  var share: ShareDoor?
  /// Those of whom it is known who they are.
  private var callers: [ClientID: Caller] = [:]
  private var text = EventText()
  private var line = TextBuffer()

  init(
    _ listener: UnixListener, _ identifier: Identifier, limits: ConnectionLimits,
    on loop: EventLoop, _ log: Log, post: @escaping (Input) -> Void
  ) throws(SystemError) {
    self.log = log
    self.identifier = identifier
    self.post = post
    lines = LineListener(listener, limits: limits, on: loop, log)
    try lines.open(for: self)
  }
}

// MARK: - Clients come and go

extension SocketDoor {
  /// Bytes that wait, of all users.
  var held: Int { lines.held }

  /// Nil for another door's client, too.
  private func connection(_ id: ClientID) -> LineConnection? {
    id.door == .socket ? lines.connections[id.count] : nil
  }

  func welcome(
    _ connection: LineConnection, _ peer: Peer, _ process: consuming ProcessHandle?
  ) {
    var facts = ProcessFacts(uid: peer.uid, pid: peer.pid, label: peer.label, process)
    facts.socket = peer.socket
    let id = connection.id
    identifier.identify(facts, process) { [unowned self] in begin(id, as: $0) }
  }

  private func begin(_ id: ClientID, as caller: Caller) {
    guard let connection = connection(id), !connection.isEnding else { return }
    callers[id] = caller
    if identifier.isShare(caller) { connection.takeDescriptors() }
    post(.connected(id, caller))
    connection.begin()
  }

  func handle(_ line: UnsafeRawBufferPointer, from connection: LineConnection) {
    do throws(UnusableCall) {
      post(.called(connection.id, try Call(parsing: line)))
    } catch {
      if let answer = ClientAnswer(parsing: line) {
        guard let call = AgentCall(id: answer.id) else { return }
        return post(.answered(connection.id, call, answer.result))
      }
      if error.refusal.code == .unknownMethod, handleShare(line, from: connection) { return }
      guard let id = error.id else { return }
      refuse(connection.id, id, error.refusal)
    }
  }

  /// Answers a request that only locationd-share may make; false where the line is another.
  private func handleShare(
    _ line: UnsafeRawBufferPointer, from connection: LineConnection
  ) -> Bool {
    guard let envelope = try? Envelope(parsing: line), envelope.method.hasPrefix("share."),
      let caller = callers[connection.id]
    else { return false }
    let id = envelope.id ?? .null
    do throws(Refusal) {
      guard let share, identifier.isShare(caller) else { throw ShareDoor.notForYou }
      let request = try ShareRequest(
        method: envelope.method, parameters: envelope.parameters)
      try share.handle(request, id, from: connection, caller)
    } catch {
      refuse(connection.id, id, error)
    }
    return true
  }

  func finished(_ connection: LineConnection) { post(.finished(connection.id)) }

  func closed(_ connection: LineConnection) {
    if callers.removeValue(forKey: connection.id) != nil { post(.gone(connection.id)) }
    share?.closed(connection)
  }

  func tooMany(_ most: Int) -> Refusal {
    .limit("Your programs already have \(Count(most, "connection"))", "ConnectionsPerUser")
  }

  func tooMuch(for connection: LineConnection) -> Refusal {
    let isAlone = connection.held > limits.bytesPerConnection
    return .limit(
      "Too much waits: \(connection.held) bytes here, \(connection.user.held) for all of you",
      isAlone ? "BytesPerConnection" : "BytesPerUser")
  }

  func name(of connection: LineConnection) -> String {
    callers[connection.id]?.app ?? "uid \(connection.uid)"
  }
}

extension LineConnection {
  fileprivate var id: ClientID { ClientID(number, at: .socket) }
}

// MARK: - What the service says

extension SocketDoor {
  func deliver(_ recipients: [Recipient], _ event: Event, _ number: UInt64) {
    if lines.connections.isEmpty { return }
    var written: Int?
    for recipient in recipients {
      guard let connection = connection(recipient.client) else { continue }
      // Others may come by other doors.
      if written == nil { text.write(event, number: number) }
      if written != recipient.manager {
        line.removeAll()
        text.append(to: &line, manager: recipient.manager)
        written = recipient.manager
      }
      let kind = event.replaceableKind.map { recipient.manager << 2 ^ $0 }
      connection.send(line.bytes, replaceable: kind, hasPlace: event.hasPlace)
    }
  }

  func answer(_ client: ClientID, _ id: JSON, _ reply: Reply) {
    guard let connection = connection(client) else { return }
    line.removeAll()
    line.append(reply, id: id)
    connection.send(line.bytes, hasPlace: reply.hasPlace)
  }

  /// Nothing with a place that waits may be read any more; where such a line is half-way out already,
  /// only the end of the connection keeps the other half back.
  func purge(_ client: ClientID) {
    guard let connection = connection(client), !connection.purge() else { return }
    log.notice("closing a connection of \(name(of: connection)): what it was being told is revoked")
    lines.close(connection)
  }

  func rename(_ client: ClientID, to caller: Caller) { callers[client] = caller }

  func refuse(_ client: ClientID, _ id: JSON, _ refusal: Refusal) {
    guard let connection = connection(client) else { return }
    line.removeAll()
    line.append(refusal, id: id)
    connection.send(line.bytes)
  }

  func ask(_ agent: ClientID, _ request: AgentRequest, _ call: AgentCall?) {
    guard let connection = connection(agent) else { return }
    line.removeAll()
    line.append(request.json(id: call?.id))
    line.append(UInt8(ascii: "\n"))
    connection.send(line.bytes)
  }

  func hangUp(_ client: ClientID) {
    connection(client)?.end(because: nil)
  }
}
