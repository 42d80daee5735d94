import LocationModel
import ReceiverCore
import Testing

@testable import LocationCore

@Suite("Relaunch") struct RelaunchTests {
  private static let service = Activation.unit("tracker.service")

  @Test("an app that is gone is started when an event is for it, and finds the event when it comes")
  func start() throws {
    var harness = MonitoringHarness()
    harness.connectTracker()
    harness.registerAndGo()
    let outputs = harness.leaveHome()
    let launch = try #require(outputs.launches.first)
    #expect(outputs.launches.map(\.activation) == [Self.service])
    #expect(harness.handle(.launched(launch.number, nil)).notes.count == 1)
    harness.now += 2
    harness.connectTracker()
    #expect(
      harness.call(.hello(.init()), from: MonitoringHarness.tracker).reports == ["1 exit home"])
    harness.call(.acknowledge(event: 1), from: MonitoringHarness.tracker)
    harness.handle(.gone(MonitoringHarness.tracker))
    #expect(harness.pass(7200).launches.isEmpty)
    #expect(harness.comeHome().launches.map(\.activation) == [Self.service])
  }

  @Test("an app that is there is not started, and one that said nothing never is")
  func notNeeded() {
    var harness = MonitoringHarness()
    harness.connectTracker()
    harness.call(.setActivation(Self.service), from: MonitoringHarness.tracker)
    harness.call(.startMonitoring([MonitoringHarness.home]), from: MonitoringHarness.tracker)
    harness.call(.startMonitoring([MonitoringHarness.home]))
    harness.walk(for: 30)
    harness.handle(.gone(MonitoringHarness.client))
    let outputs = harness.leaveHome() + harness.pass(600)
    #expect(outputs.launches.isEmpty)
    #expect(outputs.reports == ["1 exit home"])
    // It goes without having said that it has it.
    harness.handle(.gone(MonitoringHarness.tracker))
    #expect(harness.pass(60).launches.map(\.activation) == [Self.service])
  }

  @Test("what it took back, it is not started by")
  func takenBack() {
    var harness = MonitoringHarness()
    harness.connectTracker()
    harness.call(.setActivation(Self.service), from: MonitoringHarness.tracker)
    #expect(harness.call(.setActivation(nil), from: MonitoringHarness.tracker).replies == [.done])
    harness.call(.startMonitoring([MonitoringHarness.home]), from: MonitoringHarness.tracker)
    harness.walk(for: 30)
    harness.handle(.gone(MonitoringHarness.tracker))
    #expect((harness.leaveHome() + harness.pass(600)).launches.isEmpty)
    harness.restart(after: 60)
    #expect(harness.pass(600).launches.isEmpty)
  }

  @Test(
    "one that crashes each time is started ever more rarely, down to once an hour",
    arguments: [true, false])
  func crashes(comes: Bool) {
    var harness = MonitoringHarness()
    harness.connectTracker()
    harness.registerAndGo()
    var moments: [Double] = []
    var outputs = harness.leaveHome()
    while harness.now < 12 * 3600 {
      if let launch = outputs.launches.first {
        moments.append(harness.now)
        harness.handle(.launched(launch.number, nil))
        if comes {
          harness.connectTracker(greeting: true)
          harness.handle(.gone(MonitoringHarness.tracker))
        }
      }
      let wake = harness.service.wakeAsked.map { $0.seconds(since: .start).rounded(.up) } ?? 0
      harness.now = max(harness.now + 1, wake)
      outputs = harness.handle(.timer)
    }
    let gaps = zip(moments, moments.dropFirst()).map { $1 - $0 }
    #expect(gaps.prefix(9) == [10, 20, 40, 80, 160, 320, 640, 1280, 2560])
    #expect(gaps.dropFirst(9).allSatisfy { $0 == 3600 })
    #expect(gaps.count > 12)
  }

  @Test("one that acknowledges something is trusted again, but never started twice in ten seconds")
  func calms() throws {
    var harness = MonitoringHarness()
    harness.connectTracker()
    harness.registerAndGo()
    var launched = harness.leaveHome().launches
    launched += harness.comeHome().launches
    harness.handle(.launched(try #require(launched.last).number, nil))
    for _ in 0..<4 {
      let again = harness.pass(400).launches
      if let launch = again.last { harness.handle(.launched(launch.number, nil)) }
    }
    harness.connectTracker(greeting: true)
    harness.call(.acknowledge(event: 1), from: MonitoringHarness.tracker)
    harness.handle(.gone(MonitoringHarness.tracker))
    #expect(harness.pass(9).launches.isEmpty)
    #expect(harness.pass(2).launches.count == 1)
  }

  @Test("what could not be started is tried again, and why is said in the journal")
  func failing() throws {
    var harness = MonitoringHarness()
    harness.connectTracker()
    harness.registerAndGo()
    let launch = try #require(harness.leaveHome().launches.first)
    let notes = harness.handle(.launched(launch.number, "no such unit")).notes
    #expect(
      notes == [
        "unit:tracker.service (uid 0) could not be started: no such unit; it is tried again in 10 s"
      ])
    #expect(harness.pass(9).launches.isEmpty)
    let again = harness.pass(1).launches
    #expect(again.count == 1)
    // News of the launch before is of no interest any more.
    #expect(harness.handle(.launched(launch.number, nil)).isEmpty)
  }

  @Test(
    "of one app no second one is under way, until nothing is heard of the first for two minutes")
  func oneAtATime() {
    var harness = MonitoringHarness()
    harness.connectTracker()
    harness.registerAndGo()
    #expect((harness.leaveHome() + harness.pass(20)).launches.count == 1)
    let later = harness.pass(120)
    #expect(later.notes.contains { $0.contains("nobody said in time") })
    #expect(later.launches.count == 1)
  }

  @Test("so many in a minute at most, of one user and of all, and who was tried least comes first")
  func bounded() {
    var harness = MonitoringHarness()
    var clients: [ClientID] = []
    for uid in UInt32(1)...6 {
      harness.connectAgent(ClientID(100 + UInt64(uid)), uid: uid)
      for i in 0..<15 {
        let id = ClientID(UInt64(uid) * 1000 + UInt64(i))
        harness.call(
          .permissionsSet(
            PermissionChange(
              app: "userunit:a\(i)", uid: uid, authorization: .authorizedAlways)))
        var caller = Caller(uid: uid, pid: 5, app: "userunit:a\(i)")
        caller.unit = .user("a\(i).service")
        harness.handle(.connected(id, caller))
        harness.call(.setActivation(.unit("a\(i).service")), from: id)
        harness.call(.startMonitoring([MonitoringHarness.home]), from: id)
        clients.append(id)
      }
    }
    harness.walk(for: 30)
    for id in clients { harness.handle(.gone(id)) }
    harness.walk(north: 500, for: 1)
    var times: [(at: Double, uid: UInt64, app: String)] = []
    var outputs: [Output] = []
    for _ in 0..<400 {
      for launch in outputs.agentLaunches {
        times.append((harness.now, launch.agent.number - 100, launch.app))
        harness.handle(.answered(launch.agent, launch.call, nil))
      }
      harness.now += 1
      outputs = harness.fix() + harness.handle(.timer)
    }
    for (i, first) in times.enumerated() {
      let minute = times[i...].filter { $0.at < first.at + 60 }
      #expect(minute.count <= LaunchSchedule.mostPerMinute)
      #expect(
        minute.count { $0.uid == first.uid } <= LaunchSchedule.mostPerMinuteAndUser)
    }
    #expect(Set(times.map { "\($0.uid) \($0.app)" }).count == 90)
    #expect(Set(times.prefix(90).map { "\($0.uid) \($0.app)" }).count == 90)
  }

  @Test("a user's app waits for that user's agent, which is asked as soon as it is there")
  func agents() throws {
    var harness = MonitoringHarness()
    harness.connectMap()
    harness.registerAndGo("map.service")
    harness.connectAgent(ClientID(31), uid: 1001)
    let without = harness.leaveHome() + harness.pass(3600)
    #expect(without.launches.isEmpty)
    #expect(without.agentLaunches.isEmpty)
    let asked = harness.connectAgent().agentLaunches
    #expect(asked.map(\.agent) == [MonitoringHarness.agent])
    #expect(asked.map(\.app) == ["userunit:map"])
    #expect(asked.map(\.activation) == [.unit("map.service")])
    // Somebody else's answer is none.
    let call = try #require(asked.first).call
    #expect(harness.handle(.answered(ClientID(31), call, [:])).isEmpty)
    #expect(
      harness.handle(.answered(MonitoringHarness.agent, call, [:])).notes.count == 1)
  }

  @Test("an agent that goes or cannot is no loss: the next one is asked soon")
  func lostAgents() throws {
    var harness = MonitoringHarness()
    harness.connectMap()
    harness.registerAndGo("map.service")
    harness.connectAgent()
    #expect(harness.leaveHome().agentLaunches.count == 1)
    #expect(
      harness.handle(.gone(MonitoringHarness.agent)).notes.contains {
        $0.contains("agent has gone")
      })
    harness.connectAgent()
    for _ in 0..<6 {
      for launch in harness.pass(700).agentLaunches {
        harness.handle(.answered(launch.agent, launch.call, nil))
      }
    }
    harness.handle(.gone(MonitoringHarness.agent))
    let next = ClientID(32)
    let asked = harness.connectAgent(next).agentLaunches + harness.pass(6).agentLaunches
    #expect(asked.map(\.agent) == [next])
  }

  @Test("when nothing is to be started any more, other alarms are asked for as before")
  func alarms() {
    var harness = MonitoringHarness()
    harness.connectTracker()
    harness.registerAndGo()
    #expect((harness.leaveHome() + harness.pass(15)).launches.count == 1)
    harness.call(
      .permissionsSet(
        PermissionChange(app: "unit:tracker.service", uid: 0, authorization: .denied)))
    #expect(harness.pass(300).launches.isEmpty)
    harness.call(.requestLocation(OneShotRequest(desiredAccuracy: 1, timeout: 7)))
    #expect(harness.service.wakeAsked == .start + .seconds(harness.now + 7))
  }

  @Test("an event is started for only once it is on the disk")
  func slowDisk() {
    var harness = MonitoringHarness()
    harness.connectTracker()
    harness.registerAndGo()
    harness.isDiskSlow = true
    #expect((harness.leaveHome() + harness.pass(60)).launches.isEmpty)
    harness.isDiskSlow = false
    harness.finishWriting()
    #expect(harness.outputs.launches.count == 1)
  }

  @Test(
    "after kill -9 it is still known what to start and for what, and who comes back by itself is not"
  )
  func restart() {
    var harness = MonitoringHarness()
    harness.connectTracker()
    harness.registerAndGo()
    #expect(harness.leaveHome().launches.count == 1)
    harness.restart()
    #expect(harness.pass(4).launches.isEmpty)
    #expect(harness.pass(2).launches.map(\.activation) == [Self.service])
    harness.restart()
    harness.connectTracker(greeting: true)
    #expect(harness.pass(60).launches.isEmpty)
  }

  @Test("for an app that is gone receivers stay on, after a restart, too")
  func sources() {
    var harness = MonitoringHarness()
    harness.connectTracker()
    harness.call(.setActivation(Self.service), from: MonitoringHarness.tracker)
    #expect(
      harness.call(.startMonitoringSignificantLocationChanges, from: MonitoringHarness.tracker)
        .opens == 1)
    #expect(harness.handle(.gone(MonitoringHarness.tracker)).closes == 0)
    // They rest, where nothing is to be heard, and are asked again.
    #expect(harness.pass(900).opens > 0)
    harness.restart()
    // Somebody has connected, who wants nothing.
    #expect(harness.outputs.opens == 1)
    harness.connectTracker()
    let ended = harness.call(
      .stopMonitoringSignificantLocationChanges, from: MonitoringHarness.tracker)
    #expect((ended + harness.pass(10)).closes == 1)
    #expect(harness.pass(900).opens == 0)
  }
}
