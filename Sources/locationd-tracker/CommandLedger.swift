import LocationModel
import TrackCore

/// The commands of one server: those that were followed, and those that were not.
struct CommandLedger {
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
