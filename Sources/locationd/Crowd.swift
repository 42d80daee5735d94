/// How many clients there are, and whether many have gone since there were most.
struct Crowd {
  private var count = 0
  private var most = 0

  mutating func comes() {
    count += 1
    most = max(most, count)
  }

  /// Whether most of a crowd has gone by now.
  mutating func goes() -> Bool {
    count -= 1
    guard most >= 32, count <= most / 4 else { return false }
    most = count
    return true
  }
}
