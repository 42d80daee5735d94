package import LocationModel

/// A call to an agent, which the agent answers.
package enum AgentCall: Hashable, Sendable {
  /// A question to the person.
  case question(Int64)
  /// An app is to be started.
  case launch(Int64)
  /// The daemon asks about a program of the agent's user.
  case program(Int64)

  /// Its number in JSON-RPC.
  package var id: JSON {
    switch self {
    case .question(let number): .integer(number)
    case .launch(let number): .string(Self.launch + "\(number)")
    case .program(let number): .string(Self.program + "\(number)")
    }
  }

  package init?(id: JSON) {
    if let number = id.integer {
      self = .question(number)
    } else if let number = Self.number(id, after: Self.launch) {
      self = .launch(number)
    } else if let number = Self.number(id, after: Self.program) {
      self = .program(number)
    } else {
      return nil
    }
  }

  private static let launch = "launch-"
  private static let program = "desk-"

  private static func number(_ id: JSON, after prefix: String) -> Int64? {
    guard let text = id.string, text.hasPrefix(prefix) else { return nil }
    return Int64(text.dropFirst(prefix.count))
  }
}
