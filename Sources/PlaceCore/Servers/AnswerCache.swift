package import LocationModel

/// What servers have said, for the user that asked alone. It forgets by age and by bytes.
package struct AnswerCache<Server: AskedServer>: Sendable {
  private struct Entry: Sendable {
    var question: Server.Question
    var answer: Server.Answer
    var at: Boottime
    var bytes: Int
  }

  /// The same question has the same answer for a day.
  private static var age: Duration { .seconds(86_400) }

  private var users: [Asker.User: [Entry]] = [:]
  private let bytesPerUser: Int
  private let mostUsers: Int

  package init(bytesPerUser: Int = 256 << 10, mostUsers: Int = 16) {
    self.bytesPerUser = bytesPerUser
    self.mostUsers = mostUsers
  }

  var bytes: Int { users.values.reduce(0) { $0 + $1.reduce(0) { $0 + $1.bytes } } }

  func answer(
    to question: Server.Question, of user: Asker.User, at now: Boottime
  ) -> Server.Answer? {
    users[user]?.last {
      now - $0.at < Self.age && Server.holds($0.question, for: question, after: now - $0.at)
    }?.answer
  }

  mutating func add(
    _ answer: Server.Answer, to question: Server.Question, of user: Asker.User, at now: Boottime
  ) {
    guard let json = Server.json(of: answer, to: question) else { return }
    if users[user] == nil, users.count >= mostUsers {
      // The user whose newest answer is the oldest.
      let oldest = users.min { ($0.value.last?.at ?? .start) < ($1.value.last?.at ?? .start) }
      if let oldest { users[oldest.key] = nil }
    }
    // In memory about twice what is written.
    let size = 256 + 2 * json.text.utf8.count
    guard size <= bytesPerUser else { return }
    var entries = (users[user] ?? []).filter {
      $0.question != question && now - $0.at < Self.age
    }
    entries.append(Entry(question: question, answer: answer, at: now, bytes: size))
    var total = entries.reduce(0) { $0 + $1.bytes }
    var first = 0
    while total > bytesPerUser {
      total -= entries[first].bytes
      first += 1
    }
    users[user] = Array(entries[first...])
  }
}

// MARK: - Between two runs

extension AnswerCache {
  /// All that it holds, with dates: the machine may start anew before somebody reads it.
  package func json(at now: Boottime, _ date: Timestamp) -> JSON {
    let answers = users.flatMap { user, entries -> [JSON] in
      // A machine has another address tomorrow.
      guard case .uid(let user) = user else { return [] }
      return entries.filter { now - $0.at < Self.age }.compactMap { entry -> JSON? in
        guard let said = Server.json(of: entry.answer, to: entry.question)?.members else {
          return nil
        }
        let about: JSON = [
          "user": .integer(Int64(user)),
          "date": .integer((date - (now - entry.at)).microseconds),
        ]
        return .object((about.members ?? []) + said)
      }
    }
    return ["answers": .array(answers)]
  }

  /// Entries that cannot be understood, are too old or of the future are left out.
  package mutating func restore(_ json: JSON, at now: Boottime, _ date: Timestamp) {
    for entry in json["answers"]?.array ?? [] {
      guard let user = entry["user"]?.integer.flatMap(UInt32.init(exactly:)),
        let microseconds = entry["date"]?.integer,
        let (question, answer) = Server.answer(in: entry)
      else { continue }
      let age = date - Timestamp(microseconds: microseconds)
      guard age >= .zero, age < Self.age else { continue }
      add(answer, to: question, of: .uid(user), at: now - age)
    }
  }
}
