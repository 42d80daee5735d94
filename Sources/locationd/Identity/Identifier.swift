import LocationCore
import LocationModel
import Platform

/// Tells who somebody is: at once what the kernel says, and where that names nobody, what the agent of
/// the same user adds, if there is one and it answers in time.
final class Identifier {
  /// Asks an agent of the same user about a process. False where there is none; else it
  /// answers once, nil if it cannot tell.
  typealias Agents = (
    _ caller: Caller, _ answer: @escaping (ProgramClue?) -> Void
  ) -> Bool

  var agents: Agents?
  private let machine = Machine.own
  private let users = UserNames()
  private var pending: [Pending] = []
  private var alarm: EventLoop.Timer?
  private let patience: Duration
  /// Questions about one user's programs at a time.
  static let mostPerUser = 256

  /// `patience`: an agent is on this machine, so this is for one that hangs.
  init(patience: Duration = .seconds(2), on loop: EventLoop) throws(SystemError) {
    self.patience = patience
    alarm = try EventLoop.Timer(slack: .milliseconds(100), on: loop) { [unowned self] in
      giveUpLate()
    }
  }

  private final class Pending {
    var caller: Caller
    let process: ProcessHandle
    let deadline: Boottime
    let completion: (Caller) -> Void

    init(
      _ caller: Caller, _ process: consuming ProcessHandle, deadline: Boottime,
      completion: @escaping (Caller) -> Void
    ) {
      self.caller = caller
      self.process = process
      self.deadline = deadline
      self.completion = completion
    }
  }
}

extension Identifier {
  /// Tells once, and before it returns unless an agent is asked.
  func identify(
    _ facts: ProcessFacts, _ process: consuming ProcessHandle?,
    completion: @escaping (Caller) -> Void
  ) {
    let caller = Caller(facts, on: machine, userName: users.name(of: facts.uid))
    guard caller.wantsClue, let agents, let process,
      pending.count(where: { $0.caller.uid == caller.uid }) < Self.mostPerUser
    else { return completion(caller) }
    let one = Pending(caller, process, deadline: Clock.boottime + patience, completion: completion)
    pending.append(one)
    let isAsked = agents(caller) { [weak self, weak one] clue in
      if let self, let one { conclude(one, clue) }
    }
    if isAsked {
      if pending.first === one { alarm?.set(one.deadline) }
    } else {
      conclude(one, nil)
    }
  }

  private func conclude(_ one: Pending, _ clue: ProgramClue?) {
    guard let place = pending.firstIndex(where: { $0 === one }) else { return }
    pending.remove(at: place)
    if place == 0 { alarm?.set(pending.first?.deadline) }
    var caller = one.caller
    // The agent looked at whoever had the number by then.
    if let clue, one.process.lives { caller.heed(clue) }
    one.completion(caller)
  }

  private func giveUpLate() {
    let now = Clock.boottime
    while let first = pending.first, first.deadline <= now { conclude(first, nil) }
    alarm?.set(pending.first?.deadline)
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
