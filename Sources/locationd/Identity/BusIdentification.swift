import DBus
import LocationCore
import Platform

/// Somebody on the bus, being identified. Let go of, nothing is told.
final class BusIdentification {
  private let identifier: Identifier
  private let completion: (Result<Caller, BusError>) -> Void
  private var lookup: BusProcess?

  fileprivate init(
    of name: String, on bus: BusConnection, by identifier: Identifier,
    completion: @escaping (Result<Caller, BusError>) -> Void
  ) throws(BusError) {
    self.identifier = identifier
    self.completion = completion
    lookup = try bus.process(of: name) { [unowned self] credentials, process in
      lookup = nil
      switch credentials {
      case .failure(let error): self.completion(.failure(error))
      case .success(let credentials): identify(credentials, process)
      }
    }
  }

  private func identify(_ credentials: BusCredentials, _ process: consuming ProcessHandle?) {
    let facts = ProcessFacts(
      uid: credentials.uid, pid: credentials.pid.flatMap(Int32.init(exactly:)) ?? 0,
      label: credentials.label, process)
    identifier.identify(facts, process) { [weak self] in self?.completion(.success($0)) }
  }
}

extension Identifier {
  /// Identifies a unique name on the bus; tells no answer before this returns.
  func identify(
    _ name: String, on bus: BusConnection, completion: @escaping (Result<Caller, BusError>) -> Void
  ) throws(BusError) -> BusIdentification {
    try BusIdentification(of: name, on: bus, by: self, completion: completion)
  }
}
