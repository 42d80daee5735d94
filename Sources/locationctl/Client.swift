import Console
import Glibc
import LocationClient
import LocationModel

/// A program that is asked and waited for, with its errors as ours.
struct Client<Call: ServiceRequest> {
  let connection: Connection
  let peer: Peer
  let path: String

  init(_ peer: Peer, at path: String) throws(Failure) {
    do throws(ConnectionError) {
      self.init(try Connection(path: path), peer, at: path)
    } catch {
      throw Failure(error, of: peer, at: path)
    }
  }

  init(_ connection: Connection, _ peer: Peer, at path: String) {
    (self.connection, self.peer, self.path) = (connection, peer, path)
  }

  @discardableResult
  func ask(_ call: Call, seconds: Double? = nil) throws(Failure) -> Call.Reply {
    try get(answer(to: call, seconds: seconds))
  }

  func answer(to call: Call, seconds: Double? = nil) -> Result<Call.Reply, ClientError> {
    connection.ask(call, seconds: seconds ?? peer.patience)
  }

  /// The whole result, for a program that reads it. Written again, it has nothing that a terminal obeys.
  func json(_ call: Call) throws(Failure) -> JSON {
    let text = try get(connection.unread(call, seconds: peer.patience))
    guard let json = text.withUnsafeBytes({ try? JSON(parsing: $0) }) else {
      throw Failure(.garbled, of: peer, at: path)
    }
    return json
  }

  func get<Value>(_ result: Result<Value, ClientError>) throws(Failure) -> Value {
    switch result {
    case .success(let value): return value
    case .failure(.refused(let refusal)): throw Failure(refusal)
    case .failure(.lost(let error)): throw Failure(error, of: peer, at: path)
    }
  }
}

extension Failure {
  init(_ refusal: Refusal) {
    let code: Code =
      switch refusal.code {
      case .denied: .denied
      case .locationUnknown: .noLocation
      default: .failed
      }
    self.init(code, refusal.message)
  }

  init(_ error: ConnectionError, of peer: Peer = .daemon, at path: String) {
    let code: Code =
      switch error {
      case .noDaemon, .closed: .noDaemon
      case .garbled where peer == .places: .noDaemon
      case .timedOut, .garbled: .failed
      }
    self.init(code, peer.message(error, at: path))
  }
}
