import LocationCore
import LocationModel
import Platform

/// Logs what happens, for a person who looks for a fault: never a place. It is asked at that level only.
extension Log {
  func trace(_ input: Input, _ registry: SourceRegistry) {
    switch input {
    case .connected(let client, let caller):
      debug("\(client.word) connects: \(caller.app), uid \(caller.uid), pid \(caller.pid)")
    case .called(let client, let call):
      // Its name alone: a region says where somebody lives.
      debug("\(client.word) calls \("\(call.request)".prefix { $0 != "(" })")
    case .gone(let client): debug("\(client.word) has gone")
    case .found(let source): debug("\(registry.name(of: source)) is there")
    case .failed(let source, let reason): debug("\(registry.name(of: source)): \(reason)")
    default: break
    }
  }

  func trace(_ output: Output, _ registry: SourceRegistry) {
    switch output {
    case .refuse(let client, _, let refusal):
      debug("\(client.word) is refused: \(refusal.message)")
    case .open(let source, let demand):
      debug("opening \(registry.name(of: source)) for \(demand)")
    case .demand(let source, let demand):
      debug("\(registry.name(of: source)) is needed for \(demand)")
    case .close(let source): debug("closing \(registry.name(of: source))")
    default: break
    }
  }
}

extension ClientID {
  fileprivate var word: String { "client \(number)" }
}
