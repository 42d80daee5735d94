import LocationModel
import ReceiverCore
import Testing

@testable import LocationCore

/// A program that is `user:ann` until her agent comes.
@Suite("A program that comes before its user's agent") struct RecognitionTests {
  static let map = ClientID(40)
  static let other = ClientID(41)
  static let old = App(uid: 1000, name: "user:ann")
  static let new = App(uid: 1000, name: "exe:/usr/bin/map")

  static func nameless(_ pid: Int32, uid: UInt32 = 1000) -> Caller {
    Caller(uid: uid, pid: pid, app: "user:ann")
  }

  /// The map may always know the place; so may, by an administrator's word, what has no name, where `isGoverned`.
  func harness(
    isGoverned: Bool = false, _ authorization: Authorization? = .authorizedAlways
  ) -> MonitoringHarness {
    var harness = MonitoringHarness()
    var allowed = [(Self.new.name, authorization)]
    if isGoverned { allowed.append((Self.old.name, .authorizedAlways)) }
    for case (let app, let authorization?) in allowed {
      harness.call(
        .permissionsSet(PermissionChange(app: app, uid: 1000, authorization: authorization)))
    }
    harness.handle(.connected(Self.map, Self.nameless(40)))
    harness.call(.hello(.init()), from: Self.map)
    return harness
  }

  /// The agent comes, and tells the program what it is asked about.
  @discardableResult
  func agentTells(
    _ harness: inout MonitoringHarness, _ names: [Int32: String] = [40: "/usr/bin/map"],
    agent: ClientID = MonitoringHarness.agent
  ) -> [Output] {
    var outputs = harness.connectAgent(agent)
    for caller in outputs.looks {
      guard let process = caller.process else { continue }
      let clue = names[caller.pid].map { ProgramClue(exe: $0) }
      outputs += harness.handle(.looked(caller.uid, process, clue))
    }
    return outputs
  }

  func name(_ harness: MonitoringHarness, _ id: ClientID = map) -> String? {
    harness.service.clients[id]?.caller.app
  }

  @Test("has each connection looked at: another program may have made one in the same process")
  func eachConnection() {
    var harness = harness()
    for (id, socket) in [(Self.map, UInt32(1)), (Self.other, 2)] {
      var caller = Self.nameless(40)
      caller.socket = socket
      harness.handle(.gone(id))
      harness.handle(.connected(id, caller))
    }
    for caller in harness.connectAgent(MonitoringHarness.agent).looks {
      guard let process = caller.process else { continue }
      let clue = caller.socket == 1 ? ProgramClue(exe: "/usr/bin/map") : nil
      harness.handle(.looked(caller.uid, process, clue, socket: caller.socket))
    }
    #expect(name(harness) == Self.new.name)
    #expect(name(harness, Self.other) == Self.old.name)
  }

  @Test("has its permission when the agent is there, and is told so once")
  func toldOnce() {
    var harness = harness()
    harness.call(.startUpdatingLocation(.init()), from: Self.map)
    #expect(harness.fix().told.isEmpty)
    let outputs = agentTells(&harness)
    #expect(name(harness) == Self.new.name)
    #expect(outputs.news(to: Self.map) == [.authorizedAlways])
    #expect(outputs.renamed == [Self.map])
    harness.now += 1
    #expect(harness.fix().told == [0])
    #expect(agentTells(&harness).looks.isEmpty)
  }

  @Test("has its access ended and written by the name that it had, where its own may not know")
  func ended() {
    var harness = harness(isGoverned: true, .denied)
    harness.call(.startUpdatingLocation(.init()), from: Self.map)
    for _ in 0..<10 {
      harness.now += 1
      harness.fix()
    }
    let written = agentTells(&harness).stored.map { change -> String? in
      if case .put(_, _, let key, _) = change { key } else { nil }
    }
    #expect(written == [Self.old.name])
  }

  @Test("is told nothing where its name may do the same")
  func nothingNew() {
    var harness = harness(isGoverned: true)
    let outputs = agentTells(&harness)
    #expect(outputs.news(to: Self.map).isEmpty)
    #expect(name(harness) == Self.new.name)
  }

  @Test("stays as it is where the agent cannot tell it, or is another user's")
  func untold() {
    var harness = harness()
    #expect(harness.connectAgent(ClientID(31), uid: 1001).looks.isEmpty)
    let outputs = agentTells(&harness, [:])
    #expect(outputs.looks.map(\.pid) == [40])
    #expect(outputs.news(to: Self.map).isEmpty)
    #expect(name(harness) == Self.old.name)
    // An answer to what was not asked names nobody.
    harness.handle(
      .looked(1000, ProcessID(pid: 40, startTime: 9), ProgramClue(exe: "/usr/bin/map")))
    harness.handle(
      .looked(1000, ProcessID(pid: 40, startTime: 0), ProgramClue(exe: "/usr/bin/map")))
    #expect(name(harness) == Self.old.name)
  }

  @Test("is looked at once for all of its connections, and all have its name")
  func connections() {
    var harness = harness()
    harness.handle(.connected(Self.other, Self.nameless(40)))
    let outputs = agentTells(&harness)
    #expect(outputs.looks.count == 1)
    #expect(name(harness, Self.other) == Self.new.name)
    // A connection that a door made of what it knew before is looked at as it comes.
    let late = harness.handle(.connected(ClientID(42), Self.nameless(40)))
    #expect(late.looks.count == 1)
  }

  @Test("of an agent that comes and goes is asked four times in 10 s")
  func flaps() {
    var harness = harness()
    var looks = 0
    for round in 0..<100 {
      let id = ClientID(UInt64(200 + round))
      let came = harness.connectAgent(id)
      looks += came.looks.count
      for caller in came.looks {
        if let process = caller.process { harness.handle(.looked(caller.uid, process, nil)) }
      }
      harness.handle(.gone(id))
      harness.now += 0.05
    }
    #expect(looks == Recognition.mostRounds)
    harness.connectAgent()
    #expect(harness.pass(10).looks.count == 1)
  }

  @Test("among a thousand is looked at in its turn")
  func crowd() {
    var harness = harness()
    for pid in 0..<1000 {
      harness.handle(
        .connected(ClientID(UInt64(1000 + pid)), Self.nameless(Int32(1000 + pid))))
    }
    var waiting = harness.connectAgent().looks
    #expect(waiting.count == Recognition.mostUnderWay)
    var count = 0
    while let caller = waiting.popLast(), let process = caller.process {
      count += 1
      waiting +=
        harness.handle(.looked(1000, process, ProgramClue(exe: "/bin/x\(caller.pid)"))).looks
      #expect(waiting.count <= Recognition.mostUnderWay)
    }
    #expect(count == 1001)
    #expect(name(harness, ClientID(1999)) == "exe:/bin/x1999")
  }
}

// MARK: - What moves

extension RecognitionTests {
  private static let home = MonitoringHarness.home

  private func kept(_ harness: MonitoringHarness, of app: App) -> Set<String> {
    Set(harness.disk.records.keys.filter { $0.app == app }.map(\.kind))
      .subtracting([StoredRecord.seen, StoredRecord.asked])
  }

  private func registerAll(_ harness: inout MonitoringHarness, _ id: ClientID = map) {
    harness.call(.startMonitoringVisits, from: id)
    harness.call(.startMonitoringSignificantLocationChanges, from: id)
    harness.call(.startMonitoring([Self.home]), from: id)
  }

  @Test("takes what it has registered to its name, on the disk too")
  func registrations() {
    var harness = harness(isGoverned: true)
    registerAll(&harness)
    let all: Set = [StoredRecord.visits, StoredRecord.significant, StoredRecord.region]
    #expect(kept(harness, of: Self.old) == all)
    agentTells(&harness)
    #expect(kept(harness, of: Self.old).isEmpty)
    #expect(kept(harness, of: Self.new) == all)
    #expect(harness.service.monitoring.registrations[Self.old] == nil)
    harness.walk(for: 30)
    #expect(harness.walk(north: 500, for: 100).reports.contains { $0.hasSuffix("exit home") })
    harness.restart()
    #expect(harness.service.monitoring.registrations[Self.new]?.regions.keys.sorted() == ["home"])
    #expect(harness.service.monitoring.regionTotals[1000]?.regions == 1)
  }

  @Test(
    "killed meanwhile, it has all under one name or all under the other", arguments: [true, false])
  func killed(isWritten: Bool) {
    var harness = harness(isGoverned: true)
    registerAll(&harness)
    harness.isDiskSlow = true
    let moved = agentTells(&harness).changes
    #expect(!moved.isEmpty)
    var crashed = self.harness(isGoverned: true)
    crashed.now = harness.now
    registerAll(&crashed)
    if isWritten { agentTells(&crashed) }
    crashed.restart()
    let all: Set = [StoredRecord.visits, StoredRecord.significant, StoredRecord.region]
    #expect(kept(crashed, of: Self.old) == (isWritten ? [] : all))
    #expect(kept(crashed, of: Self.new) == (isWritten ? all : []))
    // One commit has it all.
    let kinds = moved.compactMap { change -> String? in
      if case .put(Self.new, let kind, _, _) = change { kind } else { nil }
    }
    #expect(Set(kinds).subtracting([StoredRecord.seen]) == all)
  }

  @Test("that registered something before a restart without an agent finds it by its name after it")
  func secondRestart() {
    var harness = harness(isGoverned: true)
    registerAll(&harness)
    harness.restart()
    harness.handle(.connected(Self.map, Self.nameless(40)))
    harness.handle(.connected(Self.other, Self.nameless(41)))
    agentTells(&harness, [40: "/usr/bin/map", 41: "/usr/bin/other"])
    #expect(kept(harness, of: Self.old).isEmpty)
    #expect(kept(harness, of: Self.new).count == 3)
    #expect(kept(harness, of: App(uid: 1000, name: "exe:/usr/bin/other")).isEmpty)
    #expect(!harness.disk.records.keys.contains { $0.kind == StoredRecord.asked })
  }

  @Test("leaves nothing of what it takes back")
  func takenBack() {
    var harness = harness(isGoverned: true)
    registerAll(&harness)
    harness.call(.stopMonitoring(identifiers: ["home"]), from: Self.map)
    #expect(!harness.disk.records.keys.contains { $0.key.hasSuffix("home") })
  }

  @Test("leaves what others of the user registered that nobody told, and what both did")
  func others() {
    var harness = harness(isGoverned: true)
    harness.handle(.connected(Self.other, Self.nameless(41)))
    registerAll(&harness)
    harness.call(.startMonitoring([Self.home]), from: Self.other)
    var work = Self.home
    work.identifier = "work"
    harness.call(.startMonitoring([work]), from: Self.other)
    agentTells(&harness)
    #expect(kept(harness, of: Self.old) == [StoredRecord.region])
    #expect(
      harness.service.monitoring.registrations[Self.old]?.regions.keys.sorted() == ["home", "work"])
    #expect(harness.service.monitoring.registrations[Self.new]?.regions.keys.sorted() == ["home"])
    #expect(harness.service.monitoring.registrations[Self.new]?.visits == true)
  }

  @Test("registers nothing twice where its name has it already")
  func already() {
    var harness = harness(isGoverned: true)
    // Before the daemon started anew.
    harness.handle(.connected(Self.other, Caller(uid: 1000, pid: 40, app: Self.new.name)))
    registerAll(&harness, Self.other)
    harness.handle(.gone(Self.other))
    harness.walk(for: 30)
    harness.restart()
    harness.handle(.connected(Self.map, Self.nameless(40)))
    registerAll(&harness)
    harness.walk(for: 30)
    // It is told as user:ann, with a number above all of its name's.
    let told = harness.walk(north: 500, for: 100).reports.filter { $0.hasSuffix("exit home") }
    #expect(told.count == 1)
    let after = agentTells(&harness)
    #expect(!after.reports.contains { $0.hasSuffix("exit home") })
    #expect(harness.service.monitoring.regionTotals[1000]?.regions == 1)
    let waiting = harness.service.monitoring.registrations[Self.new]?.pending ?? []
    #expect(waiting.count { if case .didExitRegion = $0.event { true } else { false } } == 1)
    #expect(waiting.map(\.number) == waiting.map(\.number).sorted())
    harness.call(.acknowledge(event: waiting.last?.number ?? 0), from: Self.map)
    #expect(harness.disk.events.isEmpty)
  }

  @Test("is told what waited for its name, with numbers above those that it was told")
  func waited() throws {
    var harness = harness(isGoverned: true)
    harness.handle(.connected(Self.other, Caller(uid: 1000, pid: 40, app: Self.new.name)))
    harness.call(.startMonitoring([Self.home]), from: Self.other)
    harness.walk(for: 30)
    harness.handle(.gone(Self.other))
    harness.walk(north: 500, for: 100)
    harness.restart()
    harness.handle(.connected(Self.map, Self.nameless(40)))
    harness.call(.hello(.init()), from: Self.map)
    var work = Self.home
    work.identifier = "work"
    harness.call(.startMonitoring([work]), from: Self.map)
    harness.walk(for: 30)
    let told = harness.walk(north: 0, for: 100).reports
    #expect(told.contains { $0.hasSuffix("enter work") })
    let after = agentTells(&harness).reports
    #expect(after.count { $0.hasSuffix("exit home") } == 1)
    let numbers = (told + after).compactMap { $0.split(separator: " ").first.flatMap { Int($0) } }
    #expect(numbers == numbers.sorted() && Set(numbers).count == numbers.count)
    // What it acknowledges is all that it was told.
    let last = try #require(numbers.last)
    harness.call(.acknowledge(event: UInt64(last)), from: Self.map)
    #expect(harness.disk.events.isEmpty)
  }

  @Test("has nothing where its name was denied, whatever it was as nobody")
  func denied() {
    var harness = harness(isGoverned: true, .denied)
    registerAll(&harness)
    let outputs = agentTells(&harness)
    #expect(outputs.news(to: Self.map) == [.denied])
    #expect(kept(harness, of: Self.old).isEmpty)
    #expect(kept(harness, of: Self.new).isEmpty)
    #expect(harness.walk(north: 500, for: 100).reports.isEmpty)
  }

  @Test("takes the regions that wait for a decision with it")
  func undecided() {
    var harness = harness(nil)
    harness.call(.startMonitoring([Self.home]), from: Self.map)
    agentTells(&harness)
    #expect(harness.service.monitoring.undecided.regions.keys.map(\.self) == [Self.new])
    harness.call(
      .permissionsSet(
        PermissionChange(app: Self.new.name, uid: 1000, authorization: .authorizedAlways)))
    #expect(kept(harness, of: Self.new) == [StoredRecord.region])
  }

  func harness(_ authorization: Authorization?) -> MonitoringHarness {
    harness(isGoverned: false, authorization)
  }

  @Test("that reconnects and is told at once finds what it had registered before")
  func reconnects() {
    var harness = harness(isGoverned: true)
    registerAll(&harness)
    harness.handle(.gone(Self.map))
    func told(_ pid: Int32) -> Caller {
      var caller = Caller(uid: 1000, pid: pid, app: Self.new.name)
      caller.lookedAtBy = MonitoringHarness.agent
      return caller
    }
    harness.handle(.connected(Self.other, told(41)))
    #expect(!kept(harness, of: Self.old).isEmpty)
    harness.handle(.connected(Self.map, told(40)))
    #expect(kept(harness, of: Self.old).isEmpty)
    #expect(kept(harness, of: Self.new).count == 3)
  }
}

extension [Output] {
  var looks: [Caller] {
    compactMap { if case .look(let caller) = $0 { caller } else { nil } }
  }

  var renamed: [ClientID] {
    compactMap { if case .renamed(let client, _) = $0 { client } else { nil } }
  }

  /// The rights that the client is told, in order.
  func news(to client: ClientID) -> [Authorization] {
    flatMap { output -> [Authorization] in
      guard case .tell(let recipients, .didChangeAuthorization(let authorization, _)) = output
      else {
        return []
      }
      return recipients.contains { $0.client == client } ? [authorization] : []
    }
  }
}
