import Foundation
import Glibc
import LocationModel
import TestSupport
import Testing

/// `locationd-map` with the test as its parent.
final class RunningMap: TalkingProgram {
  private(set) var port: UInt16 = 0
  private(set) var token = ""

  init(_ arguments: String...) throws {
    try super.init([Program.path("locationd-map")] + arguments)
    let address = try #require(try line()["address"]?.string)
    let parts = try #require(
      address.wholeMatch(of: #/http://127\.0\.0\.1:(\d+)/([0-9a-f]{32})//#)?.output)
    port = UInt16(parts.1) ?? 0
    token = String(parts.2)
  }

  var address: String { "http://127.0.0.1:\(port)/\(token)/" }

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
