package import LocationModel

/// An entry that a server will never take, and its answer.
package struct ParkedEntry: Equatable, Sendable {
  package var number: Int64
  package var reason: String

  package init(number: Int64, reason: String) { (self.number, self.reason) = (number, reason) }
}

/// The entries that a server will never take, by its answers.
package struct Parked: Equatable, Sendable {
  package struct Answer: Equatable, Sendable {
    package var reason: String
    package var count: Int64
    /// The last entry that was answered so.
    package var last: Int64

    package init(reason: String, count: Int64, last: Int64) {
      (self.reason, self.count, self.last) = (reason, count, last)
    }
  }

  package private(set) var answers: [Answer] = []
  /// The date at which the first of the entries was parked.
  package private(set) var since: Timestamp?

  /// Rarer answers count as one.
  private static let mostAnswers = 8

  package init(_ answers: [Answer] = [], since date: Timestamp? = nil) {
    for answer in answers { add(answer, at: date) }
  }

  package var count: Int64 { answers.reduce(0) { $0 + $1.count } }

  package mutating func add(_ answer: Answer, at date: Timestamp?) {
    if answers.isEmpty { since = date }
    let i =
      answers.firstIndex { $0.reason == answer.reason }
      ?? (answers.count == Self.mostAnswers ? answers.count - 1 : nil)
    guard let i else { return answers.append(answer) }
    answers[i].count += answer.count
    answers[i].last = max(answers[i].last, answer.last)
  }

  /// An entry with this answer is sent again.
  package mutating func remove(_ reason: String) {
    let i = answers.firstIndex { $0.reason == reason } ?? answers.indices.last
    guard let i else { return }
    answers[i].count -= 1
    if answers[i].count <= 0 { answers.remove(at: i) }
    if answers.isEmpty { since = nil }
  }

  package var json: JSON {
    .array(
      answers.map {
        [
          "answer": .string($0.reason), "entries": .integer($0.count), "last": .integer($0.last),
        ]
      })
  }
}
