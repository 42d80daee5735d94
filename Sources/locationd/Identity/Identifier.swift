import LocationCore
import LocationModel
import Platform

/// Tells who somebody is: at once what the kernel says, and where that names nobody, what the agent of
/// the same user adds, if there is one and it answers in time, or one that comes back in time.
final class Identifier {
  enum Agent: Equatable {
    case absent
    /// It answers once, nil if it cannot tell.
    case asked(ClientID)
    /// There was one before the daemon started anew: it is waited for until then.
    case awaited(until: Boottime)
  }

  /// Asks an agent of the same user about a process.
  typealias Agents = (_ caller: Caller, _ answer: @escaping (ProgramClue?) -> Void) -> Agent

  var agents: Agents?
  let machine = Machine.own
  let users = UserNames()
  /// The groups name the program of a socket where the kernel tells no process.
  let groups = ControlGroups()
  private var pending: [Pending] = []
  private var alarm: EventLoop.Timer?
  private let patience: Duration
  /// One user's programs that wait at a time.
  static let mostPerUser = 256
  /// Those of them that the agent is asked about.
  static let mostAskedPerUser = 8

  /// `patience`: an agent is on this machine, so this is for one that hangs.
  init(patience: Duration = .seconds(2), on loop: EventLoop) throws(SystemError) {
    self.patience = patience
    alarm = try EventLoop.Timer(slack: .milliseconds(100), on: loop) { [unowned self] in
      giveUpLate()
    }
  }

  private final class Pending {
    let caller: Caller
    let process: ProcessHandle
    var deadline: Boottime
    /// The agent that is asked about it.
    var agent: ClientID?
    /// It waits for an agent rather than for its turn.
    var isAwaiting = false
    /// Answers to an earlier question count for nothing.
    var question = 0
    let completion: (ProgramClue?, ClientID?) -> Void

    init(
      _ caller: Caller, _ process: consuming ProcessHandle, deadline: Boottime,
      completion: @escaping (ProgramClue?, ClientID?) -> Void
    ) {
      self.caller = caller
      self.process = process
      self.deadline = deadline
      self.completion = completion
    }
  }
}

extension Identifier {
  /// Tells once, and before it returns unless an agent is asked or waited for.
  func identify(
    _ facts: ProcessFacts, _ process: consuming ProcessHandle?,
    completion: @escaping (Caller) -> Void
  ) {
    let caller = Caller(facts, on: machine, userName: users.name(of: facts.uid))
    guard caller.wantsClue, let process else { return completion(caller) }
    look(caller, process) { clue, agent in
      var caller = caller
      caller.lookedAtBy = agent
      if let clue { caller.apply(clue) }
      completion(caller)
    }
  }

  /// Has the agent look at a caller's process once more, if it is still that process. Tells once.
  func lookAgain(_ caller: Caller, completion: @escaping (ProgramClue?) -> Void) {
    guard let process = ProcessHandle.of(caller.pid, uid: caller.uid),
      let first = process.look()?.lineage?.first,
      ProcessID(pid: first.pid, startTime: first.startTime) == caller.process
    else { return completion(nil) }
    look(caller, process) { clue, _ in completion(clue) }
  }

  /// The user has another agent now. What is left of the wait for it is its time for the answer, too.
  func agentCame(_ uid: UInt32) {
    for one in pending where one.caller.uid == uid && one.isAwaiting {
      one.isAwaiting = false
      one.deadline = max(one.deadline, Clock.boottime + patience)
    }
    askMore(uid)
  }

  /// The client has gone. What it was asked as an agent, the next one is asked, if there is one.
  func gone(_ client: ClientID) {
    let asked = pending.filter { $0.agent == client }
    for one in asked {
      one.agent = nil
      one.question += 1
    }
    for uid in Set(asked.map(\.caller.uid)) { askMore(uid) }
  }

  private func look(
    _ caller: Caller, _ process: consuming ProcessHandle,
    completion: @escaping (ProgramClue?, ClientID?) -> Void
  ) {
    guard agents != nil, pending.count(where: { $0.caller.uid == caller.uid }) < Self.mostPerUser
    else { return completion(nil, nil) }
    let one = Pending(caller, process, deadline: Clock.boottime + patience, completion: completion)
    pending.append(one)
    askMore(caller.uid)
  }

  /// Asks about as many as may be asked about at a time.
  private func askMore(_ uid: UInt32) {
    for one in pending where one.caller.uid == uid && one.agent == nil && !one.isAwaiting {
      let asked = pending.count { $0.caller.uid == uid && $0.agent != nil }
      if asked >= Self.mostAskedPerUser { break }
      guard pending.contains(where: { $0 === one }) else { continue }
      ask(one)
    }
    alarm?.set(pending.lazy.map(\.deadline).min())
  }

  private func ask(_ one: Pending) {
    let question = one.question
    let agent = agents?(one.caller) { [weak self, weak one] clue in
      if let self, let one, one.question == question { conclude(one, clue) }
    }
    switch agent {
    case .asked(let agent): one.agent = agent
    case .awaited(let until):
      one.isAwaiting = true
      one.deadline = until
    case .absent, nil: conclude(one, nil)
    }
  }

  private func conclude(_ one: Pending, _ clue: ProgramClue?, isLate: Bool = false) {
    guard let place = pending.firstIndex(where: { $0 === one }) else { return }
    pending.remove(at: place)
    // The agent looked at whoever had the number by then. One that is slow may be asked once more.
    one.completion(one.process.lives ? clue : nil, isLate ? nil : one.agent)
    if one.agent != nil { askMore(one.caller.uid) }
  }

  private func giveUpLate() {
    let now = Clock.boottime
    for one in pending where one.deadline <= now { conclude(one, nil, isLate: true) }
    alarm?.set(pending.lazy.map(\.deadline).min())
  }
}

extension Machine {
  static var own: Machine {
    let cgroup = try? File.bytes(of: "/proc/self/cgroup", atMost: 65536)
    return Machine(hasSystemd: Process.isUnderSystemd, cgroup: cgroup ?? [])
  }
}

// MARK: - From either door

extension ProcessFacts {
  /// The facts of a socket's peer, or of a process that is gone, where `process` is nil.
  init(uid: UInt32, pid: Int32, label: String?, _ process: borrowing ProcessHandle?) {
    let sight = process?.look()
    self.init(
      uid: uid, pid: pid, label: sight?.label ?? label,
      seen: sight.map {
        Seen(
          cgroup: $0.cgroup, command: $0.command, hasOwnUsers: $0.hasOwnUsers,
          hasOwnProcesses: $0.hasOwnProcesses, hasTerminal: $0.hasTerminal,
          lineage: $0.lineage?.map { ProcessID(pid: $0.pid, startTime: $0.startTime) })
      })
  }
}
