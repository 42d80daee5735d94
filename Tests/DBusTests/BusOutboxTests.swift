import Glibc
import Platform
import TestSupport
import Testing

@testable import DBus

@Suite("What is on its way to the bus")
struct BusOutboxTests {
  @Test("what a slow bus has not taken yet is taken back, and others' stays")
  func purge() throws {
    let rig = try BusRig()
    let server = try rig.connect()
    var heard: [[UInt64]] = [[], []]
    var clients: [BusConnection] = []
    var listeners: [BusListener] = []
    for number in 0...1 {
      let client = try rig.connect()
      client.signals = {
        if let event = try? $0.arguments().last?.asUInt64 { heard[number].append(event) }
      }
      clients.append(client)
      listeners.append(
        try BusListener(try #require(client.uniqueName), of: "/thing", on: server) {})
    }
    func tell(_ number: Int, _ event: UInt64) throws {
      listeners[number].send(
        try BusSignal("org.locationd.Thing1", "Moved") { (body) throws(BusError) in
          try body.string(String(repeating: "x", count: 1000))
          try body.uint64(event)
        })
    }
    rig.bus.freeze()
    var count: UInt64 = 0
    while server.link?.unsent == 0 {
      count += 1
      try #require(count < 10_000)
      try tell(0, count)
    }
    try tell(1, 7)
    listeners[0].purge()
    try tell(0, 0)
    rig.bus.thaw()
    try rig.wait("what came after") { heard[0].last == 0 && heard[1] == [7] }
    // The one that the bus did not take is missing.
    #expect(heard[0] == Array(1..<count) + [0])
    withExtendedLifetime(clients) {}
  }

  @Test("a bus that goes on after all was taken back is not written to again and again")
  func rests() throws {
    let rig = try BusRig()
    let server = try rig.connect()
    let client = try rig.connect()
    let listener = try BusListener(try #require(client.uniqueName), of: "/thing", on: server) {}
    rig.bus.freeze()
    while server.link?.unsent == 0 {
      listener.send(try BusSignal("a.b", "C", [.string(String(repeating: "x", count: 1000))]))
    }
    #expect(server.link?.hook?.isToldOfRoom == true)
    listener.purge()
    rig.bus.thaw()
    try rig.wait("its rest") { server.link?.hook?.isToldOfRoom == false }
  }

  @Test("signals longer than the kernel takes at once arrive whole, and the link stays")
  func longSignals() throws {
    let rig = try BusRig()
    let server = try rig.connect()
    let client = try rig.connect()
    var heard: [BusValue] = []
    client.signals = { heard += (try? $0.arguments()) ?? [] }
    let listener = try BusListener(try #require(client.uniqueName), of: "/thing", on: server) {}
    let name = server.uniqueName
    let texts = (0..<6).map { BusValue.string(String(repeating: "\($0)", count: 60_000)) }
    // More than the kernel holds for the bus.
    rig.bus.freeze()
    for text in texts { listener.send(try BusSignal("a.b", "C", [text])) }
    rig.bus.thaw()
    try rig.wait("all signals") { heard.count == texts.count }
    #expect(heard == texts)
    #expect(server.uniqueName == name)
  }

  /// Answers its property once it is told to.
  private final class Slow {
    var waiting: [(BusValue) -> Void] = []
    static let table = BusInterface(
      "org.locationd.Slow1",
      properties: [
        BusProperty("Text", "s") { (slow: Slow, _, tell) in slow.waiting.append(tell) }
      ])
  }

  @Test("of long answers that a bus has not taken, a purge leaves the one under way at most")
  func longAnswers() throws {
    let rig = try BusRig()
    let server = try ThingServer(rig)
    let slow = Slow()
    let object = BusObject("/slow", target: slow, [Slow.table])
    try server.connection.export(object)
    let clients = try (0..<8).map { _ in try rig.connect() }
    var (answered, refused) = (0, 0)
    var calls: [BusCall] = []
    for client in clients + clients {
      calls.append(
        client.call(
          try BusMessage(
            to: PrivateBus.name, "/slow", BusStandard.properties, "GetAll",
            [.string("org.locationd.Slow1")])
        ) { if case .success = $0 { answered += 1 } else { refused += 1 } })
    }
    try rig.wait("all calls") { slow.waiting.count == calls.count }
    rig.bus.freeze()
    let length = 60_000
    for tell in slow.waiting { tell(.string(String(repeating: "x", count: length))) }
    let link = try #require(server.connection.link)
    let taken = calls.count - link.unsent / length
    // A socket of the kernel's holds 208 KiB.
    #expect((1...4).contains(taken))
    for client in clients {
      let name = try #require(client.uniqueName)
      server.connection.purge(try BusRecipient(name, of: "/slow"), owner: name)
    }
    #expect(link.unsent < length + 10_000)
    rig.bus.thaw()
    try rig.wait("all answers") { answered + refused == calls.count }
    #expect(answered <= taken + 1)
    withExtendedLifetime((object, calls)) {}
  }

  @Test("an answer of another type than was promised is not made")
  func promised() {
    #expect(throws: BusError.failed("an answer of u, not s")) {
      try BusOutbox.answer(1, to: 2, of: ":1.1", "s") { (body) throws(BusError) in
        try body.uint32(7)
      }
    }
  }

  @Test("an answer that has values of properties is taken back as a refusal, for its asker alone")
  func properties() throws {
    var outbox = BusOutbox()
    for (asker, serial) in [(":1.1", 5), (":1.2", 6)] as [(String, UInt32)] {
      let answer = try BusOutbox.answer(outbox.nextSerial(), to: serial, of: asker, "a{sv}") {
        (body) throws(BusError) in
        try body.append(.dictionary(["Location": .double(48.5)]))
      }
      outbox.add(answer, .properties(of: asker, serial: serial))
    }
    outbox.purge(try BusRecipient(":1.1", of: "/thing"), owner: ":1.1")
    var ends: [Int32] = [0, 0]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    defer { for end in ends { close(end) } }
    guard case .all = outbox.flush(into: ends[0]) else {
      Issue.record("not sent")
      return
    }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = read(ends[1], &bytes, bytes.count)
    var rest = bytes[..<count]
    var messages: [BusMessage] = []
    while !rest.isEmpty {
      func number(_ place: Int) -> Int {
        rest.dropFirst(place).prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
      }
      let length = 16 + (number(12) + 7) / 8 * 8 + number(4)
      messages.append(try BusMessage(Array(rest.prefix(length))))
      rest = rest.dropFirst(length)
    }
    #expect(messages.map(\.kind) == [.error, .reply])
    #expect(try messages[1].arguments() == [.dictionary(["Location": .double(48.5)])])
  }

  @Test("what is answered and asked at once arrives, whoever of us writes it, of any length")
  func together() throws {
    let rig = try BusRig()
    let server = try ThingServer(rig)
    let client = try rig.connect()
    var answers = 0
    var calls: [BusCall] = []
    for length in stride(from: 0, to: 60_000, by: 997) {
      let text = BusValue.string(String(repeating: "é", count: length))
      calls.append(
        client.call(
          try BusMessage(
            to: PrivateBus.name, "/thing", Thing.interface, "Echo", [.variant(text)])
        ) {
          if (try? $0.get().arguments()) == [.variant(text)] { answers += 1 }
        })
    }
    try rig.wait("all answers") { answers == calls.count }
    withExtendedLifetime(server) {}
  }

  /// A message as `dbus-monitor --profile` writes it.
  private struct Seen {
    var member: Substring
    var serial: UInt32

    init?(_ line: String, from sender: String) {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
      guard fields.count >= 8, ["sig", "mc"].contains(fields[0]), let member = fields.last,
        ["Moved", "Echo"].contains(member), fields.contains(where: { $0 == sender }),
        let serial = fields.dropFirst().lazy.compactMap({ UInt32($0) }).first
      else { return nil }
      (self.member, self.serial) = (member, serial)
    }
  }

  @Test(
    "while both of us write, a monitor sees each message whole and once, each writer's in order")
  func monitored() throws {
    let rig = try BusRig()
    let server = try ThingServer(rig)
    let both = try rig.connect()
    let client = try rig.connect()
    let monitor = try Child(
      ["dbus-monitor", "--address", rig.bus.address, "--profile"], output: .pipe)
    // It speaks first of itself, once it sees all.
    while try !monitor.line().contains("NameLost") {}

    let listener = try BusListener(try #require(client.uniqueName), of: "/thing", on: both) {}
    var answers = 0
    var calls: [BusCall] = []
    for number in 0..<150 {
      // Calls past 32 KiB, too, and signals alone and in crowds.
      let text = BusValue.string(String(repeating: "x", count: number * 331))
      calls.append(
        both.call(
          try BusMessage(
            to: PrivateBus.name, "/thing", Thing.interface, "Echo", [.variant(text)])
        ) {
          if (try? $0.get().arguments()) == [.variant(text)] { answers += 1 }
        })
      for part in 0...number % 3 {
        listener.send(
          try BusSignal("org.locationd.Thing1", "Moved") { (body) throws(BusError) in
            try body.uint64(UInt64(number * 3 + part))
          })
      }
      if number % 4 == 0 { try rig.loop.turn(within: .zero) }
    }
    try rig.wait("all answers") { answers == calls.count }

    let name = try #require(both.uniqueName)
    var seen: [Seen] = []
    while seen.count < 150 + 300 {
      if let message = Seen(try monitor.line(), from: name) { seen.append(message) }
    }
    let signals = seen.filter { $0.member == "Moved" }.map(\.serial)
    let echoes = seen.filter { $0.member == "Echo" }.map(\.serial)
    #expect(signals.count == 300 && echoes.count == 150)
    #expect(zip(signals, signals.dropFirst()).allSatisfy { $0 < $1 })
    #expect(zip(echoes, echoes.dropFirst()).allSatisfy { $0 < $1 })
    #expect(zip(seen, seen.dropFirst()).count { $0.member != $1.member } > 20)
    withExtendedLifetime(server) {}
  }
}
