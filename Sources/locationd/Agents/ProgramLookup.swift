import LocationCore
import LocationModel

/// The daemon's questions to agents about their users' programs. An answer may lead to the next question
/// at once, so the list is changed before the answer is passed on.
final class ProgramLookup {
  private struct Question {
    var number: Int64
    var agent: ClientID
    var asked: Boottime
    var answer: (JSON?) -> Void
  }

  private var questions: [Question] = []
  private var last: Int64 = 0

  /// An agent that has not answered for so long is not asked more until it does.
  private static let patience: Duration = .seconds(2)
  private static let most = 4096

  /// False where the agent is not asked.
  func identify(
    _ caller: Caller, by agent: ClientID, at now: Boottime,
    _ answer: @escaping (ProgramClue?) -> Void, ask: (AgentRequest, AgentCall) -> Void
  ) -> Bool {
    put(
      .identify(pid: caller.pid, socket: caller.socket), to: agent, at: now,
      { answer($0.flatMap(ProgramClue.init)) }, ask: ask)
  }

  /// False where the agent is not asked.
  func findOwner(
    of busName: String, by agent: ClientID, at now: Boottime,
    _ answer: @escaping (AgentOwner?) -> Void, ask: (AgentRequest, AgentCall) -> Void
  ) -> Bool {
    put(
      .owner(busName: busName), to: agent, at: now, { answer($0.flatMap(AgentOwner.init)) },
      ask: ask)
  }

  private func put(
    _ request: AgentRequest, to agent: ClientID, at now: Boottime,
    _ answer: @escaping (JSON?) -> Void, ask: (AgentRequest, AgentCall) -> Void
  ) -> Bool {
    if let oldest = questions.first(where: { $0.agent == agent }),
      now - oldest.asked > Self.patience
    {
      return false
    }
    guard questions.count < Self.most else { return false }
    last += 1
    questions.append(Question(number: last, agent: agent, asked: now, answer: answer))
    ask(request, .program(last))
    return true
  }

  /// An agent that has gone answers nothing any more.
  func forget(_ agent: ClientID) {
    let left = questions.filter { $0.agent == agent }
    questions.removeAll { $0.agent == agent }
    for question in left { question.answer(nil) }
  }

  func accept(_ answer: JSON?, to number: Int64, from agent: ClientID) {
    guard let i = questions.firstIndex(where: { $0.number == number && $0.agent == agent }) else {
      return
    }
    let question = questions.remove(at: i)
    question.answer(answer)
  }
}

extension ProgramClue {
  fileprivate init?(_ json: JSON) {
    guard json.members != nil else { return nil }
    self.init(
      exe: json["exe"]?.string, script: json["script"]?.string,
      isShared: json["shared"] == .bool(true), flatpak: json["flatpak"]?.string)
  }
}
