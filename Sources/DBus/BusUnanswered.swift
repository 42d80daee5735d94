/// How many calls wait for an answer: of each sender, and of all senders of a user that was looked up.
final class BusUnanswered {
  private var counts: [String: Int] = [:]
  private var ofUsers: [UInt32: Int] = [:]
  private var users: [String: UInt32] = [:]

  subscript(sender: String) -> Int { counts[sender] ?? 0 }

  /// Nil where nobody has looked.
  func user(of sender: String) -> UInt32? { users[sender] }

  /// Its own alone where the user is not known.
  func ofUser(of sender: String) -> Int {
    users[sender].map { ofUsers[$0] ?? 0 } ?? self[sender]
  }

  func begin(_ sender: String) {
    counts[sender, default: 0] += 1
    if let user = users[sender] { ofUsers[user, default: 0] += 1 }
  }

  func end(_ sender: String) {
    let left = self[sender] - 1
    counts[sender] = left > 0 ? left : nil
    if let user = users[sender] { remove(1, of: user) }
  }

  func learn(_ sender: String, is user: UInt32) {
    guard users[sender] == nil else { return }
    users[sender] = user
    ofUsers[user, default: 0] += self[sender]
  }

  /// A sender that has gone.
  func forget(_ sender: String) {
    guard let user = users.removeValue(forKey: sender) else { return }
    remove(self[sender], of: user)
  }

  func forgetAll() { for sender in Array(users.keys) { forget(sender) } }

  private func remove(_ count: Int, of user: UInt32) {
    let left = (ofUsers[user] ?? 0) - count
    ofUsers[user] = left > 0 ? left : nil
  }
}
