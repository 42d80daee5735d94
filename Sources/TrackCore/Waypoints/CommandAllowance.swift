package import LocationModel

/// The commands that one server may give: so many at once, then one every few seconds. A server that says
/// the same again and again would wear out the disk.
package struct CommandAllowance: Equatable, Sendable {
  private var count = Self.most
  private var since: Boottime?

  static let most = 30
  static let pause: Duration = .seconds(10)

  package init() {}

  /// False where it is one too many.
  package mutating func take(at now: Boottime) -> Bool {
    while count < Self.most, let since, now - since >= Self.pause {
      count += 1
      self.since = since + Self.pause
    }
    guard count > 0 else { return false }
    if count == Self.most { since = now }
    count -= 1
    return true
  }
}
