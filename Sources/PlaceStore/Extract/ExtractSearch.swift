package import LocationModel
internal import PlaceCore
package import Platform

extension Extract {
  package struct Hit: Equatable, Sendable {
    package var placemark: Placemark
    /// 1 where each word is the name's or the address's, and it is near.
    package var score: Double
  }

  /// Enough to choose from.
  private static let enough = 200
  private static let most = 600
  private static let circles = [250.0, 1000, 4000, 16_000, 64_000]
  private static let categoryCircles = [500.0, 2500, 12_000, 60_000]

  /// `isTyped`: the last word may be the beginning of one. `category`: only such. Without words: the nearest.
  package func find(
    _ text: String, locale: String?, near: Coordinate?, category: String? = nil,
    isTyped: Bool = false, limit: Int
  ) throws(DatabaseError) -> [Hit] {
    let words = Array(Folding.tokens(text).prefix(12))
    guard !words.isEmpty else {
      return try near.map { (near) throws(DatabaseError) in
        try nearest(category, near, locale, limit)
      } ?? []
    }
    var hits: [Hit] = []
    if let near, let kind = CategoryWords.category(of: words), category == nil || category == kind {
      hits = try nearest(kind, near, locale, limit)
      if hits.count >= limit { return hits }
    }
    let named = try answers(to: words, locale, near, category, isTyped, limit)
    let known = Set(hits.map(\.placemark.id))
    return Array((hits + named.filter { !known.contains($0.placemark.id) }).prefix(limit))
  }

  /// As it is written; else the street without the number; else with one letter changed.
  private func answers(
    to words: [String], _ locale: String?, _ near: Coordinate?, _ category: String?,
    _ isTyped: Bool, _ limit: Int
  ) throws(DatabaseError) -> [Hit] {
    var ways: [(words: [String], weight: Double)] = [(words, 1)]
    let names = words.filter { !$0.utf8.contains { (0x30...0x39).contains($0) } }
    if names.count < words.count, !names.isEmpty { ways.append((names, 0.8)) }
    for isCorrected in [false, true] {
      for (words, weight) in ways {
        var asked = words
        if isCorrected {
          for i in words.indices { asked[i] = try nearWord(words[i]) ?? words[i] }
          if asked == words { continue }
        }
        var hits = try match(asked.map(Term.init), locale, near, category, isTyped, limit)
        for i in hits.indices { hits[i].score *= weight * (isCorrected ? 0.7 : 1) }
        if !hits.isEmpty { return hits }
      }
    }
    return []
  }

  /// The nearest of a kind, or of all.
  private func nearest(
    _ category: String?, _ near: Coordinate, _ locale: String?, _ limit: Int
  ) throws(DatabaseError) -> [Hit] {
    let plane = Plane(around: near)
    var found: [(metres: Double, thing: Thing)] = []
    for circle in Self.categoryCircles {
      found = []
      for range in Cells.ranges(around: near, metres: circle) {
        let rows = try database.rows(
          """
          SELECT \(Self.columns) FROM thing
          WHERE \(category == nil ? "?1 IS NULL" : "category = ?1") AND id BETWEEN ?2 AND ?3 AND kind = 2
          LIMIT \(Self.most)
          """,
          [
            category.map(DatabaseValue.text) ?? .null, .integer(range.lowerBound),
            .integer(range.upperBound),
          ])
        found += rows.compactMap(Thing.init).map { (plane.distance(to: $0.coordinate), $0) }
      }
      found = found.filter { $0.metres <= circle }
      if found.count >= limit { break }
    }
    return found.sorted { $0.metres < $1.metres }.prefix(limit).map { metres, thing in
      // The nearest are better than what only has the word in its name.
      Hit(
        placemark: thing.placemark(locale, source: dataSet.name), score: 1 + 1 / (1 + metres / 1000)
      )
    }
  }

  private func match(
    _ terms: [Term], _ locale: String?, _ near: Coordinate?, _ category: String?, _ isTyped: Bool,
    _ limit: Int
  ) throws(DatabaseError) -> [Hit] {
    let question = terms.enumerated().map { i, term in
      term.question(isBegun: isTyped && i == terms.count - 1)
    }.joined(separator: " AND ")
    var things: [Int64: Thing] = [:]
    func add(_ range: ClosedRange<Int64>) throws(DatabaseError) {
      let rows = try database.rows(
        """
        SELECT \(Self.columns) FROM words JOIN thing ON thing.id = words.rowid
        WHERE words MATCH ?1 AND words.rowid BETWEEN ?2 AND ?3 AND (?4 IS NULL OR category = ?4)
        LIMIT \(Self.most)
        """,
        [
          .text(question), .integer(range.lowerBound), .integer(range.upperBound),
          category.map(DatabaseValue.text) ?? .null,
        ])
      for thing in rows.compactMap(Thing.init) { things[thing.number] = thing }
    }
    // Where there are few, all are asked for at once: in a country each question takes milliseconds.
    if let near, try isCommon(question) {
      for circle in Self.circles where things.count < Self.enough {
        for range in Cells.ranges(around: near, metres: circle) { try add(range) }
      }
    }
    if things.count < Self.enough { try add(0...Int64.max) }
    let plane = near.map { Plane(around: $0) }
    var found = things.values.map { thing in
      let names = [thing.title(locale)].compactMap(\.self) + thing.names
      var score = names.map { Term.score(terms, Folding.tokens($0), isTyped: isTyped) }.max() ?? 0
      if let metres = plane?.distance(to: thing.coordinate) {
        score *= 0.6 + 0.4 / (1 + metres / 1000)
      }
      return (score: score, thing: thing)
    }
    found.sort { ($0.score, $1.thing.number) > ($1.score, $0.thing.number) }
    return distinct(found, locale, limit)
  }

  private func isCommon(_ question: String) throws(DatabaseError) -> Bool {
    try !database.rows(
      "SELECT rowid FROM words WHERE words MATCH ? LIMIT 1 OFFSET \(Self.most)", [.text(question)]
    ).isEmpty
  }

  /// A thing may be there twice: as a spot and as a building, as a stop on both sides of a street.
  private func distinct(
    _ found: [(score: Double, thing: Thing)], _ locale: String?, _ limit: Int
  ) -> [Hit] {
    var chosen: [Hit] = []
    for (score, thing) in found where chosen.count < limit {
      let placemark = thing.placemark(locale, source: dataSet.name)
      let isKnown = chosen.contains {
        $0.placemark.name == placemark.name && $0.placemark.category == placemark.category
          && ($0.placemark.subThoroughfare ?? "") == (placemark.subThoroughfare ?? "")
          && Plane(around: $0.placemark.coordinate).distance(to: placemark.coordinate)
            < (thing.kind == .street ? 1000 : 300)
      }
      if !isKnown { chosen.append(Hit(placemark: placemark, score: score)) }
    }
    return chosen
  }

  /// The commonest word of this extract that is one letter away; nil where the word is one, or none is.
  private func nearWord(_ word: String) throws(DatabaseError) -> String? {
    guard (4...24).contains(word.utf8.count), word.utf8.allSatisfy({ (0x61...0x7A).contains($0) })
    else {
      return nil
    }
    let isOne = "SELECT 1 FROM vocabulary WHERE term = ?"
    guard try database.rows(isOne, [.text(word)]).isEmpty else { return nil }
    // All at once: each question about the vocabulary begins with a tenth of a millisecond.
    let others = "[\"" + OneLetter.variants(of: word).joined(separator: "\",\"") + "\"]"
    return try database.rows(
      """
      SELECT term FROM json_each(?) CROSS JOIN vocabulary ON term = value ORDER BY doc DESC LIMIT 1
      """, [.text(others)]
    ).first?[0].text
  }
}

/// A word that is asked for, and what it may stand for.
private struct Term {
  private let forms: [String]

  init(_ word: String) { forms = [word] + Abbreviations.meanings(of: word) }

  /// Folded words hold no quotes.
  func question(isBegun: Bool) -> String {
    "(" + forms.map { "\"\($0)\"" + (isBegun ? " *" : "") }.joined(separator: " OR ") + ")"
  }

  private func isMet(by word: String, isBegun: Bool) -> Bool {
    forms.contains { $0 == word || isBegun && word.hasPrefix($0) }
  }

  /// Nothing of the name that was not asked for is best: the street itself before what lies in it.
  static func score(_ terms: [Term], _ name: [String], isTyped: Bool) -> Double {
    guard !name.isEmpty, !terms.isEmpty else { return 0 }
    let last = terms.count - 1
    let ownMet = name.count { word in
      terms.indices.contains { terms[$0].isMet(by: word, isBegun: isTyped && $0 == last) }
    }
    let met = terms.indices.count { i in
      name.contains { terms[i].isMet(by: $0, isBegun: isTyped && i == last) }
    }
    return 0.6 * Double(ownMet) / Double(name.count) + 0.4 * Double(met) / Double(terms.count)
  }
}
