/// Distances as people of a country write them, in round numbers.
package enum DistanceText {
  package enum Units: Sendable {
    case metric
    /// Miles and feet; miles and yards.
    case american, british

    /// The units of a country, by two letters of ISO 3166-1.
    package init(region: String?) {
      self =
        switch region {
        case "US", "LR": .american
        case "GB": .british
        default: .metric
        }
    }
  }

  /// `language`: letters of ISO 639.
  package static func text(_ metres: Double, language: String, units: Units) -> String {
    guard let (number, unit) = parts(metres, language: language, units: units) else { return "" }
    // Korean writes none, and no line may break at the others'.
    return number + (language == "ko" ? "" : "\u{A0}") + symbol(unit, language: language)
  }

  /// The round number as the language writes it, and its unit: `m`, `km`, `ft`, `yd` or `mi`. Nil for no
  /// number.
  package static func parts(
    _ metres: Double, language: String, units: Units
  ) -> (number: String, unit: String)? {
    guard metres.isFinite else { return nil }
    let metres = max(metres, 0)
    let (number, unit): (String, String) =
      switch units {
      case .metric where metres < 950: (whole(metres), "m")
      case .metric: (scaled(metres / 1000), "km")
      case .american where metres < 152: (whole(metres / 0.3048), "ft")
      case .british where metres < 152: (whole(metres / 0.9144), "yd")
      case .american, .british: (scaled(metres / 1609.344), "mi")
      }
    let written = number.split(separator: ".", omittingEmptySubsequences: false)
      .joined(separator: decimalMark(of: language))
    return (written, unit)
  }

  /// The mark before the tenths.
  package static func decimalMark(of language: String) -> String {
    hasComma.contains(language) ? "," : "."
  }

  /// How a language writes `m`, `km`, `ft`, `yd` or `mi`.
  package static func symbol(_ unit: String, language: String) -> String {
    names[language]?[unit] ?? unit
  }

  private static let hasComma: Set = [
    "cs", "da", "de", "el", "es", "fi", "fr", "hu", "id", "it", "nb", "nl", "no", "pl", "pt", "ro",
    "ru", "sv", "tr", "uk",
  ]
  private static let names: [String: [String: String]] = [
    "ru": ["m": "м", "km": "км"], "uk": ["m": "м", "km": "км"], "ar": ["m": "م", "km": "كم"],
    "zh": ["m": "米", "km": "公里"],
  ]

  private static func whole(_ number: Double) -> String {
    let step: Double = number < 20 ? 1 : number < 100 ? 5 : number < 300 ? 10 : 50
    return "\(Int64((number / step).rounded() * step))"
  }

  private static func scaled(_ number: Double) -> String {
    let number = min(number, 1e9)
    guard number < 10 else { return "\(Int64(number.rounded()))" }
    let tenths = Int64((number * 10).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
  }
}
