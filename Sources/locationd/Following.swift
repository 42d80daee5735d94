import LocationCore
import LocationModel
import Platform

/// Logs what happens, for a person who looks for a fault: never a place. It is asked at that level only.
extension Log {
  func follow(_ input: Input, _ roster: Roster) {
    switch input {
    case .connected(let client, let caller):
      debug("\(client.word) connects: \(caller.app), uid \(caller.uid), pid \(caller.pid)")
    case .called(let client, let call):
      // Its name alone: a region says where somebody lives.
      debug("\(client.word) calls \("\(call.request)".prefix { $0 != "(" })")
    case .gone(let client): debug("\(client.word) has gone")
    case .found(let source): debug("\(roster.name(of: source)) is there")
    case .failed(let source, let reason): debug("\(roster.name(of: source)): \(reason)")
    default: break
    }
  }

  func follow(_ output: Output, _ roster: Roster) {
    switch output {
    case .refuse(let client, _, let refusal):
      debug("\(client.word) is refused: \(refusal.message)")
    case .open(let source, let demand):
      debug("opening \(roster.name(of: source)) for \(demand)")
    case .demand(let source, let demand):
      debug("\(roster.name(of: source)) is needed for \(demand)")
    case .close(let source): debug("closing \(roster.name(of: source))")
    default: break
    }
  }
}

extension ClientID {
  fileprivate var word: String { "client \(number)" }
}
