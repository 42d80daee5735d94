/// Names of places and regions: which rows are wanted, and what they say.
package struct WorldNames: Sendable {
  package struct Key<Item: Hashable & Sendable>: Hashable, Sendable {
    package var item: Item
    package var language: String

    package init(_ item: Item, _ language: String) { (self.item, self.language) = (item, language) }
  }

  /// The language of each country.
  let languages: [String: String]
  package private(set) var wantedPlaces: Set<Key<Int64>> = []
  package private(set) var wantedRegions: Set<Key<String>> = []
  package var places: [Key<Int64>: String] = [:]
  package var regions: [Key<String>: String] = [:]

  package init(languages: [String: String]) { self.languages = languages }

  mutating func want(_ place: PlaceRow, in language: String?) {
    for language in choice(for: place, language) { wantedPlaces.insert(Key(place.gid, language)) }
  }

  mutating func want(region code: String, in language: String?) {
    for language in choice(forRegion: code, language) { wantedRegions.insert(Key(code, language)) }
  }

  /// The name in the language that is asked for, else in the place's own, else as the data has it.
  func name(of place: PlaceRow, in language: String?) -> String {
    for own in choice(for: place, language) {
      guard let name = places[Key(place.gid, own)] else { continue }
      // Readers of Latin letters are not told 北京 where the data has Beijing.
      return own != language && Self.isLatin(language) && !Self.isLatin(own) ? place.name : name
    }
    return place.name
  }

  func name(ofRegion code: String, in language: String?) -> String? {
    choice(forRegion: code, language).lazy.compactMap { regions[Key(code, $0)] }.first
  }

  private static func isLatin(_ language: String?) -> Bool {
    language.map(Language.isLatin) ?? false
  }

  /// What has no name of its own in English is written as the data has it.
  private func choice(for place: PlaceRow, _ language: String?) -> [String] {
    let all = [language, languages[place.country]].compactMap(\.self)
    return all.firstIndex(of: "en").map { Array(all[...$0]) } ?? all
  }

  private func choice(forRegion code: String, _ language: String?) -> [String] {
    let own = languages[String(code.prefix(2))]
    let isStrange = Self.isLatin(language) && !Self.isLatin(own)
    return [language, language == "en" || isStrange ? "" : own, ""].compactMap(\.self)
  }
}
