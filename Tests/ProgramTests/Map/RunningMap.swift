import Foundation
import Glibc
import LocationModel
import TestSupport
import Testing

/// `locationd-map` with the test as its parent.
final class RunningMap {
  let pid: pid_t
  private var input: Int32
  private let output: Int32
  private var pending: [UInt8] = []
  private var hasEnded = false
  private(set) var port: UInt16 = 0
  private(set) var token = ""

  init(_ arguments: String...) throws {
    var ends: [[Int32]] = [[-1, -1], [-1, -1]]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    for i in 0..<2 { try #require(socketpair(AF_UNIX, kind, 0, &ends[i]) == 0) }
    defer { for end in ends { close(end[1]) } }
    (input, output) = (ends[0][0], ends[1][0])
    pid = try spawn(
      [Program.path("locationd-map")] + arguments, streams: [0: ends[0][1], 1: ends[1][1]])
    let address = try #require(try line()["address"]?.string)
    let parts = try #require(
      address.wholeMatch(of: #/http://127\.0\.0\.1:(\d+)/([0-9a-f]{32})//#)?.output)
    port = UInt16(parts.1) ?? 0
    token = String(parts.2)
  }

  deinit {
    if !hasEnded {
      kill(pid, SIGKILL)
      waitpid(pid, nil, 0)
    }
    if input >= 0 { close(input) }
    close(output)
  }

  var address: String { "http://127.0.0.1:\(port)/\(token)/" }

  func tell(_ json: JSON) {
    let line = Array((json.text + "\n").utf8)
    var sent = 0
    while sent < line.count {
      let count = line.withUnsafeBytes {
        send(input, $0.baseAddress.map { $0 + sent }, $0.count - sent, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      sent += count
    }
  }

  /// The next line that it says.
  func line() throws -> JSON {
    while true {
      if let end = pending.firstIndex(of: 0x0A) {
        defer { pending.removeFirst(end + 1) }
        return try JSON(parsing: String(decoding: pending[..<end], as: UTF8.self))
      }
      var wanted = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
      try #require(poll(&wanted, 1, Int32(patience * 1000)) == 1, "no line came")
      var bytes = [UInt8](repeating: 0, count: 65536)
      let count = read(output, &bytes, bytes.count)
      try #require(count > 0, "it says no more")
      pending += bytes[..<count]
    }
  }

  func finish() {
    close(input)
    input = -1
  }

  func exit(within seconds: Double = patience) -> Int32? {
    var status: Int32 = 0
    let ended = eventually(within: seconds) { waitpid(self.pid, &status, WNOHANG) == self.pid }
    hasEnded = ended
    return ended ? (status >> 8) & 0xFF : nil
  }

  /// Kilobytes of its own.
  var heldMemory: Int {
    get throws {
      let text = try kernelText("/proc/\(pid)/status")
      let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("RssAnon:") })
      return try #require(Int(line.split(whereSeparator: { !$0.isNumber }).first ?? ""))
    }
  }
}

/// A browser's end of a connection, by hand, so that it can also ask badly.
final class WebConnection {
  let descriptor: Int32
  private(set) var received: [UInt8] = []

  init(port: UInt16, host: String = "127.0.0.1") throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = inet_addr(host)
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    try #require(result == 0, "\(String(cString: strerror(errno)))")
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
  }

  deinit { close(descriptor) }

  func send(_ text: String) {
    let bytes = Array(text.utf8)
    _ = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
  }

  /// Everything that has come; nil once the other side has gone.
  @discardableResult
  func read() -> String? {
    var bytes = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = Glibc.read(descriptor, &bytes, bytes.count)
      if count > 0 { received += bytes[..<count] }
      if count == 0 || count < 0 && errno != EAGAIN { return nil }
      if count < 0 { return String(decoding: received, as: UTF8.self) }
    }
  }

  var text: String { String(decoding: received, as: UTF8.self) }

  func hears(_ words: String, within seconds: Double = patience) -> Bool {
    eventually(within: seconds) {
      self.read()
      return self.text.contains(words)
    }
  }

  func isClosed(within seconds: Double = patience) -> Bool {
    eventually(within: seconds) { self.read() == nil }
  }
}

extension RunningMap {
  /// The whole answer to one request; a header of the same name takes the place of ours.
  func ask(
    _ path: String? = nil, method: String = "GET", headers: [(String, String)] = [],
    body: String = ""
  ) throws -> String {
    let connection = try WebConnection(port: port)
    var lines = ["\(method) \(path ?? "/\(token)/") HTTP/1.1"]
    if !headers.contains(where: { $0.0 == "Host" }) { lines.append("Host: 127.0.0.1:\(port)") }
    lines += headers.map { "\($0.0): \($0.1)" } + ["Connection: close"]
    if !body.isEmpty { lines.append("Content-Length: \(body.utf8.count)") }
    connection.send(lines.joined(separator: "\r\n") + "\r\n\r\n" + body)
    try #require(connection.isClosed(), "\(connection.text)")
    return connection.text
  }

  /// A page that listens.
  func listen() throws -> WebConnection {
    let connection = try WebConnection(port: port)
    connection.send(
      "GET /\(token)/events HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n")
    try #require(connection.hears("{\"page\":"), "\(connection.text)")
    return connection
  }
}
