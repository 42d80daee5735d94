// Names with one letter wrong, or with a space too much or too few.
extension NameSearch {
  /// Shorter texts are one letter away from too much.
  private static let leastMisspelt = 4
  /// Longer ones would ask for thousands of words.
  private static let mostMisspelt = (words: 4, letters: 24)
  /// A word of other letters than ours begins right.
  private static let begun = 3

  /// Each asks for a word as all that it may have been meant as, and for the others as they are; none for a short text.
  package var misspeltQuestions: [String] {
    guard words.joined().unicodeScalars.count >= Self.leastMisspelt,
      words.count <= Self.mostMisspelt.words
    else { return [] }
    let wrong = words.indices.compactMap { i -> String? in
      guard let meant = meant(at: i) else { return nil }
      let others = words.indices.filter { $0 != i }.map { term(words[$0], at: $0) }
      return ([meant] + others).joined(separator: " AND ")
    }
    // San Fran cisco.
    let joined = words.indices.dropLast().map { i in
      let all = words.indices.filter { $0 != i }.map { place in
        term(place == i + 1 ? words[i] + words[place] : words[place], at: place)
      }
      return all.joined(separator: " AND ")
    }
    return (wrong + joined).map { "name : (\($0))" }
  }

  /// The words that one may have been meant as.
  private func meant(at place: Int) -> String? {
    let letters = Array(words[place].unicodeScalars)
    guard (2...Self.mostMisspelt.letters).contains(letters.count) else { return nil }
    guard let alphabet = OneLetter.alphabet(of: letters) else {
      return letters.count > Self.begun ? "\"\(String(letters.prefix(Self.begun)))\"*" : nil
    }
    let others = OneLetter.variants(of: letters, in: ..<(letters.count + 1), alphabet: alphabet)
      .map { term(String($0), at: place) }
    // stpetersburg.
    let parted = (1..<letters.count).map { i in
      "(\"\(String(letters[..<i]))\" AND \(term(String(letters[i...]), at: place)))"
    }
    return "(" + (others + parted).joined(separator: " OR ") + ")"
  }

  /// Rows that are called so but for one letter, in no order.
  package func misspeltHits(in rows: WorldRows) -> [WorldHit] {
    var hits: [WorldHit] = []
    for place in rows.places where isWanted(place.country) {
      guard OneLetter.misspelling(of: typed, in: place.folded) != nil else { continue }
      hits.append(
        WorldHit(
          .place(place),
          score: NameMatch.misspelt * place.weight * nearness(place.coordinate)))
    }
    for region in rows.regions where isWanted(region.country) {
      guard let score = region.scoreMisspelt(typed) else { continue }
      add(region, score * nearness(region.coordinate), of: rows, to: &hits)
    }
    return hits
  }
}
