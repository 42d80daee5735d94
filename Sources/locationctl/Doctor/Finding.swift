import LocationModel

/// One thing that is well or wrong on this machine.
struct DoctorFinding: Equatable {
  var isWell: Bool
  /// It names the thing, and the remedy if it is wrong.
  var text: String

  static func well(_ text: String) -> Self { Self(isWell: true, text: text) }
  static func wrong(_ text: String, _ remedy: String) -> Self {
    Self(isWell: false, text: "\(text): \(remedy)")
  }

  /// In lines of at most so many columns.
  func lines(_ columns: Int) -> [String] {
    let margin = String(repeating: " ", count: 8)
    let lines = text.plain().wrapped(to: columns - 8).map { margin + $0 }
    return [(isWell ? "ok      " : "TROUBLE ") + (lines.first ?? margin).dropFirst(8)]
      + lines.dropFirst()
  }
}
