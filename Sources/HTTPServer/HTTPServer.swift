internal import CMicrohttpd
internal import LocationModel
package import Platform

/// A web server on 127.0.0.1 by libmicrohttpd, on the loop.
package final class HTTPServer {
  package struct Limits: Sendable {
    package var connections: UInt32 = 32
    /// A connection that neither says nor reads anything for so many seconds ends; a stream that has nothing to say
    /// stays.
    package var silence: UInt32 = 15
    /// Bytes of a request's head.
    package var head = 32 * 1024
    /// Bytes of a request's body.
    package var body = 64 * 1024

    package init() {}
  }

  package private(set) var port: UInt16 = 0
  private let limits: Limits
  private let admit: (HTTPPeer) -> Bool
  private let answer: (HTTPRequest) -> HTTPAnswer
  private var daemon: OpaquePointer?
  private var isFull = false
  private var watch: EventLoop.Watch?
  private var timer: EventLoop.Timer?
  private var later: EventLoop.Later?
  private var pulse: EventLoop.Timer?
  private var streams: [ObjectIdentifier: HTTPStream] = [:]

  /// Streams say something at least so often: a client that has gone is noticed by that.
  private static let heartbeat: Duration = .seconds(15)

  /// `port`: 0 for any. `admit`: whether a connection is taken at all. Both closures run on the loop, and may not
  /// let go of the server.
  package init(
    port: UInt16, limits: Limits = Limits(), on loop: EventLoop,
    admit: @escaping (HTTPPeer) -> Bool, answer: @escaping (HTTPRequest) -> HTTPAnswer
  ) throws(SystemError) {
    self.limits = limits
    self.admit = admit
    self.answer = answer
    let context = Unmanaged.passUnretained(self).toOpaque()
    let attempt = "cannot listen on port \(port) of 127.0.0.1"
    let listener = mhd_listen(port)
    guard listener >= 0 else { throw SystemError(attempt) }
    self.port = mhd_port(listener)
    daemon = mhd_start(
      listener,
      mhd_limits(
        connections: limits.connections, seconds: limits.silence, bytes: limits.head),
      { context, address, _ in server(at: context)?.take(address) == true ? mhd_yes : mhd_no },
      { context, connection, path, method, _, bytes, count, exchange in
        guard let connection, let path, let method, let count, let exchange else { return mhd_no }
        return server(at: context)?.handle(connection, path, method, bytes, count, exchange)
          ?? mhd_no
      },
      { _, _, exchange, _ in
        guard let pointer = exchange?.pointee else { return }
        Unmanaged<Exchange>.fromOpaque(pointer).release()
        exchange?.pointee = nil
      }, context)
    guard let daemon else { throw SystemError(attempt) }
    watch = try EventLoop.Watch(mhd_descriptor(daemon), for: .read, on: loop) { [unowned self] _ in
      run()
    }
    timer = try EventLoop.Timer(slack: .milliseconds(10), on: loop) { [unowned self] in run() }
    later = try EventLoop.Later(on: loop) { [unowned self] in run() }
    pulse = try EventLoop.Timer(slack: .seconds(1), on: loop) { [unowned self] in beat() }
  }

  deinit {
    // A connection that rests cannot be ended.
    for stream in streams.values { stream.resume() }
    watch = nil
    if let daemon { MHD_stop_daemon(daemon) }
  }

  private func run() {
    guard let daemon else { return }
    MHD_run(daemon)
    let wasFull = isFull
    isFull = mhd_connections(daemon) >= limits.connections
    // While it is full nobody knocks, and once it no longer is, it listens again from its next turn on.
    if wasFull, !isFull { later?.set() }
    let wait = mhd_timeout(daemon)
    // An alarm would be some milliseconds late, each time.
    if wait == 0 {
      later?.set()
    } else if isFull {
      timer?.set(Clock.boottime + .milliseconds(wait < 0 ? 1000 : min(wait, 1000)))
    } else {
      timer?.set(wait < 0 ? nil : Clock.boottime + .milliseconds(wait))
    }
  }

  private func beat() {
    for stream in streams.values { stream.beat() }
    pulse?.set(streams.isEmpty ? nil : Clock.boottime + Self.heartbeat)
  }
}

// MARK: - Requests

extension HTTPServer {
  private func take(_ address: UnsafePointer<sockaddr>?) -> Bool {
    var peer = HTTPPeer(host: 0, port: 0)
    return mhd_peer(address, &peer.host, &peer.port) != 0 && admit(peer)
  }

  /// Called once with the head, then with each part of the body, then with none of it.
  private func handle(
    _ connection: OpaquePointer, _ path: UnsafePointer<CChar>, _ method: UnsafePointer<CChar>,
    _ bytes: UnsafePointer<CChar>?, _ count: UnsafeMutablePointer<Int>,
    _ place: UnsafeMutablePointer<UnsafeMutableRawPointer?>
  ) -> MHD_Result {
    guard let pointer = place.pointee else {
      let exchange = Exchange(
        HTTPRequest(
          method: String(cString: method), path: String(cString: path),
          headers: headers(of: connection)))
      place.pointee = Unmanaged.passRetained(exchange).toOpaque()
      let length = exchange.request.header("Content-Length").flatMap(Int.init) ?? 0
      return length > limits.body ? send(.status(413), to: connection) : mhd_yes
    }
    let exchange = Unmanaged<Exchange>.fromOpaque(pointer).takeUnretainedValue()
    if count.pointee > 0 {
      guard exchange.request.body.count + count.pointee <= limits.body else { return mhd_no }
      exchange.request.body += UnsafeRawBufferPointer(start: bytes, count: count.pointee)
      count.pointee = 0
      return mhd_yes
    }
    return send(answer(exchange.request), to: connection)
  }

  private func headers(of connection: OpaquePointer) -> [(name: String, value: String)] {
    let list = HeaderList()
    MHD_get_connection_values(
      connection, mhd_headers,
      { context, _, name, value in
        guard let context, let name else { return mhd_no }
        Unmanaged<HeaderList>.fromOpaque(context).takeUnretainedValue().items.append(
          (String(cString: name), value.map { String(cString: $0) } ?? ""))
        return mhd_yes
      }, Unmanaged.passUnretained(list).toOpaque())
    return list.items
  }
}

// MARK: - Answers

extension HTTPServer {
  private func send(_ answer: HTTPAnswer, to connection: OpaquePointer) -> MHD_Result {
    guard let response = response(of: answer, connection) else { return mhd_no }
    defer { MHD_destroy_response(response) }
    for (name, value) in answer.headers { MHD_add_response_header(response, name, value) }
    return MHD_queue_response(connection, answer.status, response)
  }

  private func response(of answer: HTTPAnswer, _ connection: OpaquePointer) -> OpaquePointer? {
    guard let stream = answer.stream else {
      return answer.body.withUnsafeBytes { mhd_bytes($0.baseAddress, $0.count) }
    }
    stream.begin(
      connection, resumed: { [unowned self] in later?.set() },
      ended: { [weak self, unowned stream] in
        self?.streams[ObjectIdentifier(stream)] = nil
      })
    if streams.isEmpty { pulse?.set(Clock.boottime + Self.heartbeat) }
    streams[ObjectIdentifier(stream)] = stream
    return mhd_stream(
      { context, _, bytes, most in
        guard let context else { return mhd_stream_has_ended }
        return Unmanaged<HTTPStream>.fromOpaque(context).takeUnretainedValue()
          .fill(UnsafeMutableRawBufferPointer(start: bytes, count: most))
      }, Unmanaged.passRetained(stream).toOpaque(),
      { context in
        guard let context else { return }
        Unmanaged<HTTPStream>.fromOpaque(context).takeRetainedValue().finish()
      })
  }
}

private func server(at context: UnsafeMutableRawPointer?) -> HTTPServer? {
  context.map { Unmanaged<HTTPServer>.fromOpaque($0).takeUnretainedValue() }
}

/// One request under way.
private final class Exchange {
  var request: HTTPRequest
  init(_ request: HTTPRequest) { self.request = request }
}

private final class HeaderList {
  var items: [(name: String, value: String)] = []
}
