package import LocationModel

/// The ocean around a place on the water, by straight lines along the coasts between them.
package enum Ocean: String, Sendable {
  case arctic, atlantic, indian, pacific, southern

  package init(at place: Coordinate) {
    let (y, x) = (place.latitude, place.longitude)
    if y > 66.5 {
      self = .arctic
    } else if y < -60 {
      self = .southern
    } else if x < Self.west(y) || x > 147 {
      self = .pacific
    } else if x < 20 || (x < 42 && y > 30) {
      self = .atlantic
    } else if y > 30 {
      self = .pacific
    } else {
      self = x < (y > 8 ? 99 : y > -6 ? 103 : y > -10 ? 118 : 142) ? .indian : .pacific
    }
  }

  /// Where America parts the Pacific from the Atlantic.
  private static func west(_ y: Double) -> Double {
    switch y {
    case 30...: -100
    case 18..<30: -97
    case 14..<18: -89
    case 9..<14: -83.5
    case 0..<9: -77
    case -20..<0: -72
    default: -68
    }
  }

  package func name(in language: String?) -> String {
    let names = Self.names[self] ?? [:]
    return language.flatMap { names[$0] } ?? names["en"] ?? rawValue
  }

  private static let names: [Ocean: [String: String]] = [
    .arctic: [
      "en": "Arctic Ocean", "ko": "북극해", "ja": "北極海", "de": "Arktischer Ozean",
      "fr": "Océan Arctique", "es": "Océano Ártico", "ar": "المحيط المتجمد الشمالي", "zh": "北冰洋",
      "ru": "Северный Ледовитый океан",
    ],
    .atlantic: [
      "en": "Atlantic Ocean", "ko": "대서양", "ja": "大西洋", "de": "Atlantischer Ozean",
      "fr": "Océan Atlantique", "es": "Océano Atlántico", "ar": "المحيط الأطلسي", "zh": "大西洋",
      "ru": "Атлантический океан",
    ],
    .indian: [
      "en": "Indian Ocean", "ko": "인도양", "ja": "インド洋", "de": "Indischer Ozean",
      "fr": "Océan Indien", "es": "Océano Índico", "ar": "المحيط الهندي", "zh": "印度洋",
      "ru": "Индийский океан",
    ],
    .pacific: [
      "en": "Pacific Ocean", "ko": "태평양", "ja": "太平洋", "de": "Pazifischer Ozean",
      "fr": "Océan Pacifique", "es": "Océano Pacífico", "ar": "المحيط الهادئ", "zh": "太平洋",
      "ru": "Тихий океан",
    ],
    .southern: [
      "en": "Southern Ocean", "ko": "남극해", "ja": "南極海", "de": "Südlicher Ozean",
      "fr": "Océan Austral", "es": "Océano Antártico", "ar": "المحيط الجنوبي", "zh": "南冰洋",
      "ru": "Южный океан",
    ],
  ]
}
