package import LocationModel

/// A server of a kind: the call for a question, and the meaning of its answer.
package protocol AskedServer: Equatable, Sendable {
  associatedtype Question: Equatable & Sendable
  associatedtype Answer: Equatable & Sendable

  /// The time of one question for all servers together; nil: that of one server.
  static var patience: Duration? { get }
  /// Questions that wait for an answer: of one user, and of all.
  static var mostWaiting: (user: Int, all: Int) { get }
  /// Bytes of an answer.
  static var longestAnswer: Int { get }
  /// Answers where no server does: it is counted, and named in the log.
  static var instead: String? { get }

  var address: ServerAddress { get }
  /// In the log.
  var name: String { get }
  /// In the status, before its address.
  var about: JSON { get }
  /// Nil for a question that it does not take.
  func call(for question: Question) -> ServerCall?
  /// Nil where the status says all.
  mutating func meaning(
    of body: [UInt8], status: Int, to question: Question
  ) -> ServerAnswer<Answer>?

  /// An answer of this age to `question` answers the other, too.
  static func holds(_ question: Question, for other: Question, after age: Duration) -> Bool
  /// An answer as the cache writes and reads it; nil where it keeps none.
  static func json(of answer: Answer, to question: Question) -> JSON?
  static func answer(in json: JSON) -> (question: Question, answer: Answer)?
}

// Each question is put to the servers anew.
extension AskedServer {
  package static func holds(
    _ question: Question, for other: Question, after age: Duration
  ) -> Bool { false }
  package static func json(of answer: Answer, to question: Question) -> JSON? { nil }
  package static func answer(in json: JSON) -> (question: Question, answer: Answer)? { nil }
}

/// A request to a server.
package struct ServerCall: Equatable, Sendable {
  package var url: String
  /// Posted; without one the address is read.
  package var body: JSON?
}

package enum ServerAnswer<Answer> {
  case answer(Answer)
  /// It understands the question and finds nothing: the next server is asked.
  case nothing(Refusal?)
  /// The same question, in the words that it is put in now, is worth another call.
  case again
  case failed(reason: String)
}
