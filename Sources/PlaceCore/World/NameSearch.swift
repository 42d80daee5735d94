internal import Geodesy
package import LocationModel

/// A text that may be the name of a place of the world: the questions for rows, and what the rows are worth.
package struct NameSearch: Sendable {
  private let text: String
  let words: [String]
  let typed: String
  private let near: Coordinate?
  private let country: String?
  private let isPrefix: Bool
  /// The text asks for a kind of place: *ATM* is no airport in Brazil.
  package let isKind: Bool

  private static let mostWords = 8

  /// Nil without a word. `country`: only places there. `isPrefix`: the last word may be the beginning of one.
  package init?(_ text: String, near: Coordinate?, country: String?, isPrefix: Bool) {
    self.text = text
    words = Array(Folding.tokens(text).prefix(Self.mostWords))
    guard !words.isEmpty else { return nil }
    typed = words.joined(separator: " ")
    (self.near, self.country, self.isPrefix) = (near, country, isPrefix)
    isKind = CategoryWords.category(of: words) != nil
  }

  /// The part behind the last comma of a text, which may be a country; nil where there is none.
  package static func lastPart(of text: String) -> String? {
    text.lastIndex(of: ",").map { String(text[text.index(after: $0)...]) }
  }

  /// A Japanese name by its sound, as the data has it in Latin letters; nil for others.
  package static func text(bySound text: String) -> String? {
    let words = Folding.tokens(text).map(Romaji.word)
    let known = words.compactMap(\.self)
    return known.isEmpty || known.count < words.count ? nil : known.joined(separator: " ")
  }
}

// MARK: - Questions, in FTS5's words

extension NameSearch {
  /// The country that is asked for, or `here`, where the person is; then everywhere.
  package func questions(here: String?) -> [String] {
    let name = words.count == 1 ? "name : " : ""
    let question = name + words.indices.map { term(words[$0], at: $0) }.joined(separator: " AND ")
    let there = (country ?? here).map { Self.question(question, in: $0) }
    return [there, country == nil ? question : nil].compactMap(\.self)
  }

  /// For names that a word begins.
  package static func question(begun word: String, in country: String) -> String {
    question("name : \"\(word)\"*", in: country)
  }

  private static func question(_ question: String, in country: String) -> String {
    question + " AND context : \"cc\(country.lowercased())\""
  }

  /// A word at its place among the others: whole, or as far as it has been typed.
  func term(_ word: String, at place: Int) -> String {
    // 명동 stands for 명동1가 wherever it is said.
    let isLast = place == words.count - 1
    let isBegun = isPrefix && (isLast || Language.code(nil, for: word) == "ko")
    return "\"\(word)\"" + (isBegun ? "*" : "")
  }
}

// MARK: - Ranking

extension NameSearch {
  /// A person who writes hangul in Korea first means what is there, however small: of 282 places there, 92.6 % are
  /// among the first five by one syllable (81.2 without), all by two.
  private static let koreanInKorea = 1e6

  /// A person there who writes hangul: places there come before all others.
  package func meansKorea(here: String?) -> Bool {
    here == "KR" && near != nil && Language.code(nil, for: text) == "ko"
  }

  /// Places of a country that stands behind a comma come before all others.
  private static let inCountryBehind = 1e6

  /// The best first. `here`: the country that the person is in. `behind`: the one whose name stands behind a comma.
  package func ranked(
    _ hits: [WorldHit], here: String?, behind: String? = nil, limit: Int
  ) -> [WorldHit] {
    var hits = hits
    for i in hits.indices
    where [hits[i].country, Territories.parent(hits[i].country)].contains(behind) {
      hits[i].score *= Self.inCountryBehind
    }
    if meansKorea(here: here) {
      for i in hits.indices where hits[i].country == "KR" { hits[i].score *= Self.koreanInKorea }
    }
    hits.sort { $0.score == $1.score ? $0.id < $1.id : $0.score > $1.score }
    var best = Array(hits.prefix(limit))
    for i in best.indices {
      best[i].matched = shown(best[i].hiddenName(of: typed))
      best[i].isWhole = best[i].isNamed(typed)
    }
    return best
  }

  /// As it was typed, where it is all of it.
  private func shown(_ hidden: String?) -> String? {
    guard let hidden else { return nil }
    if hidden == typed { return text.plain(atMost: 64) }
    return hidden.split(separator: " ").map { String($0).capitalizedFirst }.joined(separator: " ")
  }

  /// A town that is called as a kind of place is meant only where it is a city: Essen.
  private static let cityOfKind = 50_000.0

  private func isMeant(_ hit: WorldHit) -> Bool {
    guard isKind, !isPrefix else { return true }
    if case .place(let place) = hit.what {
      return place.weight >= Self.cityOfKind && hit.score >= NameMatch.whole * place.weight
    }
    return false
  }

  /// Rows that are called so, in no order.
  package func hits(in rows: WorldRows) -> [WorldHit] {
    var hits: [WorldHit] = []
    for place in rows.places where isWanted(place.country) {
      guard
        let weight = NameMatch.weight(
          of: typed, words: words, names: place.folded, isPrefix: isPrefix)
      else {
        continue
      }
      hits.append(
        WorldHit(.place(place), score: weight * place.weight * nearness(place.coordinate)))
    }
    let provinces = Dictionary(rows.provinces.map { ($0.code, $0) }, uniquingKeysWith: { $1 })
    for area in rows.areas where isWanted(area.country) {
      guard let weight = weight(of: area) else { continue }
      let province = provinces[area.province]
      let score =
        weight * people(in: area, of: province, weight) * nearness(area.coordinate)
      if area.upper.isEmpty, let province {
        add(province, score, of: rows, to: &hits)
      } else if !hits.contains(where: { $0.isCity(of: area) }) {
        hits.append(WorldHit(.district(area), score: score))
      }
    }
    for region in rows.regions where isWanted(region.country) {
      guard let score = region.score(of: typed, words, isPrefix: isPrefix) else { continue }
      add(region, score * nearness(region.coordinate), of: rows, to: &hits)
    }
    for feature in rows.features where isWanted(feature.country) {
      guard let score = feature.score(of: typed, words, isKind: isKind, isPrefix: isPrefix) else {
        continue
      }
      hits.append(WorldHit(.feature(feature), score: score * nearness(feature.coordinate)))
    }
    return hits.filter(isMeant)
  }

  func isWanted(_ country: String) -> Bool {
    self.country == nil || self.country == country
  }

  /// A city that is all of its country or province stands for it.
  func add(
    _ region: RegionRow, _ score: Double, of rows: WorldRows, to hits: inout [WorldHit]
  ) {
    guard region.city != 0, let city = rows.cities.first(where: { $0.gid == region.city }) else {
      hits.append(WorldHit(.region(region), score: score))
      return
    }
    let known = hits.firstIndex {
      if case .place(let place) = $0.what { place.gid == city.gid } else { false }
    }
    if let known {
      hits[known].score = max(hits[known].score, score)
    } else {
      hits.append(WorldHit(.place(city), score: score))
    }
  }

  /// One of the words is its name; the others are those of what it lies in.
  private func weight(of area: AreaRow) -> Double? {
    let isLatin = typed.utf8.allSatisfy { $0 < 0x80 }
    let forms = isLatin ? area.latinNames : KoreanNames.forms(of: area.name)
    let names = forms.map { Folding.fold($0) }.joined(separator: "\n")
    let best = (words + [typed]).compactMap {
      NameMatch.weight(of: $0, words: [$0], names: names, areAllOwn: true)
    }.max()
    // A word in Latin letters is whole as a syllable is.
    return isLatin ? best.map { $0 * NameMatch.wholeSyllable } : best
  }

  /// The population that a district counts as: less than any place, unless its name is what was typed. A city's
  /// or a 구's land is as a city; 해운대 comes before towns of other countries. Of many 동 with one name, that of
  /// the largest province is meant: Seoul's 명동 first.
  private func people(in area: AreaRow, of province: RegionRow?, _ weight: Double) -> Double {
    guard weight >= NameMatch.whole * NameMatch.wholeSyllable else { return 0.5 }
    if area.level == AreaRow.Level.city { return 200_000 }
    let share = (province?.population ?? 0) / Self.usualProvince
    return share * (area.level == AreaRow.Level.town ? 90 : 50)
  }

  /// About the people of a province of Korea.
  private static let usualProvince = 3e6

  /// What lies near comes first: 21 times as much where the person is, half of the 20 at 50 km; and 30 times as much
  /// within a day's way, so that a town there comes before a city of another continent.
  func nearness(_ place: Coordinate) -> Double {
    guard let near else { return 1 }
    let kilometres = LocalPlane.distance(place, near) / 1000
    return 1 + Self.nearest / (1 + kilometres / Self.half)
      + (kilometres < Self.around ? Self.inReach : 0)
  }

  private static let nearest = 20.0
  private static let half = 50.0
  private static let around = 500.0
  private static let inReach = 30.0
}
