import Foundation
import Glibc
import LocationModel
import TestSupport
import Testing

@Suite("Uplinks to web servers", .timeLimit(.minutes(60))) struct UplinkTests {
  private static func tracker(_ scheme: String, _ server: BadServer, _ more: String = "") throws
    -> RunningTracker
  {
    try RunningTracker(
      try TrackerTests.driving(rate: 40),
      """
      [Record]
      Distance=10
      [Uplink server]
      URL=\(scheme)://127.0.0.1:\(server.port)/in
      DeviceID=van 1
      \(more)

      """)
  }

  /// Lets it send all of some forty entries, and gives their dates and what the server took.
  private func sent(_ tracker: RunningTracker, _ server: BadServer) throws -> [String] {
    try #require(try eventually(within: patience) { try tracker.entries().count >= 40 })
    tracker.daemon.program.signal(SIGSTOP)
    try #require(
      try eventually(within: patience * 2) {
        server.listen()
        return try tracker.backlog() == 0
      })
    server.listen()
    return try tracker.entries().compactMap { $0["timestamp"]?.string }
  }

  private static let faults = ["500", "reset", "429", "slow", "lost"]

  @Test("OwnTracks by HTTP: each entry arrives from a server that fails, and few twice")
  func ownTracks() throws {
    let server = try BadServer(Self.faults)
    let tracker = try Self.tracker("owntracks+http", server)
    let dates = try sent(tracker, server)
    #expect(try tracker.ask("status")["uplinks"]?.array?.first?["trouble"] == nil)
    let heard = server.requests.compactMap { $0["body"]?["tst"]?.integer }
    let expected = dates.compactMap { Timestamp(iso8601: $0)?.microseconds }.map { $0 / 1_000_000 }
    #expect(Set(heard) == Set(expected))
    let lost = server.requests.count { $0["lost"]?.bool == true }
    #expect(heard.count == expected.count + lost)
    #expect(server.requests.allSatisfy { $0["device"]?.string == "van%201" })
  }

  @Test(
    "an entry that a server takes comes once, also where its answer is long or cut short",
    arguments: ["long", "cut"])
  func answers(fault: String) throws {
    let server = try BadServer([fault])
    let tracker = try Self.tracker("owntracks+http", server)
    let dates = try sent(tracker, server)
    #expect(server.requests.count == dates.count)
    #expect(try tracker.ask("status")["uplinks"]?.array?.first?["trouble"] == nil)
  }

  @Test("Traccar's protocol, as a query and as JSON", arguments: ["", "?format=json"])
  func osmAnd(format: String) throws {
    let server = try BadServer(Self.faults)
    let tracker = try RunningTracker(
      try TrackerTests.driving(rate: 40),
      """
      [Record]
      Distance=10
      [Uplink server]
      URL=osmand+http://127.0.0.1:\(server.port)/\(format)
      DeviceID=van 1

      """)
    let dates = try sent(tracker, server).map { date in
      // A query has milliseconds.
      format.isEmpty
        ? Timestamp(iso8601: date).map { "\($0.microseconds / 1000)" } ?? date : date
    }
    let heard = server.requests.compactMap { request -> String? in
      if let body = request["body"], body != .null {
        #expect(body["device_id"]?.string == "van 1")
        #expect(body["location"]?["coords"]?.members?.count == 6)
        return body["location"]?["timestamp"]?.string
      }
      let query = request["path"]?.string?.split(separator: "?").last ?? ""
      #expect(query.hasPrefix("id=van%201&lat=45") && query.contains("&speed=38.88"))
      return query.split(separator: "&").first { $0.hasPrefix("timestamp=") }
        .map { String($0.dropFirst(10)) }
    }
    #expect(Set(heard) == Set(dates))
  }

  @Test("batches carry a key that is the same when they come again, also after kill -9")
  func batches() throws {
    let server = try BadServer(Self.faults)
    let tracker = try Self.tracker("http", server, "Batch=7")
    try #require(
      eventually(within: patience) {
        server.listen()
        return server.requests.count >= 3
      })
    try tracker.kill()
    try tracker.startAgain()
    let dates = try sent(tracker, server)
    var known: [String: JSON] = [:]
    for request in server.requests {
      let key = try #require(request["key"]?.string)
      let entries = try #require(request["body"]?["entries"])
      if let before = known[key] { #expect(before == entries) }
      known[key] = entries
    }
    let heard = known.values.flatMap { $0.array ?? [] }.compactMap { $0["timestamp"]?.string }
    #expect(heard.count == dates.count && Set(heard) == Set(dates))
    // The batch under way at the kill comes once more, and each that was lost on the way.
    let lost = server.requests.count { $0["lost"]?.bool == true }
    #expect(server.requests.count - known.count <= lost + 1, "\(server.requests.count)")
  }

  @Test("Overland's batches, with a token: each entry arrives")
  func overland() throws {
    let server = try BadServer(Self.faults)
    let daemon = try TrackerTests.driving(rate: 40)
    try daemon.write("secret-7\n", to: "token")
    let tracker = try RunningTracker(
      daemon,
      """
      [Record]
      Distance=10
      [Uplink server]
      URL=overland+http://127.0.0.1:1/in
      URL=overland+http://127.0.0.1:\(server.port)/in
      Token=@{folder}/token
      DeviceID=van 1
      Batch=7

      """)
    let dates = try sent(tracker, server)
    #expect(server.requests.allSatisfy { $0["authorization"]?.string == "Bearer secret-7" })
    let points = server.requests.flatMap { $0["body"]?["locations"]?.array ?? [] }
    let heard = points.compactMap { $0["properties"]?["timestamp"]?.string }
    #expect(Set(heard) == Set(dates))
    let ids = Set(points.compactMap { $0["properties"]?["unique_id"]?.string })
    #expect(ids.count == dates.count)
  }

  @Test("our own batches by MQTT: each entry arrives, with the track's name, also after kill -9")
  func batchesByMQTT() throws {
    let broker = try RunningBroker()
    let subscriber = try Subscriber(broker, "fleet/#")
    let tracker = try RunningTracker(
      try TrackerTests.driving(rate: 40),
      "[Record]\nDistance=10\n[Uplink broker]\n"
        + "URL=mqtt://127.0.0.1:\(broker.port)/fleet/van?format=json\n")
    try #require(try eventually(within: patience) { try tracker.entries().count >= 20 })
    try tracker.kill()
    try broker.kill()
    try broker.startAgain()
    try tracker.startAgain()
    try #require(try eventually(within: patience) { try tracker.entries().count >= 60 })
    tracker.daemon.program.signal(SIGSTOP)
    try #require(try eventually(within: patience * 2) { try tracker.backlog() == 0 })
    let numbers = Set(try tracker.entries().compactMap { $0["number"]?.integer })
    #expect(
      eventually(within: patience) {
        subscriber.listen()
        let heard = subscriber.messages.flatMap { $0.json["entries"]?.array ?? [] }
        return Set(heard.compactMap { $0["number"]?.integer }) == numbers
      })
    // A batch was under way when both were killed; the broker tells its subscriber what it had not written down, too.
    let all = subscriber.messages.flatMap { $0.json["entries"]?.array ?? [] }
    #expect(all.count - numbers.count <= 2 * 50, "\(all.count) of \(numbers.count)")
    let tracks = Set(subscriber.messages.compactMap { $0.json["track"]?.string })
    #expect(tracks.count == 1 && tracks.first?.count ?? 0 >= 13)
  }

  @Test("two devices with the same last word of their topics do not throw each other out")
  func sameWord() throws {
    let broker = try RunningBroker()
    let trackers = try ["ann", "bob"].map { user in
      try RunningTracker(
        try TrackerTests.driving(rate: 20),
        "[Record]\nDistance=10\n[Uplink broker]\n"
          + "URL=mqtt://127.0.0.1:\(broker.port)/owntracks/\(user)/van\n")
    }
    for tracker in trackers {
      try #require(try eventually(within: patience) { try tracker.entries().count >= 60 })
    }
    for tracker in trackers {
      let uplink = try tracker.ask("status")["uplinks"]?.array?.first
      #expect(uplink?["trouble"] == nil && uplink?["connections"]?.integer == 1)
    }
  }

  private func numbers(_ server: BadServer) -> [Int64] {
    server.listen()
    return server.requests.flatMap { $0["body"]?["entries"]?.array ?? [] }
      .compactMap { $0["number"]?.integer }
  }

  @Test(
    "an entry that is refused among others is parked, with the answer, and sent again when it is wanted"
  )
  func parked() throws {
    let server = try BadServer([])
    try server.order("\"number\":7,")
    let tracker = try Self.tracker("http", server, "Batch=5")
    func ask(_ arguments: String...) throws -> (text: String, exit: Int32) {
      let socket = tracker.daemon.folder.appending(path: "t").path
      return try Program(
        [Program.path("locationctl"), "track"] + arguments + ["--socket", socket]
      ).text()
    }
    let dates = try sent(tracker, server)
    #expect(Set(numbers(server)) == Set(1...Int64(dates.count)).subtracting([7]))
    let text = try ask("status").text
    #expect(text.contains("1 entry refused while others were taken, the first at "))
    #expect(text.contains(": the server answers 400 (1)"))
    try server.order("")
    #expect(try ask("retry", "fleet").text.contains("there are server"))
    #expect(try ask("retry").text == "1 entry sent again\n")
    try #require(eventually(within: patience) { self.numbers(server).contains(7) })
    #expect(numbers(server).count == dates.count)
    #expect(try tracker.ask("status")["uplinks"]?.array?.first?["parked"]?.integer == 0)
  }

  @Test("what is forgotten is neither parked nor to be sent, also where no server is there")
  func forgotten() throws {
    let server = try BadServer([])
    try server.order("\"number\":7,")
    let tracker = try Self.tracker(
      "http", server, "Batch=5\n[Uplink away]\nURL=http://127.0.0.1:1/")
    try #require(try eventually(within: patience) { try tracker.entries().count >= 40 })
    tracker.daemon.program.signal(SIGSTOP)
    func uplinks() throws -> [JSON] { try tracker.ask("status")["uplinks"]?.array ?? [] }
    func backlogs() throws -> [Int64?] { try uplinks().map { $0["backlog"]?.integer } }
    try #require(
      try eventually(within: patience * 2) {
        try uplinks().first?["parked"]?.integer == 1 && backlogs().first == 0
      })
    let text = try Program([
      Program.path("locationctl"), "track", "forget", "--from", "2026-01-01", "--to", "2026-12-31",
      "--socket", tracker.daemon.folder.appending(path: "t").path,
    ]).text().text
    #expect(text.contains("forgotten"), "\(text)")
    #expect(try uplinks().first?["parked"]?.integer == 0)
    #expect(try eventually(within: patience) { try backlogs() == [0, 0] })
  }

  @Test(
    "what is dropped after a question, or with --yes, is never sent again",
    arguments: [true, false])
  func dropped(isAsked: Bool) throws {
    let server = try BadServer([])
    try server.order("\"number\":7,")
    let tracker = try Self.tracker("http", server, "Batch=5")
    let count = Int64(try sent(tracker, server).count)
    let command = [Program.path("locationctl"), "track"]
    let socket = ["--socket", tracker.daemon.folder.appending(path: "t").path]
    let drop = command + ["drop", "server"] + socket
    func typed(_ answer: String) throws -> (text: String, exit: Int32) {
      try Program(onTerminal(drop, answers: [answer], prompt: "[y/N]")).text()
    }
    func parked() throws -> Int64? {
      try tracker.ask("status")["uplinks"]?.array?.first?["parked"]?.integer
    }
    let question = "1 entry that server refused will never be sent there. Drop? [y/N]"
    let silence = ["sh", "-c", "exec \"$@\" < /dev/null", "sh"]
    for (text, exit) in [try typed("n"), try Program(silence + drop).text()] {
      #expect(exit != 0 && text.contains(question) && text.contains("nothing is dropped"))
    }
    #expect(try parked() == 1)
    let (text, exit) = isAsked ? try typed("y") : try Program(drop + ["--yes"]).text()
    #expect(exit == 0 && text.contains("1 entry dropped") && text.contains(question) == isAsked)
    #expect(try parked() == 0)
    try server.order("")
    func retry() throws -> String { try Program(command + ["retry"] + socket).text().text }
    #expect(try retry() == "0 entries sent again\n")
    // The disk has forgotten it, too, and the track has it still.
    try tracker.kill()
    try tracker.startAgain()
    #expect(try parked() == 0)
    #expect(try retry() == "0 entries sent again\n")
    #expect(try tracker.entries().contains { $0["number"]?.integer == 7 })
    tracker.daemon.program.signal(SIGCONT)
    try #require(eventually(within: patience) { self.numbers(server).contains { $0 > count } })
    #expect(!numbers(server).contains(7))
  }

  @Test("a server that answers 404 for a while is said to, and loses nothing")
  func wrongForAMoment() throws {
    let server = try BadServer([])
    try server.order("404")
    let tracker = try Self.tracker("osmand+http", server)
    try #require(
      try eventually(within: patience) {
        let uplink = try tracker.ask("status")["uplinks"]?.array?.first
        return uplink?["trouble"]?.string
          == "the server answers 404 to everything: is the path right?"
      })
    try server.order("")
    let dates = try sent(tracker, server)
    let heard = server.requests.compactMap { $0["path"]?.string }
    #expect(heard.count == dates.count)
    #expect(try tracker.ask("status")["uplinks"]?.array?.first?["parked"]?.integer == 0)
  }
}
