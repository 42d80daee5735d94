/// Japanese names that are written by their sound, in the Latin letters that data has them in: とうきょう is tokyo.
enum Romaji {
  /// Nil for a word with anything but hiragana, as katakana is folded to.
  static func word(_ kana: String) -> String? {
    let scalars = Array(kana.unicodeScalars)
    guard !scalars.isEmpty,
      scalars.allSatisfy({ (0x3041...0x3096).contains($0.value) || $0 == "ー" })
    else { return nil }
    var word = ""
    var isDoubled = false
    for scalar in scalars {
      if scalar == "っ" {
        isDoubled = true
        continue
      }
      if scalar == "ー" { continue }
      if let small = smalls[scalar] {
        // きょ is kyo, しょ is sho.
        guard word.last == "i" else { return nil }
        word.removeLast()
        let isSoft = word.hasSuffix("sh") || word.hasSuffix("ch") || word.hasSuffix("j")
        word += isSoft ? String(small.dropFirst()) : small
        continue
      }
      guard let sound = sounds[scalar] else { return nil }
      if isDoubled, let first = sound.first { word.append(sound.hasPrefix("ch") ? "t" : first) }
      isDoubled = false
      // Long vowels are written as short ones.
      let last = word.last
      if sound == "u", last == "o" || last == "u" { continue }
      if sound == "o", last == "o" { continue }
      word += sound
    }
    return word
  }

  private static let smalls: [Unicode.Scalar: String] = ["ゃ": "ya", "ゅ": "yu", "ょ": "yo"]

  private static let sounds: [Unicode.Scalar: String] = {
    let rows = [
      ("あいうえお", "a i u e o"), ("かきくけこ", "ka ki ku ke ko"), ("がぎぐげご", "ga gi gu ge go"),
      ("さしすせそ", "sa shi su se so"), ("ざじずぜぞ", "za ji zu ze zo"), ("たちつてと", "ta chi tsu te to"),
      ("だぢづでど", "da ji zu de do"), ("なにぬねの", "na ni nu ne no"), ("はひふへほ", "ha hi fu he ho"),
      ("ばびぶべぼ", "ba bi bu be bo"), ("ぱぴぷぺぽ", "pa pi pu pe po"), ("まみむめも", "ma mi mu me mo"),
      ("やゆよ", "ya yu yo"), ("らりるれろ", "ra ri ru re ro"), ("わをん", "wa o n"),
    ]
    return rows.reduce(into: [:]) { sounds, row in
      for (kana, sound) in zip(row.0.unicodeScalars, row.1.split(separator: " ")) {
        sounds[kana] = String(sound)
      }
    }
  }()
}
