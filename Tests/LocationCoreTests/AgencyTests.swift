import LocationModel
import Testing

@testable import LocationCore

@Suite("Which processes may be agents") struct AgencyTests {
  private static let slice = "/user.slice/user-1000.slice"
  private static let manager = "\(slice)/user@1000.service"

  @Test(
    "an agent is its user's unit for it, or on a terminal of that user's",
    arguments: [
      ("\(manager)/app.slice/locationd-agent.service", false),
      ("\(manager)/session.slice/locationd-agent.service", false),
      ("\(slice)/session-2.scope", true), ("\(slice)/session-c2.scope", true),
      ("\(manager)/app.slice/vte-spawn-54b38acc.scope", true),
      ("\(manager)/app.slice/app-org.kde.konsole@7a1f.service", true),
      ("\(manager)/tmux-spawn-54b38acc.scope", true),
    ])
  func agents(folder: String, needsTerminal: Bool) {
    func mayBe(
      uid: UInt32 = 1000, hasTerminal: Bool = true, users: Bool = false, processes: Bool = false,
      on machine: Machine = .withSystemd
    ) -> Bool {
      IdentityTests.caller(
        in: folder, uid: uid, hasOwnUsers: users, hasOwnProcesses: processes,
        hasTerminal: hasTerminal, on: machine
      ).mayBeAgent
    }
    #expect(mayBe())
    #expect(mayBe(on: .withoutSystemd))
    #expect(mayBe(hasTerminal: false) != needsTerminal)
    #expect(!mayBe(uid: 1001))
    #expect(!mayBe(uid: 0))
    #expect(!mayBe(users: true))
    #expect(!mayBe(processes: true))
  }

  @Test(
    "a system service, a sandbox and whatever is in no session is no agent, on a terminal or not",
    arguments: [
      "/system.slice/evil.service", "/system.slice/evil.service/user.slice/user-1000.slice",
      "/system.slice/locationd-agent.service", "/system.slice/run-u1.scope", "/init.scope",
      "\(slice)/evil.service", "\(slice)/locationd-agent.service", "\(slice)/evil.scope",
      "/user.slice/session-2.scope", "/user.slice/user-1001.slice/session-2.scope",
      "/user.slice/user-1001.slice/user@1001.service/app.slice/locationd-agent.service",
      "/user.slice/user-1001.slice/user@1000.service/app.slice/locationd-agent.service",
      "/system.slice/user-1000.slice/session-2.scope", "/user-1000.slice/session-2.scope",
      "/user.slice/user-1000.slice/x.slice/../session-2.scope",
      "\(manager)/app.slice/app-flatpak-org.x-1.scope", "\(slice)",
      "/machine.slice/machine-box.scope/user.slice/user-1000.slice/session-2.scope",
    ])
  func strangers(folder: String) {
    for machine in [Machine.withSystemd, .withoutSystemd] {
      for hasTerminal in [true, false] {
        let caller = IdentityTests.caller(in: folder, hasTerminal: hasTerminal, on: machine)
        // Where there is no systemd, that is no unit, and not one of a user's either.
        let isNoUnit = CgroupPlace(Array("0::\(folder)\n".utf8)) == nil
        #expect(!caller.mayBeAgent || machine == .withoutSystemd && isNoUnit && hasTerminal)
      }
    }
  }

  @Test("without systemd a terminal stands in for the session")
  func withoutSystemd() {
    for folder in ["/", "/openrc.sshd", "/1"] {
      func caller(_ machine: Machine, hasTerminal: Bool) -> Caller {
        IdentityTests.caller(in: folder, hasTerminal: hasTerminal, on: machine)
      }
      #expect(caller(.withoutSystemd, hasTerminal: true).mayBeAgent)
      #expect(!caller(.withoutSystemd, hasTerminal: false).mayBeAgent)
      // With systemd, whatever is in no unit was moved there.
      #expect(!caller(.withSystemd, hasTerminal: true).mayBeAgent)
    }
  }

  private func caller(_ lineage: [Int32]?, app: String = "exe:/usr/bin/x") -> Caller {
    var caller = Caller(uid: 1000, pid: lineage?.first ?? 0, app: app)
    caller.lineage = lineage?.map { ProcessID(pid: $0, startTime: UInt64($0) * 10) }
    return caller
  }

  @Test(
    "kin are ancestors and descendants, and not siblings",
    arguments: [
      ([5, 4, 3, 1], [4, 3, 1], true), ([5, 4, 3, 1], [3, 1], true), ([5, 4, 1], [5, 4, 1], true),
      ([5, 4, 3, 1], [6, 4, 3, 1], false), ([5, 1], [6, 1], false), ([5, 4, 1], [7, 6, 1], false),
    ] as [([Int32], [Int32], Bool)])
  func kin(one: [Int32], other: [Int32], areKin: Bool) {
    #expect(caller(one).isKin(of: caller(other)) == areKin)
    #expect(caller(other).isKin(of: caller(one)) == areKin)
    // A process without known ancestors may be anyone's.
    #expect(caller(nil).isKin(of: caller(other)))
    #expect(caller(one).isKin(of: caller([])))
  }

  @Test("a number that another process has by now makes no kin")
  func reusedNumber() {
    var heir = caller([4, 1])
    heir.lineage?[0].startTime = 41
    #expect(!heir.isKin(of: caller([5, 4, 1])))
  }

  @Test("what one service of the user's manager has started is kin, though its parent is gone")
  func service() {
    func member(_ pid: Int32, _ unit: String, app: String) -> Caller {
      var caller = caller([pid, 1], app: app)
      caller.unit = .user(unit)
      return caller
    }
    let evil = member(5, "evil.service", app: "userunit:evil")
    #expect(evil.isKin(of: member(6, "evil.service", app: "userunit:evil")))
    #expect(!evil.isKin(of: member(6, "good.service", app: "userunit:good")))
    let tab = member(5, "vte-spawn-1.scope", app: "exe:/usr/bin/a")
    #expect(!tab.isKin(of: member(6, "vte-spawn-1.scope", app: "exe:/usr/bin/b")))
  }

  @Test("of a program that only its socket tells, kin is whatever is of the same unit")
  func sockets() {
    func member(_ unit: Caller.Unit?) -> Caller {
      var caller = caller([5, 1])
      caller.unit = unit
      return caller
    }
    func socket(_ unit: Caller.Unit?, uid: UInt32 = 1000) -> Caller {
      var caller = caller(nil, app: "gpsd:ann")
      (caller.entry, caller.unit, caller.uid) = (.shared, unit, uid)
      return caller
    }
    let agent = member(.user("locationd-agent.service"))
    #expect(!agent.isKin(of: socket(.user("app-org.qgis.qgis-1.scope"))))
    #expect(!agent.isKin(of: socket(.system("session-3.scope"))))
    #expect(agent.isKin(of: socket(.user("locationd-agent.service"))))
    #expect(agent.isKin(of: socket(nil)) && member(nil).isKin(of: socket(nil)))
    let terminal = member(.system("session-3.scope"))
    #expect(terminal.isKin(of: socket(.system("session-3.scope"))))
    #expect(!terminal.isKin(of: socket(.system("session-4.scope"))))
    // Where its process is told, that counts.
    var told = socket(nil)
    told.lineage = [ProcessID(pid: 6, startTime: 60), ProcessID(pid: 1, startTime: 10)]
    #expect(!member(nil).isKin(of: told))
    told.lineage = [ProcessID(pid: 5, startTime: 50), ProcessID(pid: 1, startTime: 10)]
    #expect(member(nil).isKin(of: told))
  }

  // MARK: - At a harness

  private static let agent = ClientID(8)

  /// An agent on a terminal, and an app; which of them began the other.
  private func harness(agent: [Int32], app: [Int32]) -> ServiceHarness {
    var harness = ServiceHarness()
    connectAgent(Self.agent, agent, to: &harness)
    harness.handle(.connected(ServiceHarness.app, caller(app, app: "exe:/usr/bin/evil")))
    return harness
  }

  @discardableResult
  private func connectAgent(
    _ id: ClientID, _ lineage: [Int32], unit: String? = nil, to harness: inout ServiceHarness
  ) -> [Output] {
    var agent = caller(lineage, app: "exe:/usr/bin/locationctl")
    agent.isInUserSlice = true
    if let unit { agent.unit = .user(unit) } else { agent.hasTerminal = true }
    harness.handle(.connected(id, agent))
    return harness.call(.agentRegister, from: id)
  }

  @Test(
    "a user's program is not answered for by what it has started, nor by what has started it",
    arguments: [([6, 5, 1], [5, 1]), ([5, 1], [6, 5, 1]), ([5, 1], [5, 1])] as [([Int32], [Int32])])
  func ownKin(agent: [Int32], app: [Int32]) {
    var harness = harness(agent: agent, app: app)
    for level in [Authorization.authorizedWhenInUse, .authorizedAlways] {
      let outputs = harness.call(.requestAuthorization(level), from: ServiceHarness.app)
      #expect(outputs.asked.isEmpty)
      #expect(outputs.refusals.map(\.code) == [.denied])
      #expect(outputs.refusals.first?.message.contains("sudo locationctl grant") == true)
    }
    // Neither does it say which program that is.
    #expect(harness.service.agent(for: caller(app)) == nil)
    #expect(harness.service.agent(for: caller([9, 1])) == Self.agent)
    // Others are asked about.
    harness.handle(.connected(ClientID(6), caller([9, 1], app: "exe:/usr/bin/maps")))
    #expect(
      harness.call(.requestAuthorization(.authorizedWhenInUse), from: ClientID(6)).asked.count == 1)
  }

  @Test("nobody joins a question that was put to kin of theirs")
  func joining() {
    var harness = harness(agent: [6, 5, 1], app: [9, 1])
    #expect(
      harness.call(.requestAuthorization(.authorizedAlways), from: ServiceHarness.app).asked.count
        == 1)
    harness.handle(.connected(ClientID(7), caller([5, 1], app: "exe:/usr/bin/evil")))
    let joined = harness.call(.requestAuthorization(.authorizedAlways), from: ClientID(7))
    #expect(joined.refusals.map(\.code) == [.denied])
  }

  @Test("where the unit is kin, the terminal is asked")
  func another() {
    var harness = harness(agent: [6, 1], app: [5, 4, 1])
    #expect(
      connectAgent(ClientID(9), [4, 1], unit: "locationd-agent.service", to: &harness).replies
        == [.done])
    let asked = harness.call(.requestAuthorization(.authorizedWhenInUse), from: ServiceHarness.app)
      .asked
    #expect(asked.map(\.agent) == [Self.agent.number])
  }

  @Test("an app with several processes is asked about by an agent that is kin of none of them")
  func severalProcesses() {
    let harness = harness(agent: [7, 5, 1], app: [9, 1])
    func agent(about callers: [Caller]) -> ClientID? {
      harness.service.permissions.agentToAsk(about: callers, harness.service.clients)
    }
    #expect(agent(about: [caller([9, 1])]) == Self.agent)
    #expect(agent(about: [caller([9, 1]), caller([5, 1])]) == nil)
  }
}
