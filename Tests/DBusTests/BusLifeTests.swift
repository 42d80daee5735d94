import Foundation
import LocationModel
import TestSupport
import Testing

@testable import DBus
@testable import Platform

@Suite("Bus life", .serialized) struct BusLifeTests {
  let rig: BusRig

  init() throws { rig = try BusRig() }

  @Test("a bus that ends and comes back finds names and objects again; peers and calls have ended")
  func restart() throws {
    let server = try ThingServer(rig)
    var events: [BusConnection.Event] = []
    let client = try rig.connect { events.append($0) }
    var gone = false
    let peer = try server.connection.awaitEnd(of: try #require(client.uniqueName)) { gone = true }
    var answer: BusCall.Answer?
    let message = try BusMessage(to: PrivateBus.name, "/thing", Thing.interface, "Wait")
    let call = client.call(message) { answer = $0 }
    try rig.wait("the call") { !server.thing.waiting.isEmpty }

    // The bus that comes back may tell what this one does not.
    client.flow.isTold = false
    rig.bus.kill()
    try rig.wait("the end") { events.count >= 2 && gone && answer != nil }
    #expect(client.uniqueName == nil)
    #expect(throws: BusError.self) { try answer?.get() }
    #expect(server.states.last == .lost)
    #expect(!client.send(try BusSignal("a.b", "C", []), to: try BusRecipient(nil, of: "/")))
    #expect(throws: BusError.self) { try rig.ask(client, "Fail").get() }

    try rig.bus.start()
    try rig.wait("the name") { server.states.last == .owned && client.uniqueName != nil }
    #expect(client.flow.isTold)
    #expect(try rig.ask(client, "Add", [.int32(2), .int32(2)]).get() == [.int32(4)])
    // An answer to a call of the bus that was goes nowhere.
    server.thing.waiting.removeFirst().answer([.string("too late")])
    #expect(try rig.ask(client, "Add", [.int32(2), .int32(2)]).get() == [.int32(4)])
    withExtendedLifetime((peer, call)) {}
  }

  @Test("a bus that is not there is tried again with growing pauses")
  func absent() throws {
    rig.bus.kill()
    var failures = 0
    let connection = try BusConnection(
      to: .address(rig.bus.address), limits: BusRig.quick, on: rig.loop
    ) { if case .down = $0 { failures += 1 } }
    let start = Clock.boottime
    try rig.wait("three tries") { failures >= 3 }
    #expect(Clock.boottime - start >= .milliseconds(15))
    try rig.bus.start()
    try rig.wait("the bus") { connection.uniqueName != nil }
  }

  @Test("who asks while the bus may be about to take us in is told once it has, or has not")
  func known() throws {
    // Then the bus is there.
    let other = try rig.connect()
    var told: [String] = []
    let connection = try BusConnection(
      to: .address(rig.bus.address), limits: BusRig.quick, on: rig.loop
    ) {
      switch $0 {
      case .up: told.append("up")
      case .down: told.append("down")
      }
    }
    connection.whenKnown { told.append("known") }
    #expect(told.isEmpty)
    try rig.wait("the bus") { told == ["up", "known"] }
    connection.whenKnown { told.append("at once") }
    #expect(told.last == "at once")
    rig.bus.kill()
    try rig.wait("the end") { told.last == "down" }
    connection.whenKnown { told.append("away") }
    try rig.wait("that it is away") { told.contains("away") }
    #expect(connection.uniqueName == nil)
    withExtendedLifetime(other) {}
  }

  @Test(
    "an address that would have us wait for others is refused",
    arguments: [
      "tcp:host=localhost,port=1", "unixexec:path=/bin/true", "autolaunch:", "nonsense",
    ])
  func addresses(text: String) throws {
    #expect(throws: BusError.self) { try BusAddress(of: .address(text)) }
  }

  @Test("a bus that stops reading never stops the loop for five milliseconds")
  func frozen() throws {
    var limits = BusRig.quick
    limits.replaceable = 1 << 16
    limits.unsent = 1 << 18
    limits.patience = 200
    let server = try ThingServer(rig, limits: limits)
    var events: [BusConnection.Event] = []
    let client = try BusConnection(to: .address(rig.bus.address), limits: limits, on: rig.loop) {
      events.append($0)
    }
    try rig.wait("the bus") { events.count == 1 }
    rig.bus.freeze()
    defer { rig.bus.thaw() }
    let signal = try BusSignal("org.locationd.Thing1", "Moved") { (body) throws(BusError) in
      try body.string(String(repeating: "x", count: 500))
    }
    let nobody = try BusRecipient(":1.1", of: "/")
    let listener = try BusListener(":1.1", of: "/", on: client) { Issue.record("overflowing") }
    var sent = 0
    var stalls = 0
    func work(_ work: () -> Void = {}, until isSo: () -> Bool) throws {
      let deadline = Clock.boottime + .seconds(patience)
      while !isSo() {
        try #require(Clock.boottime < deadline)
        let before = BlockedTime()
        work()
        try rig.loop.turn(within: .zero)
        if BlockedTime() - before > 5_000_000 { stalls += 1 }
        usleep(200)
      }
    }
    // Replaceable ones are left out and never end it.
    try work(
      {
        for _ in 0..<50 { listener.send(signal, kind: 0) }
        sent += 50
      }, until: { sent > 2000 })
    #expect(try #require(client.link).unsent < 1 << 17)
    #expect(client.uniqueName != nil)
    // Others end it, with the reason.
    try work(
      { for _ in 0..<50 { client.send(signal, to: nobody) } },
      until: { events.count > 1 })
    guard case .down(let why) = events[1] else {
      Issue.record("\(events)")
      return
    }
    #expect(why.name.hasSuffix("LimitsExceeded"))
    // More tries than the frozen bus has room for in its backlog.
    try work(until: { events.count > 8 })
    // The machine itself may hold a thread up now and then; a loop that waited would at each try.
    #expect(stalls <= 2)
    withExtendedLifetime(server) {}
  }

  @Test("a bus that is frozen while its backlog is full is not waited for")
  func fullBacklog() throws {
    rig.bus.freeze()
    defer { rig.bus.thaw() }
    var waiting: [Int32] = []
    defer { for number in waiting { close(number) } }
    let path = rig.bus.folder + "/bus"
    // The kernel says so when there is no more room.
    var isFull = false
    while !isFull && waiting.count < 10_000 {
      let number = try makeUnixSocket()
      waiting.append(number)
      isFull = try withAddress(of: path) { connect(number, $0, $1) } != 0
    }
    #expect(isFull)
    var failures = 0
    let connection = try BusConnection(
      to: .address(rig.bus.address), limits: BusRig.quick, on: rig.loop
    ) { if case .down = $0 { failures += 1 } }
    try rig.wait("two tries") { failures >= 2 }
    _ = connection
  }

  @Test("signals of a name's owner are heard through restarts, and nobody else's")
  func subscriptions() throws {
    let listener = try rig.connect()
    var owners: [String?] = []
    var heard: [BusMessage] = []
    let subscription = try listener.listen(
      to: PrivateBus.name, .init(interface: Thing.interface, path: "/thing", member: "Moved")
    ) {
      switch $0 {
      case .owner(let owner): owners.append(owner)
      case .signal(let signal): heard.append(signal)
      }
    }
    try rig.wait("nobody") { owners == [nil] }
    let server = try ThingServer(rig)
    let first = try #require(server.connection.uniqueName)
    try rig.wait("the owner") { owners == [nil, first] }
    let impostor = try rig.connect()
    let name = try #require(listener.uniqueName)
    try impostor.tell("/thing", "Moved", to: name)
    try server.connection.tell("/other", "Moved")
    try server.connection.tell("/thing", "Other", to: name)
    try server.connection.tell("/thing", "Moved")
    try rig.wait("the signal") { !heard.isEmpty }

    rig.bus.kill()
    try rig.wait("the end") { owners.count == 3 && listener.uniqueName == nil }
    #expect(owners[2] == nil)
    try rig.bus.start()
    try rig.wait("its owner again") {
      let owner = server.connection.uniqueName
      return owner != nil && owners.last == owner
    }
    try server.connection.tell("/thing", "Moved")
    try rig.wait("the signal again") { heard.count == 2 }
    #expect(heard.map(\.path) == ["/thing", "/thing"])
    withExtendedLifetime(subscription) {}
  }

  @Test("a subscription that another lets go of, told of the same, is told no more")
  func letsGoOfOther() throws {
    let listener = try rig.connect()
    let filter = BusSubscription.Filter(interface: Thing.interface, path: "/thing")
    var other: BusSubscription?
    var heard: [String] = []
    let first = try listener.listen(to: PrivateBus.name, filter) {
      other = nil
      heard.append($0.isSignal ? "signal" : "owner")
    }
    other = try listener.listen(to: PrivateBus.name, filter) { _ in heard.append("other") }
    try rig.wait("nobody") { heard == ["owner"] }
    other = try listener.listen(to: PrivateBus.name, filter) { _ in }
    let server = try ThingServer(rig)
    try rig.wait("the owner") { heard.count == 2 }
    other = try listener.listen(to: PrivateBus.name, filter) {
      if $0.isSignal { heard.append("other") }
    }
    try server.connection.tell("/thing", "Moved")
    try rig.wait("the signal") { heard.last == "signal" }
    #expect(!heard.contains("other") && other == nil)
    withExtendedLifetime(first) {}
  }

  @Test("all is let go of with the connection, calls under way too")
  func letsGo() throws {
    let server = try ThingServer(rig)
    weak var link: BusLink?
    var client: BusConnection? = try rig.connect()
    link = client?.link
    let message = try BusMessage(to: PrivateBus.name, "/thing", Thing.interface, "Wait")
    var call = client?.call(message) { _ in Issue.record("told all the same") }
    try rig.wait("the call") { !server.thing.waiting.isEmpty }
    withExtendedLifetime(client) { client = nil }
    #expect(link == nil)
    withExtendedLifetime(call) { call = nil }
  }
}

extension BusSubscription.Event {
  fileprivate var isSignal: Bool { if case .signal = self { true } else { false } }
}

extension BusConnection {
  /// A signal of a thing's, to one or to everyone.
  fileprivate func tell(_ path: String, _ member: String, to name: String? = nil) throws {
    send(try BusSignal(Thing.interface, member, []), to: try BusRecipient(name, of: path))
  }
}
