import LocationModel
import Testing

@testable import TrackCore

@Suite("The rate of an uplink") struct UplinkRateTests {
  private static func connected(_ change: (inout UplinkPlan) -> Void) throws -> UplinkWorld {
    var world = try UplinkWorld("mqtt://b/t", change)
    world.handle(.begin)
    world.settle()
    return world
  }

  @Test(
    "after an outage so many entries go out in a second, and those that come one by one at once")
  func outage() throws {
    let rate = try #require(UplinkRate(text: "10/s"))
    var world = try UplinkWorld("mqtt://b/t") { $0.rate = rate }
    world.grow(100)
    world.handle(.begin)
    world.settle()
    let begin = world.now.boottime
    while world.taken.count < 100 {
      world.answer { _ in false }
      let seconds = world.now.boottime.seconds(since: begin)
      #expect(Double(world.heard.count) <= 10 * seconds + 11)
      world.rest()
    }
    #expect(world.heard == Array(1...100))
    #expect((8.8...9.5).contains(world.now.boottime.seconds(since: begin)))
    world.pass(.seconds(60))
    for _ in 0..<5 {
      world.grow(1)
      #expect(world.heard.last == world.numbers.last, "it waits for nothing")
      world.answer { _ in false }
      world.pass(.milliseconds(100))
    }
  }

  @Test("a batch counts as its entries")
  func batches() throws {
    let rate = try #require(UplinkRate(text: "25/s"))
    var world = try UplinkWorld("http://b/") {
      $0.rate = rate
      $0.batch = 50
    }
    world.grow(200)
    world.handle(.begin)
    let begin = world.now.boottime
    while world.taken.count < 200 {
      world.answer { _ in false }
      world.rest()
    }
    #expect((5.0...9.5).contains(world.now.boottime.seconds(since: begin)))
  }

  @Test("a rate is a number of entries a second")
  func texts() {
    for text in ["5/s", "0.2/s", "1000/s"] { #expect(UplinkRate(text: text) != nil) }
    for text in ["", "5", "5/m", "0/s", "-1/s", "nan/s", "1e9/s", "5/s/s"] {
      #expect(UplinkRate(text: text) == nil, "\(text)")
    }
  }

  // MARK: - The retained place

  @Test("a retained place is taken away once the broker says so, over a loss and a crash")
  func clearing() throws {
    var world = try Self.connected { _ in }
    world.grow(1)
    world.answer { _ in false }
    #expect(world.handle(.forgotten(.of(2...9))).contains(.clearPlace) == false)
    let steps = world.handle(.forgotten(.of(1...1)))
    #expect(steps.contains(.clearPlace))
    #expect(
      steps.contains { if case .remember(_, outlastsPower: true) = $0 { true } else { false } })
    world.settle()
    #expect(world.disk.broker?.contains("clears") == true)
    world.handle(.closed(reason: "gone", .lost))
    world.rest()
    world.settle()
    // The entry was sent again, and the program is killed before the answer.
    world.crash()
    world.settle()
    world.handle(.cleared)
    world.settle()
    #expect(world.disk.broker?.contains("clears") == false)
    world.handle(.closed(reason: "gone", .lost))
    #expect(!Self.reconnect(&world).contains(.clearPlace))
  }

  /// The next connection, and what is said on it at once.
  private static func reconnect(_ world: inout UplinkWorld) -> [UplinkWorld.Step] {
    var steps: [UplinkWorld.Step] = []
    while !world.isOpen {
      if let wake = world.wake { world.pass(wake - world.now.boottime) }
      steps += world.handle(.timer)
      if world.way != nil { steps += world.open() }
    }
    return steps
  }

  @Test("each of several brokers is cleared, the others once they are connected to, and it is said")
  func severalRetain() throws {
    let other = try UplinkAddress("mqtt://c/t")
    var world = try Self.connected { $0.others = [other] }
    world.grow(1)
    world.answer { _ in false }
    for host in ["c", "b"] {
      world.handle(.closed(reason: "gone", .lost))
      _ = Self.reconnect(&world)
      world.grow(1)
      world.answer { _ in false }
      #expect(world.address?.host == host)
    }
    #expect(world.handle(.forgotten(.all)).contains(.clearPlace))
    let asked = world.machine.toClear
    #expect(world.machine.isClearing && world.machine.remains(asked)[0].contains("may retain"))
    let may = world.machine.status(at: world.now)["mayRetain"]?.array?.compactMap(\.string)
    #expect(may == ["b:1883", "c:1883"])
    world.handle(.cleared)
    #expect(
      !world.machine.isClearing
        && world.machine.remains(asked) == [
          "fleet: the place that b retained is cleared; what it passed on stays there",
          "fleet: the place that c may retain is cleared when it is connected to; what it passed on stays there",
        ])
    world.settle()
    // The program is killed; the first broker is away.
    world.crash()
    world.settle()
    world.handle(.closed(reason: "gone", .lost))
    let steps = Self.reconnect(&world)
    #expect(world.address?.host == "c" && steps.contains(.clearPlace))
    world.handle(.cleared)
    world.settle()
    #expect(world.disk.broker?.contains("clears") == false)
  }

  @Test("by MQTT 3.1.1 a broker's word that it has cleared a place is told as what it is")
  func oldClearing() throws {
    var world = try UplinkWorld("mqtt://b/t?version=3.1.1")
    world.handle(.begin)
    world.settle()
    world.grow(1)
    world.answer { _ in false }
    world.handle(.forgotten(.all))
    let asked = world.machine.toClear
    world.handle(.cleared)
    #expect(world.machine.remains(asked)[0].contains("is cleared, unless its access list forbids"))
  }

  @Test("a batch that waits for the disk while its entries are forgotten is not sent")
  func forgottenBatch() throws {
    var world = try UplinkWorld("mqtt://b/t?format=json")
    world.handle(.begin)
    world.settle()
    world.grow(3)
    try #require(world.writes.count == 1 && world.heard.isEmpty)
    world.numbers = []
    world.handle(.forgotten(.all))
    world.settle()
    #expect(world.heard.isEmpty && world.machine.backlog == 0)
  }

  @Test("what a broker has not retained needs not be taken away")
  func notRetained() throws {
    var world = try Self.connected { $0.isRetained = false }
    world.grow(1)
    world.answer { _ in false }
    #expect(!world.handle(.forgotten(.all)).contains(.clearPlace))
    world.settle()
    #expect(world.disk.broker?.contains("clears") == false)
  }
}

@Suite("A server is tried") struct UplinkTrialTests {
  private static func trial(_ url: String) throws -> UplinkTrial {
    UplinkTrial(UplinkPlan(name: "fleet", try UplinkAddress(url)))
  }

  @Test("each step comes once the one before has gone well, and the first that fails is the last")
  func steps() throws {
    var broker = try Self.trial("mqtts://b/t")
    for step in [UplinkTrial.Step.files, .name, .connection, .encryption, .login] {
      #expect(broker.next == step)
      broker.succeed()
    }
    broker.takeConfirmation(.v3)
    #expect(broker.next == nil && broker.results.count == 6)
    #expect(broker.results.last?.words.contains("also one that its access list") == true)
    broker.fail("too late")
    #expect(broker.results.count == 6)
    var web = try Self.trial("http://b/")
    for _ in 0..<3 { web.succeed() }
    #expect(web.next == .answer)
    var failing = web
    failing.take(status: 401)
    #expect(failing.next == nil && failing.results.last?.isGood == false)
    // These are the words of the status, too.
    #expect(failing.results.last?.words == Verdict.words(401))
    for status in [301, 402, 403, 429, 500, 503] {
      var busy = web
      busy.take(status: status)
      #expect(
        busy.results.last == .init(step: .answer, isGood: false, words: Verdict.words(status)))
    }
    web.take(status: 405)
    #expect(web.results.last == .init(step: .answer, isGood: true, words: "the server answers 405"))
  }

  @Test("a report reads back as it was")
  func report() throws {
    var trial = try Self.trial("mqtt://b/t")
    trial.succeed("well")
    trial.fail("nobody knows the name b")
    let report = TrialReport(trial)
    #expect(TrackReply.trials([report]).json["servers"]?.array?.count == 1)
    let read = TrackCall.test(uplink: "fleet")
    #expect(try read.reply(TrackReply.trials([report]).json) == .trials([report]))
    #expect(report.server == "b:1883" && !report.isGood)
  }
}
