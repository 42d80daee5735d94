package import LocationModel

/// The requests of one kind that an app may begin: 50 in 60 s, as Apple's platforms let it. A completer has
/// none: its pause after each letter bounds it.
package struct RequestBudget: Sendable {
  private var begun: [Boottime] = []
  package static let most = 50
  private static let time: Duration = .seconds(60)

  package init() {}

  /// The message for an app that begins more.
  package static func excess(_ requests: String) -> String {
    "An app may begin \(most) \(requests) a minute. Try again later."
  }

  /// False is too many.
  package mutating func spend(at now: Boottime) -> Bool {
    begun.removeAll { now - $0 >= Self.time }
    guard begun.count < Self.most else { return false }
    begun.append(now)
    return true
  }
}

extension Guarded<RequestBudget> {
  package func spend() -> Bool { withLock { $0.spend(at: .now) } }
}
