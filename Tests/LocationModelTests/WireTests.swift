import Testing

@testable import LocationModel

private let place = {
  var location = Location(
    coordinate: Coordinate(latitude: 37.5663528, longitude: 126.9779564), horizontalAccuracy: 4.2,
    timestamp: Timestamp(microseconds: 1_795_206_421_250_000), source: "gpsd:/dev/ttyUSB0")
  location.altitude = 38.2
  location.speed = 1.3
  location.course = 84.4
  return location
}()

private func parse(_ line: String) throws -> Call {
  try Array(line.utf8).withUnsafeBytes { raw in try Call(parsing: raw) }
}

private func refusal(of line: String) -> UnusableCall? {
  do {
    _ = try parse(line)
    return nil
  } catch {
    return error as? UnusableCall
  }
}

@Suite("Location on the wire") struct LocationWireTests {
  @Test("what is known is written, in the documented order, and what is unknown is left out")
  func written() {
    var text = TextBuffer()
    text.append(place)
    #expect(
      String(decoding: text.bytes, as: UTF8.self)
        == #"{"latitude":37.5663528,"longitude":126.9779564,"altitude":38.2,"horizontalAccuracy":4.2,"#
        + #""speed":1.3,"course":84.4,"timestamp":"2026-11-20T20:27:01.250Z","#
        + #""source":"gpsd:/dev/ttyUSB0","simulated":false}"#)
  }

  @Test("a location is read as it was written")
  func roundTrip() throws {
    var text = TextBuffer()
    text.append(place)
    #expect(Location(try JSON(parsing: text.bytes)) == place)
  }

  @Test(
    "one without place, accuracy or time, or off the Earth, is none",
    arguments: [
      "{}", #"{"latitude":1,"longitude":2,"timestamp":"2026-11-20T20:27:01Z"}"#,
      #"{"latitude":91,"longitude":2,"horizontalAccuracy":1,"timestamp":"2026-11-20T20:27:01Z"}"#,
      #"{"latitude":1,"longitude":2,"horizontalAccuracy":1,"timestamp":"yesterday"}"#,
      #"{"latitude":1,"longitude":2,"horizontalAccuracy":-1,"timestamp":"2026-11-20T20:27:01Z"}"#,
    ])
  func refused(text: String) throws {
    #expect(Location(try JSON(parsing: text)) == nil)
  }
}

@Suite("Whole numbers beyond 64 bits") struct LongIntegerTests {
  @Test("what is read is written again, digit by digit, and is as large as it was")
  func roundTrip() throws {
    for text in [
      "9223372036854775808", "-9223372036854775809", "18446744073709551615",
      "123456789012345678901234567890",
    ] {
      let json = try JSON(parsing: text)
      #expect(json.text == text && json.integer == nil && json.double == Double(text))
      #expect(try JSON(parsing: "[\(text),{\"a\":\(text)}]").text == "[\(text),{\"a\":\(text)}]")
    }
    #expect(try JSON(parsing: "9223372036854775807") == .integer(.max))
    #expect(throws: JSONError.self) { try JSON(parsing: String(repeating: "9", count: 400)) }
  }

  @Test("an id may have 256 digits")
  func ids() throws {
    let digits = String(repeating: "7", count: 256)
    #expect(
      try parse(#"{"jsonrpc":"2.0","id":\#(digits),"method":"status"}"#).id
        == .longInteger(digits))
    let refused = refusal(of: #"{"jsonrpc":"2.0","id":7\#(digits),"method":"status"}"#)
    #expect(refused?.id == .null && refused?.refusal.code == .invalidRequest)
  }
}

@Suite("Call") struct CallTests {
  @Test("a request is read with its defaults")
  func defaults() throws {
    let call = try parse(#"{"jsonrpc":"2.0","id":7,"method":"startUpdatingLocation"}"#)
    #expect(call.id == .integer(7))
    #expect(call.manager == 0)
    #expect(call.request == .startUpdatingLocation(StandardRequest()))
  }

  @Test("every request survives the way over the wire")
  func roundTrip() throws {
    let requests: [Request] = [
      .hello(.init(name: "a", purpose: "b")), .status, .stopUpdatingLocation, .location,
      .startUpdatingLocation(.init(desiredAccuracy: 10, distanceFilter: 5)),
      .requestLocation(.init(desiredAccuracy: 100, timeout: 2.5)),
      .startUpdatingHeading(.init(headingFilter: 5)), .stopUpdatingHeading,
      .startMonitoringSignificantLocationChanges, .stopMonitoringSignificantLocationChanges,
      .startMonitoringVisits, .stopMonitoringVisits, .stopMonitoring(identifiers: ["a", "b"]),
      .monitoredRegions(after: "a", limit: 7), .requestState(identifier: "a"),
      .acknowledge(event: 9), .setActivation(nil), .setActivation(.unit("a.service")),
      .requestAuthorization(.authorizedAlways), .requestAuthorization(.authorizedWhenInUse),
      .requestTemporaryFullAccuracy(purpose: "x"), .agentRegister, .agentStandBy, .beginUse,
      .endUse, .permissionsList,
      .permissionsSet(.init(app: "a:b", uid: 7, accuracy: .reduced, once: true)),
      .permissionsReset(.init(app: "a:b")), .permissionsUnrestrict(.init(uid: 7)),
      .servicesSet(enabled: false), .hereForget, .hereStatus, .forget,
      .history(.init()), .history(.init(app: "a:b", days: 3, uid: 7)),
      .historyForget(.init(app: "a:b")), .pause(.init(seconds: 60, uid: 7)), .resume(.init()),
      .may(.init(app: "a:b", uid: 7)), .may(.init(pid: 7)),
      .hereSet(SetPlace(Coordinate(latitude: 45.5, longitude: -7), horizontalAccuracy: 80)),
    ]
    for request in requests {
      var text = TextBuffer()
      text.append(Call(id: "x", manager: 3, request))
      let call = try parse(String(decoding: text.bytes, as: UTF8.self))
      #expect(call.request == request)
      #expect(call.manager == 3)
      #expect(call.id == "x")
    }
  }

  @Test(
    "what is no request is refused with JSON-RPC's code",
    arguments: [
      ("{", Refusal.Code.malformed), ("[]", .invalidRequest), ("7", .invalidRequest),
      (#"[{"jsonrpc":"2.0","id":1,"method":"status"}]"#, .invalidRequest),
      (#"{"id":1,"method":"status"}"#, .invalidRequest),
      (#"{"jsonrpc":"2.0","id":1}"#, .invalidRequest),
      (#"{"jsonrpc":"2.0","id":{},"method":"status"}"#, .invalidRequest),
      (
        #"{"jsonrpc":"2.0","id":""# + String(repeating: "x", count: 257)
          + #"","method":"status"}"#, .invalidRequest
      ),
      (#"{"jsonrpc":"2.0","id":1,"method":"fly"}"#, .unknownMethod),
      (#"{"jsonrpc":"2.0","id":1,"method":"status","params":[1]}"#, .invalidParameters),
      (#"{"jsonrpc":"2.0","id":1,"method":"status","params":{"manager":-1}}"#, .invalidParameters),
      (#"{"jsonrpc":"2.0","id":1,"method":"status","params":{"manager":1.5}}"#, .invalidParameters),
    ])
  func refused(line: String, code: Refusal.Code) {
    #expect(refusal(of: line)?.refusal.code == code)
  }

  @Test(
    "impossible numbers are refused by name",
    arguments: [
      #""desiredAccuracy":-3"#, #""desiredAccuracy":"best""#, #""distanceFilter":-0.5"#,
      #""distanceFilter":true"#,
    ])
  func impossible(member: String) {
    let line =
      #"{"jsonrpc":"2.0","id":1,"method":"startUpdatingLocation","params":{"# + member + "}}"
    #expect(refusal(of: line)?.refusal.code == .invalidParameters)
  }

  @Test(
    "a parameter that a method does not know is refused, with those that it has",
    arguments: [
      ("startUpdatingLocation", "distancefilter", "It has desiredAccuracy, distanceFilter, "),
      ("status", "verbose", "It has none."),
      ("services.set", "Enabled", "enabled is missing."),
      ("hello", "a\u{1B}[2J", "'a\u{FFFD}[2J'. It has name, purpose."),
    ])
  func unknown(method: String, name: String, words: String) throws {
    let call: JSON = [
      "jsonrpc": "2.0", "id": .integer(1), "method": .string(method),
      "params": .object([
        .init(key: name, value: .integer(1)), .init(key: "manager", value: .integer(1)),
      ]),
    ]
    var line = TextBuffer()
    line.append(call)
    let refusal = try #require(refusal(of: String(decoding: line.bytes, as: UTF8.self))?.refusal)
    #expect(refusal.code == .invalidParameters)
    #expect(refusal.message.contains(words), "\(refusal.message)")
  }

  @Test("a turn is a degree unless said, or none", arguments: ["-2", "361", "-0.5", "\"all\""])
  func headingFilter(value: String) throws {
    let start = #"{"jsonrpc":"2.0","id":1,"method":"startUpdatingHeading","params":{"#
    #expect(try parse(start + "}}").request == .startUpdatingHeading(.init(headingFilter: 1)))
    #expect(
      try parse(start + #""headingFilter":-1}}"#).request
        == .startUpdatingHeading(.init(headingFilter: -1)))
    #expect(
      refusal(of: start + #""headingFilter":"# + value + "}}")?.refusal.code == .invalidParameters)
  }

  @Test("a page has at least one region, or turning them would not end", arguments: ["0", "-1"])
  func pages(limit: String) {
    let line =
      #"{"jsonrpc":"2.0","id":1,"method":"monitoredRegions","params":{"limit":"# + limit + "}}"
    #expect(refusal(of: line)?.refusal.code == .invalidParameters)
  }

  @Test("a timeout is above zero and at most an hour", arguments: ["0", "-1", "3601", "1e300"])
  func timeouts(value: String) {
    let line =
      #"{"jsonrpc":"2.0","id":1,"method":"requestLocation","params":{"timeout":"# + value + "}}"
    #expect(refusal(of: line)?.refusal.code == .invalidParameters)
  }

  @Test("a refusal goes to the request's id, and to nobody where none was given")
  func ids() {
    #expect(refusal(of: #"{"jsonrpc":"2.0","id":"q","method":"fly"}"#)?.id == "q")
    #expect(refusal(of: #"{"jsonrpc":"2.0","method":"fly"}"#)?.id == nil)
    #expect(refusal(of: "{")?.id == .null)
  }
}

@Suite("Message") struct MessageTests {
  private func read(_ line: UnsafeRawBufferPointer) -> Message? {
    var awaited: [Int64: Request] = [:]
    return Message(parsing: line, awaited: &awaited)
  }

  private func message(_ event: Event, manager: Int) -> Message? {
    var text = EventText()
    text.write(event)
    var line = TextBuffer()
    text.append(to: &line, manager: manager)
    return read(line.bytes)
  }

  @Test("an event reaches the manager it is for", arguments: [0, 5])
  func events(manager: Int) {
    guard
      case .event(let to, let event) = message(
        .didUpdateLocations(place, .standard), manager: manager)
    else {
      Issue.record("no event")
      return
    }
    #expect(to == manager)
    #expect(event == .didUpdateLocations(place, .standard))
  }

  @Test("an event that says nothing but its name is a line of JSON as well", arguments: [0, 5])
  func bare(manager: Int) {
    for event in [Event.didPauseLocationUpdates, .didResumeLocationUpdates] {
      guard case .event(manager, event) = message(event, manager: manager) else {
        Issue.record("not the event")
        return
      }
    }
  }

  @Test("a failure keeps its code and its words")
  func failure() {
    let refusal = Refusal(.locationUnknown, "none now")
    guard case .event(0, .didFail(refusal)) = message(.didFail(refusal), manager: 0) else {
      Issue.record("not the failure")
      return
    }
  }

  @Test("replies and refusals find their request")
  func replies() throws {
    var line = TextBuffer()
    line.append(Reply.location(place), id: .integer(4))
    var awaited: [Int64: Request] = [4: .location, 5: .location]
    guard case .reply(4, .success(.location(place))) = read(line, &awaited) else {
      Issue.record("no reply")
      return
    }

    line.removeAll()
    line.append(Refusal(.denied, "no"), id: .integer(5))
    guard case .reply(5, .failure(let refusal)) = read(line, &awaited) else {
      Issue.record("no refusal")
      return
    }
    #expect(refusal == Refusal(.denied, "no"))
    #expect(awaited.isEmpty)
  }

  private func read(_ line: borrowing TextBuffer, _ awaited: inout [Int64: Request]) -> Message? {
    Message(parsing: line.bytes, awaited: &awaited)
  }

  @Test("each reply is read as it was written, by the request that it answers")
  func everyReply() throws {
    let greeting = Greeting(
      version: "1", app: "exe:/a", authorization: .authorizedAlways, accuracy: .reduced,
      services: [.standard, .visits], ledger: 5)
    let region = Region(
      identifier: "home", .circle(place.coordinate, radius: 100), notifyOnEntry: true,
      notifyOnExit: false)
    let app = AppPermission(
      app: "exe:/a", uid: 7, authorization: .denied, accuracy: .full, source: .person)
    let replies: [(Request, Reply)] = [
      (.hello(.init()), .hello(greeting)), (.location, .location(nil)), (.beginUse, .done),
      (.monitoredRegions(after: nil, limit: 1), .regions([region], more: true)),
      (.requestState(identifier: "home"), .state(.inside)),
      (.requestAuthorization(.authorizedAlways), .authorization(.denied)),
      (.requestTemporaryFullAccuracy(purpose: "x"), .accuracy(.full)),
      (.permissionsList, .permissions([app])), (.requestLocation(.init()), .location(place)),
    ]
    for (request, reply) in replies {
      var line = TextBuffer()
      line.append(reply, id: .integer(1))
      var awaited = [Int64(1): request]
      guard case .reply(1, .success(reply)) = read(line, &awaited) else {
        Issue.record("\(request) is answered otherwise")
        continue
      }
    }
  }

  @Test("a result that is no reply to its request is a refusal, and one to none is passed over")
  func unreadable() throws {
    var line = TextBuffer()
    line.append(#"{"jsonrpc":"2.0","id":1,"result":{"state":"upside down"}}"#)
    var awaited: [Int64: Request] = [1: .requestState(identifier: "home")]
    guard case .reply(1, .failure(.unreadableReply)) = read(line, &awaited) else {
      Issue.record("it is read")
      return
    }
    guard case .unknown = read(line, &awaited) else {
      Issue.record("it answers something")
      return
    }
  }

  @Test("what a newer daemon says is passed over, and what is no message is known as such")
  func unknown() throws {
    let newer = #"{"jsonrpc":"2.0","method":"didTeleport","params":{}}"#
    let message = Array(newer.utf8).withUnsafeBytes { read($0) }
    guard case .unknown = message else {
      Issue.record("not passed over")
      return
    }
    #expect(Array("hello".utf8).withUnsafeBytes { read($0) } == nil)
  }

  @Test("a status is read as it was written")
  func status() throws {
    var client = ClientStatus(
      app: "user:root", uid: 0, pid: 7, name: "x", authorization: .authorizedAlways, accuracy: .full
    )
    client.updating = 2
    var status = Status(version: "1", services: [.standard], client: client)
    var source = SourceStatus(name: "replay:a", state: .failed("no such file"), stateAge: 1.5)
    source.fixes = 3
    source.lastFixAge = 0.25
    status.sources = [source]
    status.clients = [client]
    status.counters = Status.Counters()
    #expect(Status(try JSON(parsing: status.json.text)) == status)
  }
}
