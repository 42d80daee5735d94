import Glibc
import LocationClient
import LocationModel

/// Questions to a program beside the daemon, answered while the map goes on. There is a connection only while an
/// answer is waited for, so that the other side may leave.
final class Inquiry {
  /// `unanswered`: a sentence about why there is no answer.
  enum Outcome {
    case answered(JSON)
    case refused(Refusal)
    case unanswered(String)
  }

  private struct Waiting {
    var deadline: Double
    var reply: (Outcome) -> Void
  }

  private let path: String
  private let sentence: (ConnectionError) -> String
  private var connection: Connection?
  private var waiting: [Int64: Waiting] = [:]

  init(_ path: String, sentence: @escaping (ConnectionError) -> String) {
    self.path = path
    self.sentence = sentence
  }

  /// Nil while nothing is waited for.
  var descriptor: Int32? { connection?.descriptor }

  func ask(
    _ method: String, _ parameters: JSON, seconds: Double,
    _ reply: @escaping (Outcome) -> Void
  ) {
    do throws(ConnectionError) {
      let open = if let connection { connection } else { try Connection(path: path) }
      connection = open
      let id = try open.send(method, parameters)
      waiting[id] = Waiting(deadline: .seconds + seconds, reply: reply)
    } catch {
      fail(error)
      reply(.unanswered(sentence(error)))
    }
  }

  /// Takes what has come, and gives up what has not come in time.
  func step() {
    guard let connection else { return }
    do throws(ConnectionError) {
      for case .reply(let id, let result) in try connection.receive() {
        guard let asked = waiting.removeValue(forKey: id) else { continue }
        switch result {
        case .success(let json): asked.reply(.answered(json))
        case .failure(let refusal): asked.reply(.refused(refusal))
        }
      }
      if waiting.values.contains(where: { $0.deadline < .seconds }) { throw .timedOut }
    } catch {
      return fail(error)
    }
    if waiting.isEmpty { self.connection = nil }
  }

  private func fail(_ error: ConnectionError) {
    connection = nil
    let lost = waiting.sorted { $0.key < $1.key }
    waiting = [:]
    for (_, asked) in lost { asked.reply(.unanswered(sentence(error))) }
  }
}
