package import LocationModel

/// Questions to a program beside the daemon, answered while its owner goes on: `step` is called when the descriptor can
/// be read, and now and then. There is a connection only while an answer is waited for, so that the other side may leave.
package final class Inquiry {
  /// The result is unread, and valid during the call.
  package typealias Answer = Result<UnsafeRawBufferPointer, ClientError>

  private struct Waiting {
    var deadline: Boottime
    var reply: (Answer) -> Void
  }

  private let path: String
  private var connection: Connection?
  private var waiting: [Int64: Waiting] = [:]

  package init(_ path: String) { self.path = path }

  /// Nil while nothing is waited for.
  package var descriptor: Int32? { connection?.descriptor }

  package func ask(
    _ method: String, _ parameters: JSON, within patience: Duration,
    _ reply: @escaping (Answer) -> Void
  ) {
    do throws(ConnectionError) {
      let open = if let connection { connection } else { try Connection(path: path) }
      connection = open
      let id = try open.send(method, parameters)
      waiting[id] = Waiting(deadline: .now + patience, reply: reply)
    } catch {
      fail(error)
      reply(.failure(.lost(error)))
    }
  }

  /// Hands over what has come, and gives up what has not come in time.
  package func step() {
    guard let connection else { return }
    do throws(ConnectionError) {
      try connection.receiveUnread { reply in
        waiting.removeValue(forKey: reply.id)?.reply(reply.result.mapError(ClientError.refused))
      }
      let now = Boottime.now
      if waiting.values.contains(where: { $0.deadline < now }) { throw .timedOut }
    } catch {
      return fail(error)
    }
    if waiting.isEmpty { self.connection = nil }
  }

  private func fail(_ error: ConnectionError) {
    connection = nil
    let lost = waiting.sorted { $0.key < $1.key }
    waiting = [:]
    for (_, asked) in lost { asked.reply(.failure(.lost(error))) }
  }
}
