import LocationModel
import Testing

@testable import TrackCore

@Suite("Settings that a server has sent") struct SettingsTrialTests {
  private var now = Instant(
    boottime: .start + .seconds(3600), utc: Timestamp(microseconds: 1_772_359_200_000_000),
    utcTrusted: true)
  private let sparse = ServerSettings(owner: "fleet", values: [.init(key: "Distance", text: "500")])
  private let dense = ServerSettings(owner: "fleet", values: [.init(key: "Interval", text: "1s")])

  private mutating func pass(_ seconds: Double) {
    now.boottime = now.boottime + .seconds(seconds)
    now.utc = now.utc + .seconds(seconds)
  }

  /// The clock goes on from one wake to the next.
  private mutating func wait(_ seconds: Double, _ trial: inout SettingsTrial) -> [SettingsTrial
    .Step]
  {
    let end = now.boottime + .seconds(seconds)
    var steps: [SettingsTrial.Step] = []
    var wake: Boottime?
    for case .wake(let at) in trial.handle(.timer, at: now) { wake = at }
    while let moment = wake, moment <= end {
      pass((moment - now.boottime).seconds)
      let more = trial.handle(.timer, at: now)
      steps += more
      for case .wake(let at) in more { wake = at }
    }
    pass((end - now.boottime).seconds)
    return steps
  }

  @Test("they are written and used at once, an entry is made, and they stay once it is confirmed")
  mutating func confirmed() {
    var trial = SettingsTrial()
    let steps = trial.handle(.set(sparse, newest: 40), at: now)
    #expect(steps.starts(with: [.save, .use, .report]))
    #expect(trial.inForce == sparse && trial.status?["state"]?.string == "trial")
    // Entries from before, and another server's.
    _ = trial.handle(.confirmed(owner: "fleet", number: 40), at: now)
    _ = trial.handle(.confirmed(owner: "home", number: 41), at: now)
    #expect(trial.status?["state"]?.string == "trial")
    pass(599)
    #expect(trial.handle(.confirmed(owner: "fleet", number: 41), at: now).contains(.save))
    #expect(trial.status?["state"]?.string == "settled")
    #expect(!wait(86_400, &trial).contains(.use))
    #expect(trial.inForce == sparse)
  }

  @Test("ten minutes with a network and without a confirmation bring the last ones back")
  mutating func returned() {
    var trial = SettingsTrial()
    _ = trial.handle(.set(sparse, newest: 1), at: now)
    _ = trial.handle(.confirmed(owner: "fleet", number: 2), at: now)
    _ = trial.handle(.set(dense, newest: 2), at: now)
    #expect(!wait(599, &trial).contains(.use) && trial.inForce == dense)
    #expect(wait(1, &trial).contains(.use))
    #expect(trial.inForce == sparse)
    #expect(trial.status?["state"]?.string == "settled")
    #expect(trial.status?["returned"]?["values"]?["Interval"]?.string == "1s")
    // Too late.
    #expect(!trial.handle(.confirmed(owner: "fleet", number: 3), at: now).contains(.use))
    #expect(trial.inForce == sparse)
  }

  @Test("time without a network does not count")
  mutating func network() {
    var trial = SettingsTrial()
    _ = trial.handle(.set(sparse, newest: 1), at: now)
    #expect(!wait(300, &trial).contains(.use))
    _ = trial.handle(.network(isUp: false), at: now)
    #expect(!wait(86_400, &trial).contains(.use))
    _ = trial.handle(.network(isUp: true), at: now)
    #expect(!wait(299, &trial).contains(.use) && trial.inForce == sparse)
    #expect(wait(1, &trial).contains(.use) && trial.inForce == nil)
    #expect(trial.status?["state"]?.string == "returned")
  }

  @Test("a trial is told when its uplink may not send: by another network, or without a budget")
  func blocked() throws {
    var world = try UplinkWorld.running { $0.onlyOn = ["wifi"] }
    #expect(world.mayUse)
    world.move(to: .phone)
    #expect(!world.mayUse)
    world.move(to: .home)
    #expect(world.mayUse)
    var spent = try UplinkWorld.running { $0.budget = DataBudget.Limit(text: "1K/day") }
    spent.cost = 600
    spent.grow(3)
    spent.answer { _ in false }
    #expect(!spent.mayUse)
    spent.pass(.seconds(86_400))
    spent.handle(.timer)
    #expect(spent.mayUse)
  }

  @Test("a trial outlasts the program, and one that kills it over and over ends")
  mutating func restarts() {
    var trial = SettingsTrial()
    _ = trial.handle(.set(sparse, newest: 7), at: now)
    trial = SettingsTrial(trial.text, at: now.boottime)
    #expect(trial.inForce == sparse)
    _ = trial.handle(.confirmed(owner: "fleet", number: 7), at: now)
    #expect(trial.status?["state"]?.string == "trial")
    var starts = 0
    while trial.inForce != nil, starts < 100 {
      let steps = trial.handle(.timer, at: now)
      // The program is killed at once.
      if steps.contains(.use) { break }
      trial = SettingsTrial(trial.text, at: now.boottime)
      starts += 1
    }
    #expect(starts < 12 && trial.inForce == nil)
    #expect(SettingsTrial(trial.text, at: now.boottime).status == trial.status)
  }

  @Test(
    "the same ones again change nothing; others take their place, and the last settled ones are behind them"
  )
  mutating func again() {
    var trial = SettingsTrial()
    _ = trial.handle(.set(sparse, newest: 1), at: now)
    _ = wait(590, &trial)
    #expect(!trial.handle(.set(sparse, newest: 5), at: now).contains(.use))
    #expect(trial.handle(.set(dense, newest: 5), at: now).contains(.use))
    #expect(!wait(599, &trial).contains(.use) && trial.inForce == dense)
    #expect(wait(1, &trial).contains(.use) && trial.inForce == nil)
    #expect(SettingsTrial("nonsense", at: now.boottime) == SettingsTrial())
  }
}
