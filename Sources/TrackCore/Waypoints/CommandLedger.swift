import LocationModel

/// The commands of one server: those that were followed, and those that were not.
package struct CommandLedger {
  package static let noRoom = "a waypoint has no room, or a name that is taken"

  private var allowance = CommandAllowance()
  private var followed: Int64 = 0
  private var refused: Int64 = 0
  private var lastRefusal: String?

  /// Counts a command, and gives it back where it may be followed.
  mutating func admit(
    _ result: Result<OwnTracks.Command, Unusable>, at now: Boottime
  ) -> OwnTracks.Command? {
    switch result {
    case .failure(let error):
      refuse(1, error.what)
      return nil
    case .success(let command):
      guard allowance.take(at: now) else {
        refuse(1, "there are too many of them")
        return nil
      }
      followed += 1
      return command
    }
  }

  mutating func refuse(_ count: Int, _ reason: String) {
    guard count > 0 else { return }
    refused += Int64(count)
    lastRefusal = reason
  }

  var json: JSON {
    [
      "followed": .integer(followed), "refused": .integer(refused),
      "lastRefusal": lastRefusal.map(JSON.string),
    ]
  }
}

/// The commands that one server may give: so many at once, then one every few seconds. A server that says
/// the same again and again would wear out the disk.
struct CommandAllowance: Equatable, Sendable {
  private var count = Self.most
  private var since: Boottime?

  static let most = 30
  static let pause: Duration = .seconds(10)

  /// False where it is one too many.
  mutating func take(at now: Boottime) -> Bool {
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
