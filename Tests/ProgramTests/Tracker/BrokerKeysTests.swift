import Foundation
import LocationModel
import TestSupport
import Testing

/// The keys of an uplink that say what a broker keeps, and says, of a device.
@Suite("What a broker keeps", .timeLimit(.minutes(60))) struct BrokerKeysTests {
  @Test(
    "the newest place stays at the broker for those that come later, unless Retain=no",
    arguments: ["", "Retain=yes", "Retain=no"])
  func retain(key: String) throws {
    let broker = try RunningBroker()
    let board = try Board("van", broker, entries: 5, more: key)
    let witness = try Subscriber(broker)
    try witness.takeAll(of: broker, 1, within: patience)
    try board.start()
    try #require(
      eventually(within: patience) {
        witness.listen()
        return witness.numbers(of: "van").last == 5
      })
    #expect(witness.numbers(of: "van") == [1, 2, 3, 4, 5])
    // The broker sends what it has retained before what comes.
    let late = try Subscriber(broker, named: "late", hearsRetained: true)
    try late.takeAll(of: broker, 2, within: patience)
    #expect(late.numbers(of: "van") == (key == "Retain=no" ? [] : [5]))
  }

  @Test("a broker that forgets over a restart who shared a subscription throws nothing away")
  func shared() throws {
    let broker = try RunningBroker()
    var consumer: Subscriber? = try Subscriber(
      broker, "$share/fleet/owntracks/#", named: "consumer")
    let board = try Board("van", broker, entries: 100, more: "Retain=no\nRate=20/s")
    try board.start()
    var heard: Set<Int64> = []
    func listen() {
      consumer?.listen()
      heard.formUnion(consumer?.numbers(of: "van") ?? [])
    }
    try #require(
      eventually(within: patience) {
        listen()
        return heard.count >= 20
      })
    // mosquitto acknowledges before it writes.
    board.program.signal(SIGSTOP)
    try broker.rest(within: patience)
    listen()
    consumer = nil
    try broker.rest(within: patience)
    try broker.kill()
    try broker.startAgain()
    board.program.signal(SIGCONT)
    let socket = board.folder.appending(path: "t").path
    let status = [Program.path("locationctl"), "track", "status", "--socket", socket]
    #expect(
      try eventually(within: patience) {
        try Program(status).text().text.contains("nobody has subscribed")
      })
    consumer = try Subscriber(broker, "$share/fleet/owntracks/#", named: "consumer")
    #expect(
      eventually(within: patience) {
        listen()
        return heard.count >= 100
      }, "\(Set(1...100).subtracting(heard).sorted()) are gone")
  }

  @Test("the broker tells that a killed tracker has gone, unless Will=no")
  func will() throws {
    let broker = try RunningBroker()
    let subscriber = try Subscriber(broker)
    try subscriber.takeAll(of: broker, 1, within: patience)
    let keys = [("silent", "Will=no"), ("usual", ""), ("telling", "Will=yes")]
    let boards = try keys.map { try Board($0.0, broker, entries: 1, more: $0.1) }
    for board in boards { try board.start() }
    try #require(
      eventually(within: patience) {
        subscriber.listen()
        return keys.allSatisfy { subscriber.numbers(of: $0.0) == [1] }
      })
    func gone() -> [String] {
      subscriber.listen()
      return subscriber.messages.filter { $0.json["_type"]?.string == "lwt" }.map(\.topic)
    }
    // A board that was ended while it connected may have gone without a word before.
    let before = gone().count
    // The silent goes first: whoever hears of the others would have heard of it.
    for board in boards { try board.kill() }
    let expected = ["owntracks/fleet/telling", "owntracks/fleet/usual"]
    #expect(eventually(within: patience) { gone().count >= before + expected.count })
    try subscriber.takeAll(of: broker, 2, within: patience)
    #expect(gone().dropFirst(before).sorted() == expected)
  }

  @Test("of several servers the next is sent the track where one is away")
  func several() throws {
    let (away, there) = (try RunningBroker(), try RunningBroker())
    let subscriber = try Subscriber(there)
    try subscriber.takeAll(of: there, 1, within: patience)
    let board = try Board(
      "van", away, entries: 20, more: "URL=mqtt://127.0.0.1:\(there.port)/owntracks/fleet/van")
    try away.kill()
    try board.start()
    #expect(
      eventually(within: patience) {
        subscriber.listen()
        return subscriber.numbers(of: "van") == Array(1...20)
      })
  }

  @Test("the longest message and the quota that a broker of MQTT 5 names are kept to")
  func limits() throws {
    let broker = try RunningBroker(
      "allow_anonymous true\nmax_packet_size 2000\nmax_inflight_messages 1\n")
    for (name, format) in [("van", ""), ("truck", "?format=json")] {
      let subscriber = try Subscriber(broker, named: name)
      try subscriber.takeAll(of: broker, 1, within: patience)
      let board = try Board(
        "\(name)\(format)", broker, entries: 100, more: "Batch=50\nRetain=no")
      try board.start()
      func numbers() -> [Int64] {
        subscriber.listen()
        guard !format.isEmpty else { return subscriber.numbers(of: name) }
        return subscriber.messages.filter { $0.topic.hasSuffix("/\(name)") }
          .flatMap { $0.json["entries"]?.array ?? [] }.compactMap { $0["number"]?.integer }
      }
      #expect(eventually(within: patience) { numbers().count >= 100 }, "\(name)")
      #expect(numbers() == Array(1...100))
      // A broker ends the connection of one that does not keep to them, and tells the will.
      #expect(!subscriber.messages.contains { $0.json["_type"]?.string == "lwt" })
    }
  }

  @Test("a broker keeps a heartbeat until the next is due, and a place for ever")
  func expiry() throws {
    let broker = try RunningBroker()
    let subscriber = try Program(
      ["mosquitto_sub", "-V", "5"] + broker.client + ["-t", "owntracks/#", "-F", "%E %p"])
    let tracker = try RunningTracker(
      try RunningDaemon(), TrackerTests.uplink(broker) + "Heartbeat=10\n")
    var lines: [String] = []
    #expect(
      eventually(within: patience) {
        while let line = subscriber.waitingLine() {
          if line.contains("\"location\"") { lines.append(line) }
        }
        return lines.count >= 2
      })
    #expect(lines.first?.hasPrefix(" {") == true, "\(lines)")
    #expect(lines.last.map { $0.hasPrefix("10 {") || $0.hasPrefix("9 {") } == true, "\(lines)")
    withExtendedLifetime(tracker) {}
  }

  /// A tracker without places that has followed a command of `broker`.
  private func commanded(
    _ broker: RunningBroker, version: String = "", _ more: String = ""
  ) throws -> RunningTracker {
    let tracker = try RunningTracker(
      try RunningDaemon([]),
      """
      [Uplink broker]
      URL=mqtt://127.0.0.1:\(broker.port)/owntracks/ann/van\(version)
      Commands=yes
      \(more)

      """)
    try tracker.waitUntilItIsConnected()
    try command("first", broker)
    try wait(for: "first", tracker)
    return tracker
  }

  private func command(_ id: String, _ broker: RunningBroker) throws {
    try Commander(broker: broker).set([Commander.waypoint(id, id)])
  }

  private func wait(for id: String, _ tracker: RunningTracker) throws {
    try #require(
      try eventually(within: patience) { try WaypointTests.set(by: tracker).contains(id) })
  }

  /// The first packet of a client, by a listener that is no broker.
  private func greeting(_ keys: String) throws -> [UInt8] {
    let script = """
      import socket
      listener = socket.create_server(("127.0.0.1", 0))
      print(listener.getsockname()[1], flush=True)
      print(listener.accept()[0].recv(4096).hex(), flush=True)
      """
    let listener = try Program(["setpriv", "--pdeathsig", "KILL", "python3", "-c", script])
    let port = try listener.line()
    let tracker = try RunningTracker(
      try RunningDaemon([]),
      "[Uplink broker]\nURL=mqtt://127.0.0.1:\(port)/owntracks/ann/van\n\(keys)")
    defer { withExtendedLifetime(tracker) {} }
    let text = try listener.line()
    return stride(from: 0, to: text.utf8.count - 1, by: 2).compactMap { i in
      let start = text.index(text.startIndex, offsetBy: i)
      return UInt8(text[start..<text.index(start, offsetBy: 2)], radix: 16)
    }
  }

  @Test("the greeting has ClientID= and Session= as they are, on the wire")
  func onTheWire() throws {
    func has(_ packet: [UInt8], _ part: [UInt8]) -> Bool {
      packet.indices.contains { packet[$0...].starts(with: part) }
    }
    func session(_ seconds: Int) -> [UInt8] {
      [0x11] + (0..<4).reversed().map { UInt8(truncatingIfNeeded: seconds >> ($0 * 8)) }
    }
    let named = try greeting("ClientID=board-7\nCommands=yes\nSession=2h\n")
    // CONNECT of MQTT 5, which keeps what there was.
    #expect(named.first == 0x10 && has(named, Array("MQTT".utf8) + [5]))
    #expect(has(named, [0, 7] + Array("board-7".utf8)) && has(named, session(7200)))
    let flags = try #require(named.firstIndex(of: UInt8(ascii: "M"))) + 5
    #expect(named[flags] & 2 == 0)
    #expect(has(try greeting("Commands=yes\n"), session(7 * 86_400)))
    let plain = try greeting("")
    #expect(has(plain, Array("locationd-owntracks-ann-van-".utf8)))
    let clean = try #require(plain.firstIndex(of: UInt8(ascii: "M"))) + 5
    #expect(plain[clean] & 2 == 2 && !has(plain, session(7 * 86_400)))
  }

  @Test(
    "commands wait at the broker while the tracker is away", arguments: ["", "?version=3.1.1"])
  func session(version: String) throws {
    let broker = try RunningBroker()
    let tracker = try commanded(broker, version: version)
    try tracker.kill()
    try command("waiting", broker)
    try tracker.startAgain()
    try wait(for: "waiting", tracker)
  }

  @Test(
    "commands wait no longer than Session= says",
    .enabled(if: isSoak, "the shortest session is a minute: make soak waits for it"))
  func endOfSession() throws {
    let broker = try RunningBroker("allow_anonymous true\nsys_interval 1\n")
    let subscriber = try Subscriber(broker)
    let counter = try Subscriber(broker, "$SYS/broker/clients/expired", named: "counter")
    try subscriber.takeAll(of: broker, 1, within: patience)
    // The shortest that there is.
    let tracker = try commanded(broker, "Session=1min")
    try tracker.kill()
    try command("late", broker)
    try #require(
      eventually(within: patience) {
        counter.listen()
        return counter.messages.last?.json == .integer(1)
      })
    try tracker.startAgain()
    try tracker.waitUntilItIsConnected()
    // What had waited would come before it.
    try command("new", broker)
    try wait(for: "new", tracker)
    #expect(try !WaypointTests.set(by: tracker).contains("late"))
  }
}
