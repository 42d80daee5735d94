import Foundation
import Glibc
import LocationModel
import TestSupport
import Testing

@Suite("A crowd at places over HTTP", .timeLimit(.minutes(60))) struct WebBoundsTests {
  private static func seconds(_ body: () throws -> Void) rethrows -> Double {
    try ContinuousClock().measure(body) / .seconds(1)
  }

  @Test("a thousand connections that are slow, huge or foreign keep nobody else waiting")
  func crowd() throws {
    let web = try AskingWeb.ofMonaco()
    let question = "/search?q=Rue+Grimaldi"
    #expect(try web.ask(question).status == 200)
    let before = try web.places.heldMemory
    // Each says a part of a request, a large one, or one of another site, and stays. All ask for a place that no line of
    // the log may have.
    let huge = String(repeating: "x", count: 20_000)
    let beginnings = [
      "GET /search?q=Secretville",
      "GET /search?q=Secretville HTTP/1.1\r\nHost: localhost\r\nX-A: \(huge)",
      "GET /search?q=Secretville HTTP/1.1\r\nHost: evil.example\r\n\r\n",
      "POST /search?q=Secretville HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000000\r\n\r\n\(huge)",
      "GET /search?q=Secretville HTTP/1.1\r\nHost: localhost\r\nOrigin: http://evil.example\r\n\r\n",
      "\u{16}\u{3}",
    ]
    var crowd: [WebConnection] = []
    for number in 0..<1000 {
      let connection = try web.connect()
      connection.send(beginnings[number % beginnings.count])
      crowd.append(connection)
    }
    // Clients of the socket are answered as before.
    let client = try web.places.connect()
    let slowest = try (0..<20).map { _ in
      try Self.seconds {
        let answer = try client.ask("geocode", ["text": "Rue Grimaldi, Monaco"])
        #expect(answer["result"] != nil)
      }
    }.max()
    #expect(slowest ?? 60 < 30, "\(slowest ?? 60) s")
    try asksAsNobody(question, at: web)
    let held = try web.places.heldMemory - before
    print("web crowd: \(held) kB more in memory")
    #expect(held < 8000)
    // Connections beyond the bound of a user were closed at once.
    for connection in crowd { connection.read() }
    let kept = crowd.count { $0.read() != nil }
    #expect((1...64).contains(kept), "\(kept)")
    crowd = []
    let isServed = eventually(within: patience) {
      (try? web.ask(question).status) == 200
    }
    #expect(isServed)
    #expect(try web.counters()["geocode"]?.integer ?? 0 >= 21)
    web.places.program.signal(SIGTERM)
    let (log, exit) = try web.places.program.text()
    #expect(
      exit == 0 && log.trimmingCharacters(in: .whitespacesAndNewlines) == "stopping", "\(log)")
  }

  /// Another user over HTTP is answered as before.
  private func asksAsNobody(_ path: String, at web: AskingWeb) throws {
    guard getuid() == 0 else { return }
    let script = """
      import sys, urllib.request
      print(urllib.request.urlopen(sys.argv[1], timeout=30).read(100))
      """
    let (said, exit) = try Program([
      "setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", "/usr/bin/python3", "-c",
      script, "http://127.0.0.1:\(web.port)\(path)",
    ]).text()
    #expect(exit == 0 && said.contains("place_id"), "\(said)")
  }

  @Test(
    "a request that comes letter by letter ends, and one that asks again is answered on one connection"
  )
  func pace() throws {
    let web = try AskingWeb.ofMonaco()
    let connection = try web.connect()
    for number in 1...5 {
      connection.send("GET /status?n=\(number) HTTP/1.1\r\nHost: localhost\r\n\r\n")
      let isAnswered = eventually(within: patience) {
        connection.read()
        return connection.text.components(separatedBy: "HTTP/1.1 200").count == number + 1
      }
      try #require(isAnswered, "\(connection.text)")
    }
    let slow = try web.connect()
    let start = ContinuousClock.now
    let hasEnded = eventually(within: 90) {
      slow.send("G")
      return slow.read() == nil
    }
    #expect(hasEnded && ContinuousClock.now - start < .seconds(60))
  }

  @Test("questions of clients that go away meanwhile are dropped")
  func gone() throws {
    let web = try AskingWeb.ofMonaco()
    var clients = try (0..<40).map { _ in try web.connect() }
    func head(_ path: String) -> String { "GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n" }
    for client in clients {
      client.send(head("/status"))
      let isTaken = eventually(within: patience) {
        client.read()
        return client.text.contains("HTTP/1.1 200")
      }
      try #require(isTaken, "\(client.text)")
    }
    // All have asked and gone before the service goes on.
    web.places.program.signal(SIGSTOP)
    for client in clients { client.send(head("/search?q=Rue+Grimaldi")) }
    clients = []
    web.places.program.signal(SIGCONT)
    #expect(try web.ask("/search?q=Casino").status == 200)
    let answered = try web.counters()["geocode"]?.integer ?? 0
    #expect((1...20).contains(answered), "\(answered)")
  }

  @Test("a client that has said all, and reads on, is answered")
  func halfClosed() throws {
    let web = try AskingWeb.ofMonaco()
    for _ in 0..<5 {
      let client = try web.connect()
      client.send(
        "GET /search?q=Rue+Grimaldi HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
      shutdown(client.descriptor, Int32(SHUT_WR))
      #expect(client.isClosed() && client.text.contains("HTTP/1.1 200"), "\(client.text)")
    }
  }

  @Test("many questions at once on one connection are answered in their order")
  func pipelined() throws {
    let web = try AskingWeb.ofMonaco()
    let connection = try web.connect()
    let texts = ["/search?q=Rue+Grimaldi&limit=1", "/status", "/photon/api?q=casino&limit=1"]
    connection.send(texts.map { "GET \($0) HTTP/1.1\r\nHost: localhost\r\n\r\n" }.joined())
    let isAnswered = eventually(within: patience) {
      connection.read()
      return connection.text.components(separatedBy: "HTTP/1.1 200").count == 4
    }
    #expect(isAnswered)
    let parts = connection.text.components(separatedBy: "HTTP/1.1 200").dropFirst()
    #expect(parts.map { $0.contains("place_id") } == [true, false, false])
  }
}

@Suite(
  "A page of another site beside places over HTTP",
  .enabled(if: MapOnScreen.isPossible, MapOnScreen.missing))
struct WebStrangerTests {
  @Test("learns nothing, and causes nothing")
  func stranger() throws {
    let web = try AskingWeb.ofMonaco(hasWorld: false)
    let before = try web.counters()
    try MapOnScreen.drive("web-places", ["\(web.port)"])
    let after = try web.counters()
    for method in ["geocode", "reverseGeocode", "search"] {
      #expect(after[method] == before[method], "\(method)")
    }
  }
}
