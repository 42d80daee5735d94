import LocationCore
import LocationModel

/// A client on the bus as the service has it: each question gets its own answer.
final class ServiceSession {
  typealias Answer = Result<Reply, Refusal>

  let id: ClientID
  private let post: (Input) -> Void
  private var waiting: [Int64: (Answer) -> Void] = [:]
  private var lastNumber: Int64 = 0

  init(_ id: ClientID, post: @escaping (Input) -> Void) {
    self.id = id
    self.post = post
  }

  func begin(as caller: Caller) { post(.connected(id, caller)) }
  func end() { post(.gone(id)) }

  /// Without interest in an answer.
  func ask(_ request: Request) { post(.called(id, Call(id: nil, request))) }

  func ask(_ request: Request, completion: @escaping (Answer) -> Void) {
    lastNumber += 1
    waiting[lastNumber] = completion
    post(.called(id, Call(id: .integer(lastNumber), request)))
  }

  /// The answer to what takes no time; nil for a refusal.
  func requestNow(_ request: Request) -> Reply? {
    var reply: Reply?
    ask(request) { reply = try? $0.get() }
    return reply
  }

  func complete(_ answer: Answer, to id: JSON) {
    guard let number = id.integer else { return }
    let completion = waiting.removeValue(forKey: number)
    completion?(answer)
  }
}
