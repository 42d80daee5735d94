import LocationModel
import Testing

@testable import TrackCore

@Suite("Numbers that a server has confirmed") struct ConfirmedTests {
  @Test("it is what a set of the numbers would be, in whatever order they come")
  func likeASet() {
    var generator = Numbers(seed: 1)
    for _ in 0..<200 {
      var (confirmed, set) = (Confirmed(), Set<Int64>())
      for _ in 0..<20 {
        let low = Int64.random(in: 1...60, using: &generator)
        let range = low...low + Int64.random(in: 0...6, using: &generator)
        confirmed.insert(range)
        set.formUnion(range)
        let gone = Int64.random(in: 1...60, using: &generator)
        confirmed.remove(gone)
        set.remove(gone)
      }
      #expect((1...70).allSatisfy { confirmed.contains($0) == set.contains($0) })
      for (a, b) in zip(confirmed.ranges, confirmed.ranges.dropFirst()) {
        #expect(a.upperBound + 1 < b.lowerBound)
      }
      #expect(confirmed.missing(upTo: 50) == Int64((1...50).count { !set.contains($0) }))
      #expect(
        confirmed.oldestGap(upTo: 50, most: 1)?.lowerBound == (1...50).first { !set.contains($0) })
      #expect(
        confirmed.newestGap(upTo: 50, most: 1)?.upperBound == (1...50).last { !set.contains($0) })
      #expect(Confirmed(text: confirmed.text) == confirmed)
    }
  }

  @Test("what no program wrote is refused")
  func refused() {
    for text in ["x", "1", "5-1", "0-3", "1-2-3", "1-99999999999999999999"] {
      #expect(Confirmed(text: text) == nil)
    }
    #expect(Confirmed(text: "") == Confirmed())
  }
}

@Suite("What a server is sent") struct UplinkQueueTests {
  static func entry(_ number: Int64) -> TrackEntry {
    var entry = TrackEntry(
      .place,
      Location(
        coordinate: Coordinate(latitude: 1, longitude: 2), horizontalAccuracy: 3,
        timestamp: Timestamp(microseconds: number)))
    entry.number = number
    return entry
  }

  private func at(_ seconds: Double) -> Boottime { .start + Duration(clamping: seconds) }

  /// A track on a disk, a server that keeps what it gets, and a connection between them.
  private struct World {
    var queue: UplinkQueue
    var numbers: [Int64]
    var underWay: [UplinkQueue.Message] = []
    var heard: [Int64] = []

    /// All that goes without an answer.
    mutating func run(at now: Boottime) {
      while true {
        switch queue.next(at: now) {
        case .read(let range):
          queue.load(numbers.filter(range.contains).map(UplinkQueueTests.entry), of: range)
        case .send(let message):
          underWay.append(message)
          heard += message.entries.map(\.number)
        case .rest: return
        }
      }
    }
  }

  @Test("entries go out in order, no more at a time than the window, and each once")
  func inOrder() {
    var rule = UplinkQueue.Rule()
    rule.window = 4
    var world = World(queue: UplinkQueue(rule, Confirmed(), newest: 500), numbers: Array(1...500))
    #expect(world.queue.next(at: at(0)) == .rest(until: nil), "not before it is connected")
    world.queue.connect()
    while world.queue.backlog > 0 {
      world.run(at: at(0))
      #expect(world.underWay.count <= 4)
      world.queue.confirm(world.underWay.removeFirst().number)
    }
    #expect(world.heard == Array(1...500))
    // Entries that have just been written are in memory.
    world.queue.extend(with: [Self.entry(501)])
    #expect(world.queue.next(at: at(1)) == .send(.init(number: 501, entries: [Self.entry(501)])))
    // Missing entries before it are read first.
    world.queue.extend(with: [Self.entry(503)])
    world.queue.extend(with: [Self.entry(504)])
    #expect(world.queue.next(at: at(1)) == .read(502...504))
  }

  @Test("messages of several entries hold consecutive ones, and gaps of the track are no backlog")
  func batches() {
    var rule = UplinkQueue.Rule()
    rule.batch = 10
    rule.window = 1
    let numbers = Array(1...25) + Array(40...300).map(Int64.init)
    var world = World(
      queue: UplinkQueue(rule, Confirmed(), newest: 300), numbers: numbers.map { Int64($0) })
    world.queue.connect()
    var sizes: [Int] = []
    while world.queue.backlog > 0 {
      world.run(at: at(0))
      guard !world.underWay.isEmpty else { break }
      let message = world.underWay.removeFirst()
      sizes.append(message.entries.count)
      world.queue.confirm(message.number)
    }
    #expect(world.heard == world.numbers && sizes.max() == 10)
    #expect(world.queue.confirmed.text == "1-300")
  }

  @Test("the newest goes first after a gap where that is wanted, and all of it in the end")
  func newestFirst() {
    var rule = UplinkQueue.Rule()
    rule.isNewestFirst = true
    rule.window = 1
    var world = World(queue: UplinkQueue(rule, Confirmed(), newest: 300), numbers: Array(1...300))
    world.queue.connect()
    world.run(at: at(0))
    #expect(world.heard.first.map { $0 > 236 } == true)
    while world.queue.backlog > 0 {
      world.run(at: at(0))
      world.queue.confirm(world.underWay.removeFirst().number)
    }
    #expect(Set(world.heard) == Set(1...300) && world.heard.count == 300)
  }

  @Test("a failure is tried again after its pause, and at once when the network is back")
  func failures() {
    var world = World(
      queue: UplinkQueue(UplinkQueue.Rule(), Confirmed(), newest: 3), numbers: [1, 2, 3])
    world.queue.connect()
    world.run(at: at(0))
    world.queue.fail(world.underWay[0].number, until: at(1))
    #expect(world.queue.next(at: at(0.5)) == .rest(until: at(1)))
    world.underWay = []
    world.run(at: at(1))
    #expect(world.heard == [1, 2, 3, 1, 2, 3])
    world.queue.fail(world.underWay[1].number, until: at(61))
    #expect(world.queue.next(at: at(2)) == .rest(until: at(61)))
    world.queue.retryNow()
    #expect(world.queue.next(at: at(2)) == .read(1...3))
  }

  @Test("the pause grows to five minutes, and half of it is chance")
  func backoff() {
    var backoff = Backoff()
    let pauses = (0..<12).map { _ in backoff.fail(chance: 1) }
    #expect(pauses.prefix(3) == [.seconds(1), .seconds(2), .seconds(4)])
    #expect(pauses.last == .seconds(300))
    #expect(backoff.fail(chance: 0) == .seconds(150))
    backoff.succeed()
    #expect(backoff.fail(chance: 0) == .milliseconds(500))
  }
}
