internal import LocationModel
internal import PlaceCore
internal import Platform

extension World {
  /// A place or a district that answers a text, and how well.
  struct Hit {
    enum What {
      case place(Place)
      case district(Area)
      case region(Region)
    }
    var what: What
    var score: Double

    var country: String {
      switch what {
      case .place(let place): place.country
      case .district(let area): area.country
      case .region(let region): region.country
      }
    }

    /// A city is among the places, and its land among the districts.
    func isCity(of area: Area) -> Bool {
      guard area.level == 2, case .place(let place) = what, place.province == area.province else {
        return false
      }
      let names = place.folded.split(separator: "\n")
      return KoreanNames.forms(of: area.name).contains { names.contains(Folding.fold($0)[...]) }
    }

    var id: String {
      switch what {
      case .place(let place): "world:\(place.gid)"
      case .district(let area): "world:d\(area.id)"
      case .region(let region): "world:\(region.code)"
      }
    }
  }

  private static let most: Int64 = 300
  private static let mostRegions: Int64 = 40
  private static let mostMisspelt: Int64 = 500

  /// The best first. `forgives`: one letter may be wrong where nothing is called so.
  func hits(
    for text: String, near: Coordinate?, country: String?, isPrefix: Bool, forgives: Bool = true,
    limit: Int
  ) throws(DatabaseError) -> [Hit] {
    let words = Array(Folding.tokens(text).prefix(8))
    guard !words.isEmpty else { return [] }
    var here = country
    if here == nil, let near { here = try surroundings(of: near).province?.country }
    var ranks = try candidates(words, isPrefix, here)
    if country == nil { ranks.formUnion(try candidates(words, isPrefix, nil)) }
    var hits = try weigh(ranks, words, text, near, country)
    if forgives, hits.isEmpty, words.joined().unicodeScalars.count >= 4 {
      let known = Set(hits.map(\.id))
      hits += try nearly(words, country, near).filter { !known.contains($0.id) }
    }
    // A person who writes hangul in Korea first means what is there, however small.
    if here == "KR", near != nil, World.language(nil, for: text) == "ko" {
      for i in hits.indices where hits[i].country == "KR" { hits[i].score *= 1e6 }
    }
    hits.sort { $0.score == $1.score ? $0.id < $1.id : $0.score > $1.score }
    return Array(hits.prefix(limit))
  }

  private func candidates(
    _ words: [String], _ isPrefix: Bool, _ country: String?
  ) throws(DatabaseError) -> Set<Int64> {
    let last = words.count - 1
    var query = words.enumerated().map { i, word in
      // 명동 stands for 명동1가 wherever it is said.
      let isBegun = isPrefix && (i == last || Self.language(nil, for: word) == "ko")
      return (words.count == 1 ? "name : " : "") + "\"\(word)\"" + (isBegun ? "*" : "")
    }.joined(separator: " AND ")
    if let country { query += " AND context : \"cc\(country.lowercased())\"" }
    return try ranks(of: query, most: Self.most)
  }

  /// The largest that a question finds: places, districts, and the weightiest countries and provinces.
  private func ranks(of query: String, most: Int64) throws(DatabaseError) -> Set<Int64> {
    do {
      var rows = try database.rows(
        "SELECT rowid FROM names WHERE names MATCH ? LIMIT ?", [.text(query), .integer(most)])
      // Countries and provinces stand behind all places.
      rows += try database.rows(
        "SELECT rowid FROM names WHERE names MATCH ? AND rowid > ? LIMIT ?",
        [.text(query), .integer(WorldSchema.firstRegion), .integer(Self.mostRegions)])
      return Set(rows.compactMap { $0[0].integer })
    } catch {
      // A word of letters that SQLite does not know is none that a place has.
      guard case .failed = error else { throw error }
      return []
    }
  }

  private func weigh(
    _ ranks: Set<Int64>, _ words: [String], _ text: String, _ near: Coordinate?, _ country: String?
  ) throws(DatabaseError) -> [Hit] {
    let typed = words.joined(separator: " ")
    var hits: [Hit] = []
    for place in try places(ranks.filter { $0 < WorldSchema.firstDistrict }) {
      guard country == nil || country == place.country,
        let weight = NameMatch.weight(of: typed, words: words, names: place.folded)
      else { continue }
      hits.append(
        Hit(
          what: .place(place),
          score: weight * max(place.population, 100) * nearness(place.coordinate, near)))
    }
    let areas = try areas(
      ranks.filter { $0 > WorldSchema.firstDistrict && $0 < WorldSchema.firstRegion })
    let people = try populations(of: Set(areas.map(\.province)))
    for area in areas {
      guard country == nil || country == area.country,
        let weight = Self.weight(of: words, in: area)
      else { continue }
      // A district comes after cities, unless it is what was typed. Of many with its name, Seoul's is meant.
      let share = (people[area.province] ?? 0) / Self.usualProvince
      let population: Double =
        weight < 30 * 8 ? 0.5 : area.level == 2 ? 200_000 : share * (area.level == 3 ? 90 : 50)
      let score = weight * population * nearness(area.coordinate, near)
      if area.upper.isEmpty, let region = try region(code: area.province) {
        try add(region, score, to: &hits)
      } else if !hits.contains(where: { $0.isCity(of: area) }) {
        hits.append(Hit(what: .district(area), score: score))
      }
    }
    for region in try regions(ranks.filter { $0 > WorldSchema.firstRegion })
    where country == nil || country == region.country {
      guard let score = region.score(of: typed, words) else { continue }
      try add(region, score * nearness(region.coordinate, near), to: &hits)
    }
    return hits
  }

  /// A city that is all of its country or province stands for it.
  private func add(
    _ region: Region, _ score: Double, to hits: inout [Hit]
  ) throws(DatabaseError) {
    guard region.city != 0, let city = try place(gid: region.city) else {
      hits.append(Hit(what: .region(region), score: score))
      return
    }
    let known = hits.firstIndex {
      if case .place(let place) = $0.what { place.gid == city.gid } else { false }
    }
    if let known {
      hits[known].score = max(hits[known].score, score)
    } else {
      hits.append(Hit(what: .place(city), score: score))
    }
  }

  /// All at once: one statement a place would take most of the time.
  private func places(_ ranks: Set<Int64>) throws(DatabaseError) -> [Place] {
    try database.rows(
      "SELECT place.* FROM json_each(?) JOIN place ON place.rank = value", [Self.list(ranks)]
    ).compactMap { Place($0[...]) }
  }

  private func areas(_ ranks: Set<Int64>) throws(DatabaseError) -> [Area] {
    try database.rows(
      """
      SELECT area.id, level, cc, a1, name, upper, y, x, code FROM json_each(?)
      JOIN area ON area.id = value - \(WorldSchema.firstDistrict)
      """, [Self.list(ranks)]
    ).compactMap(Area.init)
  }

  private static let usualProvince = 3e6

  private func populations(of codes: Set<String>) throws(DatabaseError) -> [String: Double] {
    guard !codes.isEmpty else { return [:] }
    let list = "[" + codes.map { "\"\($0)\"" }.joined(separator: ",") + "]"
    let rows = try database.rows(
      "SELECT code, population FROM json_each(?) JOIN region ON code = value", [.text(list)])
    return Dictionary(
      rows.map { ($0[0].text ?? "", Double($0[1].integer ?? 0)) }, uniquingKeysWith: { $1 })
  }

  private static func list(_ ranks: Set<Int64>) -> DatabaseValue {
    .text("[" + ranks.sorted().map { "\($0)" }.joined(separator: ",") + "]")
  }

  /// One of the words is its name; the others are those of what it lies in.
  private static func weight(of words: [String], in area: Area) -> Double? {
    let names = KoreanNames.forms(of: area.name).map { Folding.fold($0) }.joined(separator: "\n")
    return words.compactMap { NameMatch.weight(of: $0, words: [$0], names: names) }.max()
  }

  private func nearness(_ place: Coordinate, _ near: Coordinate?) -> Double {
    guard let near else { return 1 }
    let distance = Self.kilometres(place, near)
    return 1 + 20 / (1 + distance / 50) + (distance < 500 ? 30 : 0)
  }

  /// Names with one letter wrong: it stands behind the first three, or among them, or the other words are right.
  private func nearly(
    _ words: [String], _ country: String?, _ near: Coordinate?
  ) throws(DatabaseError) -> [Hit] {
    let typed = words.joined(separator: " ")
    let first = Array((words.first ?? "").unicodeScalars)
    var ranks: Set<Int64> = []
    if first.count >= 3 {
      let own = String(String.UnicodeScalarView(first.prefix(3)))
      ranks = try named([own], joined: "")
        .union(named(Self.variants(Array(first.prefix(4))), joined: " OR "))
    }
    for i in words.indices where words.count > 1 {
      var others = words
      others.remove(at: i)
      ranks.formUnion(try named(others, joined: " AND "))
    }
    var hits: [Hit] = []
    for place in try places(ranks.filter { $0 < WorldSchema.firstDistrict }) {
      guard country == nil || country == place.country,
        NameMatch.misspelling(of: typed, in: place.folded) != nil
      else { continue }
      hits.append(
        Hit(
          what: .place(place),
          score: NameMatch.misspelt * max(place.population, 100) * nearness(place.coordinate, near))
      )
    }
    for region in try regions(ranks.filter { $0 > WorldSchema.firstRegion })
    where country == nil || country == region.country {
      guard let score = region.scoreMisspelt(typed) else { continue }
      try add(region, score * nearness(region.coordinate, near), to: &hits)
    }
    return hits
  }

  private func named(_ starts: [String], joined: String) throws(DatabaseError) -> Set<Int64> {
    let query = "name : (" + starts.map { "\"\($0)\"*" }.joined(separator: joined) + ")"
    return try ranks(of: query, most: Self.mostMisspelt)
  }

  /// What else the first letters may have been.
  private static func variants(_ letters: [Unicode.Scalar]) -> [String] {
    let alphabet =
      letters.allSatisfy(\.isASCII)
      ? "abcdefghijklmnopqrstuvwxyz".unicodeScalars : "ㄱㄴㄷㄹㅁㅂㅅㅇㅈㅊㅋㅌㅍㅎㅏㅐㅓㅔㅗㅜㅡㅣㅕㅛ".unicodeScalars
    var variants: [String] = []
    func add(_ letters: [Unicode.Scalar]) {
      variants.append(String(String.UnicodeScalarView(letters)))
    }
    for i in 0..<min(3, letters.count) {
      for letter in alphabet where letter != letters[i] {
        var other = letters
        other[i] = letter
        add(other)
        // Caifornia lacks one.
        add(letters[..<i] + [letter] + letters[i..<(letters.count - 1)])
      }
      var other = letters
      other.remove(at: i)
      if other.count >= 3 { add(other) }
      if i + 1 < letters.count, letters[i] != letters[i + 1] {
        var other = letters
        other.swapAt(i, i + 1)
        add(other)
      }
    }
    return variants
  }
}
