import Glibc
package import LocationModel

extension ServiceRequest {
  /// The reply that an unread result is.
  package func read(_ result: UnsafeRawBufferPointer) -> Result<Reply, ClientError> {
    guard let result = try? JSON(parsing: result) else { return .failure(.lost(.garbled)) }
    return Result { () throws(Refusal) in try reply(result) }.mapError(ClientError.refused)
  }
}

/// A connection to the daemon's socket. It never blocks unless asked to wait.
package final class Connection {
  /// The descriptor to wait on for reading, together with whatever else the program waits for.
  package let descriptor: Int32
  private var input = LineBuffer(longest: 16 << 20)
  /// Whether something has been read that was not received yet.
  package private(set) var hasUnread = false
  /// Came while a reply was waited for.
  private var kept: [Message] = []
  private var lastID: Int64 = 0
  /// The daemon's replies to these have not come yet.
  private var awaited: [Int64: Request] = [:]
  private var farewell: Refusal?

  package static var defaultPath: String { Peer.daemon.defaultPath }

  package init(path: String = Connection.defaultPath) throws(ConnectionError) {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else {
      throw .noDaemon(path: path, reason: String(cString: strerror(errno)))
    }
    guard dial(path) else {
      // It is closed as this one goes: a second time would close what another thread has opened.
      throw .noDaemon(path: path, reason: String(cString: strerror(errno)))
    }
    // A full daemon would make connect wait; from here on nothing does.
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
  }

  deinit { close(descriptor) }

  private func dial(_ path: String) -> Bool {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
      errno = ENAMETOOLONG
      return false
    }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
  }
}

extension Connection {
  /// Sends a request; its reply will carry the number returned.
  @discardableResult
  package func send(_ request: Request, manager: Int = 0) throws(ConnectionError) -> Int64 {
    let id = try send { request.line(id: $0, manager: manager) }
    awaited[id] = request
    return id
  }

  /// Sends a request of a program beside the daemon, whose reply is received unread.
  package func send(_ method: String, _ parameters: JSON) throws(ConnectionError) -> Int64 {
    try send {
      ["jsonrpc": "2.0", "id": $0, "method": .string(method), "params": parameters]
    }
  }

  private func send(_ line: (JSON) -> JSON) throws(ConnectionError) -> Int64 {
    lastID += 1
    try send(line(.integer(lastID)))
    return lastID
  }

  /// Answers something the daemon asked.
  package func send(_ answer: ClientAnswer) throws(ConnectionError) {
    try send(answer.json)
  }

  private func send(_ json: JSON) throws(ConnectionError) {
    var line = TextBuffer()
    line.append(json)
    line.append(UInt8(ascii: "\n"))
    var sent = 0
    while sent < line.count {
      let count = Glibc.send(
        descriptor, line.bytes.baseAddress.map { $0 + sent }, line.count - sent,
        Int32(MSG_NOSIGNAL))
      if count > 0 {
        sent += count
      } else if errno == EAGAIN {
        try waitForRoom()
      } else if errno != EINTR {
        throw .closed(farewell)
      }
    }
  }

  /// Buffers input while it writes: the daemon may wait for its lines to be read.
  private func waitForRoom() throws(ConnectionError) {
    var entry = pollfd(fd: descriptor, events: Int16(POLLOUT | POLLIN), revents: 0)
    guard poll(&entry, 1, 5000) > 0 else { throw .timedOut }
    guard Int32(entry.revents) & POLLIN != 0, let count = readSome() else { return }
    guard count > 0 else { throw .closed(farewell) }
    hasUnread = true
  }

  /// The messages that have come since; none, if none have. More may be there to be read: a daemon that
  /// says more than the client can read in the time holds up nothing else.
  package func receive() throws(ConnectionError) -> [Message] {
    var messages = kept
    kept = []
    hasUnread = false
    try receive(hasSome: !messages.isEmpty) { (line) throws(ConnectionError) in
      messages.append(try message(line))
    }
    return messages
  }

  /// The replies that have come since, each handed over unread; other lines are passed over.
  func receiveUnread(_ body: (UnreadReply) -> Void) throws(ConnectionError) {
    try receive { (line) throws(ConnectionError) in
      if let reply = UnreadReply(line) { body(reply) }
    }
  }

  private func message(_ line: UnsafeRawBufferPointer) throws(ConnectionError) -> Message {
    guard let message = Message(parsing: line, awaited: &awaited) else { throw .garbled }
    if case .farewell(let refusal) = message { farewell = refusal }
    return message
  }

  private func receive(
    hasSome: Bool = false, _ body: (UnsafeRawBufferPointer) throws(ConnectionError) -> Void
  ) throws(ConnectionError) {
    var hasSome = hasSome
    for reads in 0...4 {
      if reads > 0 {
        guard let count = readSome() else { return }
        guard count > 0 else {
          // The daemon's words before it went still count.
          if !hasSome { throw .closed(farewell) }
          return
        }
      }
      while let line = input.next() {
        guard case .text(let text) = line else { throw .garbled }
        hasSome = true
        try body(text)
      }
    }
  }

  /// Nil where nothing waits; 0 where the other side has gone.
  private func readSome() -> Int? {
    withUnsafeTemporaryAllocation(byteCount: 65536, alignment: 1) { buffer in
      let count = read(descriptor, buffer.baseAddress, buffer.count)
      guard count > 0 else { return count < 0 && (errno == EAGAIN || errno == EINTR) ? nil : 0 }
      input.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      return count
    }
  }

  /// Waits until something can be received; false if time is up first.
  package func wait(milliseconds: Int32) -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return hasUnread || poll(&entry, 1, milliseconds) > 0
  }
}

extension Connection {
  /// Sends a request of any service and waits for its reply. Events that come meanwhile are received afterwards.
  package func ask<Call: ServiceRequest>(
    _ call: Call, seconds: Double = 10
  ) -> Result<Call.Reply, ClientError> {
    unread(call, seconds: seconds).flatMap { $0.withUnsafeBytes(call.read) }
  }

  /// The same; the result stands as it came.
  package func unread<Call: ServiceRequest>(
    _ call: Call, seconds: Double = 10
  ) -> Result<[UInt8], ClientError> {
    do throws(ConnectionError) {
      let id = try send { call.line(id: $0) }
      return try result(of: id, seconds: seconds).mapError(ClientError.refused)
    } catch {
      return .failure(.lost(error))
    }
  }

  private func result(
    of id: Int64, seconds: Double
  ) throws(ConnectionError) -> Result<[UInt8], Refusal> {
    let deadline = Boottime.now + .seconds(seconds)
    var result: Result<[UInt8], Refusal>?
    while true {
      try receive { (line) throws(ConnectionError) in
        if let reply = UnreadReply(line), reply.id == id {
          result = reply.result.map { Array($0) }
        } else {
          kept.append(try message(line))
          hasUnread = true
        }
      }
      if let result { return result }
      let left = deadline.seconds(since: .now)
      guard left > 0 else { throw .timedOut }
      var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      poll(&entry, 1, Int32(min(left * 1000, 60_000)) + 1)
    }
  }
}
