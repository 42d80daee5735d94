import LocationCore
import LocationModel

/// What agents are asked about their users' programs. Whoever is told an answer may have more asked at
/// once, so this is changed before that and not meanwhile.
final class AgentDesk {
  private struct Question {
    var number: Int64
    var agent: ClientID
    var asked: Int64
    var answer: (JSON?) -> Void
  }

  private var questions: [Question] = []
  private var last: Int64 = 0

  /// One that has not answered for so long is not asked more until it does.
  private static let patience: Int64 = 2_000_000_000
  private static let most = 4096
  private static let prefix = "desk-"

  /// False where the agent is not asked.
  func identify(
    _ pid: Int32, by agent: ClientID, at now: Int64,
    _ answer: @escaping (ProgramClue?) -> Void, ask: (AgentRequest, JSON) -> Void
  ) -> Bool {
    put(.identify(pid: pid), to: agent, at: now, { answer($0.flatMap(ProgramClue.init)) }, ask: ask)
  }

  /// False where the agent is not asked.
  func findOwner(
    of busName: String, by agent: ClientID, at now: Int64,
    _ answer: @escaping (AgentOwner?) -> Void, ask: (AgentRequest, JSON) -> Void
  ) -> Bool {
    put(
      .owner(busName: busName), to: agent, at: now, { answer($0.flatMap(AgentOwner.init)) },
      ask: ask)
  }

  private func put(
    _ request: AgentRequest, to agent: ClientID, at now: Int64,
    _ answer: @escaping (JSON?) -> Void, ask: (AgentRequest, JSON) -> Void
  ) -> Bool {
    if let oldest = questions.first(where: { $0.agent == agent }),
      now - oldest.asked > Self.patience
    {
      return false
    }
    guard questions.count < Self.most else { return false }
    last += 1
    questions.append(Question(number: last, agent: agent, asked: now, answer: answer))
    ask(request, .string("\(Self.prefix)\(last)"))
    return true
  }

  /// One that has gone answers nothing any more.
  func forget(_ agent: ClientID) {
    let left = questions.filter { $0.agent == agent }
    questions.removeAll { $0.agent == agent }
    for question in left { question.answer(nil) }
  }

  /// Whether it was an answer to such a question.
  func take(_ answer: ClientAnswer, from agent: ClientID) -> Bool {
    guard let id = answer.id.string, id.hasPrefix(Self.prefix) else { return false }
    let number = Int64(id.dropFirst(Self.prefix.count))
    guard let i = questions.firstIndex(where: { $0.number == number && $0.agent == agent }) else {
      return true
    }
    let question = questions.remove(at: i)
    question.answer(answer.result)
    return true
  }
}

extension ProgramClue {
  fileprivate init?(_ json: JSON) {
    guard json.members != nil else { return nil }
    self.init(exe: json["exe"]?.string, flatpak: json["flatpak"]?.string)
  }
}
