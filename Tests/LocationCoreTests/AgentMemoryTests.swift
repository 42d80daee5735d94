import LocationModel
import Testing

@testable import LocationCore

/// Programs that come to a new daemon before their user's agent.
@Suite("An agent that was there before a restart") struct AgentMemoryTests {
  private static let agent = MonitoringHarness.agent

  /// A program that only an agent can tell.
  private static func nameless(_ uid: UInt32 = 1000, pid: Int32 = 40) -> Caller {
    Caller(uid: uid, pid: pid, app: "user:ann")
  }

  /// The seconds that the program waits for its user's agent.
  private func wait(
    of caller: Caller = nameless(), in harness: MonitoringHarness
  ) -> Double? {
    let instant = harness.instant
    return harness.service.wait(of: caller, at: instant).map { $0.seconds(since: instant.boottime) }
  }

  @Test("is waited for up to 5 s from the daemon's start, and not a moment longer")
  func waits() {
    var harness = MonitoringHarness()
    harness.connectAgent()
    #expect(wait(in: harness) == nil)
    harness.restart()
    #expect(wait(in: harness) == 5)
    harness.now += 4
    #expect(wait(in: harness) == 1)
    harness.now += 1
    #expect(wait(in: harness) == nil)
  }

  @Test("that was never there is waited for by nobody")
  func never() {
    var harness = MonitoringHarness()
    harness.restart()
    #expect(wait(in: harness) == nil)
    #expect(harness.disk.records.isEmpty)
  }

  @Test("is waited for by its own user's programs, by none that has a name, and not by itself")
  func whose() {
    var harness = MonitoringHarness()
    harness.connectAgent()
    harness.connectAgent(ClientID(31), uid: 1001)
    harness.restart()
    #expect(wait(in: harness) == 5)
    #expect(wait(of: Self.nameless(1001), in: harness) == 5)
    #expect(wait(of: Self.nameless(1002), in: harness) == nil)
    #expect(wait(of: Caller(uid: 1000, pid: 40, app: "userunit:map"), in: harness) == nil)
    // A terminal's agent has no name of its own.
    #expect(wait(of: Self.nameless(pid: 30), in: harness) == nil)
    var hidden = Self.nameless()
    hidden.confinement = .unknown
    #expect(wait(of: hidden, in: harness) == nil)
  }

  @Test("and does not come back is waited for once")
  func gone() {
    var harness = MonitoringHarness()
    harness.connectAgent()
    harness.restart()
    _ = harness.pass(6)
    harness.restart()
    #expect(wait(in: harness) == nil)
    #expect(harness.disk.records.isEmpty)
  }

  @Test("and comes back is waited for at the next restart, too")
  func back() {
    var harness = MonitoringHarness()
    harness.connectAgent()
    harness.restart()
    harness.connectAgent()
    _ = harness.pass(60)
    harness.restart()
    #expect(wait(in: harness) == 5)
  }

  @Test("and whose user has logged out since is waited for by nobody")
  func loggedOut() {
    var harness = MonitoringHarness()
    harness.connectAgent()
    _ = harness.pass(60)
    harness.handle(.gone(Self.agent))
    _ = harness.pass(5)
    // It may be on the way back.
    var early = MonitoringHarness()
    early.disk = harness.disk
    early.now = harness.now
    early.restart()
    #expect(wait(in: early) == 5)
    _ = harness.pass(6)
    harness.restart()
    #expect(wait(in: harness) == nil)
  }

  @Test("before the machine started anew is waited for by nobody, as far as clocks tell")
  func boot() {
    for (seconds, boot) in [(1.0, -1900.0), (3600, -3500)] {
      var harness = MonitoringHarness()
      harness.connectAgent()
      harness.restart(after: seconds, boot: boot)
      #expect(wait(in: harness) == nil)
      _ = harness.pass(6)
      #expect(harness.disk.records.isEmpty)
    }
  }

  @Test("that comes and goes all the time is written once in 10 s")
  func flaps() {
    var harness = MonitoringHarness()
    var writes = 0
    for round in 0..<600 {
      let id = ClientID(UInt64(100 + round))
      writes += harness.handle(.connected(id, .agent(pid: Int32(100 + round)))).commits.count
      writes += harness.call(.agentRegister, from: id).commits.count
      harness.now += 0.1
      writes += harness.handle(.gone(id)).commits.count + harness.handle(.timer).commits.count
    }
    #expect((1...7).contains(writes), "\(writes)")
  }

  @Test("on a full disk is written as soon as that takes anything again")
  func fullDisk() {
    var harness = MonitoringHarness()
    harness.isDiskFull = true
    harness.connectAgent()
    #expect(harness.disk.records.isEmpty)
    harness.isDiskFull = false
    _ = harness.pass(120)
    harness.restart()
    #expect(wait(in: harness) == 5)
  }
}
