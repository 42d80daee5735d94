import Foundation
import Glibc
import LocationModel
import TestSupport
import Testing

@Suite("The socket") struct DoorTests {
  @Test("hello says who the client is taken for and what there is")
  func hello() throws {
    let daemon = try RunningDaemon()
    let result = try #require(
      try daemon.connect().ask("hello", ["name": "test", "purpose": "to see"])["result"])
    #expect(result["protocol"] == .integer(1))
    #expect(result["authorization"] == "authorizedAlways")
    #expect(result["accuracy"] == "full")
    #expect(result["app"]?.string?.contains(":") == true)
    #expect(result["services"]?["standard"] == .bool(true))
    #expect(result["services"]?["visits"] == .bool(true))
    #expect(result["ledger"]?.integer ?? 0 > 0)
  }

  @Test("no handshake is needed, and requests may be pipelined")
  func pipelined() throws {
    let client = try RunningDaemon().connect()
    var line = ""
    for id in 1...300 { line += #"{"jsonrpc":"2.0","id":\#(id),"method":"status"}"# + "\n" }
    client.send(line)
    for id in 1...300 { #expect(try client.line()["id"] == .integer(Int64(id))) }
  }

  @Test("a location comes to who asks for one, for the newest, or for all")
  func locations() throws {
    let client = try RunningDaemon().connect()
    #expect(try client.ask("location")["result"] == [:])
    let once = try client.ask("requestLocation")["result"]?["location"]
    #expect(once?["latitude"] == .integer(45))
    #expect(once?["simulated"] == .bool(true))
    #expect(try client.ask("location")["result"]?["location"]?["longitude"] == .integer(7))
    #expect(try client.ask("startUpdatingLocation")["result"] == [:])
    let event = try client.event()
    #expect(event["service"] == "standard")
    #expect(event["manager"] == nil)
    #expect(event["locations"]?.array?.count == 1)
  }

  @Test("each manager of a connection has its own wishes")
  func managers() throws {
    let daemon = try RunningDaemon(
      ["replay://{folder}/drive.nmea?rate=20&loop=1"],
      files: ["drive.nmea": Recording.drive(seconds: 600)])
    let client = try daemon.connect()
    _ = try client.ask(
      "startUpdatingLocation", ["manager": .integer(3), "distanceFilter": .integer(95)])
    var north: [Double] = []
    while north.count < 4 {
      let event = try client.event()
      #expect(event["manager"] == .integer(3))
      north.append(try #require(event["locations"]?.array?.last?["latitude"]?.double))
    }
    for (a, b) in zip(north, north.dropFirst()) {
      #expect(abs((b - a) * 111_132 - 100) < 1)
    }
    _ = try client.ask("startUpdatingLocation", ["manager": .integer(9)])
    #expect(try client.event()["manager"] == .integer(9))
    _ = try client.ask("stopUpdatingLocation", ["manager": .integer(3)])
    for _ in 0..<20 { #expect(try client.event()["manager"] == .integer(9)) }
  }

  @Test("what is no request gets its error, and the connection lives on")
  func errors() throws {
    let client = try RunningDaemon().connect()
    for (line, code) in [
      ("{", -32700), ("[]", -32600), (#"{"jsonrpc":"2.0","id":1,"method":"fly"}"#, -32601),
      (#"{"jsonrpc":"2.0","id":1,"method":"status","params":3}"#, -32602),
      ("\u{0}\u{1}\u{2}", -32700), (String(repeating: "[", count: 60_000), -32700),
    ] {
      client.send(line + "\n")
      #expect(try client.line()["error"]?["code"] == .integer(Int64(code)))
    }
    #expect(try client.ask("status")["result"] != nil)
  }

  @Test("a request without an id gets no reply, even when it is refused")
  func noID() throws {
    let client = try RunningDaemon().connect()
    client.send(#"{"jsonrpc":"2.0","method":"fly"}"# + "\n")
    client.send(#"{"jsonrpc":"2.0","method":"status"}"# + "\n")
    let id = client.request("hello")
    #expect(try client.line()["id"] == .integer(Int64(id)))
  }

  @Test(
    "an id comes back as it was sent, digit by digit", arguments: ["daemon", "places", "tracker"])
  func ids(of door: String) throws {
    let daemon = try RunningDaemon()
    let places = try door == "places" ? RunningPlaces() : nil
    let tracker = try door == "tracker" ? RunningTracker(daemon, "") : nil
    let path = places?.socket ?? (tracker == nil ? daemon.socket : "\(daemon.folder.path)/t")
    let client = try SocketClient(path: path, daemon)
    let digits = String(repeating: "1234567890", count: 25)
    for id in [
      "9223372036854775807", "9223372036854775808", "18446744073709551615",
      "-9223372036854775808", "-9223372036854775809", digits, "-" + digits, "7", "1.5", "null",
    ] {
      for method in ["status", "fly"] {
        client.send(#"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)"}"# + "\n")
        let line = try client.line()
        #expect(line["id"]?.text == id && (line["error"] == nil) == (method == "status"))
      }
    }
    // Longer ones are not kept.
    client.send(#"{"jsonrpc":"2.0","id":\#(digits)1234567,"method":"status"}"# + "\n")
    let refusal = try client.line()
    #expect(refusal["id"] == .null && refusal["error"]?["code"]?.integer == -32600)
    #expect(try client.ask("status")["result"] != nil)
  }

  @Test("half a line waits for its other half")
  func halfLines() throws {
    let client = try RunningDaemon().connect()
    for piece in [#"{"jsonrpc":"2.0","#, #""id":5,"method""#, #":"status"}"#] { client.send(piece) }
    client.send("\n")
    #expect(try client.line()["id"] == .integer(5))
  }

  @Test("a line over 64 KiB is refused once, and the next one is answered")
  func oversized() throws {
    let daemon = try RunningDaemon()
    let client = try daemon.connect()
    let before = try daemon.program.heldMemory
    client.send(String(repeating: "x", count: 20_000_000), within: patience)
    client.send("\n")
    let id = client.request("hello")
    #expect(try client.line()["error"]?["code"] == .integer(-32600))
    #expect(try client.line()["id"] == .integer(Int64(id)))
    #expect(try daemon.program.heldMemory - before < 2000)
  }

  @Test("someone who only sends still gets the answers: printf … | nc -N")
  func halfClosed() throws {
    let client = try RunningDaemon().connect()
    client.send(#"{"jsonrpc":"2.0","id":1,"method":"requestLocation"}"#)
    client.finishSending()
    #expect(try client.line()["result"]?["location"] != nil)
    #expect(client.isClosed())
  }

  @Test(
    "nobody but root and the daemon's user is told anything about a place",
    .enabled(if: AsRoot.isPossible, AsRoot.missing), .asRootWithCgroups)
  func others() throws {
    let daemon = try RunningDaemon()
    let watcher = try daemon.connect()
    _ = try watcher.ask("startUpdatingLocation")
    _ = try watcher.event()
    let grant = "sudo locationctl grant user:nobody when-in-use --uid 65534"
    let (text, refused) = try daemon.asSomeoneElse("get", "--json").text()
    #expect(refused == 3)
    #expect(text.contains(grant))
    #expect(!text.contains("latitude"))
    // watch goes on, and is told nothing but this.
    let program = try daemon.asSomeoneElse("watch", "--json")
    #expect(try program.line().contains(grant))
    _ = try watcher.event()
    program.signal(SIGTERM)
    #expect(try !program.text().text.contains("latitude"))
    let (status, exit) = try daemon.asSomeoneElse("status", "--json").text()
    #expect(exit == 0)
    let json = try JSON(parsing: status.trimmingCharacters(in: .newlines))
    #expect(json["client"]?["authorization"] == "notDetermined")
    #expect(json["sources"] == nil)
    #expect(json["clients"] == nil)
    #expect(json["counters"] == nil)
  }
}

extension RunningDaemon {
  /// locationctl as a user who is neither root nor the daemon's, in a test that is root.
  func asSomeoneElse(_ arguments: String...) throws -> Program { try asSomeoneElse(arguments) }

  func asSomeoneElse(_ arguments: [String]) throws -> Program {
    let become = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    return try Program(
      become + [copyForAll()] + arguments + ["--socket", socket])
  }

  /// The programs may lie where nobody else may look.
  func copyForAll() throws -> String {
    let copy = folder.appending(path: "locationctl").path
    if access(copy, F_OK) != 0 {
      try Program.copy(Program.path("locationctl"), to: copy)
      chmod(folder.path, 0o755)
    }
    return copy
  }
}
