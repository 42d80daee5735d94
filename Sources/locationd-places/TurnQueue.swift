import PlaceCore

/// Questions that wait for their turn: one of each user in turn, so that nobody waits for a crowd of
/// another's.
struct TurnQueue<Job> {
  typealias User = Asker.User

  private var jobs: [User: [Job]] = [:]
  private var users: [User] = []

  var isEmpty: Bool { users.isEmpty }

  mutating func add(_ job: Job, of user: User) {
    if jobs[user] == nil { users.append(user) }
    jobs[user, default: []].append(job)
  }

  mutating func next() -> Job? {
    guard let user = users.first else { return nil }
    users.removeFirst()
    let job = jobs[user]?.removeFirst()
    if jobs[user]?.isEmpty == false { users.append(user) } else { jobs[user] = nil }
    return job
  }

  /// Drops some of one user's. The result is how many they were.
  mutating func drop(of user: User, where isUnwanted: (Job) -> Bool) -> Int {
    guard var left = jobs[user] else { return 0 }
    let before = left.count
    left.removeAll(where: isUnwanted)
    jobs[user] = left.isEmpty ? nil : left
    if left.isEmpty { users.removeAll { $0 == user } }
    return before - left.count
  }
}
