import Foundation
import LocationModel
import Platform
import TestSupport
import Testing

@testable import DBus

@Suite("Bus peers", .serialized) struct BusPeerTests {
  let rig: BusRig
  let server: ThingServer

  init() throws {
    rig = try BusRig()
    server = try ThingServer(rig)
  }

  @Test("one body goes to many, each alone hearing its own, with its own path")
  func unicast() throws {
    var heard: [[BusMessage]] = Array(repeating: [], count: 20)
    var clients: [BusConnection] = []
    for number in heard.indices {
      let client = try rig.connect()
      client.signals = { heard[number].append($0) }
      clients.append(client)
    }
    for event in 0..<10 as Range<UInt64> {
      let signal = try BusSignal("org.locationd.Thing1", "Moved") { (body) throws(BusError) in
        try body.dictionary { (location) throws(BusError) in
          try location.set("latitude", 55.07)
          try location.set("source", "nmea")
          try location.set("simulated", false)
          try location.set("time", Int64(1))
          try location.set("floor", .int32(3))
        }
        try body.uint64(event)
      }
      for (number, client) in clients.enumerated() where number != 7 {
        let name = try #require(client.uniqueName)
        #expect(
          try server.connection.send(signal, to: BusRecipient(name, of: "/thing/\(number)")))
      }
    }
    try rig.wait("the signals") { heard.filter { $0.count == 10 }.count == 19 }
    #expect(heard[7].isEmpty)
    #expect(heard[3].allSatisfy { $0.path == "/thing/3" })
    let last = try heard[3][9].arguments()
    #expect(
      last[0].asDictionary == [
        "latitude": .double(55.07), "source": .string("nmea"), "simulated": .bool(false),
        "time": .int64(1), "floor": .int32(3),
      ])
    #expect(last[1] == .uint64(9))
  }

  @Test("the bus is given what is for many while the rest is still being made")
  func gathering() throws {
    let client = try rig.connect()
    var heard = 0
    client.signals = { _ in heard += 1 }
    let name = try #require(client.uniqueName)
    let recipient = try BusRecipient(name, of: "/thing")
    let signal = try BusSignal("org.locationd.Thing1", "Moved") { (body) throws(BusError) in
      try body.string(String(repeating: "x", count: 100))
    }
    server.connection.gather {
      for _ in 0..<50 { server.connection.send(signal, to: recipient) }
      #expect(server.connection.link.map { $0.untold < 2048 } == true)
    }
    #expect(server.connection.link?.untold == 0)
    try rig.wait("the signals") { heard == 50 }
  }

  @Test("one who does not read is kept the newest, costs the bus little, and catches up")
  func slowListener() throws {
    let slow = try BusClientElsewhere(rig.bus.address)
    let listener = try BusListener(slow.name, of: "/thing", on: server.connection) {
      Issue.record("overflowing")
    }
    let before = rig.bus.residentMemory
    func send(_ number: UInt64) throws {
      let signal = try BusSignal("org.locationd.Thing1", "Moved") { (body) throws(BusError) in
        try body.string(String(repeating: "x", count: 500))
        try body.uint64(number)
      }
      listener.send(signal, kind: 0)
      try rig.loop.turn(within: .zero)
    }
    let count: UInt64 = 20_000
    for number in 1...count { try send(number) }
    // Kilobytes; all of it would be twelve thousand.
    #expect(rig.bus.residentMemory - before < 2000)
    var last: UInt64 = 0
    var heard = 0
    try rig.wait("the newest") {
      for message in (try? slow.read()) ?? [] {
        heard += 1
        last = message.last?.asUInt64 ?? 0
      }
      return last == count
    }
    #expect(heard < count / 4)
    withExtendedLifetime(listener) {}
  }

  @Test("one who does not read is asked about ten times a second, not at each turn of the loop")
  func questionsAboutDeaf() throws {
    let deaf = try BusClientElsewhere(rig.bus.address)
    let listener = try BusListener(deaf.name, of: "/thing", on: server.connection) {
      Issue.record("overflowing")
    }
    let signal = try BusSignal("org.locationd.Thing1", "Moved") { (body) throws(BusError) in
      try body.string(String(repeating: "x", count: 500))
    }
    try rig.wait("it to be behind") {
      listener.send(signal, kind: 0)
      return listener.isHolding(0)
    }
    let begun = Clock.boottime
    var elapsed: Duration { Clock.boottime - begun }
    var turns = 0
    while elapsed < .seconds(1) {
      try rig.loop.turn(within: .milliseconds(100))
      turns += 1
    }
    // A question and its answer are a few turns.
    #expect(Double(turns) < 20 + 80 * elapsed.seconds)
    #expect(listener.isHolding(0))
    withExtendedLifetime(deaf) {}
  }

  @Test("a bus that is late to say what a listener has not read is asked again")
  func lateBus() throws {
    var limits = BusRig.quick
    limits.patience = 200
    let rig = try BusRig()
    let server = try ThingServer(rig, limits: limits)
    let client = try rig.connect()
    let listener = try BusListener(
      try #require(client.uniqueName), of: "/thing", on: server.connection
    ) {
      Issue.record("overflowing")
    }
    let signal = try BusSignal("org.locationd.Thing1", "Moved") { (body) throws(BusError) in
      try body.string(String(repeating: "x", count: 500))
    }
    rig.bus.freeze()
    defer { rig.bus.thaw() }
    for _ in 0..<300 { listener.send(signal, kind: 0) }
    #expect(!listener.isHolding(0))
    try rig.wait("the question to be late") {
      listener.send(signal, kind: 0)
      return listener.isHolding(0)
    }
    #expect(!server.connection.isFull)
    rig.bus.thaw()
    try rig.wait("what was held") { !listener.isHolding(0) }
    #expect(server.connection.flow.isTold)
  }

  @Test("the bus is not asked any more only where it says that it does not tell")
  func untold() {
    for name in ["UnknownMethod", "UnknownInterface", "AccessDenied", "InvalidArgs"] {
      #expect(BusUnread(BusError("org.freedesktop.DBus.Error." + name, "")) == .untold)
    }
    for error in [BusError.disconnected(""), .limitsExceeded(""), .noMemory] {
      #expect(BusUnread(error) == .later)
    }
    #expect(BusUnread(BusError("org.freedesktop.DBus.Error.NameHasNoOwner", "")) == .nobody)
  }

  @Test("a name that is given back goes to the next, who is told")
  func names() throws {
    let next = try rig.connect()
    var states: [BusName.State] = []
    let name = try next.own(PrivateBus.name) { states.append($0) }
    try rig.wait("its turn to be refused") { !states.isEmpty }
    #expect(states == [.waiting])
    server.giveUpName()
    try rig.wait("the name") { states.count == 2 }
    #expect(states == [.waiting, .owned])
    _ = name
  }

  @Test("a name that the bus does not let us have is refused")
  func refusedName() throws {
    var states: [BusName.State] = []
    let name = try server.connection.own("org.locationd.Forbidden") { states.append($0) }
    try rig.wait("an answer") { !states.isEmpty }
    guard case .refused(let error) = states[0] else {
      Issue.record("\(states)")
      return
    }
    #expect(error.name.hasSuffix("AccessDenied"))
    #expect(throws: BusError.self) { try server.connection.own("none") { _ in } }
    _ = name
  }

  @Test("a peer's going is told once, to each who asked and still wants to know")
  func peers() throws {
    var client: BusConnection? = try rig.connect()
    let name = try #require(client?.uniqueName)
    let stays = try #require(try rig.connect().uniqueName)
    var gone: [String] = []
    let first = try server.connection.awaitEnd(of: name) { gone.append("first") }
    var second: BusPeer? = try server.connection.awaitEnd(of: name) { gone.append("second") }
    let third = try server.connection.awaitEnd(of: name) { gone.append("third") }
    withExtendedLifetime(second) { second = nil }
    client = nil
    try rig.wait("both") { gone.count == 2 }
    #expect(gone == ["first", "third"])
    // One that is gone already; the connection `stays` was let go of at once.
    let late = try server.connection.awaitEnd(of: stays) { gone.append("late") }
    try rig.wait("the late one") { gone.count == 3 }
    withExtendedLifetime((client, first, third, late)) {}
    #expect(throws: BusError.self) { try server.connection.awaitEnd(of: "a.b") {} }
  }

  @Test("more peers than a bus takes rules for are all heard of")
  func manyPeers() throws {
    let count = BusPeers.mostRules + 44
    var gone: Set<Int> = []
    var clients: [Int: BusConnection] = [:]
    var watches: [BusPeer] = []
    for number in 0..<count {
      clients[number] = try rig.connect()
      let name = try #require(clients[number]?.uniqueName)
      watches.append(try server.connection.awaitEnd(of: name) { gone.insert(number) })
    }
    clients[3] = nil
    clients[count - 1] = nil
    try rig.wait("two") { gone.count == 2 }
    #expect(gone == [3, count - 1])
    clients = [:]
    try rig.wait("all") { gone.count == count }
    withExtendedLifetime(watches) {}
  }
}
