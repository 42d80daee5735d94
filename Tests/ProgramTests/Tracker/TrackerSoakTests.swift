import Foundation
import Glibc
import LocationModel
import TestSupport
import Testing

/// `make soak` runs these whole and prints their figures; among the other tests they are short.
@Suite("The tracker at length", .serialized) struct TrackerSoakTests {
  private static let longest: Double = isSoak ? 900 : patience

  /// A broker that waits for a subscriber's acknowledgement before it sends the next message adds 40 ms to each.
  private static let atOnce = "allow_anonymous true\nset_tcp_nodelay true\n"

  private static func seconds(since start: ContinuousClock.Instant) -> String {
    "\(((ContinuousClock().now - start) / .milliseconds(1)).rounded() / 1000) s"
  }

  @Test("broker and tracker are killed ten times each: nothing is lost, and little comes twice")
  func kills() throws {
    let count = isSoak ? 10_000 : 1000
    let broker = try RunningBroker()
    let subscriber = try Subscriber(broker)
    let board = try Board("van", broker, entries: count, more: "Batch=8")
    try board.start()
    // Entries that had come twice when each kill was done.
    var twice: [Int] = []
    for round in 1...20 {
      let enough = count * round / 22
      try #require(
        eventually(within: Self.longest) {
          subscriber.listen()
          return subscriber.numbers(of: "van").count >= enough
        })
      let heard = subscriber.numbers(of: "van")
      twice.append(heard.count - Set(heard).count)
      if round > 10 {
        // What it had acknowledged in its last second may be lost with it: the subscriber takes it first.
        board.program.signal(SIGSTOP)
        try subscriber.takeAll(of: broker, round, within: Self.longest)
        try broker.kill()
        board.program.signal(SIGCONT)
        try broker.startAgain()
      } else {
        try board.kill()
        try board.start()
      }
    }
    let whole = Set(1...Int64(count))
    #expect(
      eventually(within: Self.longest) {
        subscriber.listen()
        return whole.isSubset(of: subscriber.numbers(of: "van"))
      })
    let heard = subscriber.numbers(of: "van")
    #expect(Set(heard) == whole, "lost: \(whole.subtracting(heard).sorted().prefix(20))")
    // A tracker sends again what was under way when it was killed, a window of eight; brokers repeat more.
    for more in zip(twice.dropFirst(), twice).prefix(10).map({ $0 - $1 }) {
      #expect(more <= 8, "\(twice)")
    }
    if isSoak {
      print("\(count) points, ten kills of each: \(heard.count - count) came twice")
      #expect(heard.count - count <= count / 100)
    }
  }

  /// mosquitto acknowledges a message before it writes it down, but after it has passed it on to a subscriber of
  /// quality 0: what the subscriber has not heard was not acknowledged.
  @Test("a broker that is killed in the tracker's work is sent again what it has not acknowledged")
  func killsInItsWork() throws {
    let count = isSoak ? 20_000 : 4000
    let broker = try RunningBroker(Self.atOnce + "queue_qos0_messages true\n")
    let subscriber = try Subscriber(broker, quality: 0)
    let board = try Board("van", broker, entries: count, more: "Batch=8")
    try subscriber.takeAll(of: broker, 0, within: Self.longest)
    try broker.rest(within: Self.longest)
    try board.start()
    // Kills before which something was left to send.
    var kills = 0
    for round in 1...5 {
      let enough = count * round / 7
      try #require(
        eventually(within: Self.longest) {
          subscriber.listen()
          return subscriber.numbers(of: "van").count >= enough
        })
      try broker.kill()
      if subscriber.numbers(of: "van").count < count { kills += 1 }
      try broker.startAgain()
      try subscriber.takeAll(of: broker, round, within: Self.longest)
    }
    let whole = Set(1...Int64(count))
    _ = eventually(within: Self.longest) {
      subscriber.listen()
      return whole.isSubset(of: subscriber.numbers(of: "van"))
    }
    let heard = subscriber.numbers(of: "van")
    #expect(Set(heard) == whole, "lost: \(whole.subtracting(heard).sorted().prefix(20))")
    #expect(kills > 0 && heard.count - count <= kills * 8, "\(kills), \(heard.count)")
  }

  @Test("a week without a network is sent in order, and holds no more memory than a minute")
  func week() throws {
    let count = isSoak ? 600_000 : 5000
    let broker = try RunningBroker(Self.atOnce, isDurable: false)
    let subscriber = try Subscriber(broker)
    let board = try Board("van", broker, entries: count)
    let start = ContinuousClock().now
    try board.start()
    var most = 0
    #expect(
      try eventually(within: Self.longest) {
        subscriber.listen()
        most = max(most, try board.program.privateMemory)
        return subscriber.messages.count >= count
      })
    let heard = subscriber.numbers(of: "van")
    #expect(heard == Array(1...Int64(count)))
    #expect(most < 8192, "\(most) kB")
    if isSoak {
      print("\(count) entries: \(Self.seconds(since: start)), \(most) kB of private memory at most")
    }
  }

  @Test("boards of a fleet send their backlogs to one broker, each in a few megabytes")
  func fleet() throws {
    let broker = try RunningBroker(Self.atOnce, isDurable: false)
    for size in isSoak ? [10, 100, 1000] : [5] {
      let entries = isSoak ? 600 : 50
      // Its lines are counted as they are: a fleet is faster than a test that reads JSON.
      let subscriber = try Program([
        "mosquitto_sub", "-h", "127.0.0.1", "-p", "\(broker.port)", "-t", "owntracks/fleet/+", "-q",
        "1", "-F", "%p", "-R",
      ])
      let ready = [
        "mosquitto_pub", "-h", "127.0.0.1", "-p", "\(broker.port)", "-t", "owntracks/fleet/mark",
        "-m", "ready",
      ]
      let isHeard = try eventually(within: patience) {
        let publishing = try Program(ready)
        return try publishing.exit() == 0 && subscriber.waitingLine() != nil
      }
      try #require(isHeard)
      let boards = try (0..<size).map { try Board("\(size)-\($0)", broker, entries: entries) }
      let start = ContinuousClock().now
      for board in boards { try board.start() }
      let started = Self.seconds(since: start)
      var (count, ends): (Int, [Double]) = (0, [])
      let last = "\"tst\":\(1_772_359_200 + entries)"
      #expect(
        eventually(within: Self.longest) {
          while let line = subscriber.waitingLine() {
            if line.contains("\"location\"") { count += 1 }
            if line.contains(last) { ends.append((ContinuousClock().now - start) / .seconds(1)) }
          }
          return ends.count >= size
        })
      #expect(count >= size * entries)
      let memory = try boards.map { try $0.program.privateMemory }.sorted()
      if isSoak {
        print(
          "\(size) boards, \(entries) entries each: started in \(started), sent in",
          "\(Self.seconds(since: start)), half of them in \(ends[ends.count / 2].rounded()) s;",
          "private memory \(memory[size / 2]) kB, \(memory[size - 1]) kB at most")
      }
    }
  }
}
