import LocationClient
import LocationModel

/// What follows the command's name; each command takes out what it knows.
struct Arguments {
  private var rest: [String]

  init(_ arguments: ArraySlice<String>) {
    rest = Array(arguments)
  }

  mutating func flag(_ name: String) -> Bool {
    guard let i = rest.firstIndex(of: name) else { return false }
    rest.remove(at: i)
    return true
  }

  mutating func value(_ name: String) throws(Failure) -> String? {
    if let i = rest.firstIndex(where: { $0.hasPrefix("\(name)=") }) {
      return String(rest.remove(at: i).dropFirst(name.count + 1))
    }
    guard let i = rest.firstIndex(of: name) else { return nil }
    guard i + 1 < rest.count else { throw Failure(.usage, "\(name) wants a value") }
    defer { rest.removeSubrange(i...i + 1) }
    return rest[i + 1]
  }

  mutating func number(
    _ name: String, _ what: String, where isPossible: (Double) -> Bool
  ) throws(Failure) -> Double? {
    guard let text = try value(name) else { return nil }
    guard let number = Double(text), number.isFinite, isPossible(number) else {
      throw Failure(.usage, "\(name) wants \(what), not '\(text)'")
    }
    return number
  }

  /// A day, as days since the Unix epoch.
  mutating func day(_ name: String) throws(Failure) -> Int? {
    guard let text = try value(name) else { return nil }
    guard let midnight = Timestamp(iso8601: text + "T00:00:00Z") else {
      throw Failure(.usage, "\(name) wants a day, as 2026-11-20, not '\(text)'")
    }
    return midnight.dayNumber
  }

  /// What is no option; after `--` everything is none. Call it when all options are taken out.
  mutating func operand() -> String? {
    let end = rest.firstIndex(of: "--")
    guard
      let i = end.map({ $0 + 1 < rest.count ? $0 + 1 : nil })
        ?? rest.firstIndex(where: { !$0.hasPrefix("-") || $0 == "-" })
    else { return nil }
    defer { rest.removeSubrange((end ?? i)...i) }
    return rest[i]
  }

  /// Call it when everything known has been taken out.
  func nothingElse() throws(Failure) {
    guard let first = rest.first else { return }
    throw Failure(
      .usage, first.hasPrefix("-") ? "there is no option '\(first)'" : "'\(first)' is too much")
  }

  mutating func socket() throws(Failure) -> String {
    try value("--socket") ?? Connection.defaultPath
  }
}
