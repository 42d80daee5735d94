import Console
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
  let thing: String
  /// Nil where it is well.
  let remedy: String?

  var isWell: Bool { kind != .wrong }

  static func well(_ thing: String) -> Self { Self(kind: .well, thing: thing, remedy: nil) }
  static func advice(_ thing: String, _ remedy: String) -> Self {
    Self(kind: .advice, thing: thing, remedy: remedy)
  }
  static func wrong(_ thing: String, _ remedy: String) -> Self {
    Self(kind: .wrong, thing: thing, remedy: remedy)
  }

  var text: String { text(in: .english) }

  private func text(in say: Speech) -> String {
    say(said: thing) + (remedy.map { ": " + say(said: $0) } ?? "")
  }

  /// In lines of at most so many columns.
  func lines(_ columns: Int, in say: Speech = .english) -> [String] {
    let margin = String(repeating: " ", count: 8)
    let lines = text(in: say).plain().wrapped(to: columns - 8).map { margin + $0 }
    return [kind.rawValue.padded(to: 8) + (lines.first ?? margin).dropFirst(8)] + lines.dropFirst()
  }

  var json: JSON { json(in: .english) }

  func json(in say: Speech) -> JSON {
    var members: [JSON.Member] = [
      .init(key: "ok", value: .bool(isWell)), .init(key: "text", value: .string(text(in: say))),
    ]
    if kind == .advice { members.append(.init(key: "advice", value: .bool(true))) }
    return .object(members)
  }
}
