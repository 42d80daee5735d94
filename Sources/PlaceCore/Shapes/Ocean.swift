package import LocationModel

/// The ocean around a place on the water, by straight lines along the coasts between them.
package enum Ocean: Sendable {
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
    let names =
      switch self {
      case .arctic:
        "Arctic Ocean|북극해|北極海|Arktischer Ozean|Océan Arctique|Océano Ártico|المحيط المتجمد الشمالي|北冰洋|Северный Ледовитый океан"
      case .atlantic:
        "Atlantic Ocean|대서양|大西洋|Atlantischer Ozean|Océan Atlantique|Océano Atlántico|المحيط الأطلسي|大西洋|Атлантический океан"
      case .indian:
        "Indian Ocean|인도양|インド洋|Indischer Ozean|Océan Indien|Océano Índico|المحيط الهندي|印度洋|Индийский океан"
      case .pacific:
        "Pacific Ocean|태평양|太平洋|Pazifischer Ozean|Océan Pacifique|Océano Pacífico|المحيط الهادئ|太平洋|Тихий океан"
      case .southern:
        "Southern Ocean|남극해|南極海|Südlicher Ozean|Océan Austral|Océano Antártico|المحيط الجنوبي|南冰洋|Южный океан"
      }
    return Sea.name(of: names[...], in: language)
  }
}
