import Foundation
import Glibc
import LocationModel
import TestSupport
import Testing

@Suite("The server of the map") struct MapHelperTests {
  @Test("it serves its page on a loopback address, with a policy that lets in nothing else")
  func page() throws {
    let map = try RunningMap()
    let answer = try map.ask()
    #expect(answer.hasPrefix("HTTP/1.1 200 "))
    #expect(answer.contains("<main id=\"map\""))
    let policy = try #require(
      answer.split(separator: "\r\n").first { $0.hasPrefix("Content-Security-Policy: ") })
    #expect(policy.contains("default-src 'none'") && !policy.contains("http"))
    for name in ["main.js", "style.css", "leaflet.js", "cluster.js", "leaflet.css", "files.js"] {
      #expect(try map.ask("/\(map.token)/\(name)").hasPrefix("HTTP/1.1 200 "), "\(name)")
    }
    #expect(try map.ask("/\(map.token)/phrases/de").contains(#""Map":"Karte""#))
    #expect(try map.ask("/\(map.token)/phrases/xx").hasSuffix("\r\n\r\n{}"))
    #expect(try map.ask("/\(map.token)/phrases.txt").hasPrefix("HTTP/1.1 404 "))
    #expect(try map.ask("/\(map.token)/..%2f..%2fetc/passwd").hasPrefix("HTTP/1.1 404 "))
    // Each word of the page that leads elsewhere would be one too many.
    #expect(!answer.contains("://"))
  }

  @Test("nothing listens on another address of this machine")
  func loopback() throws {
    let map = try RunningMap()
    let port = String(map.port, radix: 16, uppercase: true)
    let listening = ":\(String(repeating: "0", count: 4 - port.count))\(port) 00000000:0000 0A"
    // A list that the kernel tells while others come and go may lack one.
    let isAlone = try eventually(within: patience) {
      let own = try kernelText("/proc/net/tcp")
        .split(separator: "\n").filter { $0.contains(listening) }
      #expect(own.allSatisfy { $0.contains(" 0100007F:") })
      return own.count == 1
    }
    #expect(isAlone)
  }

  @Test("a port that is wished for is taken, and one that is taken is an error")
  func port() throws {
    let first = try RunningMap()
    let port = first.port
    let second = try Program([Program.path("locationd-map"), "--port", "\(port)"])
    let (said, exit) = try second.text()
    #expect(said.contains("Address already in use") && exit == 1, "\(said)")
    first.finish()
    #expect(first.exit() == 0)
    #expect(try RunningMap("--port", "\(port)").port == port)
  }

  @Test("a wrong token, another host and another web site get nothing")
  func strangers() throws {
    let map = try RunningMap()
    map.tell(["set": "position", "value": "secret"])
    let wrong = String(map.token.reversed())
    let attempts: [(String?, [(String, String)])] = [
      ("/", []), ("/\(wrong)/", []), ("/\(wrong)/events", []), ("/events", []),
      (nil, [("Host", "evil.example")]), (nil, [("Host", "evil.example:\(map.port)")]),
      (nil, [("Origin", "http://evil.example")]), (nil, [("Origin", "null")]),
      ("/\(map.token)/events", [("Origin", "http://evil.example")]),
      ("/\(map.token)/events", [("Sec-Fetch-Site", "cross-site")]),
    ]
    for (path, headers) in attempts {
      let answer = try map.ask(path, headers: headers)
      #expect(answer.hasPrefix("HTTP/1.1 40"), "\(path ?? "") \(headers)")
      #expect(answer.hasSuffix("\r\n\r\n") && !answer.contains("secret"))
      #expect(!answer.lowercased().contains("access-control-allow"))
    }
    let wish = #"{"page":1,"id":1,"wish":{}}"#
    for headers in [[], [("Origin", "http://evil.example")], [("Content-Type", "text/plain")]] {
      let answer = try map.ask("/\(map.token)/wish", method: "POST", headers: headers, body: wish)
      #expect(answer.hasPrefix("HTTP/1.1 403 "))
    }
  }

  @Test(
    "another user gets nothing, even with the token", .asRoot,
    .enabled(if: AsRoot.isPossible, AsRoot.missing))
  func users() throws {
    let map = try RunningMap()
    map.tell(["set": "position", "value": "secret"])
    let script = """
      import socket, sys
      s = socket.create_connection(('127.0.0.1', \(map.port)), 30)
      try:
          s.sendall(b'GET /\(map.token)/events HTTP/1.1\\r\\nHost: 127.0.0.1:\(map.port)\\r\\n\\r\\n')
          s.settimeout(2)
          print('got', len(s.recv(65536)))
      except ConnectionError:
          print('got 0')
      except TimeoutError:
          print('waits')
      """
    func ask(as user: [String]) throws -> String {
      try Program(user + ["/usr/bin/python3", "-c", script]).text().text
    }
    let other = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    let (theirs, ours) = (try ask(as: other), try ask(as: []))
    #expect(theirs == "got 0\n", "\(theirs)")
    #expect(ours.hasPrefix("got ") && ours != "got 0\n", "\(ours)")
    // Nor does another user's server show itself to us: the test runs as root.
    #expect(try map.listen().hears("secret"))
  }

  @Test("pages are told what is set and added, and a wish finds its answer")
  func talk() throws {
    let map = try RunningMap()
    map.tell(["set": "position", "value": .integer(1)])
    map.tell(["add": "track", "value": .integer(2)])
    let page = try map.listen()
    #expect(page.hears("data: {\"set\":\"position\",\"value\":1}\n\n"))
    #expect(page.hears("data: {\"add\":\"track\",\"values\":[2]}\n\n"))
    #expect(try map.line() == ["pages": .integer(1)])
    map.tell(["set": "position", "value": .integer(3)])
    #expect(page.hears("data: {\"set\":\"position\",\"value\":3}\n\n"))
    let answer = try map.ask(
      "/\(map.token)/wish", method: "POST",
      headers: [
        ("Content-Type", "application/json"), ("Origin", "http://127.0.0.1:\(map.port)"),
      ], body: #"{"page":1,"id":7,"wish":{"ask":"complete"}}"#)
    #expect(answer.hasPrefix("HTTP/1.1 204 "))
    #expect(
      try map.line() == ["page": .integer(1), "id": .integer(7), "wish": ["ask": "complete"]])
    map.tell(["to": .integer(1), "id": .integer(7), "value": ["result": "x"]])
    #expect(page.hears("data: {\"id\":7,\"value\":{\"result\":\"x\"}}\n\n"))
  }

  @Test("a page that reads nothing costs nothing, and another one beside it is told at once")
  func slow() throws {
    let map = try RunningMap()
    let slow = try map.listen()
    let quick = try map.listen()
    let long = String(repeating: "x", count: 20_000)
    map.tell(["set": "position", "value": .string(long)])
    #expect(quick.hears(long))
    let before = try map.heldMemory
    for i in 0..<2000 {
      map.tell(["set": "position", "value": .string("\(i) \(long)")])
      if i % 100 == 0 { quick.read() }
    }
    #expect(quick.hears("1999 x"))
    #expect(try map.heldMemory < before + 4000, "kilobytes")
    // It is told the newest and little between, or has been quiet for too long and must come again.
    let ends = eventually(within: patience) { slow.read() == nil || slow.text.contains("1999 x") }
    #expect(ends && slow.text.count { $0 == "\n" } < 3000)
  }

  @Test("requests that are too long are refused, and connections that say nothing end")
  func bounds() throws {
    let map = try RunningMap()
    let header = ("X", String(repeating: "x", count: 60_000))
    #expect(try map.ask(headers: [header]).hasPrefix("HTTP/1.1 4"))
    let body = String(repeating: " ", count: 70_000)
    let type = [
      ("Content-Type", "application/json"), ("Origin", "http://127.0.0.1:\(map.port)"),
    ]
    let answer = try map.ask("/\(map.token)/wish", method: "POST", headers: type, body: body)
    #expect(answer.hasPrefix("HTTP/1.1 413 "))
    // More than are served at a time: the first of them still are, the others have their turn.
    var all = try (0..<10).map { _ in try WebConnection(port: map.port) }
    let request = "GET /\(map.token)/ HTTP/1.1\r\nHost: 127.0.0.1:\(map.port)\r\n\r\n"
    all[0].send(request)
    #expect(all[0].hears("<main"))
    // The others come all at once.
    kill(map.pid, SIGSTOP)
    all += try (10..<60).map { _ in try WebConnection(port: map.port) }
    kill(map.pid, SIGCONT)
    #expect(all[1].isClosed())
    for late in [all[40], all[59]] { late.send(request) }
    for late in [all[40], all[59]] { #expect(late.hears("<main")) }
  }

  @Test("nonsense on either side is no end of it")
  func nonsense() throws {
    let map = try RunningMap()
    for text in ["[]", "{}", "{\"set\":1}", "{\"to\":\"x\"}", "\"", "{\"pictures\":[\"x\"]}"] {
      if let json = try? JSON(parsing: text) { map.tell(json) }
    }
    for text in ["\0\0\0\0\r\n\r\n", "GET\r\n\r\n", "POST /x HTTP/9.9\r\n\r\n", "\u{16}\u{3}\u{1}"]
    {
      try WebConnection(port: map.port).send(text)
    }
    let wishes = ["", "[]", "{\"page\":99,\"id\":1,\"wish\":{}}", "{\"page\":1}"]
    for wish in wishes {
      let answer = try map.ask(
        "/\(map.token)/wish", method: "POST",
        headers: [
          ("Content-Type", "application/json"), ("Origin", "http://127.0.0.1:\(map.port)"),
        ], body: wish)
      #expect(answer.hasPrefix("HTTP/1.1 400 "), "\(wish)")
    }
    map.tell(["set": "position", "value": "alive"])
    #expect(try map.listen().hears("alive"))
  }

  @Test("it ends with its parent, pages or not")
  func end() throws {
    let map = try RunningMap()
    let page = try map.listen()
    map.finish()
    #expect(map.exit(within: patience) == 0)
    #expect(page.isClosed())
  }

  @Test("a server of pictures is let in once the parent names it, and is told no path")
  func pictures() throws {
    let map = try RunningMap()
    map.tell(["pictures": .array(["https://tile.example.org"])])
    map.tell(["set": "position", "value": "x"])
    #expect(try map.listen().hears("\"x\""))
    let answer = try map.ask()
    #expect(answer.contains("img-src 'self' data: https://tile.example.org;"))
    #expect(answer.contains("Referrer-Policy: strict-origin\r\n"))
    #expect(answer.contains("connect-src 'self'"))
  }
}
