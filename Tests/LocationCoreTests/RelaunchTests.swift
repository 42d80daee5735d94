import LocationModel
import Testing

@testable import LocationCore

@Suite("Relaunch") struct RelaunchTests {
  private static let service = Activation.unit("tracker.service")

  @Test("an app that is gone is started when an event is for it, and finds the event when it comes")
  func start() throws {
    var desk = MonitorDesk()
    desk.connectTracker()
    desk.registerAndGo()
    let outputs = desk.leaveHome()
    let launch = try #require(outputs.launches.first)
    #expect(outputs.launches.map(\.activation) == [Self.service])
    #expect(desk.handle(.launched(launch.number, nil)).notes.count == 1)
    desk.now += 2
    desk.connectTracker()
    #expect(desk.call(.hello(.init()), from: MonitorDesk.tracker).reports == ["1 exit home"])
    desk.call(.acknowledge(event: 1), from: MonitorDesk.tracker)
    desk.handle(.gone(MonitorDesk.tracker))
    #expect(desk.pass(7200).launches.isEmpty)
    #expect(desk.comeHome().launches.map(\.activation) == [Self.service])
  }

  @Test("an app that is there is not started, and one that said nothing never is")
  func notNeeded() {
    var desk = MonitorDesk()
    desk.connectTracker()
    desk.call(.setActivation(Self.service), from: MonitorDesk.tracker)
    desk.call(.startMonitoring([MonitorDesk.home]), from: MonitorDesk.tracker)
    desk.call(.startMonitoring([MonitorDesk.home]))
    desk.walk(for: 30)
    desk.handle(.gone(MonitorDesk.client))
    let outputs = desk.leaveHome() + desk.pass(600)
    #expect(outputs.launches.isEmpty)
    #expect(outputs.reports == ["1 exit home"])
    // It goes without having said that it has it.
    desk.handle(.gone(MonitorDesk.tracker))
    #expect(desk.pass(60).launches.map(\.activation) == [Self.service])
  }

  @Test("what it took back, it is not started by")
  func takenBack() {
    var desk = MonitorDesk()
    desk.connectTracker()
    desk.call(.setActivation(Self.service), from: MonitorDesk.tracker)
    #expect(desk.call(.setActivation(nil), from: MonitorDesk.tracker).replies == [.done])
    desk.call(.startMonitoring([MonitorDesk.home]), from: MonitorDesk.tracker)
    desk.walk(for: 30)
    desk.handle(.gone(MonitorDesk.tracker))
    #expect((desk.leaveHome() + desk.pass(600)).launches.isEmpty)
    desk.restart(after: 60)
    #expect(desk.pass(600).launches.isEmpty)
  }

  @Test(
    "one that crashes each time is started ever more rarely, down to once an hour",
    arguments: [true, false])
  func crashes(comes: Bool) {
    var desk = MonitorDesk()
    desk.connectTracker()
    desk.registerAndGo()
    var moments: [Double] = []
    var outputs = desk.leaveHome()
    while desk.now < 12 * 3600 {
      if let launch = outputs.launches.first {
        moments.append(desk.now)
        desk.handle(.launched(launch.number, nil))
        if comes {
          desk.connectTracker(greeting: true)
          desk.handle(.gone(MonitorDesk.tracker))
        }
      }
      let wake = desk.service.wakeAsked.map { $0.seconds(since: .start).rounded(.up) } ?? 0
      desk.now = max(desk.now + 1, wake)
      outputs = desk.handle(.timer)
    }
    let gaps = zip(moments, moments.dropFirst()).map { $1 - $0 }
    #expect(gaps.prefix(9) == [10, 20, 40, 80, 160, 320, 640, 1280, 2560])
    #expect(gaps.dropFirst(9).allSatisfy { $0 == 3600 })
    #expect(gaps.count > 12)
  }

  @Test("one that acknowledges something is trusted again, but never started twice in ten seconds")
  func calms() throws {
    var desk = MonitorDesk()
    desk.connectTracker()
    desk.registerAndGo()
    var launched = desk.leaveHome().launches
    launched += desk.comeHome().launches
    desk.handle(.launched(try #require(launched.last).number, nil))
    for _ in 0..<4 {
      let again = desk.pass(400).launches
      if let launch = again.last { desk.handle(.launched(launch.number, nil)) }
    }
    desk.connectTracker(greeting: true)
    desk.call(.acknowledge(event: 1), from: MonitorDesk.tracker)
    desk.handle(.gone(MonitorDesk.tracker))
    #expect(desk.pass(9).launches.isEmpty)
    #expect(desk.pass(2).launches.count == 1)
  }

  @Test("what could not be started is tried again, and why is said in the journal")
  func failing() throws {
    var desk = MonitorDesk()
    desk.connectTracker()
    desk.registerAndGo()
    let launch = try #require(desk.leaveHome().launches.first)
    let notes = desk.handle(.launched(launch.number, "no such unit")).notes
    #expect(
      notes == [
        "unit:tracker.service (uid 0) could not be started: no such unit; it is tried again in 10 s"
      ])
    #expect(desk.pass(9).launches.isEmpty)
    let again = desk.pass(1).launches
    #expect(again.count == 1)
    // News of the launch before is of no interest any more.
    #expect(desk.handle(.launched(launch.number, nil)).isEmpty)
  }

  @Test(
    "of one app no second one is under way, until nothing is heard of the first for two minutes")
  func oneAtATime() {
    var desk = MonitorDesk()
    desk.connectTracker()
    desk.registerAndGo()
    #expect((desk.leaveHome() + desk.pass(20)).launches.count == 1)
    let later = desk.pass(120)
    #expect(later.notes.contains { $0.contains("nobody said in time") })
    #expect(later.launches.count == 1)
  }

  @Test("so many in a minute at most, of one user and of all, and who was tried least comes first")
  func bounded() {
    var desk = MonitorDesk()
    var clients: [ClientID] = []
    for uid in UInt32(1)...6 {
      desk.connectAgent(ClientID(100 + UInt64(uid)), uid: uid)
      for i in 0..<15 {
        let id = ClientID(UInt64(uid) * 1000 + UInt64(i))
        desk.call(
          .permissionsSet(
            PermissionChange(
              app: "userunit:a\(i)", uid: uid, authorization: .authorizedAlways)))
        var caller = Caller(uid: uid, pid: 5, app: "userunit:a\(i)")
        caller.unit = .user("a\(i).service")
        desk.handle(.connected(id, caller))
        desk.call(.setActivation(.unit("a\(i).service")), from: id)
        desk.call(.startMonitoring([MonitorDesk.home]), from: id)
        clients.append(id)
      }
    }
    desk.walk(for: 30)
    for id in clients { desk.handle(.gone(id)) }
    desk.walk(north: 500, for: 1)
    var times: [(at: Double, uid: UInt64, app: String)] = []
    var outputs: [Output] = []
    for _ in 0..<400 {
      for launch in outputs.agentLaunches {
        times.append((desk.now, launch.agent.number - 100, launch.app))
        desk.handle(.answered(launch.agent, launch.call, nil))
      }
      desk.now += 1
      outputs = desk.fix() + desk.handle(.timer)
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
    var desk = MonitorDesk()
    desk.connectMap()
    desk.registerAndGo("map.service")
    desk.connectAgent(ClientID(31), uid: 1001)
    let without = desk.leaveHome() + desk.pass(3600)
    #expect(without.launches.isEmpty)
    #expect(without.agentLaunches.isEmpty)
    let asked = desk.connectAgent().agentLaunches
    #expect(asked.map(\.agent) == [MonitorDesk.agent])
    #expect(asked.map(\.app) == ["userunit:map"])
    #expect(asked.map(\.activation) == [.unit("map.service")])
    // Somebody else's answer is none.
    let call = try #require(asked.first).call
    #expect(desk.handle(.answered(ClientID(31), call, [:])).isEmpty)
    #expect(
      desk.handle(.answered(MonitorDesk.agent, call, [:])).notes.count == 1)
  }

  @Test("an agent that goes or cannot is no loss: the next one is asked soon")
  func lostAgents() throws {
    var desk = MonitorDesk()
    desk.connectMap()
    desk.registerAndGo("map.service")
    desk.connectAgent()
    #expect(desk.leaveHome().agentLaunches.count == 1)
    #expect(desk.handle(.gone(MonitorDesk.agent)).notes.contains { $0.contains("agent has gone") })
    desk.connectAgent()
    for _ in 0..<6 {
      for launch in desk.pass(700).agentLaunches {
        desk.handle(.answered(launch.agent, launch.call, nil))
      }
    }
    desk.handle(.gone(MonitorDesk.agent))
    let next = ClientID(32)
    let asked = desk.connectAgent(next).agentLaunches + desk.pass(6).agentLaunches
    #expect(asked.map(\.agent) == [next])
  }

  @Test("when nothing is to be started any more, other alarms are asked for as before")
  func alarms() {
    var desk = MonitorDesk()
    desk.connectTracker()
    desk.registerAndGo()
    #expect((desk.leaveHome() + desk.pass(15)).launches.count == 1)
    desk.call(
      .permissionsSet(
        PermissionChange(app: "unit:tracker.service", uid: 0, authorization: .denied)))
    #expect(desk.pass(300).launches.isEmpty)
    desk.call(.requestLocation(OneShotRequest(desiredAccuracy: 1, timeout: 7)))
    #expect(desk.service.wakeAsked == .start + .seconds(desk.now + 7))
  }

  @Test("an event is started for only once it is on the disk")
  func slowDisk() {
    var desk = MonitorDesk()
    desk.connectTracker()
    desk.registerAndGo()
    desk.isDiskSlow = true
    #expect((desk.leaveHome() + desk.pass(60)).launches.isEmpty)
    desk.isDiskSlow = false
    desk.finishWriting()
    #expect(desk.outputs.launches.count == 1)
  }

  @Test(
    "after kill -9 it is still known what to start and for what, and who comes back by itself is not"
  )
  func restart() {
    var desk = MonitorDesk()
    desk.connectTracker()
    desk.registerAndGo()
    #expect(desk.leaveHome().launches.count == 1)
    desk.restart()
    #expect(desk.pass(4).launches.isEmpty)
    #expect(desk.pass(2).launches.map(\.activation) == [Self.service])
    desk.restart()
    desk.connectTracker(greeting: true)
    #expect(desk.pass(60).launches.isEmpty)
  }

  @Test("for an app that is gone receivers stay on, after a restart, too")
  func sources() {
    var desk = MonitorDesk()
    desk.connectTracker()
    desk.call(.setActivation(Self.service), from: MonitorDesk.tracker)
    #expect(
      desk.call(.startMonitoringSignificantLocationChanges, from: MonitorDesk.tracker).opens == 1)
    #expect(desk.handle(.gone(MonitorDesk.tracker)).closes == 0)
    // They rest, where nothing is to be heard, and are asked again.
    #expect(desk.pass(900).opens > 0)
    desk.restart()
    // Somebody has connected, who wants nothing.
    #expect(desk.outputs.opens == 1)
    desk.connectTracker()
    let ended = desk.call(
      .stopMonitoringSignificantLocationChanges, from: MonitorDesk.tracker)
    #expect((ended + desk.pass(10)).closes == 1)
    #expect(desk.pass(900).opens == 0)
  }
}
