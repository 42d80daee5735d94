import LocationClient
import LocationModel

/// The searches that an app may begin: 50 in 60 s, as Apple's platforms let it.
struct SearchBudget: Sendable {
  private var begun: [Boottime] = []
  static let most = 50
  static let time: Duration = .seconds(60)

  static let shared = Guarded(SearchBudget())

  /// False is too many.
  mutating func spend(at now: Boottime) -> Bool {
    begun.removeAll { now - $0 >= Self.time }
    guard begun.count < Self.most else { return false }
    begun.append(now)
    return true
  }
}
