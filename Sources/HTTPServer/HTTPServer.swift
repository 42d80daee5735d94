internal import CMicrohttpd
internal import LocationModel
package import Platform

/// A web server by libmicrohttpd, on the loop, at sockets that it is given.
package final class HTTPServer {
  package struct Limits: Sendable {
    /// Further ones wait.
    package var connections = 32
    /// Connections of a user, or of an address elsewhere; further ones end.
    package var connectionsOfOne = 32
    /// A connection that neither says nor reads anything for so many seconds ends; a stream that has nothing to say
    /// stays.
    package var silence: UInt32 = 15
    /// A request has so long to arrive, and its answer to be read, however slowly bytes go; nil: as long as they do.
    package var patience: Duration?
    /// Bytes of a request's head.
    package var head = 32 * 1024
    /// Bytes of a request's body.
    package var body = 64 * 1024

    package init() {}
  }

  let limits: Limits
  private let admit: (ConnectionPeer) -> Bool
  let answer: (HTTPExchange) -> Void
  private var daemon: OpaquePointer?
  let loop: EventLoop
  private let listeners: [any ConnectionListener]
  private var watch: EventLoop.Watch?
  /// Empty while there are as many connections as may be.
  private var doors: [EventLoop.Watch] = []
  private var timer: EventLoop.Timer?
  var later: EventLoop.Later?
  private var pulse: EventLoop.Timer?
  private var retry: EventLoop.Timer?
  var streams: [ObjectIdentifier: HTTPStream] = [:]
  /// Connections by their descriptors.
  var visitors: [Int32: Visitor] = [:]
  var resting: [ObjectIdentifier: HTTPExchange] = [:]
  /// Told when a connection comes or goes.
  package var changed: () -> Void = {}

  /// Connections that come in one turn of the loop, at most.
  private static let mostAtOnce = 64

  /// Streams say something at least so often: a client that has gone is noticed by that.
  private static let heartbeat: Duration = .seconds(15)

  /// `admit`: the connection is taken. Both closures run on the loop, and may not let go of the server.
  package init(
    _ listeners: [any ConnectionListener], limits: Limits = Limits(), on loop: EventLoop,
    admit: @escaping (ConnectionPeer) -> Bool, answer: @escaping (HTTPExchange) -> Void
  ) throws(SystemError) {
    (self.listeners, self.limits, self.loop) = (listeners, limits, loop)
    self.admit = admit
    self.answer = answer
    let context = Unmanaged.passUnretained(self).toOpaque()
    daemon = mhd_start(
      mhd_limits(
        connections: UInt32(clamping: limits.connections + Self.mostAtOnce),
        seconds: limits.silence,
        bytes: limits.head),
      { context, connection, _, end in
        if end == mhd_closed { server(at: context)?.leave(connection) }
      },
      { context, connection, path, method, _, bytes, count, exchange in
        guard let connection, let path, let method, let count, let exchange else { return mhd_no }
        return server(at: context)?.handle(connection, path, method, bytes, count, exchange)
          ?? mhd_no
      },
      { context, connection, exchange, _ in
        guard let pointer = exchange?.pointee else { return }
        server(at: context)?.restart(connection)
        Unmanaged<HTTPExchange>.fromOpaque(pointer).release()
        exchange?.pointee = nil
      }, context)
    guard let daemon else { throw SystemError("cannot serve HTTP") }
    watch = try EventLoop.Watch(mhd_descriptor(daemon), for: .read, on: loop) { [unowned self] _ in
      run()
    }
    timer = try EventLoop.Timer(slack: .milliseconds(10), on: loop) { [unowned self] in run() }
    later = try EventLoop.Later(on: loop) { [unowned self] in run() }
    pulse = try EventLoop.Timer(slack: .seconds(1), on: loop) { [unowned self] in beat() }
    retry = try EventLoop.Timer(slack: .seconds(1), on: loop) { [unowned self] in listen() }
    try open()
  }

  deinit {
    // A connection that rests cannot be ended.
    for stream in streams.values { stream.resume() }
    for exchange in resting.values { exchange.resume() }
    (watch, doors) = (nil, [])
    let daemon = daemon
    self.daemon = nil
    if let daemon { MHD_stop_daemon(daemon) }
  }

  package var isEmpty: Bool { visitors.isEmpty }

  private func run() {
    guard let daemon else { return }
    MHD_run(daemon)
    let wait = mhd_timeout(daemon)
    // An alarm would be some milliseconds late, each time.
    if wait == 0 {
      later?.set()
    } else {
      timer?.set(wait < 0 ? nil : Clock.boottime + .milliseconds(wait))
    }
  }

  /// Cuts those that are too slow, and has streams say something.
  private func beat() {
    for stream in streams.values { stream.beat() }
    let now = Clock.boottime
    for (descriptor, visitor) in visitors where visitor.deadline.map({ $0 <= now }) == true {
      mhd_cut(descriptor)
      visitor.deadline = nil
    }
    setPulse()
  }

  func setPulse() {
    let ends = visitors.values.lazy.compactMap(\.deadline).min()
    let next = streams.isEmpty ? nil : Clock.boottime + Self.heartbeat
    pulse?.set([ends, next].compactMap(\.self).min())
  }
}

// MARK: - Connections

extension HTTPServer {
  private func open() throws(SystemError) {
    for listener in listeners {
      doors.append(
        try listener.watch(
          on: loop, while: { [unowned self] in visitors.count < limits.connections }
        ) { [unowned self] in
          take($0)
        } failed: { [unowned self] _ in
          // Out of descriptors, as a rule.
          close()
        })
    }
  }

  private func listen() {
    guard doors.isEmpty, visitors.count < limits.connections else { return }
    do throws(SystemError) { try open() } catch { close() }
  }

  /// New ones wait in the kernel's queue.
  private func close() {
    doors = []
    retry?.set(Clock.boottime + .seconds(1))
  }

  private func take(_ descriptor: consuming Descriptor) {
    guard let daemon, let peer = descriptor.connectionPeer(),
      peer.party.map({ party in
        visitors.values.count { $0.peer.party == party } < limits.connectionsOfOne
      }) == true, admit(peer)
    else { return }
    let visitor = Visitor(peer)
    let number = descriptor.give()
    visitors[number] = visitor
    guard mhd_add(daemon, number) else {
      visitors[number] = nil
      return
    }
    allow(visitor)
    if visitors.count >= limits.connections { close() }
    changed()
    run()
  }

  private func leave(_ connection: OpaquePointer?) {
    guard daemon != nil else { return }
    visitors[mhd_socket(connection)] = nil
    listen()
    changed()
  }

  /// An answer has been sent: the next request has its time.
  private func restart(_ connection: OpaquePointer?) {
    guard daemon != nil else { return }
    visitors[mhd_socket(connection)].map(allow)
  }

  func allow(_ visitor: Visitor) {
    guard let patience = limits.patience else { return }
    visitor.deadline = Clock.boottime + patience
    setPulse()
  }
}

private func server(at context: UnsafeMutableRawPointer?) -> HTTPServer? {
  context.map { Unmanaged<HTTPServer>.fromOpaque($0).takeUnretainedValue() }
}

/// A connection.
final class Visitor {
  let peer: ConnectionPeer
  /// When its request has to be here, or its answer to be read.
  var deadline: Boottime?

  init(_ peer: ConnectionPeer) { self.peer = peer }
}

extension ConnectionPeer {
  fileprivate enum Party: Equatable {
    case user(UInt32)
    case address(String)
  }

  /// The user or the machine that has so many connections; nil where nobody is known.
  fileprivate var party: Party? {
    switch self {
    case .here(let owner): .user(owner.uid)
    case .elsewhere(let address): .address(address)
    case .closed, .unix: nil
    }
  }
}
