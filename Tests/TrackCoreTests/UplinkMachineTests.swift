import LocationModel
import Testing

@testable import TrackCore

@Suite("The uplink to a server") struct UplinkMachineTests {
  @Test(
    "in every order of confirmation, refusal, failure, loss, crash and network, with a disk that is slow or full, each entry is taken in the end",
    arguments: 0..<4)
  func everyOrder(part: Int) throws {
    var dice = Numbers(seed: UInt64(part))
    for round in 0..<100 {
      let urls = ["mqtt://b/t", "http://b/t", "mqtts://b/t?version=3.1.1", "osmand+http://b/"]
      var world = try UplinkWorld(urls[(round + part) % 4]) {
        $0.onlyOn = ["wifi"]
        $0.batch = round % 3 == 0 ? 5 : 2
        $0.isNewestFirst = round % 2 == 1
        $0.heartbeat = .seconds(100)
        $0.rate = round % 5 == 0 ? UplinkRate(text: "20/s") : nil
      }
      world.move(to: .home)
      world.handle(.begin)
      var (troubles, before) = (60, Confirmed())
      while world.numbers.count < 100 || world.machine.backlog > 0 {
        let receipt = world.underWay.keys.sorted().randomElement(using: &dice)
        switch Int.random(in: 0..<20, using: &dice) {
        case 0...1 where world.numbers.count < 100:
          world.grow(Int.random(in: 1...3, using: &dice), after: dice.next() % 5 == 0 ? 2 : 0)
        case 2...6: if let receipt { world.confirm(receipt) }
        case 7...9: if !world.writes.isEmpty { world.write() }
        case 10: if !world.reads.isEmpty { world.read() }
        case 11: if world.way != nil, !world.isOpen { world.open() }
        case 12: world.rest()
        case 13: world.handle(.retryNow)
        case let trouble where troubles > 0:
          troubles -= 1
          switch trouble {
          case 14: if let receipt { world.refuse(receipt) }
          case 15: if let receipt { world.handle(.failed(receipt, reason: "500", wait: nil)) }
          case 16: if world.way != nil { world.handle(.closed(reason: "gone", .lost)) }
          case 17: world.crash(writing: Int.random(in: 0...2, using: &dice))
          case 18: world.move(to: world.network == nil ? .home : nil)
          default: if !world.writes.isEmpty { world.write(isWritten: false) }
          }
        default: if world.network == nil { world.move(to: .home) }
        }
        // Nothing counts as sent before the server has it, or will never take it.
        let confirmed = world.machine.queue.confirmed
        guard confirmed != before else { continue }
        before = confirmed
        let isLost = world.numbers.contains { confirmed.contains($0) && !world.taken.contains($0) }
        if isLost { Issue.record("round \(round)") }
      }
      #expect(world.taken == Set(world.numbers))
      for _ in 0..<3 { world.rest() }
      #expect(world.disk.confirmed == world.machine.queue.confirmed)
      world.handle(.end)
      #expect(world.wake == nil)
    }
  }

  @Test("each message costs something before the next is sent, and a spent budget stops them")
  func budget() throws {
    var world = try UplinkWorld.running(entries: 0) {
      $0.budget = DataBudget.Limit(text: "1K/day")
    }
    world.cost = 300
    world.grow(8)
    // A message is sent whole.
    #expect(world.heard == [1, 2, 3, 4])
    #expect(world.log.last?.contains("waits until 2026-03-02T00:00:00") == true)
    for _ in 0..<3 { world.confirm() }
    #expect(world.way != nil, "what is under way is waited for")
    world.confirm()
    #expect(world.way == nil)
    world.handle(.retryNow)
    #expect(world.way == nil)
    while world.way == nil { world.rest() }
    #expect(world.log.contains("uplink fleet goes on"))
    #expect(world.now.utc.iso8601.hasPrefix("2026-03-02"))
    #expect(Array(world.heard.dropFirst(4)) == [5, 6, 7, 8])
  }

  @Test("another network ends the connection at once, and the right one makes it again")
  func networks() throws {
    var world = try UplinkWorld.running(entries: 3) { $0.onlyOn = ["wifi"] }
    #expect(world.move(to: .phone).contains(.close))
    #expect(world.log.last == "uplink fleet waits for wifi: this is 'phone'")
    world.grow(1)
    world.rest()
    #expect(world.heard == [1, 2, 3] && world.way == nil)
    world.move(to: .home)
    world.settle()
    #expect(world.heard == [1, 2, 3, 1, 2, 3, 4] && world.log.last == "uplink fleet goes on")
  }

  @Test("what is confirmed is written down after four messages or two seconds, one write at a time")
  func checkpoints() throws {
    var world = try UplinkWorld.running(entries: 8)
    world.confirm()
    #expect(world.writes.isEmpty && world.wake == world.now.boottime + .seconds(2))
    for _ in 0..<7 { world.confirm() }
    #expect(world.writes.count == 1)
    world.grow(1)
    #expect(world.heard.count == 8, "no more may come twice")
    world.write()
    #expect(world.disk.confirmed.text == "1-4" && world.heard.count == 9)
    world.confirm()
    world.write(isWritten: false)
    #expect(world.writes.isEmpty && world.wake == world.now.boottime + .seconds(10))
    world.rest()
    #expect(world.disk.confirmed.text == "1-9")
  }

  @Test("a batch is on the disk before it is sent, and comes first and the same after a crash")
  func batches() throws {
    var world = try UplinkWorld.running("http://b/t") { $0.batch = 3 }
    world.grow(2)
    #expect(world.heard.isEmpty)
    #expect(world.write().contains { if case .send = $0 { true } else { false } })
    world.grow(5)
    world.crash()
    world.settle()
    #expect(world.heard == [1, 2, 1, 2])
    world.confirm()
    world.settle()
    #expect(world.heard.suffix(3) == [3, 4, 5])
  }

  @Test("messages that are longer than a broker takes become shorter, also one from before a crash")
  func tooLong() throws {
    var world = try UplinkWorld.running("mqtt://b/t?format=json") { $0.batch = 20 }
    world.grow(50)
    world.settle()
    world.crash()
    world.longest = 6
    world.answer { _ in false }
    #expect(world.machine.backlog == 0 && world.taken == Set(1...50))
    #expect(Array(world.heard.suffix(50)) == Array(1...50) && world.log.isEmpty)
    world.longest = 0
    world.grow(1)
    world.answer { _ in false }
    world.rest()
    #expect(world.machine.backlog == 1 && world.disk.parked.count == 0)
    #expect(world.log.last?.contains("no message may be as long") == true)
  }

  @Test("an entry of a batch that is refused is parked alone")
  func parking() throws {
    var world = try UplinkWorld.running("http://b/t", entries: 3) { $0.batch = 3 }
    world.confirm()
    world.grow(3)
    world.settle()
    world.answer { $0 == 5 }
    #expect(world.disk.parked.count == 0, "nothing else shows whether the server takes any")
    world.grow(1)
    world.rest()
    world.answer { $0 == 5 }
    #expect(world.heard == [1, 2, 3, 4, 5, 6, 4, 5, 6, 5, 5, 7, 5])
    #expect(world.log.last == "uplink fleet: the server answers 400 to entry 5, which is parked")
    let status = world.machine.status(at: world.now)
    #expect(status["parked"]?.integer == 1)
    #expect(status["parkedSince"]?.string == world.now.utc.iso8601)
    #expect(
      status["parkedAnswers"]?.text
        == #"[{"answer":"the server answers 400","entries":1,"last":5}]"#)
  }

  @Test(
    "a server that refuses everything for a while is said to, and then has each entry once, in order",
    arguments: ["http://b/t", "osmand+http://b/", "mqtt://b/t"])
  func wrongForAMoment(url: String) throws {
    var world = try UplinkWorld.running(url) { $0.batch = 3 }
    world.grow(12)
    for pause in [1, 2, 4, 8] {
      let before = world.heard.count
      world.answer { _ in true }
      #expect((1...16).contains(world.heard.count - before))
      #expect(world.wake == world.now.boottime + .seconds(pause))
      world.rest()
    }
    #expect(
      world.log == [
        "uplink fleet: the server answers 400 to everything: does it know this device?;"
          + " it is tried again"
      ])
    #expect(world.machine.backlog == 12 && world.taken.isEmpty)
    let trouble = world.machine.status(at: world.now)["trouble"]
    world.handle(.closed(reason: "gone", .lost))
    world.rest()
    #expect(world.machine.status(at: world.now)["trouble"] == trouble)
    let before = world.heard.count - world.underWay.values.reduce(0) { $0 + $1.count }
    world.answer { _ in false }
    #expect(Array(world.heard.dropFirst(before)) == Array(1...12))
    #expect(world.disk.parked.count == 0 && world.machine.backlog == 0)
  }

  @Test(
    "several servers are tried in turn, each with a memory of its own, and one that works is kept")
  func servers() throws {
    let second = try UplinkAddress("mqtt://b/t")
    var world = try UplinkWorld.running("mqtt://a/t") { $0.others = [second] }
    #expect(world.address?.host == "a")
    world.handle(.closed(reason: "gone", .otherVersion))
    world.rest()
    #expect(world.address?.host == "b" && world.way??.version == .v5)
    world.handle(.closed(reason: "gone", .lost))
    world.rest()
    #expect(world.address?.host == "a" && world.way??.version == .v3)
    world.grow(2)
    world.answer { _ in false }
    world.rest()
    world.crash()
    world.settle()
    #expect(world.address?.host == "a" && world.way??.version == .v3, "the memory outlasts it")
    #expect(world.taken == [1, 2])
  }

  @Test("an entry that is refused by chance is taken at the next try, and nothing is parked")
  func flapping() throws {
    var world = try UplinkWorld.running("osmand+http://b/")
    world.grow(40)
    var count = 0
    for _ in 0..<9 {
      world.answer { _ in
        count += 1
        return count % 3 == 0
      }
      world.rest()
    }
    #expect(world.taken == Set(1...40) && world.disk.parked.count == 0)
  }

  @Test("bad entries in a row, at the beginning too, hold the others up for a while only")
  func badInARow() throws {
    var world = try UplinkWorld.running("http://b/t") { $0.batch = 5 }
    world.grow(30)
    for _ in 0..<12 {
      world.answer { $0 <= 5 || $0 == 30 }
      world.rest()
    }
    #expect(world.disk.parked.count == 5 && world.machine.backlog == 1)
    #expect(
      world.machine.status(at: world.now)["trouble"]?.string
        == "the server answers 400: does it know this device?")
    for _ in 0..<2 {
      world.grow(1)
      world.rest()
      world.answer { $0 == 30 }
    }
    #expect(world.disk.parked.count == 6 && world.machine.backlog == 0)
  }

  @Test(
    "what was parked is sent again when a person wants it, and opened and forgotten in one write")
  func retry() throws {
    var world = try UplinkWorld.running("http://b/t") { $0.batch = 2 }
    world.grow(9)
    world.answer { [2, 5].contains($0) }
    #expect(world.disk.parked.count == 2)
    let parked = [2, 5].map { ParkedEntry(number: $0, reason: "the server answers 400") }
    world.taken.subtract([2, 5])
    let steps = world.handle(.reopen(parked))
    #expect(world.machine.backlog == 2 && world.machine.parked.count == 0)
    #expect(steps.contains { if case .reopen(_, _, parked) = $0 { true } else { false } })
    world.answer { _ in false }
    world.rest()
    #expect(world.taken == Set(1...9) && world.disk.confirmed.text == "1-9")
  }

  @Test(
    "a mark is on the disk before a connection that it is for; without it nothing is subscribed to")
  func marks() throws {
    for isWritten in [true, false] {
      var world = try UplinkWorld("mqtts://b/t?version=3.1.1") { $0.takesCommands = true }
      world.handle(.begin)
      #expect(world.way == nil && world.writes.count == 1)
      world.write(isWritten: isWritten)
      #expect(world.way??.subscribes == isWritten)
    }
    var world = try UplinkWorld("mqtts://b/t?version=3.1.1") { $0.onlyOn = ["wifi"] }
    world.move(to: .home)
    world.handle(.begin)
    world.move(to: .phone)
    world.settle()
    #expect(world.way == nil)
    world.move(to: .home)
    world.settle()
    #expect(world.isOpen)
  }

  @Test("a connection without commands gives way to another when its hour is over")
  func restriction() throws {
    var world = try UplinkWorld.running { $0.takesCommands = true }
    world.handle(.closed(reason: "too long", .tooLong))
    world.rest()
    #expect(world.isOpen && world.way??.subscribes == false)
    world.rest()
    #expect(world.isOpen && world.way??.subscribes == true)
  }

  @Test(
    "trouble is said once, and its end; each try comes later, and at once when the network is back")
  func trouble() throws {
    var world = try UplinkWorld.running(entries: 2)
    for seconds in [1, 2, 4] {
      world.handle(.closed(reason: "gone", .lost))
      #expect(world.wake == world.now.boottime + .seconds(seconds) && world.way == nil)
      world.pass(.seconds(seconds))
      world.handle(.timer)
    }
    world.settle()
    #expect(
      world.log == ["uplink fleet: gone; it is tried again", "uplink fleet: connected again"])
    world.handle(.closed(reason: "gone", .lost))
    world.handle(.retryNow)
    #expect(world.way != nil)
    world.settle()
    world.confirm()
    world.handle(.failed(world.underWay.keys.min() ?? 0, reason: "busy", wait: .seconds(60)))
    world.settle()
    let resumes = try #require(world.machine.queue.resumesAt(after: world.now.boottime))
    #expect(resumes == world.now.boottime + .seconds(60), "no sooner than the server wishes")
  }

  @Test("the status says since when it fails, when it is tried next, and how much waits since when")
  func words() throws {
    var world = try UplinkWorld.running()
    let start = world.now.utc
    world.handle(.closed(reason: "gone", .unreachable))
    world.grow(4)
    world.pass(.seconds(1))
    world.handle(.timer)
    world.handle(.closed(reason: "elsewhere", .unreachable))
    let status = world.machine.status(at: world.now, oldest: start)
    #expect(status["trouble"]?.string == "elsewhere" && status["since"]?.string == start.iso8601)
    #expect(status["nextTry"]?.string == (world.now.utc + .seconds(2)).iso8601)
    #expect(status["backlogBytes"]?.integer == 1600 && status["oldest"]?.string == start.iso8601)
    #expect(status["state"]?.string == "waiting" && status["server"]?.string == "b:1883")
  }

  @Test("what was forgotten is not sent from memory, and the broker's place is cleared, later too")
  func forgotten() throws {
    var world = try UplinkWorld.running(entries: 20)
    world.numbers.removeAll { $0 > 8 }
    #expect(world.handle(.forgotten(.all)).contains(.clearPlace))
    world.answer { _ in false }
    #expect(world.taken == Set(1...8) && world.machine.backlog == 0)
    world.handle(.closed(reason: "gone", .lost))
    #expect(!world.handle(.forgotten(.all)).contains(.clearPlace))
    world.rest()
    #expect(world.isOpen && world.machine.broker.clearing == .sent)
    #expect(!world.handle(.forgotten(nil)).contains(.clearPlace))
  }

  @Test("entries that are removed are no backlog and not parked, also while the server is away")
  func erased() throws {
    var world = try UplinkWorld.running()
    world.handle(.closed(reason: "gone", .lost))
    world.grow(300)
    world.numbers.removeAll { $0 <= 200 }
    #expect(world.machine.backlog == 300)
    let parked = Parked([.init(reason: "400", count: 1, last: 300)])
    world.handle(.erased(parked))
    world.settle()
    #expect(world.machine.backlog == 100 && world.machine.parked == parked)
    #expect(world.disk.confirmed.ranges == [1...200] && world.heard.isEmpty)
    world.numbers = []
    world.handle(.erased(Parked()))
    world.settle()
    #expect(world.machine.backlog == 0 && world.machine.parked.count == 0)
    world.rest()
    world.grow(1, after: 300)
    world.settle()
    #expect(world.heard == [301], "\(world.heard)")
  }
}
