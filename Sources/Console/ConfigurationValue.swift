package import LocationModel
package import Platform

/// A kind of value: what the text of a key or an option means.
package struct ConfigurationValue<Value> {
  private let value: (_ name: String, _ text: String) throws(Unusable) -> Value

  package init(_ value: @escaping (_ name: String, _ text: String) throws(Unusable) -> Value) {
    self.value = value
  }

  /// `name`: the key with its sign, or the option.
  package func parse(_ name: String, _ text: String) throws(Unusable) -> Value {
    try value(name, text)
  }

  /// `wish`: what is said of the name where the text is no value.
  package init(_ wish: String, _ value: @escaping (String) -> Value?) {
    self.init { (name, text) throws(Unusable) in
      guard let value = value(text) else { throw Unusable(what: "\(name) \(wish)") }
      return value
    }
  }
}

extension ConfigurationValue<String> {
  package static var text: Self { Self { (_, text) in text } }

  package static func text(_ wish: String, where isRight: @escaping (String) -> Bool) -> Self {
    Self(wish) { isRight($0) ? $0 : nil }
  }

  package static var wholePath: Self { text("wants a whole path") { $0.hasPrefix("/") } }

  /// The kernel takes no longer one.
  package static var socketPath: Self {
    text("wants a whole path of at most 107 bytes") { $0.hasPrefix("/") && $0.utf8.count < 108 }
  }
}

extension ConfigurationValue<Double> {
  package static func number(_ range: ClosedRange<Double>) -> Self {
    Self("wants a number from \(range.lowerBound.short) to \(range.upperBound.short)") { text in
      Double(text).flatMap { range.contains($0) ? $0 : nil }
    }
  }
}

extension ConfigurationValue<Int> {
  /// Digits, and one of the units, which are factors.
  package static func count(_ range: ClosedRange<Int>, units: [String: Int] = [:]) -> Self {
    let hint = units.isEmpty ? "" : " (or with \(units.keys.sorted().joined(separator: ", ")))"
    return Self("wants a number from \(range.lowerBound) to \(range.upperBound)\(hint)") { text in
      let digits = text.prefix { $0.isASCII && $0.isNumber }
      let unit = text[digits.endIndex...].drop { $0 == " " }
      guard let count = Int(digits), let factor = unit.isEmpty ? 1 : units[String(unit)] else {
        return nil
      }
      let (number, overflow) = count.multipliedReportingOverflow(by: factor)
      return !overflow && range.contains(number) ? number : nil
    }
  }

  package static func bytes(_ range: ClosedRange<Int>) -> Self {
    let count = Self.count(range, units: .bytes)
    let bounds = Double.bounds(of: Double(range.lowerBound)...Double(range.upperBound), in: .sizes)
    return Self("wants a size \(bounds)") { try? count.parse("", $0) }
  }
}

extension [String: Int] {
  package static var bytes: Self { ["K": 1 << 10, "M": 1 << 20, "G": 1 << 30] }
}

private typealias Unit = (name: String, size: Double)

/// From the smallest.
extension [Unit] {
  fileprivate static let times: Self = [("s", 1), ("min", 60), ("h", 3600), ("d", 86_400)]
  fileprivate static let sizes: Self = [("", 1), ("K", 0x1p10), ("M", 0x1p20), ("G", 0x1p30)]
}

extension Double {
  /// As a person writes them: each in the greatest unit of which it is a whole number.
  fileprivate static func bounds(of range: ClosedRange<Double>, in units: [Unit]) -> String {
    let words = [range.lowerBound, range.upperBound].map { bound in
      let unit = units.last { bound >= $0.size && (bound / $0.size).rounded() == bound / $0.size }
      let (name, size) = unit ?? units[0]
      return (bound / size).short + name
    }
    return "from \(words[0]) to \(words[1])"
  }
}

extension ConfigurationValue<Duration> {
  /// The range is in seconds.
  package static func duration(_ range: ClosedRange<Double>) -> Self {
    Self("wants a time \(Double.bounds(of: range, in: .times)), in s, min, h or d") { text in
      let digits = text.prefix { $0.isASCII && $0.isNumber || $0 == "." }
      let name = text[digits.endIndex...].filter { $0 != " " }
      guard let count = Double(digits),
        let unit = name.isEmpty ? 1 : [Unit].times.first(where: { $0.name == name })?.size,
        range.contains(count * unit)
      else { return nil }
      return Duration(clamping: count * unit)
    }
  }
}

extension ConfigurationValue<Bool> {
  package static var truth: Self {
    Self("is yes or no") {
      switch $0.lowercased() {
      case "yes", "true", "on", "1": true
      case "no", "false", "off", "0": false
      default: nil
      }
    }
  }
}

extension ConfigurationValue<Log.Level> {
  package static var logLevel: ConfigurationValue<Log.Level> {
    Self("is one of error, warning, notice, info, debug") { Log.Level(name: $0) }
  }
}

extension ConfigurationValue where Value: RawRepresentable<String> & CaseIterable {
  package static var word: Self {
    let words = Value.allCases.map(\.rawValue)
    let all = words.dropLast().joined(separator: ", ") + " or " + (words.last ?? "")
    return Self("is \(all)") { Value(rawValue: $0.lowercased()) }
  }
}

extension Double {
  fileprivate var short: String { self < 1e15 && self == rounded() ? "\(Int64(self))" : "\(self)" }
}
