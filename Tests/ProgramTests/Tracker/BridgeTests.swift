import Foundation
import Glibc
import Testing

@Suite("A broker that passes the track on", .timeLimit(.minutes(15))) struct BridgeTests {
  private static let count = 400

  /// A broker that passes all that it hears on to another, also what came while that was away.
  private static func bridge(to other: RunningBroker) throws -> RunningBroker {
    try RunningBroker(
      """
      allow_anonymous true
      connection other
      address 127.0.0.1:\(other.port)
      topic owntracks/# out 1
      cleansession false
      restart_timeout 1

      """)
  }

  @Test(
    "through a bridge each entry arrives in order, though either broker and the tracker are killed")
  func bridged() throws {
    let far = try RunningBroker()
    let near = try Self.bridge(to: far)
    let subscriber = try Subscriber(far)
    let board = try Board("van", near, entries: Self.count, more: "Batch=8")
    // Two brokers wait: each may lose what it acknowledged in its last moment.
    var mark = 0
    func settle() throws {
      mark += 1
      try subscriber.takeAll(of: near, mark, within: patience)
    }
    try settle()
    try board.start()
    var twice = [0]
    for (round, victim) in ["near", "far", "tracker", "far", "near"].enumerated() {
      let enough = Self.count * (round + 1) / 6
      try #require(
        eventually(within: patience) {
          subscriber.listen()
          return subscriber.numbers(of: "van").count >= enough
        })
      board.program.signal(SIGSTOP)
      try settle()
      switch victim {
      case "near":
        try near.kill()
        try near.startAgain()
      case "far":
        try far.kill()
        try far.startAgain()
      default:
        try board.kill()
        try board.start()
      }
      board.program.signal(SIGCONT)
      let heard = subscriber.numbers(of: "van")
      twice.append(heard.count - Set(heard).count)
    }
    let whole = Set(1...Int64(Self.count))
    _ = eventually(within: patience) {
      subscriber.listen()
      return whole.isSubset(of: subscriber.numbers(of: "van"))
    }
    let heard = subscriber.numbers(of: "van")
    #expect(Set(heard) == whole, "\(whole.subtracting(heard).sorted())")
    var seen: Set<Int64> = []
    let told = heard.filter { seen.insert($0).inserted }
    #expect(told == told.sorted())
    // Under way at each kill are a window of the tracker's and what the brokers have not written down.
    #expect(heard.count - seen.count <= 5 * 16, "\(twice)")
  }
}
