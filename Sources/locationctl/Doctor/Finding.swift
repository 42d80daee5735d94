import LocationModel

/// One thing that is well or wrong on this machine, or that may be wanted.
struct DoctorFinding: Equatable {
  enum Kind: String {
    case well = "ok"
    /// It keeps no location from anybody.
    case advice
    case wrong = "TROUBLE"
  }

  var kind: Kind
  /// It names the thing, and the remedy if it is wrong.
  var text: String

  var isWell: Bool { kind != .wrong }

  static func well(_ text: String) -> Self { Self(kind: .well, text: text) }
  static func advice(_ text: String, _ remedy: String) -> Self {
    Self(kind: .advice, text: "\(text): \(remedy)")
  }
  static func wrong(_ text: String, _ remedy: String) -> Self {
    Self(kind: .wrong, text: "\(text): \(remedy)")
  }

  /// In lines of at most so many columns.
  func lines(_ columns: Int) -> [String] {
    let margin = String(repeating: " ", count: 8)
    let lines = text.plain().wrapped(to: columns - 8).map { margin + $0 }
    return [kind.rawValue.padded(to: 8) + (lines.first ?? margin).dropFirst(8)] + lines.dropFirst()
  }

  var json: JSON {
    var members: [JSON.Member] = [
      .init(key: "ok", value: .bool(isWell)), .init(key: "text", value: .string(text)),
    ]
    if kind == .advice { members.append(.init(key: "advice", value: .bool(true))) }
    return .object(members)
  }
}
