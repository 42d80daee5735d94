import Foundation
import LocationModel
import Testing

/// A web server that takes what it is told, and behaves badly every few requests.
final class BadServer {
  private let program: Program
  let port: Int
  private(set) var requests: [JSON] = []
  private let orders = FileManager.default.temporaryDirectory.appending(path: "orders-\(UUID())")

  /// `badly`: what it does instead of answering, by turns.
  init(_ badly: [String]) throws {
    let script = """
      import http.server, json, socket, sys, time
      badly = \(badly.map { "\"\($0)\"" }.joined(separator: ",").isEmpty ? "[]" : "[\(badly.map { "\"\($0)\"" }.joined(separator: ","))]")
      count = 0
      orders = "\(orders.path)"
      def order():
        try: return open(orders).read()
        except OSError: return ""
      class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        def log_message(self, *rest): pass
        def do_GET(self): self.take("")
        def do_POST(self): self.take(self.rfile.read(int(self.headers["Content-Length"])).decode())
        def take(self, body):
          global count
          count += 1
          how = badly[count // 3 % len(badly)] if badly and count % 3 == 0 else ""
          said = order()
          if said.isdigit(): how = said
          elif said and said in body: how = "400"
          # A request whose answer is lost is taken, and comes twice.
          if how in ("", "slow", "lost", "long", "cut"):
            print(json.dumps({"path": self.path, "body": json.loads(body) if body else None,
              "authorization": self.headers["Authorization"],
              "key": self.headers["Idempotency-Key"], "user": self.headers["X-Limit-U"],
              "device": self.headers["X-Limit-D"], "lost": how == "lost"}), flush=True)
          if how in ("reset", "lost"):
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\\1\\0\\0\\0\\0\\0\\0\\0")
            self.close_connection = True
            self.connection.close()
            return
          if how == "slow": time.sleep(0.3)
          status = int(how) if how.isdigit() else 200
          self.send_response(status)
          if status == 429: self.send_header("Retry-After", "1")
          answer = b" " * (2 << 20) if how == "long" else b"[]"
          self.send_header("Content-Length", str(len(answer) + (how == "cut")))
          self.end_headers()
          if how == "cut": self.close_connection = True
          try: self.wfile.write(answer)
          except OSError: self.close_connection = True
        def finish(self):
          try: super().finish()
          except OSError: pass
      server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
      print(server.server_address[1], flush=True)
      server.serve_forever()
      """
    program = try Program(["python3", "-c", script])
    port = try #require(Int(try program.line()))
  }

  deinit {
    program.signal(SIGKILL)
    try? FileManager.default.removeItem(at: orders)
  }

  /// A status that it answers to everything, a text for which it answers 400, or nothing.
  func order(_ text: String) throws {
    try text.write(to: orders, atomically: true, encoding: .utf8)
  }

  func listen() {
    while let line = program.waitingLine() {
      if let json = try? JSON(parsing: line) { requests.append(json) }
    }
  }
}
