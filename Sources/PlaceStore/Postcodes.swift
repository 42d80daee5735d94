internal import LocationModel
internal import PlaceCore
internal import Platform

/// Postcodes and their places.
final class Postcodes: PlaceFile {
  let dataSet: DataSet
  private let database: SealedDatabase

  init(path: String, limit: WorkLimit? = nil) throws(DatabaseError) {
    database = try SealedDatabase(
      path: path, application: PostcodeTables.schema.application,
      version: Int64(PostcodeTables.schema.steps.count), oldest: PostcodeTables.oldest,
      limit: limit)
    dataSet = DataSet(about: try database.about(), name: "postcodes")
  }

  private enum Column: Int, Columns {
    case code, cc, size, city, y, x, name

    static let list = columns(of: "postcode")
  }

  private enum SectorColumn: Int, Columns {
    case name, y, x, units

    static let list = columns(of: "sector")
  }

  /// The row of Britain's own data for a code.
  private func british(_ code: String) throws(DatabaseError) -> PostcodeRow? {
    guard database.version > PostcodeTables.oldest else { return nil }
    let rows = try database.rows(
      SectorColumn.self, "FROM json_each(?) CROSS JOIN sector ON name = value",
      [.list(PostcodeSector.names(for: code).map(JSON.string))])
    return PostcodeSector.row(
      of: code,
      in: rows.compactMap { row in
        row.coordinate(.y, .x, 1e6).map {
          PostcodeSector(row.text(.name), $0, row[.units].blob ?? [])
        }
      })
  }

  /// One for each country that has such a code.
  func matches(for code: String) throws(DatabaseError) -> [PostcodeMatch] {
    let rows = try database.rows(
      Column.self, "FROM json_each(?) CROSS JOIN postcode ON code = value",
      [.list(PostcodeMatch.starts(of: code).map(JSON.string))])
    let found = rows.compactMap { row -> PostcodeRow? in
      guard let country = row[.cc].text, let size = row[.size].integer,
        let place = row.coordinate(.y, .x, 1e6)
      else { return nil }
      var found = PostcodeRow(row.text(.code), country: country, size: size, place)
      found.city = row.integer(.city)
      found.name = row[.name].text
      return found
    }
    let own = try [british(code)].compactMap(\.self)
    return PostcodeMatch.all(of: code, in: own + found)
  }
}

extension World {
  /// Places of a text that is a postcode, alone or beside its town or country.
  func placemarks(
    ofCodesIn text: String, in postcodes: Postcodes, near: Coordinate?, country: String?,
    locale: String?, limit: Int
  ) throws(DatabaseError) -> [Placemark] {
    let language = Language.code(locale, for: text)
    for candidate in PostcodeText.candidates(in: text) {
      let matches = try postcodes.matches(for: candidate.code)
        .filter { country == nil || country == $0.row.country }
      let countries = try regions(codes: Set(matches.map(\.row.country)))
      var found: [(match: PostcodeMatch, mark: Placemark)] = []
      for match in matches where try mayBeMeant(match, by: candidate.rest) {
        let mark = try placemark(of: match, in: language)
        if !candidate.rest.isEmpty {
          let names =
            try regions(codes: Set([mark.isoCountryCode].compactMap(\.self)))
            .map(\.folded) + town(of: match).map(\.folded)
          // In English, and in the country's own language.
          let around = [
            try reverse(mark.coordinate, in: "en"), try reverse(mark.coordinate, in: nil),
          ]
          guard PostcodeMatch.isMeant(mark, by: candidate.rest, around: around, names) else {
            continue
          }
        }
        found.append((match, mark))
      }
      guard found.isEmpty else {
        let there = try near.flatMap { (near) throws(DatabaseError) in
          try surroundings(of: near).country
        }
        let people = Dictionary(
          countries.map { ($0.code, $0.population) }, uniquingKeysWith: { $1 })
        let placemarks = PostcodeMatch.ranked(
          found,
          here: there ?? locale.flatMap(Language.init)?.region
            ?? locale.flatMap(Language.init)?.home, people: people)
        return Array(placemarks.prefix(limit))
      }
    }
    return []
  }

  /// False where a word is in no name of the match's country: some twenty have a code, and looking around the place of
  /// each takes most of an answer's time.
  private func mayBeMeant(
    _ match: PostcodeMatch, by words: [String]
  ) throws(DatabaseError) -> Bool {
    // Districts of Korea have names in Latin letters that no row says.
    guard match.row.country != "KR" else { return true }
    let own = match.row.name.map(Folding.tokens) ?? []
    for word in words where !own.contains(where: { $0.hasPrefix(word) }) {
      let question = NameSearch.question(begun: word, in: match.row.country)
      let names = try database.rows(
        "SELECT 1 FROM names WHERE names MATCH ? LIMIT 1", [.text(question)])
      if names.isEmpty { return false }
    }
    return true
  }

  func placemark(
    _ id: String, in postcodes: Postcodes, in language: String?
  ) throws(DatabaseError) -> Placemark? {
    let parts = id.split(separator: ":").map(String.init)
    guard parts.count == 3, parts[0] == "postcodes" else { return nil }
    return try postcodes.matches(for: parts[2]).first { $0.row.country == parts[1] }
      .map { (match) throws(DatabaseError) in try placemark(of: match, in: language) }
  }

  /// The town that a code's row names.
  private func town(of match: PostcodeMatch) throws(DatabaseError) -> [PlaceRow] {
    match.row.city == 0 ? [] : try places(gids: [match.row.city])
  }

  private func placemark(
    of match: PostcodeMatch, in language: String?
  ) throws(DatabaseError) -> Placemark {
    let hits = try town(of: match).map { WorldHit(.place($0)) }
    let place = try placemarks(of: hits, in: language).first
    if let place { return match.placemark(at: place) }
    return match.placemark(at: try reverse(match.row.coordinate, in: language))
  }
}
