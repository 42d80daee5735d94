import DBus
import LocationCore
import LocationModel
import Platform

/// Agents that came over the bus. Each is called on an object of its own; who is one, and until when a
/// question waits, the service decides as for those of the socket.
final class BusAgents {
  private struct Agent {
    let caller: BusCaller
    let path: String
    let session: ServiceSession
  }

  private let bus: BusConnection
  private let post: (Input) -> Void
  private var agents: [ClientID: Agent] = [:]
  /// Calls that the bus counts as ours until their answer, whether or not that is still wanted.
  private var calls: [UInt64: BusCall] = [:]
  private var callCount: UInt64 = 0
  private var unanswered: [UInt32: Int] = [:]
  private var unasked: [(agent: ClientID, call: AgentCall)] = []
  private var later: EventLoop.Later?

  /// The most calls to one user's agents, however many come and go. The system bus lets a program wait for
  /// 128 answers all told, and agents that never answer must leave some to others.
  private static let mostUnanswered = 16
  /// The bus says it when an agent goes without an answer.
  private static let endless = Int32.max

  init(
    on bus: BusConnection, post: @escaping (Input) -> Void
  ) throws(SystemError) {
    self.bus = bus
    self.post = post
    later = try EventLoop.Later(on: bus.loop) { [unowned self] in notifyUnasked() }
  }

  func session(of agent: ClientID) -> ServiceSession? { agents[agent]?.session }
  func caller(of agent: ClientID) -> BusCaller? { agents[agent]?.caller }
}

// MARK: - Agents come and go

extension BusAgents {
  func register(
    _ caller: BusCaller, at path: String, _ session: ServiceSession, for call: BusInvocation
  ) {
    agents[session.id] = Agent(caller: caller, path: path, session: session)
    session.begin(as: caller.caller)
    session.ask(.agentRegister) { [unowned self] answer in
      switch answer {
      case .success: call.answer([])
      case .failure(let refusal):
        call.refuse(BusError(refusal))
        remove { $0.session === session }
      }
    }
  }

  /// False where there is no such agent.
  func remove(_ path: String, of sender: String) -> Bool {
    remove { $0.path == path && $0.caller.name == sender }
  }

  func removeAll(of caller: BusCaller) { remove { $0.caller === caller } }

  @discardableResult
  private func remove(where isMeant: (Agent) -> Bool) -> Bool {
    let leaving = agents.values.filter(isMeant)
    for agent in leaving {
      agents[agent.session.id] = nil
      agent.session.end()
    }
    return !leaving.isEmpty
  }
}

// MARK: - What they are asked

extension BusAgents {
  func ask(_ id: ClientID, _ request: AgentRequest, _ call: AgentCall?) {
    guard let agent = agents[id] else { return }
    let message = try? BusMessage(
      to: agent.caller.name, agent.path, AgentRequest.interface, request.member, request.arguments)
    guard let call else {
      message?.forgoReply()
      if let message { bus.send(message) }
      return
    }
    let uid = agent.caller.caller.uid
    guard let message, unanswered[uid] ?? 0 < Self.mostUnanswered else {
      unasked.append((id, call))
      later?.set()
      return
    }
    callCount += 1
    let number = callCount
    unanswered[uid, default: 0] += 1
    calls[number] = bus.call(message, patience: Self.endless) { [unowned self] answer in
      // Not let go of before it has returned.
      let done = calls.removeValue(forKey: number)
      withExtendedLifetime(done) {
        let left = (unanswered[uid] ?? 1) - 1
        unanswered[uid] = left > 0 ? left : nil
        post(.answered(id, call, Self.result(answer)))
      }
    }
  }

  /// Nil for what is no answer. One that says nothing is one, where nothing is to be said.
  private static func result(_ answer: BusCall.Answer) -> JSON? {
    guard let reply = try? answer.get(), let values = try? reply.arguments() else { return nil }
    switch reply.signature {
    case "": return [:]
    case "a{sv}": return values.first.map { JSON($0) }
    default: return nil
    }
  }

  /// Not at once: who has them asked is in the middle of it.
  private func notifyUnasked() {
    let all = unasked
    unasked = []
    for one in all { post(.answered(one.agent, one.call, nil)) }
  }
}
