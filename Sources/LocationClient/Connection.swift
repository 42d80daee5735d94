import Glibc
package import LocationModel

/// Why there is no talking to the daemon.
package enum ConnectionError: Error, Equatable {
  /// Nothing listens there.
  case noDaemon(path: String, reason: String)
  /// It was there, and has gone or hung up, with its reason if it gave one.
  case closed(Refusal?)
  /// It did not answer in time.
  case timedOut
  /// It says what no locationd says.
  case garbled
}

extension ConnectionError: CustomStringConvertible {
  /// As the end of a sentence about the daemon.
  package var description: String {
    switch self {
    case .noDaemon(let path, let reason): "nothing answers at \(path) (\(reason))"
    case .closed(nil): "it has gone"
    case .closed(let refusal?):
      String(refusal.message.last == "." ? refusal.message.dropLast() : refusal.message[...])
    case .timedOut: "it does not answer in time"
    case .garbled: "what answers there is no locationd"
    }
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
  private var farewell: Refusal?

  package static var defaultPath: String {
    SocketPath.named(by: "LOCATIOND_SOCKET", else: "/run/locationd/locationd.sock")
  }

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
    lastID += 1
    var line = TextBuffer()
    line.append(Call(id: .integer(lastID), manager: manager, request))
    try send(line)
    return lastID
  }

  /// Sends a request of a program beside the daemon.
  package func send(_ method: String, _ parameters: JSON) throws(ConnectionError) -> Int64 {
    lastID += 1
    let call: JSON = [
      "jsonrpc": "2.0", "id": .integer(lastID), "method": .string(method), "params": parameters,
    ]
    var line = TextBuffer()
    line.append(call)
    line.append(UInt8(ascii: "\n"))
    try send(line)
    return lastID
  }

  /// Answers something the daemon asked.
  package func send(_ answer: ClientAnswer) throws(ConnectionError) {
    var line = TextBuffer()
    line.append(answer.json)
    line.append(UInt8(ascii: "\n"))
    try send(line)
  }

  private func send(_ line: borrowing TextBuffer) throws(ConnectionError) {
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

  /// A daemon whose words nobody reads reads no requests: what it says meanwhile is kept.
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
    try decodeLines(into: &messages)
    for _ in 0..<4 {
      guard let count = readSome() else { break }
      guard count > 0 else {
        // The daemon's words before it went still count.
        if messages.isEmpty { throw .closed(farewell) }
        return messages
      }
      try decodeLines(into: &messages)
    }
    return messages
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

  private func decodeLines(into messages: inout [Message]) throws(ConnectionError) {
    while let line = input.next() {
      guard case .text(let text) = line, let message = Message(parsing: text) else {
        throw .garbled
      }
      if case .farewell(let refusal) = message { farewell = refusal }
      messages.append(message)
    }
  }

  /// Waits until something can be received; false if time is up first.
  package func wait(milliseconds: Int32) -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return hasUnread || poll(&entry, 1, milliseconds) > 0
  }
}

extension Connection {
  /// Sends a request and waits for its reply. Events that come meanwhile are received afterwards.
  package func ask(
    _ request: Request, seconds: Double = 10
  ) throws(ConnectionError) -> Result<JSON, Refusal> {
    try reply(to: try send(request), seconds: seconds)
  }

  /// The same of a program beside the daemon.
  package func ask(
    _ method: String, _ parameters: JSON, seconds: Double
  ) throws(ConnectionError) -> Result<JSON, Refusal> {
    try reply(to: try send(method, parameters), seconds: seconds)
  }

  private func reply(
    to id: Int64, seconds: Double
  ) throws(ConnectionError) -> Result<JSON, Refusal> {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    let deadline = Double(now.tv_sec) + Double(now.tv_nsec) / 1e9 + seconds
    var others: [Message] = []
    defer {
      kept = others
      hasUnread = hasUnread || !others.isEmpty
    }
    while true {
      var answer: Result<JSON, Refusal>?
      for message in try receive() {
        switch message {
        case .reply(id, let result): answer = result
        case .reply: break
        case .event, .numbered, .request, .farewell, .unknown: others.append(message)
        }
      }
      if let answer { return answer }
      clock_gettime(CLOCK_MONOTONIC, &now)
      let left = deadline - Double(now.tv_sec) - Double(now.tv_nsec) / 1e9
      guard left > 0 else { throw .timedOut }
      _ = wait(milliseconds: Int32(min(left * 1000, 60_000)) + 1)
    }
  }
}
