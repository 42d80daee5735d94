/// The letters that a name is written in.
enum Script {
  static func isHangul(_ scalar: Unicode.Scalar) -> Bool {
    (0xAC00...0xD7A3).contains(scalar.value)
  }

  private static let ranges: [String: [ClosedRange<UInt32>]] = [
    "ko": [0xAC00...0xD7A3], "ja": [0x3041...0x30FF, 0x4E00...0x9FFF], "zh": [0x4E00...0x9FFF],
    "ru": [0x400...0x4FF], "uk": [0x400...0x4FF], "bg": [0x400...0x4FF], "sr": [0x400...0x4FF],
    "ar": [0x600...0x6FF], "fa": [0x600...0x6FF], "el": [0x370...0x3FF], "he": [0x590...0x5FF],
    "th": [0xE00...0xE7F], "hi": [0x900...0x97F],
  ]

  /// The first name that is written in the language's own letters.
  static func name(of language: String, in names: [String]) -> String? {
    guard let ranges = ranges[language] else { return nil }
    return names.first { name in
      !name.isEmpty
        && name.unicodeScalars.allSatisfy { scalar in
          scalar == " " || ranges.contains { $0.contains(scalar.value) }
        }
    }
  }

  /// Letters of Russian and of Arabic alone: names in other languages of their script that have others are none.
  private static let alphabets: [String: Set<Unicode.Scalar>] = [
    "ru": Set(
      "АБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯабвгдеёжзийклмнопрстуфхцчшщъыьэюя- ".unicodeScalars),
    "ar": Set("ءآأؤإئابةتثجحخدذرزسشصضطظعغفقكلمنهوىي ".unicodeScalars),
  ]

  /// The name in a language, of names in no language that is told: the only one in its letters, or the only one that has
  /// no other's beginning. `simplified`: Chinese letters as they are written in China.
  static func onlyName(
    of language: String, in names: [String], simplified: Set<Unicode.Scalar>
  ) -> String? {
    let letters = language == "zh" ? simplified : alphabets[language] ?? []
    let written = Set(
      names.filter { name in
        name.unicodeScalars.count > 1 && name.unicodeScalars.allSatisfy(letters.contains)
      })
    let shortest = written.filter { name in
      !written.contains { $0 != name && name.hasPrefix($0) }
    }
    return shortest.count == 1 ? shortest.first : nil
  }
}
