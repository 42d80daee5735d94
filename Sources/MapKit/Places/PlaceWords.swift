import Foundation

/// Words for places that have no name, in the reader's language.
enum PlaceWords {
  static var here: String { words.here }
  static var unknown: String { words.unknown }

  private static var words: (here: String, unknown: String) {
    let language = Locale.preferredLanguages.first?.prefix(2).lowercased() ?? "en"
    return all[language] ?? ("Current Location", "Unknown Location")
  }

  private static let all: [String: (here: String, unknown: String)] = [
    "de": ("Aktueller Standort", "Unbekannter Ort"),
    "es": ("Ubicación actual", "Ubicación desconocida"),
    "fr": ("Position actuelle", "Lieu inconnu"),
    "it": ("Posizione attuale", "Posizione sconosciuta"),
    "ja": ("現在地", "不明な場所"),
    "ko": ("현재 위치", "알 수 없는 위치"),
    "nl": ("Huidige locatie", "Onbekende locatie"),
    "pt": ("Localização atual", "Localização desconhecida"),
    "zh": ("当前位置", "未知位置"),
  ]
}
