package import LocationModel

/// A door at a socket: it says who the clients are, and what their lines mean.
package protocol LineDoor: AnyObject {
  /// A connection within the limits. Nothing of it is read before it is begun.
  func welcome(_ connection: LineConnection, _ peer: Peer, _ process: consuming ProcessHandle?)
  func handle(_ line: UnsafeRawBufferPointer, from connection: LineConnection)
  /// The client asks nothing more, but still listens.
  func finished(_ connection: LineConnection)
  func closed(_ connection: LineConnection)
  /// The client's name in the log.
  func name(of connection: LineConnection) -> String
  /// Why a connection ends that is one more than its user may have.
  func tooMany(_ most: Int) -> Refusal
  /// Why one ends for which, or for whose user, more waits than may.
  func tooMuch(for connection: LineConnection) -> Refusal
}

extension LineDoor {
  package func closed(_: LineConnection) {}

  package func name(of connection: LineConnection) -> String { "uid \(connection.uid)" }

  package func tooMuch(for _: LineConnection) -> Refusal {
    Refusal(.limitExceeded, "Too much waits that you have not read.")
  }
}

/// The connections of lines at one socket, within the limits of each user.
package final class LineListener {
  package private(set) var connections: [UInt64: LineConnection] = [:]
  /// New ones hold for what comes from then on.
  package var limits: ConnectionLimits {
    didSet { for user in users.values { user.limits = limits } }
  }
  private weak var door: (any LineDoor)?
  private let listener: any ConnectionListener
  private let loop: EventLoop
  private let log: Log
  private var watch: EventLoop.Watch?
  private var retry: EventLoop.Timer?
  private var sweep: EventLoop.Timer?
  /// Connections that are to end, and when, whether or not they read why.
  private var ending: [(number: UInt64, at: Boottime)] = []
  private var users: [UInt32: UserAccount] = [:]
  private var last: UInt64 = 0

  private static let farewell: Duration = .seconds(5)

  /// Nobody comes in before it is opened.
  package init(
    _ listener: any ConnectionListener, limits: ConnectionLimits, on loop: EventLoop, _ log: Log
  ) {
    self.listener = listener
    self.limits = limits
    self.loop = loop
    self.log = log
  }

  package func open(for door: some LineDoor) throws(SystemError) {
    self.door = door
    try listen()
    retry = try EventLoop.Timer(slack: .seconds(1), on: loop) { [unowned self] in
      do throws(SystemError) { try listen() } catch { log.error("\(error)") }
    }
    sweep = try EventLoop.Timer(slack: .seconds(1), on: loop) { [unowned self] in closeEnded() }
  }

  /// Bytes that wait, of all users.
  package var held: Int { users.values.reduce(0) { $0 + $1.held } }

  private func listen() throws(SystemError) {
    watch = try listener.watch(on: loop) { [unowned self] in
      accept($0)
    } failed: { [unowned self] error in
      // Out of descriptors, as a rule: the ones waiting stay in the kernel's queue for a while.
      log.warning("\(error)")
      watch = nil
      retry?.set(Clock.boottime + .seconds(1))
    }
  }

  private func accept(_ descriptor: consuming Descriptor) {
    guard let door else { return }
    do throws(SystemError) {
      let peer = try descriptor.peer()
      let process = ProcessHandle.of(peer, at: descriptor)
      last += 1
      let user = users[peer.uid] ?? UserAccount(of: peer.uid, limits)
      users[peer.uid] = user
      let connection = try LineConnection(descriptor, of: user, number: last, on: loop) {
        [unowned self] in handle($1, from: $0)
      }
      connections[last] = connection
      guard user.connections <= limits.connectionsPerUser else {
        return end(connection, because: door.tooMany(limits.connectionsPerUser))
      }
      door.welcome(connection, peer, process)
    } catch {
      log.warning("\(error)")
    }
  }

  private func handle(_ event: LineConnection.Event, from connection: LineConnection) {
    switch event {
    case .line(.text(let line)): door?.handle(line, from: connection)
    case .line(.tooLong):
      let most = LineConnection.longestRequest
      connection.send(
        .failure(Refusal(.invalidRequest, "A request has at most \(most) bytes.")), id: .null)
    case .finished: door?.finished(connection)
    case .overflowing: if let door { end(connection, because: door.tooMuch(for: connection)) }
    case .gone: close(connection)
    }
  }
}

// MARK: - Ends

extension LineListener {
  /// A client that reads its reason is gone at once, another after some seconds.
  package func end(_ connection: LineConnection, because reason: Refusal) {
    guard !connection.isEnding else { return }
    let name = door?.name(of: connection) ?? ""
    log.notice("closing a connection of \(name): \(reason.message)")
    var farewell = TextBuffer()
    farewell.append(reason, id: .null)
    if ending.isEmpty { sweep?.set(Clock.boottime + Self.farewell) }
    ending.append((connection.number, Clock.boottime + Self.farewell))
    connection.end(because: farewell.bytes)
  }

  package func close(_ connection: LineConnection) {
    connection.stop()
    guard connections.removeValue(forKey: connection.number) != nil else { return }
    if connection.user.connections == 1 { users[connection.uid] = nil }
    door?.closed(connection)
  }

  private func closeEnded() {
    let now = Clock.boottime
    while let first = ending.first, first.at <= now {
      ending.removeFirst()
      if let connection = connections[first.number] { close(connection) }
    }
    sweep?.set(ending.first?.at)
  }
}
