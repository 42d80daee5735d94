import LocationModel
import ReceiverCore
import TestSupport
import Testing

@testable import LocationCore

extension ServiceHarness {
  /// A pause that the person asks for, or a program.
  mutating func pause(
    _ seconds: Double = 3600, from client: ClientID = ServiceHarness.terminal
  ) -> [Output] {
    call(.pause(PauseRequest(seconds: seconds)), from: client)
  }

  mutating func resume(from client: ClientID = ServiceHarness.terminal) -> [Output] {
    call(.resume(PauseRequest()), from: client)
  }
}

@Suite("A person's pause") struct PauseTests {
  private static let other = ClientID(6)

  /// An app of user 1000 and one of user 1001 are being told the place; user 1000 has a terminal.
  private func harness(_ remembered: StoreSnapshot = .init()) -> ServiceHarness {
    var harness = ServiceHarness(.init(), remembered)
    harness.connectTerminal()
    harness.connectApp()
    harness.connectApp(Self.other, uid: 1001)
    harness.grant(.authorizedAlways)
    harness.write(
      harness.call(
        .permissionsSet(
          PermissionChange(app: "user:1001", uid: 1001, authorization: .authorizedAlways))))
    return harness
  }

  @Test("a pause stops all of the person's programs at once, as the switch does, and nobody else's")
  func stops() {
    var harness = harness()
    let paused = harness.pause()
    #expect(paused.purges.contains(5) && paused.news[5] == .denied)
    #expect(!paused.purges.contains(6) && paused.news[6] == nil)
    #expect(paused.failures.map(\.code) == [.denied])
    // The answer follows when it is written.
    #expect(paused.replies.isEmpty)
    #expect(harness.write(paused).replies.first?.pause?.seconds == 3600)
    let fix = harness.fix(north: 10)
    #expect(!fix.tellsPlace(to: ServiceHarness.app) && fix.tellsPlace(to: Self.other))
    #expect(harness.call(.location, from: ServiceHarness.app).refusals.map(\.code) == [.denied])
    harness.connectApp(ClientID(12))
    #expect(!harness.fix(north: 20).tellsPlace(to: ClientID(12)))
  }

  @Test("a pause ends by itself on the boot clock, and each program is told")
  func ends() {
    var harness = harness()
    let paused = harness.pause(600)
    harness.write(paused)
    harness.now = 699
    #expect(harness.handle(.timer).news.isEmpty)
    harness.now = 700
    let ended = harness.handle(.timer)
    #expect(ended.news[5] == .authorizedAlways)
    #expect(ended.changes.contains(Pauses.removal(of: 1000)))
    #expect(harness.fix(north: 10).tellsPlace(to: ServiceHarness.app))
  }

  @Test("only the person's terminal, their agent and an administrator end it, once that is written")
  func resumed() {
    var harness = harness()
    harness.connect(ClientID(7), app: "flatpak:org.a.B", .sandbox)
    harness.connectTerminal(ClientID(10), uid: 1001)
    harness.write(harness.pause())
    for client in [ServiceHarness.app, ClientID(7), Self.other] {
      let refused = harness.resume(from: client)
      #expect(refused.refusals.map(\.code) == [.denied] && refused.changes.isEmpty)
    }
    // A terminal of another user's ends its own pause alone.
    harness.write(harness.resume(from: ClientID(10)))
    let whose = harness.call(.resume(PauseRequest(uid: 1000)), from: ClientID(10))
    #expect(whose.refusals.map(\.code) == [.denied])
    #expect(!harness.fix(north: 5).tellsPlace(to: ServiceHarness.app))
    let asked = harness.resume()
    #expect(asked.news.isEmpty && asked.replies.isEmpty)
    let done = harness.write(asked)
    #expect(done.replies == [.done] && done.news[5] == .authorizedAlways)
    harness.write(harness.pause())
    let byRoot = harness.call(.resume(PauseRequest(uid: 1000)))
    #expect(harness.write(byRoot).news[5] == .authorizedAlways)
    harness.write(harness.pause())
    harness.handle(.connected(ClientID(30), .agent()))
    var page = Caller(uid: 1000, pid: 31, app: "userunit:locationd-settings")
    page.unit = .user("locationd-settings.service")
    page.isInUserSlice = true
    harness.handle(.connected(ClientID(31), page))
    #expect(harness.write(harness.resume(from: ClientID(31))).news[5] == .authorizedAlways)
    harness.write(harness.pause())
    let byAgent = harness.resume(from: ClientID(30))
    #expect(harness.write(byAgent).news[5] == .authorizedAlways)
  }

  @Test("a program may pause and makes no pause shorter; a sandbox may not")
  func programs() {
    var harness = harness()
    harness.write(harness.pause(1000))
    let shorter = harness.pause(1, from: ServiceHarness.app)
    #expect(shorter.replies.first?.pause?.seconds == 1000 && shorter.commits.isEmpty)
    let longer = harness.pause(2000, from: ServiceHarness.app)
    #expect(harness.write(longer).replies.first?.pause?.seconds == 2000)
    let byPerson = harness.pause(60)
    #expect(harness.write(byPerson).replies.first?.pause?.seconds == 60)
    harness.connect(ClientID(7), app: "flatpak:org.a.B", .sandbox)
    #expect(harness.pause(from: ClientID(7)).refusals.map(\.code) == [.denied])
    let others = harness.call(.pause(PauseRequest(uid: 1000)), from: Self.other)
    #expect(others.refusals.map(\.code) == [.denied])
  }

  /// The disk has taken all that `outputs` wanted written, or is full.
  private func settle(
    _ outputs: [Output], isFull: Bool = false, _ harness: inout ServiceHarness
  ) -> [Output] {
    var then: [Output] = []
    for id in outputs.commits {
      then += harness.handle(isFull ? .commitFailed(id, "full") : .committed(id))
    }
    return then
  }

  @Test(
    "a pause is confirmed once it is on the disk, to each who asked meanwhile",
    arguments: [false, true])
  func confirmed(isFull: Bool) {
    var harness = harness()
    let first = harness.pause()
    #expect(first.commits.count == 1)
    // This end is being written; a longer one is written after it.
    for seconds in [10.0, 7200] {
      let asked = harness.pause(seconds, from: ServiceHarness.app)
      #expect(asked.replies.isEmpty && asked.commits.isEmpty)
    }
    let outcome = settle(first, isFull: isFull, &harness)
    #expect(outcome.replies.count == (isFull ? 0 : 2))
    #expect(outcome.refusals.count == (isFull ? 2 : 0))
    let second = settle(outcome, isFull: isFull, &harness)
    #expect(second.replies.count == (isFull ? 0 : 1))
    #expect(second.refusals.count == (isFull ? 1 : 0))
    let status = harness.call(.status, from: ServiceHarness.app).replies.first?.status
    #expect(status?.pause?.seconds == 7200)
    // A pause that is on the disk is confirmed at once.
    harness.now += 10
    let again = harness.pause(10, from: ServiceHarness.app)
    #expect(again.replies.count == (isFull ? 0 : 1))
    #expect(again.commits.count == (isFull ? 1 : 0))
  }

  @Test(
    "no pause or resume is confirmed that a kill would lose, in whatever order they come",
    arguments: 1...20)
  func confirmedInAnyOrder(seed: UInt64) {
    var dice = Dice(seed: seed)
    var harness = harness()
    var queue: [Output] = []
    // A pause has come after one of the resumes that wait.
    var (waiting, isOvertaken) = (0, false)
    var disk = StoreSnapshot()
    let record = StoreSnapshot.Record(
      app: App(uid: 1000, name: ""), kind: Pauses.kind, key: "")
    for _ in 0..<300 {
      harness.now += Double(dice.next() % 40)
      var outputs: [Output] = []
      let choice = dice.next() % 6
      // A program's pause overtakes none.
      if choice < 2 { isOvertaken = waiting > 0 }
      if choice == 3 { waiting += 1 }
      switch choice {
      case 0, 1: outputs = harness.pause(60 + Double(dice.next() % 5000))
      case 2: outputs = harness.pause(Double(1 + dice.next() % 50), from: ServiceHarness.app)
      case 3: outputs = harness.resume()
      case 4: outputs = harness.handle(.timer)
      default:
        guard !queue.isEmpty, case .commit(let changes, let id) = queue.removeFirst() else {
          continue
        }
        for change in changes {
          if case .put(_, Pauses.kind, _, let bytes) = change { disk.records[record] = bytes }
          if change == Pauses.removal(of: 1000) { disk.records[record] = nil }
        }
        outputs = harness.handle(.committed(id))
      }
      queue += outputs.filter { if case .commit = $0 { true } else { false } }
      let now = ServiceHarness.instant(harness.now)
      let kept = Pauses(disk, at: now).end(of: 1000)
      let resumed = outputs.replies.count { $0 == .done }
      let isPaused = harness.service.permissions.pauses.isPaused(1000)
      let isOver = kept.map { $0 <= now.boottime } ?? true
      #expect(resumed == 0 || isOver || isPaused || isOvertaken, "\(seed)")
      waiting -= resumed
      if waiting == 0 { isOvertaken = false }
      for reply in outputs.replies where reply.pause != nil { #expect(kept != nil, "\(seed)") }
    }
  }

  @Test("a pause that a resume overtakes is answered with none")
  func overtaken() {
    var harness = harness()
    let first = harness.pause()
    #expect(harness.pause(7200).replies.isEmpty && harness.resume().replies.isEmpty)
    let second = harness.write(first).filter { if case .commit = $0 { true } else { false } }
    #expect(harness.write(second).replies.contains(.pause(nil)))
    #expect(!harness.service.permissions.pauses.isPaused(1000))
  }

  @Test("a person who resumes where nothing is paused has nothing written")
  func nothing() {
    var harness = harness()
    let asked = harness.resume()
    #expect(asked.replies == [.done] && asked.commits.isEmpty)
  }

  @Test("a daemon that ends has the disk told what waits")
  func ending() {
    var harness = harness()
    for i in 0..<2 {
      harness.now += 1
      harness.write(harness.pause(60 + Double(i), from: ServiceHarness.app))
    }
    let ended = harness.handle(.ending)
    #expect(
      ended.changes.contains { if case .put(_, Pauses.kind, _, _) = $0 { true } else { false } })
  }

  @Test("a pause that cannot be written holds all the same, and the person hears why")
  func unwritten() {
    var harness = harness()
    let paused = harness.pause()
    let failed = paused.commits.flatMap { harness.handle(.commitFailed($0, "the disk is full")) }
    #expect(failed.refusals.first?.message.contains("the disk is full") == true)
    #expect(!harness.fix(north: 10).tellsPlace(to: ServiceHarness.app))
  }

  /// The disk after `outputs`.
  private func disk(_ outputs: [Output]) -> StoreSnapshot {
    var disk = StoreSnapshot()
    disk.permissions[App(uid: 1000, name: "user:1000")] = Permission(
      .authorizedAlways, by: .administrator)
    for case .put(let app, let kind, let key, let bytes) in outputs.changes {
      disk.records[.init(app: app, kind: kind, key: key)] = bytes
    }
    return disk
  }

  @Test("a kill loses nothing of it: a daemon that starts anew knows its end")
  func restarts() {
    var harness = harness()
    let disk = disk(harness.pause(600))
    var later = ServiceHarness(.init(), disk)
    later.connectApp()
    later.now = 699
    #expect(!later.fix().tellsPlace(to: ServiceHarness.app))
    later.now = 700
    #expect(later.handle(.timer).news[5] == .authorizedAlways)
  }

  @Test(
    "after a restart of the machine what is left of it goes on, by the date where that is known")
  func reboots() {
    var harness = harness()
    let disk = disk(harness.pause(600))
    func left(_ boot: Double, _ date: Double, isTrusted: Bool) -> Double? {
      let now = Instant(
        boottime: .start + .seconds(boot), utc: Timestamp(microseconds: Int64(date * 1e6)),
        utcTrusted: isTrusted)
      return Pauses(disk, at: now).end(of: 1000).map { $0.seconds(since: now.boottime) }
    }
    #expect(left(20, 400, isTrusted: true) == 300)
    #expect(left(20, 900, isTrusted: true) == 0)
    #expect(left(20, 0, isTrusted: false) == 600)
    #expect(left(200, 200, isTrusted: true) == 500)
  }

  @Test(
    "a program of the person hears of the pause, a sandbox that location is off, others nothing")
  func told() {
    var harness = harness()
    harness.connect(ClientID(7), app: "flatpak:org.a.B", .sandbox)
    harness.write(harness.pause())
    func status(_ id: ClientID, _ harness: inout ServiceHarness) -> Status? {
      harness.call(.status, from: id).replies.first?.status
    }
    #expect(status(ServiceHarness.app, &harness)?.pause?.seconds == 3600)
    #expect(status(ServiceHarness.app, &harness)?.isEnabled == false)
    #expect(status(Self.other, &harness)?.isEnabled == true)
    #expect(
      status(ServiceHarness.app, &harness)?.obstacle?.contains("'locationctl resume'") == true)
    let apart = status(ClientID(7), &harness)
    #expect(apart?.pause == nil && apart?.isEnabled == false)
    #expect(apart?.obstacle?.contains("switched off") == true)
    #expect(
      status(Self.other, &harness)?.pause == nil && status(Self.other, &harness)?.obstacle == nil)
    #expect(status(ServiceHarness.root, &harness)?.pause == nil)
    // The switch is another thing than the pause, to those who may know of both.
    #expect(status(ServiceHarness.app, &harness)?.pause?.isEnabled == true)
    harness.write(harness.call(.servicesSet(enabled: false)))
    #expect(status(ServiceHarness.app, &harness)?.pause?.isEnabled == false)
    #expect(status(ClientID(7), &harness) == apart)
  }

  @Test("the switch is off to a paused user's programs, and to no other's")
  func enabled() {
    var harness = harness()
    var apart = Caller(uid: 1000, pid: 7, app: "flatpak:org.a.B")
    apart.confinement = .sandbox
    let other = Caller(uid: 1001, pid: 8, app: "user:1001")
    #expect(harness.service.isEnabled(for: apart) && harness.service.isEnabled(for: other))
    harness.write(harness.pause())
    #expect(!harness.service.isEnabled(for: apart) && harness.service.isEnabled(for: other))
  }

  @Test(
    "a pause names the machine's services that go on with what stops each, and no other user's program"
  )
  func services() {
    var harness = harness()
    let tracker = "unit:locationd-tracker.service"
    harness.connect(ClientID(8), app: tracker, uid: 990)
    harness.connect(ClientID(10), app: "unit:idle.service", uid: 991)
    // The second unit has processes of two users.
    let unit = "unit:bus\\x2dstop.service"
    let others = [(tracker, 990 as UInt32), (unit, 993), (unit, 994)]
    for (i, other) in others.dropFirst().enumerated() {
      harness.connect(ClientID(UInt64(12 + i)), app: other.0, uid: other.1)
    }
    for (app, uid) in others {
      let change = PermissionChange(app: app, uid: uid, authorization: .authorizedAlways)
      harness.write(harness.call(.permissionsSet(change)))
    }
    // An administrator's line has the share tell everyone.
    let share = Caller(uid: 992, pid: 11, app: "unit:locationd-share.service")
    harness.handle(.connected(ClientID(11), Caller(lineOf: share)))
    let named = [
      MachineService(
        unit, stoppedBy: "sudo systemctl stop 'bus\\x2dstop.service'"),
      MachineService(
        share.app,
        stoppedBy: "sudo systemctl stop locationd-share.socket locationd-share-nmea.socket"
          + " locationd-share.service"),
      MachineService(tracker, stoppedBy: "locationctl track pause"),
    ]
    let pause = harness.write(harness.pause()).replies.first?.pause
    #expect(pause?.services == named)
    #expect(pause.flatMap { PauseStatus($0.json) }?.services == named)
    // The person's agent hears of them.
    let uses =
      harness.handle(.connected(ClientID(30), .agent()))
      + harness.call(.agentRegister, from: ClientID(30))
    let told = uses.compactMap { output -> AgentRequest? in
      if case .notify(_, let request) = output, case .uses = request { request } else { nil }
    }
    guard case .uses(_, _, let services)? = told.first else {
      Issue.record("the agent is told nothing")
      return
    }
    #expect(told.count == 1 && services == named)
    let parameters = told[0].json(id: nil)["params"] ?? [:]
    #expect(AgentRequest(method: "agent.uses", parameters) == told[0])
    harness.handle(.gone(ClientID(11)))
    #expect(
      harness.call(.status, from: ServiceHarness.app).replies.first?.status?.pause?.services.count
        == 2)
  }

  @Test("the apps' permissions are shown as they are decided")
  func shown() {
    var harness = harness()
    harness.write(harness.pause())
    let apps = harness.call(.permissionsList).replies.first?.permissions ?? []
    #expect(apps.first { $0.uid == 1000 }?.authorization == .authorizedAlways)
  }
}
