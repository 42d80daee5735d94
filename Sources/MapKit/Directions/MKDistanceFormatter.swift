public import CoreLocation
public import Foundation
import LocationClient
import LocationModel

/// Distances as people write them, in round numbers, and back.
open class MKDistanceFormatter: Formatter {
  public enum Units: UInt, Sendable {
    /// The units of the locale's country.
    case `default`
    case metric
    /// Miles and feet.
    case imperial
    case imperialWithYards
  }

  public enum DistanceUnitStyle: UInt, Sendable {
    case `default`
    case abbreviated
    /// Whole words, in the languages that have them here; else as abbreviated.
    case full
  }

  /// That of the person who runs the program, until it is set.
  open var locale: Locale! = UserLocale.tag.map { Locale(identifier: $0) } ?? .current
  open var units: Units = .default
  open var unitStyle: DistanceUnitStyle = .default

  public override init() {
    super.init()
  }

  public required init?(coder: NSCoder) {
    super.init(coder: coder)
    units = Units(rawValue: UInt(clamping: coder.decodeInteger(forKey: "units"))) ?? .default
    unitStyle =
      DistanceUnitStyle(rawValue: UInt(clamping: coder.decodeInteger(forKey: "unitStyle")))
      ?? .default
    if let name = coder.decodeObject(of: NSString.self, forKey: "locale") {
      locale = Locale(identifier: String(describing: name))
    }
  }

  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(Int(units.rawValue), forKey: "units")
    coder.encode(Int(unitStyle.rawValue), forKey: "unitStyle")
    coder.encode(language.name as NSString, forKey: "locale")
  }

  open override func copy(with zone: NSZone? = nil) -> Any {
    let copy = MKDistanceFormatter()
    (copy.locale, copy.units, copy.unitStyle) = (locale, units, unitStyle)
    return copy
  }

  open func string(fromDistance distance: CLLocationDistance) -> String {
    let (system, language) = (system, language.code)
    guard unitStyle == .full,
      let (number, unit) = DistanceText.parts(distance, language: language, units: system),
      let words = UnitWords.of(language)?.words[unit]
    else { return DistanceText.text(distance, language: language, units: system) }
    return number + (language == "ko" || language == "ja" ? "" : " ")
      + (number == "1" ? words.one : words.many)
  }

  /// Metres; a number alone is metres, or feet or yards where those are used. Negative for what is no
  /// distance.
  open func distance(from distance: String) -> CLLocationDistance {
    let text = distance.lowercased().filter { !$0.isWhitespace }
    let digits = text.prefix {
      $0.isWholeNumber || $0 == "." || $0 == "," || $0 == "'" || $0 == "’"
    }
    guard let number = value(of: digits) else { return -1 }
    let name = String(text.dropFirst(digits.count))
    let small = system == .metric ? "m" : system == .american ? "ft" : "yd"
    guard let unit = name.isEmpty ? small : UnitWords.unit(named: name, in: language.code),
      let size = UnitWords.metres[unit]
    else { return -1 }
    return number * size
  }

  /// A number in the language's own writing.
  private func value(of text: Substring) -> Double? {
    let mark = DistanceText.decimalMark(of: language.code)
    var plain = ""
    for character in text {
      if let digit = character.wholeNumberValue {
        plain += "\(digit)"
      } else if String(character) == mark {
        plain += "."
      }
    }
    return Double(plain)
  }

  open override func string(for object: Any?) -> String? {
    switch object {
    case let number as Double: string(fromDistance: number)
    case let number as NSNumber: string(fromDistance: number.doubleValue)
    case let number as Int: string(fromDistance: Double(number))
    default: nil
    }
  }

  private var language: (code: String, region: String?, name: String) {
    let locale: Locale = locale ?? .current
    return (
      locale.language.languageCode?.identifier ?? "en", locale.region?.identifier,
      locale.identifier
    )
  }

  private var system: DistanceText.Units {
    switch units {
    case .default: DistanceText.Units(region: language.region)
    case .metric: .metric
    case .imperial: .american
    case .imperialWithYards: .british
    }
  }
}

/// The units' whole names.
private struct UnitWords {
  var words: [String: (one: String, many: String)]

  static let metres = ["m": 1.0, "km": 1000, "ft": 0.3048, "yd": 0.9144, "mi": 1609.344]

  private static let all: [String: UnitWords] = [
    "en": UnitWords(words: [
      "m": ("meter", "meters"), "km": ("kilometer", "kilometers"), "ft": ("foot", "feet"),
      "yd": ("yard", "yards"), "mi": ("mile", "miles"),
    ]),
    "de": UnitWords(words: [
      "m": ("Meter", "Meter"), "km": ("Kilometer", "Kilometer"), "ft": ("Fuß", "Fuß"),
      "yd": ("Yard", "Yards"), "mi": ("Meile", "Meilen"),
    ]),
    "fr": UnitWords(words: [
      "m": ("mètre", "mètres"), "km": ("kilomètre", "kilomètres"), "ft": ("pied", "pieds"),
      "yd": ("yard", "yards"), "mi": ("mile", "miles"),
    ]),
    "es": UnitWords(words: [
      "m": ("metro", "metros"), "km": ("kilómetro", "kilómetros"), "ft": ("pie", "pies"),
      "yd": ("yarda", "yardas"), "mi": ("milla", "millas"),
    ]),
    "ko": UnitWords(words: [
      "m": ("미터", "미터"), "km": ("킬로미터", "킬로미터"), "ft": ("피트", "피트"),
      "yd": ("야드", "야드"), "mi": ("마일", "마일"),
    ]),
    "ja": UnitWords(words: [
      "m": ("メートル", "メートル"), "km": ("キロメートル", "キロメートル"), "ft": ("フィート", "フィート"),
      "yd": ("ヤード", "ヤード"), "mi": ("マイル", "マイル"),
    ]),
  ]

  static func of(_ language: String) -> UnitWords? { all[language] }

  /// By its symbol or name, in that language or in English.
  static func unit(named name: String, in language: String) -> String? {
    metres.keys.first { unit in
      let words = [of(language), of("en")].compactMap { $0?.words[unit] }
      let names =
        [unit, DistanceText.symbol(unit, language: language)]
        + words.flatMap { [$0.one, $0.many] }
      return names.contains { $0.lowercased() == name }
    }
  }
}
