import Foundation
import Glibc
import LocationModel
import Platform
import TestSupport
import Testing

@testable import DBus

@Suite("Bus calls", .serialized) struct BusCallTests {
  let rig: BusRig
  let server: ThingServer
  let client: BusConnection

  init() throws {
    rig = try BusRig()
    server = try ThingServer(rig)
    client = try rig.connect()
  }

  private func error(
    _ member: String, _ arguments: [BusValue] = [], of interface: String = Thing.interface,
    at path: String = "/thing"
  ) throws -> String? {
    switch try rig.ask(client, member, arguments, of: interface, at: path) {
    case .success: nil
    case .failure(let error): error.name.split(separator: ".").last.map(String.init)
    }
  }

  @Test("a call is answered, at once or later")
  func answers() throws {
    #expect(try rig.ask(client, "Add", [.int32(2), .int32(3)]).get() == [.int32(5)])
    var answer: BusCall.Answer?
    let call = client.call(try waitMessage()) { answer = $0 }
    try rig.wait("the call") { !server.thing.waiting.isEmpty }
    #expect(answer == nil)
    server.thing.waiting.removeFirst().answer([.string("now")])
    try rig.wait("the answer") { answer != nil }
    #expect(try answer?.get().arguments() == [.string("now")])
    _ = call
  }

  private func waitMessage() throws -> BusMessage {
    try BusMessage(to: PrivateBus.name, "/thing", Thing.interface, "Wait")
  }

  @Test("each value comes back as it went")
  func values() throws {
    let all: [BusValue] = [
      .byte(255), .bool(true), .bool(false), .int16(.min), .uint16(.max), .int32(.min),
      .uint32(.max), .int64(.min), .uint64(.max), .double(-0.1), .double(.infinity),
      .string("„Ort“ 🛰"), .string(""), .path("/a/b_1"), .signature("a{sv}"),
      .variant(.variant(.byte(1))), .structure([.byte(1), .strings([])]), Thing.regions,
      .array(of: "{sv}", []), .array(of: "(ii)", [.structure([.int32(1), .int32(2)])]),
      .dictionary(["a": .double(1), "b": .dictionary(["c": .bool(true)])]),
    ]
    for value in all {
      #expect(try rig.ask(client, "Echo", [.variant(value)]).get() == [.variant(value)])
    }
  }

  @Test("what cannot be sent is refused, and ends nothing")
  func refusedValues() throws {
    var deep = BusValue.byte(1)
    for _ in 0..<40 { deep = .variant(deep) }
    let bad: [BusValue] = [
      deep, .string("a\0b"), .path("no path"), .path(""), .signature("("), .descriptor,
      .array(of: "s", [.byte(1)]), .array(of: "nonsense", []), .structure([]),
      .variant(.entry(.string("a"), .byte(1))), .entry(.string("a"), .byte(1)),
      .array(of: "{vs}", []), .array(of: "", []),
    ]
    for value in bad {
      #expect(throws: BusError.self, "\(value)") { try BusSignal("a.b", "C", [value]) }
    }
    #expect(throws: BusError.self) { try BusMessage(to: "nobody", "/", "a.b", "C") }
    #expect(throws: BusError.self) { try BusMessage(to: "a.b", "x", "a.b", "C") }
    #expect(throws: BusError.self) { try BusMessage(to: "a.b", "/", "ab", "C") }
    #expect(throws: BusError.self) { try BusMessage(to: "a.b", "/", "a.b", "C D") }
  }

  @Test("what is wrong with a call is told by the standard errors")
  func errors() throws {
    #expect(try error("Add", [.int32(1)]) == "InvalidArgs")
    #expect(try error("Add", [.string("1"), .int32(1)]) == "InvalidArgs")
    #expect(try error("Nothing") == "UnknownMethod")
    #expect(try error("Add", of: "org.locationd.Other") == "UnknownInterface")
    #expect(try error("Add", at: "/nowhere") == "UnknownObject")
    #expect(try error("Fail") == "Denied")
    #expect(try error("Blunder") == "Failed")
    #expect(try error("Forget") == "Failed")
  }

  @Test("a value nested too deeply, of too many parts or too much text is refused unread")
  func hostileBodies() throws {
    func nest(_ writer: inout BusWriter, _ depth: Int) throws(BusError) {
      if depth == 0 { return try writer.string("deep") }
      try writer.variant(of: (depth == 1 ? "s" : "v").utf8) { (inner) throws(BusError) in
        try nest(&inner, depth - 1)
      }
    }
    let message = try BusMessage(to: PrivateBus.name, "/thing", Thing.interface, "Echo") {
      (writer) throws(BusError) in try nest(&writer, 30)
    }
    #expect(try failure(of: message) == "InvalidArgs")

    let many = try BusMessage(to: PrivateBus.name, "/thing", Thing.interface, "Echo") {
      (writer) throws(BusError) in
      try writer.variant(of: "au".utf8) { (inner) throws(BusError) in
        try inner.array(of: "u") { (array) throws(BusError) in
          for number in 0..<100_000 as Range<UInt32> { try array.uint32(number) }
        }
      }
    }
    #expect(try failure(of: many) == "LimitsExceeded")

    let long = try BusMessage(to: PrivateBus.name, "/thing", Thing.interface, "Echo") {
      (writer) throws(BusError) in
      try writer.variant(of: "s".utf8) { (inner) throws(BusError) in
        try inner.string(String(repeating: "x", count: 1_000_000))
      }
    }
    #expect(try failure(of: long) == "LimitsExceeded")
  }

  private func failure(of message: BusMessage) throws -> String? {
    guard case .failure(let error) = try rig.ask(client, message) else { return nil }
    return error.name.split(separator: ".").last.map(String.init)
  }

  @Test("a call that is not answered fails at its deadline, one let go of is not told")
  func deadlines() throws {
    var answer: BusCall.Answer?
    let start = Clock.boottime
    let call = client.call(try waitMessage(), patience: 50) { answer = $0 }
    var other: BusCall? = client.call(try waitMessage()) { _ in Issue.record("told all the same") }
    try rig.wait("both") { server.thing.waiting.count == 2 }
    other = nil
    server.thing.waiting.removeLast().answer([.string("too late")])
    // Nor is its deadline told.
    var third: BusCall? = client.call(try waitMessage(), patience: 1) { _ in
      Issue.record("told all the same")
    }
    withExtendedLifetime(third) { third = nil }
    try rig.wait("the deadline") { answer != nil }
    #expect(Clock.boottime - start >= .milliseconds(50))
    #expect(throws: BusError.self) { try answer?.get() }
    #expect(try rig.ask(client, "Add", [.int32(1), .int32(1)]).get() == [.int32(2)])
    withExtendedLifetime((call, other, third)) {}
  }

  @Test("a call may be let go of while its answer is told")
  func letsGo() throws {
    var call: BusCall?
    var done = false
    call = client.call(try waitMessage()) { _ in
      call = nil
      done = true
    }
    try rig.wait("the call") { !server.thing.waiting.isEmpty }
    server.thing.waiting.removeFirst().answer([.string("")])
    try rig.wait("the answer") { done }
    #expect(call == nil)
  }

  @Test("calls of one sender that wait for an answer are bounded, others' are taken")
  func unanswered() throws {
    let bound = BusRig.quick.unanswered
    var refusals = 0
    let calls = try (0..<bound + 10).map { _ in
      client.call(try waitMessage()) { if case .failure = $0 { refusals += 1 } }
    }
    try rig.wait("all calls") { server.thing.waiting.count == bound && refusals == 10 }
    let other = try rig.connect()
    #expect(try rig.ask(other, "Add", [.int32(1), .int32(1)]).get() == [.int32(2)])
    #expect(try error("Add", [.int32(1), .int32(1)]) == "LimitsExceeded")
    server.thing.waiting.removeAll()
    // The bus counts them until their answers have passed.
    var sum: [BusValue]?
    while sum == nil { sum = try? rig.ask(client, "Add", [.int32(1), .int32(1)]).get() }
    #expect(sum == [.int32(2)])
    withExtendedLifetime(calls) {}
  }

  @Test("waiting calls count for their sender, and for its user once that is known")
  func unansweredOfUsers() {
    let unanswered = BusUnanswered()
    for sender in [":1.1", ":1.1", ":1.2", ":1.3"] { unanswered.begin(sender) }
    #expect(unanswered.ofUser(of: ":1.1") == 2 && unanswered.ofUser(of: ":1.2") == 1)
    for (sender, user) in [(":1.1", 1000), (":1.2", 1000), (":1.3", 7)] as [(String, UInt32)] {
      unanswered.learn(sender, is: user)
    }
    #expect(unanswered.ofUser(of: ":1.1") == 3 && unanswered.ofUser(of: ":1.3") == 1)
    unanswered.begin(":1.2")
    unanswered.end(":1.1")
    #expect(unanswered.ofUser(of: ":1.2") == 3 && unanswered[":1.1"] == 1)
    unanswered.forget(":1.2")
    // Its calls end after it has gone.
    unanswered.end(":1.2")
    unanswered.end(":1.2")
    #expect(unanswered.ofUser(of: ":1.1") == 1 && unanswered[":1.2"] == 0)
    unanswered.learn(":1.9", is: 1000)
    #expect(unanswered.ofUser(of: ":1.9") == 1)
  }

  @Test("calls of all senders of one user that wait for an answer are bounded together")
  func unansweredPerUser() throws {
    var limits = BusRig.quick
    limits.unansweredPerUser = 10
    server.giveUpName()
    let bounded = try ThingServer(rig, limits: limits)
    let (connection, thing) = (bounded.connection, bounded.thing)
    var (peers, lookups, calls): ([BusPeer], [BusProcess], [BusCall]) = ([], [], [])
    var (known, refused) = (0, 0)
    let clients = try (0..<4).map { _ in try rig.connect() }
    for client in clients {
      let its = try #require(client.uniqueName)
      peers.append(try connection.awaitEnd(of: its) {})
      lookups.append(try connection.process(of: its) { _, _ in known += 1 })
    }
    try rig.wait("whose they are") { known == clients.count }
    for client in clients {
      for _ in 0..<4 {
        calls.append(client.call(try waitMessage()) { if case .failure = $0 { refused += 1 } })
      }
    }
    try rig.wait("all calls") { thing.waiting.count == 10 && refused == 6 }
    thing.waiting.removeAll()
    withExtendedLifetime((peers, lookups, calls)) {}
  }

  @Test("pings are answered, and the machine's number is told")
  func pings() throws {
    let peer = "org.freedesktop.DBus.Peer"
    #expect(try rig.ask(client, "Ping", of: peer, at: "/any").get() == [])
    let text = try String(contentsOfFile: "/etc/machine-id", encoding: .utf8)
    let told = try? rig.ask(client, "GetMachineId", of: peer).get().first?.asString
    #expect(told == nil || told == text.split(separator: "\n").first.map(String.init))
    #expect(try error("Pong", of: peer) == "UnknownMethod")
  }

  @Test("thousands of calls of nonsense end nothing, and all are answered")
  func fuzz() throws {
    var random = Random(state: 4)
    var answered = 0
    var waiting = 0
    var calls: [Int: BusCall] = [:]
    let nonsense = (0..<5000).map { _ -> (() throws -> BusMessage) in
      let path = random.pick(["/", "/thing", "/thing/x", "/org"])
      let interface = random.pick([
        Thing.interface, BusStandard.properties, BusStandard.introspectable, "a.b",
      ])
      let member = random.pick([
        "Add", "Echo", "Forget", "Fail", "Get", "GetAll", "Set", "Introspect", "X",
      ])
      let values = (0..<random.below(4)).map { _ in random.value(depth: 0) }
      return {
        try BusMessage(to: PrivateBus.name, path, interface, member) { body in
          for value in values { try? body.append(value) }
        }
      }
    }
    let count = isSoak ? 100_000 : 20_000
    for number in 0..<count {
      waiting += 1
      calls[number] = client.call(try nonsense[number % nonsense.count]()) { _ in
        calls[number] = nil
        answered += 1
        waiting -= 1
      }
      if waiting == 100 { try rig.wait("room") { waiting < 50 } }
    }
    try rig.wait("the rest") { answered == count }
    #expect(server.connection.unanswered[try #require(client.uniqueName)] == 0)
    #expect(try rig.ask(client, "Add", [.int32(1), .int32(1)]).get() == [.int32(2)])
  }
}

/// The same nonsense each time.
struct Random {
  var state: UInt64

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state >> 24
  }
  mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }
  mutating func pick(_ texts: [String]) -> String { texts[below(texts.count)] }

  mutating func value(depth: Int) -> BusValue {
    switch below(depth < 4 ? 17 : 12) {
    case 0: return .byte(UInt8(below(256)))
    case 1: return .bool(below(2) == 0)
    case 2: return .int16(Int16(truncatingIfNeeded: Int(next())))
    case 3: return .uint16(UInt16(below(65536)))
    case 4: return .int32(Int32(truncatingIfNeeded: Int(next())))
    case 5: return .uint32(UInt32(truncatingIfNeeded: Int(next())))
    case 6: return .int64(Int64(truncatingIfNeeded: Int(next())))
    case 7: return .double(Double(bitPattern: next() << 24))
    case 8: return .string(pick(["", Thing.interface, "Count", "Version", "é", "None"]))
    case 9: return .path(pick(["/", "/thing", "bad"]))
    case 10: return .signature(pick(["", "a{sv}", "((", "v"]))
    case 11: return .uint64(next())
    case 12: return .structure((0..<below(4)).map { _ in value(depth: depth + 1) })
    case 13:
      let first = value(depth: depth + 1)
      return .array(of: first.type, [first, first])
    case 14: return .dictionary([pick(["a", "b"]): value(depth: depth + 1)])
    case 15: return .array(of: pick(["y", "a{sv}", "x", "nonsense"]), [])
    default: return .variant(value(depth: depth + 1))
    }
  }
}
