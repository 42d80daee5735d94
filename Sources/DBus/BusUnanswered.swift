/// How many calls of each sender wait for an answer.
final class BusUnanswered {
  private var counts: [String: Int] = [:]

  subscript(sender: String) -> Int { counts[sender] ?? 0 }

  func begin(_ sender: String) { counts[sender, default: 0] += 1 }

  func end(_ sender: String) {
    let left = self[sender] - 1
    counts[sender] = left > 0 ? left : nil
  }
}
