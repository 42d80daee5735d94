package import LocationModel

/// The connections of lines at one socket, within the limits of each user. Its owner says who they are and what
/// their lines mean.
package final class LineListener {
  /// A connection within the limits, which waits to be begun.
  package typealias Welcome = (LineConnection, Peer, consuming ProcessHandle?) -> Void

  package private(set) var connections: [UInt64: LineConnection] = [:]
  /// New ones hold for what comes from then on.
  package var limits: ConnectionLimits {
    didSet { for user in users.values { user.limits = limits } }
  }
  /// Told of a connection that is gone.
  package var closed: (LineConnection) -> Void = { _ in }
  /// The client's name in the log.
  package var name: (LineConnection) -> String = { "uid \($0.uid)" }

  private let listener: UnixListener
  private let loop: EventLoop
  private let log: Log
  private let tooMany: (ConnectionLimits) -> Refusal
  private let welcome: Welcome
  private let handle: (LineConnection.Event, LineConnection) -> Void
  private var watch: EventLoop.Watch?
  private var retry: EventLoop.Timer?
  private var sweep: EventLoop.Timer?
  /// Connections that are to end, and when, whether or not they read why.
  private var ending: [(number: UInt64, at: Boottime)] = []
  private var users: [UInt32: UserAccount] = [:]
  private var last: UInt64 = 0

  private static let farewell: Duration = .seconds(5)

  /// `tooMany`: the reason for a connection over its user's limit.
  package init(
    _ listener: UnixListener, limits: ConnectionLimits, on loop: EventLoop, _ log: Log,
    tooMany: @escaping (ConnectionLimits) -> Refusal, welcome: @escaping Welcome,
    handle: @escaping (LineConnection.Event, LineConnection) -> Void
  ) throws(SystemError) {
    self.listener = listener
    self.limits = limits
    self.loop = loop
    self.log = log
    self.tooMany = tooMany
    self.welcome = welcome
    self.handle = handle
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
    do throws(SystemError) {
      let peer = try descriptor.peer()
      let process = ProcessHandle.of(peer, at: descriptor)
      last += 1
      let user = users[peer.uid] ?? UserAccount(limits)
      users[peer.uid] = user
      let connection = try LineConnection(descriptor, of: peer.uid, user, number: last, on: loop) {
        [unowned self] in handle($1, $0)
      }
      connections[last] = connection
      guard user.connections <= limits.connectionsPerUser else {
        return end(connection, because: tooMany(limits))
      }
      welcome(connection, peer, process)
    } catch {
      log.warning("\(error)")
    }
  }
}

// MARK: - Ends

extension LineListener {
  /// A client that reads its reason is gone at once, another after some seconds.
  package func end(_ connection: LineConnection, because reason: Refusal) {
    guard !connection.isEnding else { return }
    log.notice("closing a connection of \(name(connection)): \(reason.message)")
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
    closed(connection)
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
