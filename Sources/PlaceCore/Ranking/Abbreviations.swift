/// Short words of addresses, which maps write in full.
enum Abbreviations {
  /// What a folded word may stand for; empty for most.
  static func meanings(of word: String) -> [String] {
    if let known = table[word] { return known }
    // Hauptstr. is one word.
    if word.hasSuffix("str"), word.utf8.count > 4 { return [word + "asse"] }
    return []
  }

  private static let table: [String: [String]] = {
    let entries = [
      "av avenue avenida", "ave avenue", "avda avenida", "avd avenida", "bd boulevard",
      "bld boulevard", "blvd boulevard", "boul boulevard", "bvd boulevard", "bul bulvar bulevar",
      "str strasse straat strada", "st street saint sankt", "ste sainte suite", "rd road",
      "dr drive doctor docteur doktor", "ln lane", "ct court", "sq square", "hwy highway",
      "pkwy parkway", "pl place platz plaza plac", "plz plaza", "rte route", "ch chemin",
      "che chemin", "imp impasse", "all allee", "fg faubourg", "fbg faubourg", "prom promenade",
      "pas passage", "res residence", "r rue rua", "c calle", "ctra carretera", "pza plaza piazza",
      "pso paseo", "p piazza", "pzza piazza", "cso corso", "vle viale", "ul ulica улица",
      "al aleja",
      "os osiedle", "n north nord norte", "s south sud", "e east est este", "w west", "hl heilige",
      "mt mount mont", "gral general", "gal general", "prof professor professeur", "pr prince",
      "ул улица", "пр проспект", "просп проспект", "пл площадь", "пер переулок", "наб набережная",
      "бул бульвар", "ш шоссе", "д дом", "ш шоссе",
    ]
    return entries.reduce(into: [:]) { table, entry in
      let words = entry.split(separator: " ").map { Folding.fold(String($0)) }
      table[words[0]] = Array(words.dropFirst())
    }
  }()
}
