extension WorldHit {
  func hiddenName(of typed: String) -> String? {
    switch what {
    case .place(let place): NameMatch.hiddenName(of: typed, in: place.folded)
    case .feature(let feature):
      feature.tags.contains(typed) ? typed : NameMatch.hiddenName(of: typed, in: feature.folded)
    case .district, .region: nil
    }
  }

  func isNamed(_ typed: String) -> Bool {
    let names =
      switch what {
      case .place(let place): place.folded
      case .feature(let feature): feature.folded + "\n" + feature.tags.joined(separator: "\n")
      case .region(let region): region.folded
      case .district: ""
      }
    return names.split(separator: "\n").contains(typed[...])
  }
}

extension AreaRow {
  /// A district's names in Latin letters.
  var latinNames: [String] {
    KoreanNames.forms(of: name).flatMap { Romanization.forms(of: $0) }
  }
}

extension FeatureRow {
  // Cities come first while a name is typed.
  private static let begun = 0.1
  private static let begunAirport = 0.02
  private static let begunShort = 0.0001
  private static let leastBegun = 4
  /// Folded: what stands before names in the languages that have such.
  private static let articles: Set = [
    "the", "der", "die", "das", "den", "le", "la", "les", "el", "los", "las", "il", "lo",
  ]
  /// For the context of what is found with an article before it.
  package static let articleText = " " + articles.sorted().joined(separator: " ")

  /// A code is as good as a name, but where the text asks for a kind.
  func score(
    of typed: String, _ words: [String], isKind: Bool, isPrefix: Bool
  ) -> Double? {
    if tags.contains(typed) { return isKind ? nil : NameMatch.whole * weight }
    var (typed, words) = (typed, words)
    // La Alhambra, der Bodensee.
    if words.count > 1, Self.articles.contains(words[0]) {
      words.removeFirst()
      typed = words.joined(separator: " ")
    }
    // Behind its name may stand what it lies in.
    let isWhole = folded.split(separator: "\n").contains {
      typed.hasPrefix($0) && (typed + " ").hasPrefix($0 + " ")
    }
    // A syllable, or some letters, say too little.
    let isShort = typed.unicodeScalars.count < Self.leastBegun
    return NameMatch.weight(of: typed, words: words, names: folded, isPrefix: isPrefix).map {
      let begun =
        isShort ? Self.begunShort : kind == "airport" ? Self.begunAirport : Self.begun
      return $0 * weight * (isWhole ? 1 : begun)
    }
  }
}

extension RegionRow {
  /// How many people a place of its name would have to have. A country that is named in full comes before all
  /// places; else cities come first.
  func score(of typed: String, _ words: [String], isPrefix: Bool) -> Double? {
    NameMatch.weight(
      of: typed, words: words, names: folded, areAllOwn: true, isPrefix: isPrefix,
      isWithin: !isCountry || Territories.parent(code) != code
    ).map {
      score($0, isWhole: $0 >= NameMatch.whole)
    }
  }

  func scoreMisspelt(_ typed: String) -> Double? {
    OneLetter.misspelling(of: typed, in: folded).map {
      score(NameMatch.misspelt, isWhole: $0 == .whole)
    }
  }

  private func score(_ weight: Double, isWhole: Bool) -> Double {
    if isCountry, isWhole { return weight * max(population, Self.leastOfCountry) }
    let factor = isCountry ? Self.country : isWhole ? Self.province : Self.begunProvince
    return weight * population * factor
  }

  /// Monaco is no town of Italy's.
  private static let leastOfCountry = 5e6
  // By the completion of the 1,000 largest cities, which bench-places counts: 91.1 % at three letters.
  private static let country = 0.015
  private static let begunProvince = 0.01
  /// New York is the city.
  private static let province = 0.03
}
