import LocationModel
import ReceiverCore
import Testing

@testable import LocationCore

extension [Output] {
  /// The apps that an agent is shown, each as its name, and whether in the background; nil where nothing is said.
  func shown(to agent: UInt64 = 30) -> [String]? {
    var shown: [String]?
    for case .notify(ClientID(agent), .uses(let apps, _, _)) in self {
      shown = apps.map { $0.app + ($0.isBackground ? " behind" : "") }
    }
    return shown
  }
}

extension [Output] {
  var pauseShown: Timestamp? {
    for case .notify(_, .uses(_, let end, _)) in self { return end }
    return nil
  }
}

@Suite("The apps that an agent shows while they are told a place") struct ShownUsesTests {
  private static let agent = ClientID(30)

  private func harness(_ use: UseRule = .connected) -> ServiceHarness {
    var harness = ServiceHarness(use: use)
    harness.handle(.present([1000]))
    harness.handle(.connected(Self.agent, .agent()))
    harness.call(.agentRegister, from: Self.agent)
    harness.connectApp()
    harness.grant(.authorizedAlways)
    return harness
  }

  @Test("an app is shown with the first place that it is told, once, and until it stops")
  func shown() {
    var harness = harness()
    #expect(harness.handle(.timer).shown() == nil)
    harness.now += 1
    #expect(harness.fix(north: 1).shown() == ["user:1000"])
    harness.now += 1
    #expect(harness.fix(north: 2).shown() == nil)
    harness.now += 500
    #expect(harness.handle(.timer).shown() == nil)
    #expect(harness.call(.stopUpdatingLocation, from: ServiceHarness.app).shown() == [])
    #expect(harness.handle(.timer).shown() == nil)
  }

  @Test("two services at once are one use, which began with the first; the background is another")
  func together() throws {
    var record = AccessRecord()
    func note(_ service: Service, _ seconds: Double, isBackground: Bool = false) -> Bool {
      let kind = AppAccess.Kind(service, .full, isBackground: isBackground)
      return record.note(kind, AppClaim(), 0, at: ServiceHarness.instant(seconds))?.turns == true
    }
    var began: Set<Timestamp> = []
    for second in 100..<110 {
      #expect(!note(.standard, Double(second)) && !note(.beacons, Double(second) + 0.5))
      began.insert(try #require(record.newest?.since))
    }
    #expect(began.count == 1)
    #expect(note(.standard, 111, isBackground: true))
    #expect(record.newest?.kind.isBackground == true)
  }

  @Test("a single place is seen for some seconds, also from an app that has gone")
  func glimpse() {
    var harness = harness()
    harness.call(.stopUpdatingLocation, from: ServiceHarness.app)
    harness.fix()
    let asked = harness.call(.location, from: ServiceHarness.app)
    #expect(asked.shown() == ["user:1000"])
    #expect(harness.handle(.gone(ServiceHarness.app)).shown() == nil)
    harness.now = 110
    #expect(harness.handle(.timer).shown() == [])
    harness.now = 130
    harness.connectApp()
    #expect(harness.fix(north: 3).shown() == ["user:1000"])
  }

  @Test("an app that is denied or paused is shown no longer, at once")
  func ended() {
    var harness = harness()
    harness.tick()
    #expect(harness.set(.denied).shown() == [])
    harness.grant(.authorizedAlways)
    harness.tick()
    harness.connectTerminal()
    let paused = harness.call(.pause(PauseRequest()), from: ServiceHarness.terminal)
    #expect(paused.shown() == [])
    #expect(paused.pauseShown == ServiceHarness.instant(harness.now + 3600).utc)
    harness.write(paused)
    harness.now += 3600
    #expect(harness.handle(.timer).shown() == [])
    #expect(harness.service.uses.told.isEmpty)
  }

  @Test("an app is shown as in the background while it is, and no longer")
  func background() {
    var harness = harness(.logind)
    harness.now += 1
    #expect(harness.fix(north: 1).shown() == ["user:1000"])
    harness.handle(.present([]))
    harness.now += 1
    #expect(harness.fix(north: 2).shown() == ["user:1000 behind"])
    harness.handle(.present([1000]))
    harness.now += 1
    #expect(harness.fix(north: 3).shown() == ["user:1000"])
  }

  @Test("an app that has ended is forgotten, also where no agent of its user's shows it")
  func forgotten() {
    var harness = ServiceHarness()
    harness.handle(.connected(ClientID(31), .agent(uid: 1001, pid: 31)))
    harness.call(.agentRegister, from: ClientID(31))
    harness.connectApp()
    harness.grant(.authorizedAlways)
    harness.tick()
    harness.handle(.timer)
    #expect(harness.service.history.live.count == 1)
    harness.handle(.gone(ServiceHarness.app))
    harness.now += 10
    harness.handle(.timer)
    #expect(harness.service.history.live.isEmpty)
  }

  @Test("an agent that comes later is told at once; another user's is told nothing")
  func agents() {
    var harness = ServiceHarness()
    harness.handle(.connected(ClientID(31), .agent(uid: 1001, pid: 31)))
    harness.call(.agentRegister, from: ClientID(31))
    harness.connectApp()
    harness.grant(.authorizedAlways)
    harness.now += 1
    #expect(harness.fix(north: 1).shown(to: 31) == nil)
    harness.handle(.connected(Self.agent, .agent()))
    let came = harness.call(.agentRegister, from: Self.agent)
    #expect(came.shown() == ["user:1000"] && came.shown(to: 31) == nil)
    harness.handle(.gone(Self.agent))
    harness.handle(.connected(ClientID(32), .agent(pid: 32)))
    #expect(harness.call(.agentStandBy, from: ClientID(32)).shown(to: 32) == ["user:1000"])
    harness.connect(ClientID(7), app: "flatpak:org.a.B", .sandbox)
    #expect(harness.call(.agentRegister, from: ClientID(7)).refusals.map(\.code) == [.denied])
  }
}
