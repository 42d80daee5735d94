import LocationModel

/// Numbers in tags, as mappers write them.
enum Measures {
  /// Kilometres an hour: `50`, `30 mph`; nil where it begins with no number.
  static func speed(_ text: String?) -> Double? {
    guard let text, let number = Double(text.prefix(9) { $0.isDigit }) else { return nil }
    return text.hasText("mph") || text.hasText("mp/h") ? number * 1.609 : number
  }

  /// `2.5`, `2,5 m`, `6'10"`.
  static func metres(_ text: String?) -> Double? {
    guard let text, let number = number(in: text[...]) else { return nil }
    guard let mark = text.firstIndex(of: "'") else { return number }
    let inches = text[mark...].drop { !$0.isDigit }.prefix(9) { $0.isDigit }
    return (number * 12 + (Double(inches) ?? 0)) * 0.0254
  }

  /// `3.5` is in tonnes.
  static func kilograms(_ text: String?) -> Double? {
    guard let text, let number = number(in: text[...]) else { return nil }
    if text.hasText("lbs") { return number * 0.453_592_37 }
    return text.hasText("kg") ? number : number * 1000
  }

  /// A height that a word may say: as high as roads are where no sign stands.
  static func height(_ text: String?) -> Double? {
    if let text, ["default", "none", "no-sign", "unsigned"].contains(text) { return 4.5 }
    return metres(text)
  }

  /// Seconds: `45` (minutes), `1:30`, `1:30:00`, `PT1H30M`.
  static func duration(_ text: String?) -> Double? {
    guard let text, text.utf8.count < 20 else { return nil }
    if text.hasPrefix("P") { return period(text.dropFirst()) }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { $0.allSatisfy(\.isDigit) ? Double($0) : nil }
    guard numbers.count == parts.count, (1...3).contains(parts.count) else { return nil }
    let seconds =
      numbers.count == 1
      ? numbers[0] * 60
      : numbers[0] * 3600 + numbers[1] * 60 + (numbers.count == 3 ? numbers[2] : 0)
    return max(seconds, 1)
  }

  /// `T1H30M`, `1DT2H`.
  private static func period(_ text: Substring) -> Double? {
    var (seconds, digits, isTime) = (0.0, "", false)
    for letter in text {
      if letter.isDigit {
        digits.append(letter)
        continue
      }
      if letter == "T" {
        isTime = true
        continue
      }
      let units: [Character: Double] = isTime ? ["H": 3600, "M": 60, "S": 1] : ["D": 86_400]
      guard let unit = units[letter], let number = Double(digits) else { return nil }
      seconds += number * unit
      digits = ""
    }
    return digits.isEmpty && seconds > 0 ? seconds : nil
  }

  /// The first in a text; a comma is a point.
  private static func number(in text: Substring) -> Double? {
    let whole = text.drop { !$0.isDigit }
    let digits = whole.prefix(9) { $0.isDigit }
    let rest = whole.dropFirst(digits.count)
    guard rest.first == "." || rest.first == "," else { return Double(digits) }
    return Double("\(digits).\(rest.dropFirst().prefix(6) { $0.isDigit })0")
  }
}

extension Character {
  fileprivate var isDigit: Bool { isASCII && isWholeNumber }
}

extension StringProtocol {
  fileprivate func prefix(_ most: Int, while isWanted: (Character) -> Bool) -> SubSequence {
    prefix(most).prefix(while: isWanted)
  }
}
