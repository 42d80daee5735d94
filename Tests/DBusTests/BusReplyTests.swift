import Glibc
import LocationModel
import Platform
import TestSupport
import Testing

@testable import DBus

@Suite("Answers that are not read", .serialized) struct BusReplyTests {
  let rig: BusRig
  let server: ThingServer
  let client: BusConnection

  init() throws {
    rig = try BusRig()
    server = try ThingServer(rig)
    client = try rig.connect()
  }

  private func waitMessage() throws -> BusMessage {
    try BusMessage(to: PrivateBus.name, "/thing", Thing.interface, "Wait")
  }

  @Test("a caller that does not read is answered no more until it reads; others are")
  func deaf() throws {
    let long = BusValue.variant(.string(String(repeating: "x", count: 25_000)))
    let deaf = try BusClientElsewhere(rig.bus.address)
    let before = rig.bus.residentMemory
    var answered = 0
    // The loop here serves, that of the deaf one stands still.
    for _ in 0..<500 {
      let message = try BusMessage(
        to: PrivateBus.name, "/thing", Thing.interface, "Echo", [long])
      deaf.keep(deaf.call(message) { answered += 1 })
      #expect(try rig.ask(client, "Add", [.int32(1), .int32(1)]).get() == [.int32(2)])
    }
    // All that was asked for has 12 MB.
    #expect(rig.bus.residentMemory - before < 6000)
    try rig.wait("its answers") {
      for _ in 0..<100 { _ = try? deaf.read() }
      return answered > 50
    }
  }

  @Test("a new caller gets its first answer though callers of unknown users do not read theirs")
  func firstAnswer() throws {
    let replies = server.connection.replies
    let link = try #require(server.connection.link)
    var answer: BusCall.Answer?
    let call = client.call(try waitMessage(), patience: Int32(patience * 1000)) { answer = $0 }
    try rig.wait("the call") { !server.thing.waiting.isEmpty }
    func send(_ length: Int, to name: String, times: Int = 1) throws {
      let bytes = try BusOutbox.answer(link.nextSerial(), to: 1, of: name, "s") {
        (body) throws(BusError) in
        try body.string(String(repeating: "x", count: length))
      }
      for _ in 0..<times { replies.send(bytes, .other, of: 1, to: name) }
    }
    // Past as many as are remembered, each new caller waits until the bus has said what it reads.
    for number in 0..<1100 { try send(1, to: ":9.\(number)") }
    try send(25_000, to: ":8.1", times: 6000)
    #expect(replies.bytes[nil, default: 0] > 5_000_000)
    server.thing.waiting.removeFirst().answer([.string("now")])
    try rig.wait("the answer") { answer != nil }
    #expect(try answer?.get().arguments() == [.string("now")])
    withExtendedLifetime(call) {}
  }

  @Test("the answers that a caller does not read count for its user")
  func ofUser() throws {
    let long = BusValue.variant(.string(String(repeating: "x", count: 25_000)))
    let deaf = try BusClientElsewhere(rig.bus.address)
    let replies = server.connection.replies
    var answered = 0
    for _ in 0..<40 {
      let message = try BusMessage(
        to: PrivateBus.name, "/thing", Thing.interface, "Echo", [long])
      deaf.keep(deaf.call(message) { answered += 1 })
      _ = try rig.ask(client, "Add", [.int32(1), .int32(1)])
    }
    try rig.wait("its user") { replies.bytes[getuid()] != nil && replies.bytes[nil] == nil }
    try rig.wait("its answers") {
      for _ in 0..<100 { _ = try? deaf.read() }
      return answered == 40 && replies.bytes.isEmpty
    }
  }

  @Test("a bus that stands still is not left for the answers of many, which wait until it goes on")
  func still() throws {
    var limits = BusRig.quick
    limits.patience = 1000
    let rig = try BusRig()
    let server = try ThingServer(rig, limits: limits)
    let callers = try (0..<40).map { _ in try BusClientElsewhere(rig.bus.address) }
    var answered = 0
    for caller in callers {
      for _ in 0..<5 { caller.keep(caller.call(try waitMessage()) { answered += 1 }) }
    }
    try rig.wait("all calls") { server.thing.waiting.count == 200 }
    let name = server.connection.uniqueName
    kill(rig.bus.pid, SIGSTOP)
    // More than may be unsent, and no caller's own share of it is too much.
    let long = BusValue.string(String(repeating: "x", count: 25_000))
    for call in server.thing.waiting.dropLast() { call.answer([long]) }
    // Longer than the bus has time to say what a peer has not read.
    let begun = Clock.boottime
    while Clock.boottime - begun < .milliseconds(1500) {
      try rig.loop.turn(within: .milliseconds(100))
    }
    server.thing.waiting.last?.answer([long])
    server.thing.waiting.removeAll()
    kill(rig.bus.pid, SIGCONT)
    try rig.wait("their answers") {
      for caller in callers { _ = try? caller.read() }
      return answered == 200
    }
    #expect(server.connection.uniqueName == name)
  }
}
