internal import LocationModel

/// The arguments of a program or a command, which takes out those that it knows.
package struct Arguments {
  private var rest: [String]
  /// The options that were looked for.
  package private(set) var known: Set<String> = []

  package init(_ arguments: some Sequence<String>) {
    rest = Array(arguments)
  }

  package mutating func flag(_ name: String) -> Bool {
    known.insert(name)
    guard let i = options.firstIndex(of: name) else { return false }
    rest.remove(at: i)
    return true
  }

  /// The value of an option: `NAME VALUE` or `NAME=VALUE`.
  package mutating func value(_ name: String) throws(Failure) -> String? {
    known.insert(name)
    guard let i = options.firstIndex(where: { $0 == name || $0.hasPrefix("\(name)=") }) else {
      return nil
    }
    let first = rest.remove(at: i)
    if first != name { return String(first.dropFirst(name.count + 1)) }
    guard i < rest.count else { throw Failure(.usage, "\(name) wants a value") }
    return rest.remove(at: i)
  }

  package mutating func value<Value>(
    _ name: String, as kind: ConfigurationValue<Value>
  ) throws(Failure) -> Value? {
    guard let text = try value(name) else { return nil }
    do throws(Unusable) {
      return try kind.parse(name, text)
    } catch {
      throw Failure(.usage, error.what)
    }
  }

  package mutating func values(_ name: String) throws(Failure) -> [String] {
    try values(name, as: .text)
  }

  /// The values of an option that may be given several times.
  package mutating func values<Value>(
    _ name: String, as kind: ConfigurationValue<Value>
  ) throws(Failure) -> [Value] {
    var values: [Value] = []
    while let value = try value(name, as: kind) { values.append(value) }
    return values
  }

  package mutating func number(
    _ name: String, _ what: String, where isPossible: (Double) -> Bool
  ) throws(Failure) -> Double? {
    guard let text = try value(name) else { return nil }
    guard let number = Double(text), number.isFinite, isPossible(number) else {
      throw Failure(.usage, "\(name) wants \(what), not '\(text)'")
    }
    return number
  }

  /// A day, as days since the Unix epoch.
  package mutating func day(_ name: String) throws(Failure) -> Int? {
    guard let text = try value(name) else { return nil }
    guard let midnight = Timestamp(iso8601: text + "T00:00:00Z") else {
      throw Failure(.usage, "\(name) wants a day, as 2026-11-20, not '\(text)'")
    }
    return midnight.dayNumber
  }

  /// After `--` nothing is an option.
  private var options: ArraySlice<String> {
    rest[..<(rest.firstIndex(of: "--") ?? rest.endIndex)]
  }

  /// The next argument that is not an option. Call it when all options are taken out.
  package mutating func operand() -> String? {
    let end = options.endIndex
    if let i = options.firstIndex(where: Self.isOperand) { return rest.remove(at: i) }
    return end + 1 < rest.endIndex ? rest.remove(at: end + 1) : nil
  }

  /// `-33.9,18.4` is no option.
  private static func isOperand(_ word: String) -> Bool {
    guard word.utf8.first == UInt8(ascii: "-"), let second = word.utf8.dropFirst().first else {
      return true
    }
    return second == UInt8(ascii: ".") || UInt8(ascii: "0")...UInt8(ascii: "9") ~= second
  }

  /// Call it when everything known has been taken out.
  package func nothingElse() throws(Failure) {
    guard let i = rest.firstIndex(where: { $0 != "--" }) else { return }
    let first = rest[i]
    guard options.indices.contains(i), !Self.isOperand(first) else {
      throw Failure(.usage, "'\(first)' is too much")
    }
    let name = String(first.prefix { $0 != "=" })
    if known.contains(name) { throw Failure(.usage, "\(name) is given twice") }
    let hint = known.sorted().nearest(to: name).map { "; did you mean \($0)?" } ?? ""
    throw Failure(.usage, "there is no option '\(name)'\(hint)")
  }
}
