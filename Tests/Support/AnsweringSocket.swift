import Foundation
import Glibc

/// The service's end of a socket for clients' tests: each line that comes is answered with what a closure
/// makes of it, `"result":…` or `"error":…`, or never where that is nil.
package final class AnsweringSocket: @unchecked Sendable {
  package let path: String
  private let listener: Int32
  private let lock = NSLock()
  private var heard: [String] = []
  private let answer: @Sendable (_ line: String) -> String?

  package init?(_ answer: @escaping @Sendable (_ line: String) -> String?) {
    path = "/tmp/answering-\(getpid())-\(UInt32.random(in: 0 ... .max))"
    listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    self.answer = answer
    let result = withUnixAddress(path) { bind(listener, $0, $1) }
    guard result == 0, listen(listener, 16) == 0 else { return nil }
    Thread.detachNewThread { [listener, weak self] in
      while true {
        let peer = accept(listener, nil, nil)
        guard peer >= 0, self != nil else { return }
        Thread.detachNewThread { [weak self] in Self.serve(peer) { self?.take($0) } }
      }
    }
  }

  deinit {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
    unlink(path)
  }

  /// The lines that have come.
  package var lines: [String] { lock.withLock { heard } }

  private func take(_ line: String) -> String? {
    lock.withLock { heard.append(line) }
    return answer(line)
  }

  private static func serve(_ peer: Int32, _ answer: (String) -> String?) {
    defer { close(peer) }
    var pending: [UInt8] = []
    var bytes = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = read(peer, &bytes, bytes.count)
      guard count > 0 else { return }
      pending += bytes[..<count]
      while let end = pending.firstIndex(of: 0x0A) {
        let line = String(decoding: pending[..<end], as: UTF8.self)
        pending.removeFirst(end + 1)
        guard let members = answer(line),
          let id = line.firstMatch(of: #/"id":(\d+)/#)?.1
        else { continue }
        let reply = Array("{\"jsonrpc\":\"2.0\",\"id\":\(id),\(members)}\n".utf8)
        _ = send(peer, reply, reply.count, Int32(MSG_NOSIGNAL))
      }
    }
  }
}
