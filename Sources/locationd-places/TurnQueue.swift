/// Questions that wait for their turn: one of each user in turn, so that nobody waits for a crowd of
/// another's.
struct TurnQueue<Job> {
  private var jobs: [UInt32: [Job]] = [:]
  private var users: [UInt32] = []

  var isEmpty: Bool { users.isEmpty }

  mutating func add(_ job: Job, of user: UInt32) {
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
}
