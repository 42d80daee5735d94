import Console
import Glibc
import LocationClient
import LocationModel

/// Asks the daemon what an examination is made of, for the doctor and for the page of settings.
final class Examiner {
  private let daemon: Inquiry
  private let path: String
  private let name: String

  /// Seconds for which the receivers are tried.
  private static let trial = 3.0
  private static let patience: Duration = .seconds(10)

  /// `daemon`: at this path. `name`: what the daemon is told about who asks.
  init(_ daemon: Inquiry, at path: String, as name: String) {
    self.daemon = daemon
    self.path = path
    self.name = name
  }

  /// `isTrying`: receivers are open only while somebody needs them, so one who may know the location asks for it.
  func examine(isTrying: Bool, _ then: @escaping (Examination) -> Void) {
    var examination = Examination(clock: Double(time(nil)))
    ask(.hello(.init(name: name))) { [self] in
      if case .failure(let error) = $0 { return then(silent(error, examination)) }
      ask(.status) { [self] in
        switch $0 {
        case .failure(let error): return then(silent(error, examination))
        case .success(let reply): examination.status = reply.status
        }
        guard isTrying, examination.status?.client.authorization.isAuthorized == true else {
          return then(examination)
        }
        ask(.requestLocation(OneShotRequest(timeout: Self.trial))) { [self] in
          if case .success = $0 { return then(examination) }
          ask(.status) {
            if case .success(let reply) = $0 { examination.status = reply.status }
            then(examination)
          }
        }
      }
    }
  }

  private func ask(
    _ request: Request, _ reply: @escaping (Result<Reply, ClientError>) -> Void
  ) {
    daemon.ask(request.method, request.parameters, within: Self.patience) {
      reply($0.flatMap { request.read($0) })
    }
  }

  private func silent(_ error: ClientError, _ examination: Examination) -> Examination {
    var examination = examination
    switch error {
    case .lost(let error): examination.silence = Failure(error, at: path).message
    case .refused(let refusal): examination.silence = refusal.message
    }
    return examination
  }
}
